//! How an adapter ends, and what is on its standard output from its first breath to its last.

use super::kit::Kit;
use super::questions::{ask, big};
use super::{Done, KitCheck, Needs, Stop, check};
use seamcheck_protocol::envelope::PARSE_ERROR;

/// What an adapter that honours `SEAMCHECK_STRAY` prints.
pub(super) const STRAY_TEXT: &str = "seamcheck-stray-print";

pub(super) const CHECKS: [KitCheck; 8] = [
    check("K-EOF", "the end of the input ends the adapter with exit status 0", Needs::Nothing, |kit| {
        Box::pin(end_of_input(kit))
    }),
    check("K-EOF-EARLY", "so it does before the handshake", Needs::Handshake, |kit| Box::pin(end_of_input(kit))),
    check("K-EOF-MID-LINE", "so it does in the middle of a line", Needs::Nothing, |kit| Box::pin(end_in_line(kit))),
    check("K-EOF-WAITING", "so it does while a compaction waits for its summary", Needs::Questions, |kit| {
        Box::pin(end_while_waiting(kit))
    }),
    check(
        "K-SHUTDOWN",
        "`shutdown` is answered, and ends the adapter with exit status 0 while its input stays open",
        Needs::Nothing,
        |kit| Box::pin(shutdown(kit)),
    ),
    check(
        "K-SHUTDOWN-WAITING",
        "so it does while a compaction waits, which is abandoned without an answer",
        Needs::Questions,
        |kit| Box::pin(shutdown_while_waiting(kit)),
    ),
    check(
        "K-STDOUT",
        "standard output holds the protocol and nothing else, from start to end",
        Needs::Handshake,
        |kit| Box::pin(stdout(kit)),
    ),
    check(
        "K-STRAY",
        "what the adapter or its library prints does not reach standard output",
        Needs::StrayPrints,
        |kit| Box::pin(stray(kit)),
    ),
];

async fn end_of_input(kit: &mut Kit) -> Done {
    kit.close();
    kit.ends(|_| false).await
}

async fn end_in_line(kit: &mut Kit) -> Done {
    let line = kit.sound("1", "");
    kit.bytes(&line.as_bytes()[..line.len() / 2]);
    kit.pause();
    kit.close();
    // The piece may be answered as a line that is no JSON, or not at all.
    kit.ends(|answer| answer.id == "null" && answer.outcome.as_ref().is_err_and(|error| error.code == PARSE_ERROR))
        .await
}

async fn end_while_waiting(kit: &mut Kit) -> Done {
    let (handle, compaction) = (big(kit).await?, kit.fresh_id());
    ask(kit, &compaction, &handle, "").await?;
    kit.close();
    kit.ends(|_| false).await
}

async fn shutdown(kit: &mut Kit) -> Done {
    kit.line(r#"{"jsonrpc":"2.0","id":"end","method":"shutdown","params":{}}"#);
    kit.answer("\"end\"").await?.result("`shutdown`")?;
    kit.ends(|_| false).await
}

async fn shutdown_while_waiting(kit: &mut Kit) -> Done {
    let (handle, compaction) = (big(kit).await?, kit.fresh_id());
    ask(kit, &compaction, &handle, "").await?;
    shutdown(kit).await
}

async fn stdout(kit: &mut Kit) -> Done {
    kit.initialize().await?;
    kit.goes_on().await?;
    kit.line("not json");
    kit.error("null", PARSE_ERROR).await?;
    kit.goes_on().await?;
    shutdown(kit).await
}

async fn stray(kit: &mut Kit) -> Done {
    kit.initialize().await?;
    kit.goes_on().await?;
    shutdown(kit).await?;
    if kit.log().iter().any(|line| line.contains(STRAY_TEXT)) {
        Ok(())
    } else {
        Err(Stop::Unseen(format!(
            "nothing was printed; to have this tried, let the adapter print the value of the environment variable \
             {} when an operation is called",
            super::STRAY_VARIABLE
        )))
    }
}
