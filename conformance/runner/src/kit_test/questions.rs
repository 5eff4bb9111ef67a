//! Compactions whose summarizer asks: answers twice, late, reordered, as errors, unreadable, for nobody.

use super::handles::{build_messages, handle_of, inspect};
use super::kit::{Answer, Kit, Said, same_id};
use super::{Done, KitCheck, Needs, Stop, check};
use seamcheck_protocol::envelope::INVALID_PARAMS;
use seamcheck_protocol::messages::CancelMode;
use serde_json::Value;
use std::time::Duration;

/// How long a second question is waited for, which a kit that blocks never asks.
const SECOND_QUESTION: Duration = Duration::from_millis(300);
const OPTIONS: &str =
    r#""maxUnits":300,"targetUnits":260,"summaryMaxUnits":100,"retainRecentMessages":0,"summaryId":"s""#;

pub(super) const CHECKS: [KitCheck; 8] = [
    check(
        "K-QUEUE",
        "requests that come while a compaction waits are answered each once, in order",
        Needs::Questions,
        |kit| Box::pin(queue(kit)),
    ),
    check(
        "K-ANSWER-ORDER",
        "two compactions end each with its own summary, in whatever order they are answered",
        Needs::Questions,
        |kit| Box::pin(order(kit)),
    ),
    check(
        "K-ANSWER-STRAY",
        "an answer to another question does not reach the one that waits",
        Needs::Questions,
        |kit| Box::pin(stray(kit)),
    ),
    check("K-ANSWER-TWICE", "a second answer to a question is ignored", Needs::Questions, |kit| Box::pin(twice(kit))),
    check(
        "K-ANSWER-LATE",
        "an answer that comes after a cancelled compaction has ended is ignored",
        Needs::Questions,
        |kit| Box::pin(late(kit)),
    ),
    check(
        "K-ANSWER-ERROR",
        "an error as an answer fails the summarizer, and its text is no summary",
        Needs::Questions,
        |kit| Box::pin(error(kit)),
    ),
    check(
        "K-ANSWER-UNREADABLE",
        "an answer that cannot be read ends the compaction with -32602",
        Needs::Questions,
        |kit| Box::pin(unreadable(kit)),
    ),
    check("K-SCRIPT", "a script is acted out at once, and told by a notification", Needs::Questions, |kit| {
        Box::pin(script(kit))
    }),
];

async fn queue(kit: &mut Kit) -> Done {
    let (handle, compaction) = (big(kit).await?, kit.fresh_id());
    let question = ask(kit, &compaction, &handle, "").await?;
    let mut due: Vec<String> = (0..5).map(|_| kit.fresh_id()).collect();
    for id in &due {
        kit.line(&kit.sound(id, ""));
    }
    kit.pause();
    give(kit, &question, "queued");
    let mut ended = false;
    while !ended || !due.is_empty() {
        match kit.hear().await? {
            Said::Answer(answer) if !ended && same_id(&answer.id, &compaction) => {
                answer.sound()?;
                ended = true;
            }
            Said::Answer(answer) if due.first().is_some_and(|id| same_id(&answer.id, id)) => {
                answer.sound()?;
                due.remove(0);
            }
            Said::Answer(answer) => {
                return Err(Stop::Fault(format!("the answer to {due:?} was due, and {answer} came")));
            }
            Said::Asked { .. } => return Err(Stop::fault("a second `summarize` came")),
        }
    }
    kit.goes_on().await
}

async fn order(kit: &mut Kit) -> Done {
    let (one, other) = (big(kit).await?, big(kit).await?);
    let ids = [kit.fresh_id(), kit.fresh_id()];
    for (id, handle) in ids.iter().zip([&one, &other]) {
        kit.line(&compact(id, handle, ""));
    }
    let first = question(kit, &ids[0]).await?;
    // A kit that blocks asks the second one when the first has ended.
    let mut answers = Vec::new();
    match kit.hear_within(SECOND_QUESTION).await? {
        Some(said) => {
            let second = is_question(said, &ids[1])?;
            give(kit, &second, "summary-1");
            answers.push(kit.answer(&ids[1]).await?);
            give(kit, &first, "summary-0");
            answers.insert(0, kit.answer(&ids[0]).await?);
        }
        None => {
            give(kit, &first, "summary-0");
            answers.push(kit.answer(&ids[0]).await?);
            let second = question(kit, &ids[1]).await?;
            give(kit, &second, "summary-1");
            answers.push(kit.answer(&ids[1]).await?);
        }
    }
    for (place, answer) in answers.into_iter().enumerate() {
        let (own, foreign) = (format!("summary-{place}"), format!("summary-{}", 1 - place));
        ends_with(kit, answer, &own, &foreign).await?;
    }
    kit.goes_on().await
}

async fn stray(kit: &mut Kit) -> Done {
    let (handle, compaction) = (big(kit).await?, kit.fresh_id());
    let question = ask(kit, &compaction, &handle, "").await?;
    for id in [r#""id":"no-such-question","#, r#""id":999999,"#, r#""id":null,"#, ""] {
        kit.line(&format!(r#"{{"jsonrpc":"2.0",{id}"result":{{"kind":"text","text":"stray-text"}}}}"#));
        kit.line(&format!(r#"{{"jsonrpc":"2.0",{id}"error":{{"code":1,"message":"stray-text"}}}}"#));
    }
    kit.pause();
    give(kit, &question, "own-text");
    let answer = kit.answer(&compaction).await?;
    ends_with(kit, answer, "own-text", "stray-text").await?;
    kit.goes_on().await
}

async fn twice(kit: &mut Kit) -> Done {
    let (handle, compaction) = (big(kit).await?, kit.fresh_id());
    let question = ask(kit, &compaction, &handle, "").await?;
    give(kit, &question, "first-text");
    give(kit, &question, "second-text");
    kit.line(&format!(r#"{{"jsonrpc":"2.0","id":{question},"error":{{"code":1,"message":"second-text"}}}}"#));
    kit.line(&format!(r#"{{"jsonrpc":"2.0","id":{question},"result":7}}"#));
    let answer = kit.answer(&compaction).await?;
    ends_with(kit, answer, "first-text", "second-text").await?;
    kit.goes_on().await
}

async fn late(kit: &mut Kit) -> Done {
    if !kit.declares(|declared| declared.capabilities.cancel.iter().any(|mode| *mode != CancelMode::AtLook)) {
        return Err(Stop::unseen("without `in-callback` or `async` in `cancel` nothing ends before its answer"));
    }
    let (handle, compaction) = (big(kit).await?, kit.fresh_id());
    let question = ask(kit, &compaction, &handle, "").await?;
    kit.line(&format!(r#"{{"jsonrpc":"2.0","method":"cancel","params":{{"compaction":{compaction}}}}}"#));
    let ended = kit.hear_within(SECOND_QUESTION).await?;
    give(kit, &question, "late-text");
    match ended {
        Some(Said::Answer(answer)) if same_id(&answer.id, &compaction) => {}
        Some(said) => return Err(Stop::Fault(format!("the end of {compaction} was due, and {said:?} came"))),
        // It waits for its answer, as an implementation that is not interrupted must.
        None => kit.answer(&compaction).await?.sound()?,
    }
    kit.goes_on().await
}

async fn error(kit: &mut Kit) -> Done {
    let (handle, compaction) = (big(kit).await?, kit.fresh_id());
    let question = ask(kit, &compaction, &handle, "").await?;
    kit.line(&format!(r#"{{"jsonrpc":"2.0","id":{question},"error":{{"code":-32600,"message":"error-text"}}}}"#));
    let answer = kit.answer(&compaction).await?;
    answer.sound()?;
    if answer.outcome.is_ok() {
        let shown = inspect(kit, &handle_of(&answer.result("`compact`")?)?).await?;
        if shown.contains("error-text") {
            return Err(Stop::fault("the text of the error has become the summary; let the summarizer fail instead"));
        }
    }
    kit.goes_on().await
}

async fn unreadable(kit: &mut Kit) -> Done {
    let handle = big(kit).await?;
    for result in [
        r#"{"kind":"song"}"#,
        r#"{"kind":"text"}"#,
        r#"{"kind":"text","text":7}"#,
        r#"{"text":"a"}"#,
        r#""a""#,
        "7",
        "[]",
    ] {
        let compaction = kit.fresh_id();
        let question = ask(kit, &compaction, &handle, "").await?;
        kit.line(&format!(r#"{{"jsonrpc":"2.0","id":{question},"result":{result}}}"#));
        kit.error(&compaction, INVALID_PARAMS).await.map_err(|stop| stop.after(&format!("the answer {result}")))?;
    }
    kit.goes_on().await
}

async fn script(kit: &mut Kit) -> Done {
    let (handle, compaction) = (big(kit).await?, kit.fresh_id());
    kit.line(&compact(&compaction, &handle, r#","summarizer":{"kind":"text","text":"script-text"}"#));
    match kit.hear().await? {
        Said::Asked { id: None, compaction: of } if same_id(&of.to_string(), &compaction) => {}
        Said::Asked { id: Some(_), .. } => {
            return Err(Stop::fault("`summarize` came as a request; with a script it is told, without an id"));
        }
        Said::Asked { compaction: of, .. } => {
            return Err(Stop::Fault(format!("`summarize` came for {of}, and {compaction} runs")));
        }
        Said::Answer(answer) if answer.refusal().is_some() => return Err(not_asked(&answer)),
        Said::Answer(answer) => {
            return Err(Stop::Fault(format!("`summarize` was due as a notification, and {answer} came")));
        }
    }
    let answer = kit.answer(&compaction).await?;
    ends_with(kit, answer, "script-text", "no-such-text").await?;
    kit.goes_on().await
}

/// A context over the budget of [`OPTIONS`], by its handle.
pub(super) async fn big(kit: &mut Kit) -> Result<String, Stop> {
    let text = "a long question ".repeat(8);
    let messages = (0..5).map(|at| format!(r#"{{"id":"m{at}","role":"user","content":"{text}{at}"}}"#));
    build_messages(kit, &format!("[{}]", messages.collect::<Vec<_>>().join(","))).await
}

pub(super) fn compact(id: &str, handle: &str, more: &str) -> String {
    let options = format!(r#"{{{OPTIONS},"recordId":"r-{}"}}"#, id.trim_matches('"'));
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"compact","params":{{"handle":{handle},"options":{options}{more}}}}}"#
    )
}

/// Starts a compaction and gives the id of its question, as JSON text.
pub(super) async fn ask(kit: &mut Kit, id: &str, handle: &str, more: &str) -> Result<String, Stop> {
    kit.line(&compact(id, handle, more));
    question(kit, id).await
}

async fn question(kit: &mut Kit, compaction: &str) -> Result<String, Stop> {
    let said = kit.hear().await?;
    is_question(said, compaction)
}

fn is_question(said: Said, compaction: &str) -> Result<String, Stop> {
    match said {
        Said::Asked { id: Some(id), compaction: of } if same_id(&of.to_string(), compaction) => {
            Ok(Value::to_string(&id))
        }
        Said::Asked { id: None, .. } => {
            Err(Stop::fault("`summarize` came without an id; without a script it is a request"))
        }
        Said::Asked { compaction: of, .. } => {
            Err(Stop::Fault(format!("`summarize` came for {of}, and {compaction} runs")))
        }
        Said::Answer(answer) if same_id(&answer.id, compaction) && answer.sound().is_ok() => Err(not_asked(&answer)),
        Said::Answer(answer) => Err(Stop::Fault(format!("`summarize` was due, and {answer} came"))),
    }
}

fn not_asked(answer: &Answer) -> Stop {
    Stop::Unseen(format!("the implementation did not call its summarizer for the context of this check: {answer}"))
}

/// Answers a question by a text.
pub(super) fn give(kit: &Kit, question: &str, text: &str) {
    kit.line(&format!(r#"{{"jsonrpc":"2.0","id":{question},"result":{{"kind":"text","text":"{text}"}}}}"#));
}

/// The compaction ended with its own summary and nobody else's. A refusal is the implementation's affair.
async fn ends_with(kit: &mut Kit, answer: Answer, own: &str, foreign: &str) -> Done {
    answer.sound()?;
    if let Some(code) = answer.refusal() {
        return Err(Stop::Unseen(format!("the implementation refuses the summary of this check ({code})")));
    }
    let shown = inspect(kit, &handle_of(&answer.result("`compact`")?)?).await?;
    match (shown.contains(own), shown.contains(foreign)) {
        (_, true) => {
            Err(Stop::Fault(format!("the answer {foreign:?}, which was not this compaction's, became its summary")))
        }
        (false, false) => {
            Err(Stop::Fault(format!("the answer was {own:?}, and the new context does not hold it: {shown}")))
        }
        (true, false) => Ok(()),
    }
}
