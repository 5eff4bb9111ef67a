//! Answers one request of the operation format (see `vectors/README.md`) with the reference's stages, for
//! the vectors, the examples of the spec page and the recorded answers.

use seamcheck_reference::{
    BoundaryOptions, CompactOptions, Compaction, Context, Document, Error, Json, Transcript, Value, compact, diagnose,
    group, select_boundary,
};
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::task::{Poll, Waker};
use summarizer::Scripted;
use tokio_util::sync::CancellationToken;

mod summarizer;

/// The answer to one request, as the operation format writes it.
pub(crate) fn answer(request: &str) -> Json {
    match Document::parse(request.as_bytes()) {
        Err(_) => refusal("not-json"),
        Ok(document) => evaluate(document.root()).unwrap_or_else(|error| refusal(error.code().as_str())),
    }
}

fn evaluate(request: Value<'_>) -> Result<Json, Error> {
    let part = |name| request.get(name).unwrap_or_else(|| panic!("the request has no {name}: {}", request.source()));
    let op = part("op").as_text().unwrap().to_string();
    let outcome = match op.as_str() {
        "units" => {
            let units = Context::from_json(part("context"))?.units().get();
            Json::object([("units", usize::try_from(units).unwrap().into())])
        }
        "groups" => {
            let groups = group(&Transcript::from_json(part("messages"))?);
            let triples = groups
                .iter()
                .map(|group| Json::Array(vec![group.kind.as_str().into(), group.start.into(), group.end.into()]));
            Json::object([("groups", Json::Array(triples.collect()))])
        }
        "boundary" => {
            let context = Context::from_json(part("context"))?;
            let options = BoundaryOptions::from_json(part("options"))?;
            Json::object([("boundary", select_boundary(&context, &options).map_or(Json::Null, Json::from))])
        }
        "diagnose" | "validate" => {
            let diagnostics = diagnose(part("messages"));
            let pairs = diagnostics.iter().map(|diagnostic| {
                let index = diagnostic.message_index.map_or(Json::Number(-1.0), Json::from);
                Json::Array(vec![diagnostic.code.as_str().into(), index])
            });
            Json::object([("diagnostics", Json::Array(pairs.collect()))])
        }
        "build" => Json::object([("context", Context::from_json(part("context"))?.to_json())]),
        "compact" => return Ok(evaluate_compact(&Context::from_json(part("context")), request).0),
        "chain" => evaluate_chain(part("context"), part("steps")),
        other => panic!("unknown operation {other}"),
    };
    Ok(Json::object([("ok", outcome)]))
}

fn evaluate_chain(context: Value<'_>, steps: Value<'_>) -> Json {
    let mut context = Context::from_json(context);
    let mut answers = Vec::new();
    for step in steps.elements() {
        let (answer, next) = evaluate_compact(&context, step);
        answers.push(answer);
        context = next.or(context);
    }
    Json::object([("steps", Json::Array(answers))])
}

/// The answer, and the context of a success.
fn evaluate_compact(context: &Result<Context, Error>, step: Value<'_>) -> (Json, Result<Context, Error>) {
    let token = CancellationToken::new();
    if step.get("cancel").is_some_and(|cancel| cancel.is_str("before")) {
        token.cancel();
    }
    let calls = Cell::new(0_usize);
    let seen = RefCell::new(Json::Null);
    let before = context.as_ref().map(Context::to_json).ok();
    let outcome = context.clone().and_then(|context| {
        let options = CompactOptions::from_json(step.get("options").unwrap())?;
        let summarizer =
            Scripted { script: step.get("summarizer").unwrap(), token: &token, calls: &calls, seen: &seen };
        run(compact(&context, &options, &summarizer, &token))
    });
    let unchanged = before == context.as_ref().map(Context::to_json).ok();
    let calls: Json = calls.get().into();
    match outcome {
        Err(error) => {
            let code = Json::object([("code", error.code().as_str().into())]);
            (Json::object([("error", code), ("calls", calls), ("inputUnchanged", unchanged.into())]), Err(error))
        }
        Ok(compaction) => {
            let (status, context, record) = match &compaction {
                Compaction::Unchanged(context) => ("unchanged", context, None),
                Compaction::Compacted { context, record } => ("compacted", context, Some(record.to_json())),
            };
            let boundary = record.as_ref().and_then(|record| record.get("boundary").cloned());
            let answer = Json::object([
                ("status", status.into()),
                ("boundary", boundary.unwrap_or(Json::Null)),
                ("record", record.unwrap_or(Json::Null)),
                ("context", context.to_json()),
                ("calls", calls),
                ("request", seen.into_inner()),
            ]);
            (Json::object([("ok", answer)]), Ok(context.clone()))
        }
    }
}

/// Runs a compaction whose summarizer never waits for anything outside it.
pub(crate) fn run<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut task = std::task::Context::from_waker(Waker::noop());
    for _ in 0..8 {
        if let Poll::Ready(outcome) = future.as_mut().poll(&mut task) {
            return outcome;
        }
    }
    panic!("the compaction waits for something that never comes")
}

fn refusal(code: &str) -> Json {
    Json::object([("error", Json::object([("code", code.into())]))])
}

/// Equality as the format defines it: numbers as doubles, the order of keys not significant.
pub(crate) fn same(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Array(left), Json::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Json::Object(left), Json::Object(right)) => {
            let find = |key| right.members().iter().find(|(other, _)| other == key);
            left.members().len() == right.members().len()
                && left.members().iter().all(|(key, value)| find(key).is_some_and(|(_, other)| same(value, other)))
        }
        _ => left == right,
    }
}

/// The raw text of a `request`, or of the pieces of a `requestText`.
pub(crate) fn request_text(vector: Value<'_>) -> String {
    match (vector.get("request"), vector.get("requestText")) {
        (Some(request), None) => request.source().to_owned(),
        (None, Some(pieces)) => pieces.elements().map(piece_text).collect(),
        _ => panic!("a vector has either a request or a requestText"),
    }
}

fn piece_text(piece: Value<'_>) -> String {
    let plain = |value: Value<'_>| value.as_text().unwrap().as_str().unwrap().to_owned();
    match piece.get("repeat") {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "vectors repeat a few million times at most"
        )]
        Some(text) => plain(text).repeat(piece.get("times").unwrap().as_number().unwrap() as usize),
        None => plain(piece),
    }
}
