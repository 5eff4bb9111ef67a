//! Storms of `cancel`: for nothing, for others, for the one that waits, and when it is over.

use super::kit::{Kit, Said, same_id};
use super::questions::{ask, big, give};
use super::{Done, KitCheck, Needs, Stop, check};

const STORM: usize = 1_000;

pub(super) const CHECKS: [KitCheck; 4] = [
    check("K-CANCEL-NOTHING", "1,000 cancels for compactions that never were are ignored", Needs::Nothing, |kit| {
        Box::pin(nothing(kit))
    }),
    check("K-CANCEL-OTHER", "1,000 cancels for others do not reach a compaction that waits", Needs::Questions, |kit| {
        Box::pin(other(kit))
    }),
    check("K-CANCEL-STORM", "a compaction that is cancelled 1,000 times ends once", Needs::Questions, |kit| {
        Box::pin(storm(kit))
    }),
    check(
        "K-CANCEL-AFTER",
        "1,000 cancels for a compaction that has ended are ignored, by its successor too",
        Needs::Questions,
        |kit| Box::pin(after(kit)),
    ),
];

async fn nothing(kit: &mut Kit) -> Done {
    for params in
        [r#","params":{}"#, r#","params":7"#, r#","params":{"compaction":null}"#, r#","params":{"compaction":[]}"#, ""]
    {
        kit.line(&format!(r#"{{"jsonrpc":"2.0","method":"cancel"{params}}}"#));
    }
    cancels(kit, |at| if at % 2 == 0 { at.to_string() } else { format!("\"c{at}\"") });
    kit.goes_on().await
}

async fn other(kit: &mut Kit) -> Done {
    let (handle, compaction) = (big(kit).await?, kit.fresh_id());
    let question = ask(kit, &compaction, &handle, "").await?;
    cancels(kit, |at| if at % 2 == 0 { at.to_string() } else { format!("\"c{at}\"") });
    give(kit, &question, "own-text");
    let answer = kit.answer(&compaction).await?;
    answer.sound()?;
    if answer.refusal().as_deref() == Some("CONTEXT_CANCELLED") {
        return Err(Stop::fault("cancels for other compactions ended this one; compare the id"));
    }
    kit.goes_on().await
}

async fn storm(kit: &mut Kit) -> Done {
    let (handle, compaction) = (big(kit).await?, kit.fresh_id());
    let question = ask(kit, &compaction, &handle, "").await?;
    cancels(kit, |_| compaction.clone());
    give(kit, &question, "text");
    cancels(kit, |_| compaction.clone());
    kit.answer(&compaction).await?.sound()?;
    kit.goes_on().await
}

async fn after(kit: &mut Kit) -> Done {
    let (handle, compaction) = (big(kit).await?, kit.fresh_id());
    let question = ask(kit, &compaction, &handle, "").await?;
    give(kit, &question, "text");
    kit.answer(&compaction).await?.sound()?;
    cancels(kit, |_| compaction.clone());
    let next = kit.fresh_id();
    let question = ask(kit, &next, &handle, "").await?;
    give(kit, &question, "text");
    match kit.hear().await? {
        Said::Answer(answer)
            if same_id(&answer.id, &next) && answer.refusal().as_deref() == Some("CONTEXT_CANCELLED") =>
        {
            Err(Stop::fault("cancels for the compaction before ended this one"))
        }
        Said::Answer(answer) if same_id(&answer.id, &next) => answer.sound(),
        said => Err(Stop::Fault(format!("the end of {next} was due, and {said:?} came"))),
    }?;
    kit.goes_on().await
}

fn cancels(kit: &Kit, compaction: impl Fn(usize) -> String) {
    let line = |at| {
        format!("{{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":{{\"compaction\":{}}}}}\n", compaction(at))
    };
    kit.bytes((0..STORM).map(line).collect::<String>());
}
