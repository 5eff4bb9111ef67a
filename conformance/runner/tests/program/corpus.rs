//! Transcripts of the user's.

use crate::{scratch, seamcheck};
use std::io::Write;
use std::process::{Command, Stdio};

const VALID: &str = r#"{"source":"mine/1","messages":[{"id":"u","role":"user","content":"hi"},{"id":"a","role":"assistant","content":[{"type":"toolCall","id":"c","name":"n","arguments":{}}]},{"id":"r","role":"toolResult","toolCallId":"c","toolName":"n","content":"","isError":false}]}"#;
const OPEN: &str = r#"{"messages":[{"id":"a","role":"assistant","content":[{"type":"toolCall","id":"c","name":"n","arguments":{}},{"type":"toolCall","id":"d","name":"n","arguments":{}}]}]}"#;

#[test]
fn each_transcript_has_a_line_that_says_what_the_adapter_made_of_it() {
    let file = scratch("corpus.ndjson");
    std::fs::write(&file, format!("{VALID}\n\n{OPEN}\n")).unwrap();
    let name = file.to_str().unwrap();
    let run = seamcheck(&["--cases", "0", "--clause", "B-TRIM-*", "--clause", "B-ROUND-1", "--corpus", name]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let line = |start: &str| run.stdout.lines().find(|line| line.starts_with(start)).unwrap_or_default().to_owned();
    let accepted = line("mine/1: 3 messages; exact: accepted, 2 groups; cut: ");
    assert!(accepted.contains(" budgets"), "{}", run.stdout);
    let refused = line(&format!("{name}:3: 1 message; exact: refused CONTEXT_INVALID_TRANSCRIPT: "));
    assert!(refused.contains("MISSING_TOOL_RESULT at message 0 (+1 more)"), "{}", run.stdout);
}

#[test]
fn a_line_that_is_no_transcript_is_named_by_its_number_and_nothing_is_run() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_seamcheck"));
    program.args(["--corpus", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = program.spawn().unwrap();
    running.stdin.take().unwrap().write_all(format!("{VALID}\n{{\"message\":[]}}\n").as_bytes()).unwrap();
    let run = crate::read(running.wait_with_output().unwrap());
    assert!(run.code == 2 && run.stdout.is_empty(), "{}", run.stdout);
    assert!(run.stderr.contains("standard input:2: "), "{}", run.stderr);
    let missing = seamcheck(&["--corpus", "/no/such/corpus"]);
    assert!(missing.code == 2 && missing.stderr.contains("/no/such/corpus"), "{}", missing.stderr);
}
