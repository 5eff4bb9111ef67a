//! How much of what a pipe can carry the runner makes use of: `cargo bench -p seamcheck-benches --bench pipe`.
//!
//! Each row puts the same requests to the same kind of child twice, 64 in flight: by a plain driver, two threads
//! that count lines, and by the runner's session, which writes, parses, matches and decodes every one of them. The
//! first child echoes lines; `reference` answers them; the others are the least that is an adapter in their
//! language. Absent: generating and judging, which have threads of their own.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on has nothing to show")]

use seamcheck::command::CommandLine;
use seamcheck::session::{Session, Timeouts};
use seamcheck_protocol::messages::{ContextParams, UnitsResult, method};
use seamcheck_protocol::payload::Payload;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{TryRecvError, sync_channel};
use std::time::Instant;

const IN_FLIGHT: usize = 64;
const ROUNDS: usize = 5;
/// About 1.1 KB a request.
const CONTENT_BYTES: usize = 1_000;

const DECLARED: &str = r#"{"protocolVersion":"1","name":"least","version":"0","profiles":["boundary"],"levels":["exact"],"maxInFlight":64}"#;

const PYTHON: &str = "
import json, sys
for line in sys.stdin.buffer:
    message = json.loads(line)
    result = DECLARED if message['method'] == 'initialize' else {'units': 6}
    sys.stdout.buffer.write(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}).encode() + b'\\n')
    sys.stdout.buffer.flush()
";

const NODE: &str = "
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const message = JSON.parse(line);
    const result = message.method === 'initialize' ? DECLARED : { units: 6 };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }) + '\\n');
  }
});
";

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("child-echo") => return echo(),
        Some("child-reference") => {
            return seamcheck_protocol::serve::serve_stdio(seamcheck_mutants::reference()).unwrap();
        }
        _ => {}
    }
    let own = |mode: &str| vec![std::env::current_exe().unwrap().into_os_string(), mode.into()];
    let program = |words: [&str; 2], text: &str| -> Vec<OsString> {
        vec![words[0].into(), words[1].into(), text.replace("DECLARED", DECLARED).into()]
    };
    let children = [
        ("echo / reference (Rust)", own("child-echo"), own("child-reference"), 60_000),
        ("Node", program(["node", "-e"], NODE), program(["node", "-e"], NODE), 30_000),
        ("Python", program(["python3", "-c"], PYTHON), program(["python3", "-c"], PYTHON), 30_000),
    ];
    println!(
        "| child | plain driver, messages/s | runner, messages/s | ratio (median of {ROUNDS}) |\n|---|---|---|---|"
    );
    for (name, echoing, answering, requests) in children {
        let mut rounds: Vec<(f64, f64)> =
            (0..ROUNDS).map(|_| (plain(&echoing, requests), with_session(&answering, requests))).collect();
        rounds.sort_by(|one, other| (one.1 / one.0).total_cmp(&(other.1 / other.0)));
        let (plain, session) = rounds[ROUNDS / 2];
        println!("| {name} | {plain:.0} | {session:.0} | {:.2} |", session / plain);
    }
}

fn echo() {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).unwrap() > 0 {
        output.write_all(&line).unwrap();
        output.flush().unwrap();
        line.clear();
    }
}

fn context() -> Payload {
    let content = "x".repeat(CONTENT_BYTES);
    serde_json::from_str(&format!(r#"{{"messages":[{{"id":"u","role":"user","content":"{content}"}}]}}"#)).unwrap()
}

/// Messages a second, with nothing but lines.
fn plain(command: &[OsString], requests: usize) -> f64 {
    let mut child =
        Command::new(&command[0]).args(&command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = BufWriter::new(child.stdin.take().unwrap());
    let mut output = BufReader::with_capacity(64 * 1024, child.stdout.take().unwrap());
    let mut line = String::new();
    writeln!(input, r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersions":["1"]}}}}"#)
        .unwrap();
    input.flush().unwrap();
    output.read_line(&mut line).unwrap();
    let params = serde_json::to_string(&ContextParams { context: context() }).unwrap();
    let (free, room) = sync_channel(IN_FLIGHT);
    (0..IN_FLIGHT).for_each(|_| free.send(()).unwrap());
    let began = Instant::now();
    let writing = std::thread::spawn(move || {
        for id in 0..requests {
            match room.try_recv() {
                Ok(()) => {}
                Err(TryRecvError::Empty) => {
                    input.flush().unwrap();
                    room.recv().unwrap();
                }
                Err(TryRecvError::Disconnected) => return input,
            }
            writeln!(input, r#"{{"jsonrpc":"2.0","id":{},"method":"units","params":{params}}}"#, id + 2).unwrap();
        }
        input.flush().unwrap();
        input
    });
    for _ in 0..requests {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0);
        // The writer may have ended by then.
        let _ = free.send(());
    }
    let rate = requests as f64 / began.elapsed().as_secs_f64();
    drop(writing.join().unwrap());
    child.wait().unwrap();
    rate
}

/// Messages a second, through a session.
fn with_session(command: &[OsString], requests: usize) -> f64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let session = Session::start(&CommandLine::new(command).unwrap(), Timeouts::default()).await.unwrap();
        let began = Instant::now();
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..IN_FLIGHT {
            let mut conversation = session.conversation();
            let params = ContextParams { context: context() };
            tasks.spawn(async move {
                for _ in 0..requests / IN_FLIGHT {
                    conversation.call::<UnitsResult>(method::UNITS, &params).await.unwrap().unwrap();
                }
            });
        }
        while tasks.join_next().await.is_some() {}
        (requests / IN_FLIGHT * IN_FLIGHT) as f64 / began.elapsed().as_secs_f64()
    })
}
