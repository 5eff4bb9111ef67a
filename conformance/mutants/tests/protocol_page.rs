//! The session on the protocol's page is what the served reference really answers. With
//! `SEAMCHECK_BLESS=1` the page is written anew.

#![expect(clippy::unwrap_used, reason = "every line of this file is a test")]

use std::fmt::Write as _;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, split};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol/PROTOCOL.md");
const PIPE_BYTES: usize = 1 << 20;

#[tokio::test]
async fn the_session_on_the_page_is_a_real_one() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once("```text\n").unwrap();
    let (session, after) = rest.split_once("```").unwrap();
    let replayed = replay(session).await;
    if std::env::var_os("SEAMCHECK_BLESS").is_some() {
        std::fs::write(PAGE, format!("{before}```text\n{replayed}```{after}")).unwrap();
    } else {
        for (written, real) in session.lines().zip(replayed.lines()) {
            assert_eq!(written, real, "run this test with SEAMCHECK_BLESS=1 to write the page anew");
        }
        assert_eq!(session.lines().count(), replayed.lines().count());
    }
}

/// What the runner says on the page, and after each line what the adapter answers by then.
async fn replay(session: &str) -> String {
    let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
    let (input, output) = split(theirs);
    let served = seamcheck_protocol::serve::serve(seamcheck_mutants::reference(), BufReader::new(input), output);
    let play = async {
        let (reader, mut writer) = split(ours);
        let mut answers = BufReader::new(reader).lines();
        let mut replayed = String::new();
        for line in session.lines().filter(|line| line.starts_with("> ")) {
            writeln!(replayed, "{line}").unwrap();
            writer.write_all(format!("{}\n", &line[2..]).as_bytes()).await.unwrap();
            // Both ends share one thread: after these turns the adapter waits for the next line.
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            let mut quiet = std::pin::pin!(idle());
            loop {
                tokio::select! {
                    biased;
                    answer = answers.next_line() => match answer.unwrap() {
                        Some(answer) => writeln!(replayed, "< {answer}").unwrap(),
                        None => break,
                    },
                    () = &mut quiet => break,
                }
            }
        }
        replayed
    };
    let (served, replayed) = tokio::join!(served, play);
    served.unwrap();
    replayed
}

async fn idle() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}
