//! The golden vectors, embedded, and how one is read. Their format is described in `vectors/README.md`.

use crate::case::{Body, Case};
use crate::check::{Check, Judgement, Observed};
use crate::scenario::{Attempt, Operation, Vector};
use crate::wire::{same, show};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::{Level, Summarize};
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::json::Kind;
use seamcheck_reference::{Document, Json, Value};

/// For each clause, its file and the check that judges an adapter by it.
macro_rules! vector_files {
    ($($clause:literal,)*) => {
        const FILES: &[(&str, &str)] = &[
            $(($clause, include_str!(concat!("../../../vectors/boundary/", $clause, ".json"))),)*
        ];

        pub(crate) const CHECKS: &[Check] = &[
            $(Check { id: concat!($clause, ".vectors"), clause: $clause, level: Level::Exact, must: true, run: judge },)*
        ];
    };
}

vector_files! {
    "B-TEXT-1",
    "B-TEXT-2",
    "B-TEXT-3",
    "B-TEXT-4",
    "B-JSON-1",
    "B-JSON-2",
    "B-JSON-3",
    "B-JSON-4",
    "B-JSON-5",
    "B-LIMIT-1",
    "B-LIMIT-2",
    "B-LIMIT-3",
    "B-LIMIT-4",
    "B-LIMIT-5",
    "B-LIMIT-6",
    "B-LIMIT-7",
    "B-LIMIT-8",
    "B-BUILD-1",
    "B-BUILD-2",
    "B-BUILD-3",
    "B-BUILD-4",
    "B-BUILD-5",
    "B-BUILD-6",
    "B-BUILD-7",
    "B-BUILD-8",
    "B-BUILD-9",
    "B-BUILD-10",
    "B-LINK-1",
    "B-LINK-2",
    "B-LINK-3",
    "B-LINK-4",
    "B-LINK-5",
    "B-LINK-6",
    "B-LINK-7",
    "B-LINK-8",
    "B-UNIT-1",
    "B-UNIT-2",
    "B-UNIT-3",
    "B-UNIT-4",
    "B-UNIT-5",
    "B-UNIT-6",
    "B-UNIT-7",
    "B-UNIT-8",
    "B-UNIT-9",
    "B-UNIT-10",
    "B-ROUND-1",
    "B-ROUND-2",
    "B-ROUND-3",
    "B-ROUND-4",
    "B-SELECT-1",
    "B-SELECT-2",
    "B-SELECT-3",
    "B-SELECT-4",
    "B-SELECT-5",
    "B-COMPACT-1",
    "B-COMPACT-2",
    "B-COMPACT-3",
    "B-COMPACT-4",
    "B-COMPACT-5",
    "B-COMPACT-6",
    "B-COMPACT-7",
    "B-COMPACT-8",
    "B-COMPACT-9",
    "B-COMPACT-10",
    "B-COMPACT-11",
    "B-COMPACT-12",
    "B-COMPACT-13",
    "B-COMPACT-14",
    "B-SUMMARY-1",
    "B-SUMMARY-2",
    "B-SUMMARY-3",
    "B-SUMMARY-4",
    "B-SUMMARY-5",
    "B-SUMMARY-6",
    "B-SUMMARY-7",
    "B-SUMMARY-8",
    "B-CANCEL-1",
    "B-CANCEL-2",
    "B-CANCEL-3",
    "B-CANCEL-4",
    "B-CANCEL-5",
    "B-CANCEL-6",
    "B-STATE-1",
    "B-STATE-2",
    "B-STATE-3",
    "B-STATE-4",
    "B-STATE-5",
    "B-VIEW-1",
    "B-VIEW-2",
}

/// Deeper than any value that a vector holds and that is not raw.
const DEPTH: usize = 200;

/// Every embedded vector as a case, in the order of the spec.
///
/// # Errors
/// The file and what is wrong with it.
pub fn cases() -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (clause, text) in FILES {
        let fault = |what: String| format!("vectors/boundary/{clause}.json: {what}");
        let document = Document::parse(text.as_bytes()).map_err(|error| fault(error.to_string()))?;
        let vectors = document.root().get("vectors").ok_or_else(|| fault("has no vectors".to_owned()))?;
        for vector in vectors.elements() {
            let vector = read_vector(clause, vector).map_err(fault)?;
            cases.push(Case { name: format!("vector/{}", vector.name), body: Body::Vector(vector) });
        }
    }
    Ok(cases)
}

/// The vector's answer against its response.
fn judge(observed: &Observed<'_>) -> Judgement {
    let Body::Vector(vector) = observed.body() else { return Judgement::NotReached };
    if Vector::unsupported(observed.outcomes) {
        return Judgement::NotObservable("the implementation cannot express this input");
    }
    let scripted = observed.declaration.capabilities.summarize == Summarize::Scripted;
    let visible = |answer: Json| if scripted { without_calls(&answer) } else { answer };
    let expected = visible(vector.response.clone());
    let found = visible(vector.found(observed.outcomes));
    Judgement::require(same(&expected, &found), || {
        format!("vector {}: expected {}, found {}", vector.name, show(&expected), show(&found))
    })
}

/// An adapter that cannot ask does not show what its summarizer was asked.
fn without_calls(answer: &Json) -> Json {
    match answer {
        Json::Object(object) => {
            let visible = object.members().iter().filter(|(key, _)| !matches!(key.as_str(), Some("calls" | "request")));
            Json::Object(visible.map(|(key, value)| (key.clone(), without_calls(value))).collect())
        }
        Json::Array(elements) => Json::Array(elements.iter().map(without_calls).collect()),
        other => other.clone(),
    }
}

fn read_vector(clause: &str, vector: Value<'_>) -> Result<Vector, String> {
    let name = string(vector, "name").ok_or("a vector has no name")?;
    let fault = |what: &str| format!("{name}: {what}");
    let response = vector.get("response").and_then(|value| value.to_json(DEPTH)).ok_or_else(|| fault("no response"))?;
    let text = request_text(vector).ok_or_else(|| fault("neither a request nor a requestText"))?;
    let operation = read_operation(&text).map_err(|what| fault(&what))?;
    Ok(Vector { clause: clause.to_owned(), operation, response, name })
}

fn request_text(vector: Value<'_>) -> Option<String> {
    match vector.get("requestText") {
        None => vector.get("request").map(|request| request.source().to_owned()),
        Some(pieces) => pieces.elements().map(piece).collect(),
    }
}

fn piece(piece: Value<'_>) -> Option<String> {
    let plain = |value: Value<'_>| value.as_text().and_then(|text| text.as_str().map(str::to_owned));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "vectors repeat a few million times at most"
    )]
    let times = piece.get("times").and_then(Value::as_number).map_or(1, |times| times as usize);
    plain(piece.get("repeat").unwrap_or(piece)).map(|text| text.repeat(times))
}

fn read_operation(text: &str) -> Result<Operation, String> {
    // A request that is no JSON has no parts: the whole of it is put where a context would be.
    let Ok(document) = Document::parse(text.as_bytes()) else { return Ok(Operation::Build(Payload::raw(text))) };
    let request = document.root();
    let part = |name: &str| request.get(name).map(payload).ok_or_else(|| format!("the request has no {name}"));
    Ok(match string(request, "op").as_deref() {
        Some("build") => Operation::Build(part("context")?),
        Some("units") => Operation::Units(part("context")?),
        Some("groups") => Operation::Groups(part("messages")?),
        Some("diagnose") => Operation::Diagnose(part("messages")?),
        Some("boundary") => Operation::Boundary(part("context")?, part("options")?),
        Some("compact") => Operation::Compact(part("context")?, read_attempt(request)?),
        Some("chain") => {
            let steps =
                request.get("steps").filter(|steps| steps.kind() == Kind::Array).ok_or("a chain has no steps")?;
            Operation::Chain(part("context")?, steps.elements().map(read_attempt).collect::<Result<_, _>>()?)
        }
        other => return Err(format!("unknown operation {other:?}")),
    })
}

fn read_attempt(step: Value<'_>) -> Result<Attempt, String> {
    let options = step.get("options").map(payload).ok_or("no options")?;
    let answer = read_answer(step.get("summarizer").ok_or("no summarizer")?)?;
    Ok(Attempt { options, answer, cancelled: string(step, "cancel").as_deref() == Some("before") })
}

/// The summarizer kinds of the vectors, in the terms of the protocol.
fn read_answer(script: Value<'_>) -> Result<Answer, String> {
    let text = || script.get("text").and_then(Value::as_text).unwrap_or_default().into();
    let message = || script.get("message").and_then(Value::as_text).unwrap_or_else(|| "failed".into()).into();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a depth is a small whole number")]
    let depth = || script.get("depth").and_then(Value::as_number).map_or(0, |depth| depth as u32);
    Ok(match string(script, "kind").as_deref() {
        Some("text") => Answer::Text { text: text(), cancel: false },
        Some("value") => Answer::Value { value: script.get("value").map(payload).ok_or("no value")? },
        Some("throw") => Answer::Throw { message: message(), cancel: false },
        Some("throwThenAbort") => Answer::Throw { message: message(), cancel: true },
        Some("reject") => Answer::Reject { message: message(), cancel: false },
        Some("rejectThenAbort") => Answer::Reject { message: message(), cancel: true },
        Some("panic") => Answer::Panic { message: message() },
        Some("chain") => Answer::Chain { depth: depth(), text: text(), cancel: false },
        // The language flattens these into one deferral.
        Some("promiseChain") => Answer::Chain { depth: depth().min(1), text: text(), cancel: false },
        Some("resolveThenAbort") => Answer::Chain { depth: 1, text: text(), cancel: true },
        Some("pendingThenAbort") => Answer::Pending { cancel: true },
        Some("proxyPromise" | "lockedPromise") => Answer::Unobservable,
        other => return Err(format!("unknown summarizer kind {other:?}")),
    })
}

/// Plain where an ordinary parser keeps everything of it, raw where it might not.
fn payload(value: Value<'_>) -> Payload {
    const PLAIN_DEPTH: usize = 40;
    const PLAIN_BYTES: usize = 4 << 20;
    let plain = value.to_json(PLAIN_DEPTH).filter(|json| {
        // A value that reads back as the same text lost nothing: no duplicate, no unusual number.
        value.source().len() < PLAIN_BYTES && json.to_string() == compact_source(value)
    });
    plain.map_or_else(|| Payload::raw(value.source()), Payload::from)
}

/// The source without the space between its tokens.
fn compact_source(value: Value<'_>) -> String {
    let mut compact = String::new();
    let (mut in_string, mut escaped) = (false, false);
    for character in value.source().chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else {
            in_string = character == '"';
            if character.is_ascii_whitespace() {
                continue;
            }
        }
        compact.push(character);
    }
    compact
}

fn string(record: Value<'_>, name: &str) -> Option<String> {
    record.get(name).and_then(Value::as_text).and_then(|text| text.as_str().map(str::to_owned))
}
