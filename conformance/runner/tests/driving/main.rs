//! Cases with implementations behind the protocol, in memory: the reference, faulty ones, and some that are scripted.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod interleavings;
mod scenarios;

use seamcheck::drive::{Driven, drive};
use seamcheck::link::Link;
use seamcheck::session::{Session, Timeouts};
use seamcheck_checks::case::Case;
use seamcheck_protocol::implementation::Implementation;
use seamcheck_protocol::serve::serve;
use std::time::Duration;
use tokio::io::BufReader;
use tokio::task::LocalSet;

/// Goes through the cases with an implementation behind the protocol.
async fn drive_with<I: Implementation>(implementation: I, cases: &[Case], idle: Duration) -> Vec<Driven> {
    let (runner_side, adapter_side) = tokio::io::duplex(1 << 16);
    let tasks = LocalSet::new();
    tasks.spawn_local(async move {
        let (input, output) = tokio::io::split(adapter_side);
        serve(implementation, BufReader::new(input), output).await
    });
    tasks
        .run_until(async {
            let (input, output) = tokio::io::split(runner_side);
            let timeouts = Timeouts { idle, ..Timeouts::default() };
            let session = Session::over(Link::over(input, output), timeouts).await.unwrap();
            let declaration = session.declaration().clone();
            let mut conversation = session.conversation();
            let mut all = Vec::new();
            for case in cases {
                all.push(drive(&mut conversation, case, &declaration).await);
            }
            all
        })
        .await
}
