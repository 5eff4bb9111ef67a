//! The reference and the pipeline without a fault give the vectors' answers. Only the vectors of operations
//! that need no summarizer, and whose request is short: the suite puts all of them to both.

#![expect(clippy::unwrap_used, clippy::panic, reason = "every line of this file is a test")]

mod support;

use seamcheck_mutants::{CONTROL, by_name, reference};
use seamcheck_protocol::implementation::Implementation;
use seamcheck_reference::{Document, Json, Text, Value};
use support::{Wire, parse, session};

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/boundary");
const SHORT_BYTES: usize = 20_000;

#[tokio::test]
async fn the_reference_gives_the_answers_of_the_vectors() {
    answers_like_the_vectors(reference()).await;
}

#[tokio::test]
async fn the_pipeline_without_a_fault_gives_the_answers_of_the_vectors() {
    answers_like_the_vectors(by_name(CONTROL).unwrap()).await;
}

async fn answers_like_the_vectors<I: Implementation>(implementation: I) {
    let mut files: Vec<_> = std::fs::read_dir(VECTORS).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut answered = 0;
    session(implementation, async |wire| {
        for file in files {
            let text = std::fs::read(&file).unwrap();
            let document = Document::parse(&text).unwrap();
            for vector in document.root().get("vectors").unwrap().elements() {
                let Some(request) = short_request(vector) else { continue };
                if let Some(answer) = ask(wire, &request).await {
                    let expected = vector.get("response").unwrap().to_json(64).unwrap();
                    let name = vector.get("name").unwrap().source();
                    assert_eq!(sorted(&answer), sorted(&expected), "{name} in {}", file.display());
                    answered += 1;
                }
            }
        }
    })
    .await;
    assert!(answered > 300, "only {answered} vectors were put");
}

/// The text of a request that is not long.
fn short_request(vector: Value<'_>) -> Option<String> {
    let request = match vector.get("request") {
        Some(request) => request.source().to_owned(),
        None => {
            let pieces = vector.get("requestText").unwrap().elements().map(Value::as_text);
            pieces.collect::<Option<Vec<Text>>>()?.iter().map(|piece| piece.as_str().unwrap()).collect()
        }
    };
    (request.len() < SHORT_BYTES).then_some(request)
}

async fn ask(wire: &mut Wire, request: &str) -> Option<Json> {
    let raw = |text: &str| Json::object([("json", text.into())]).to_string();
    let Ok(document) = Document::parse(request.as_bytes()) else {
        return Some(wire.answer("build", &format!(r#"{{"context":{}}}"#, raw(request))).await);
    };
    let part = |name: &str| document.root().get(name).map_or_else(|| "null".to_owned(), |value| raw(value.source()));
    let operation = document.root().get("op").and_then(Value::as_text)?.to_string();
    let params = match operation.as_str() {
        "build" | "units" => format!(r#"{{"context":{}}}"#, part("context")),
        "groups" | "diagnose" => format!(r#"{{"messages":{}}}"#, part("messages")),
        "boundary" => format!(r#"{{"context":{},"options":{}}}"#, part("context"), part("options")),
        _ => return None,
    };
    let answer = wire.answer(&operation, &params).await;
    let Some(handle) = answer.get("ok").and_then(|ok| ok.get("handle")) else { return Some(answer) };
    let params = format!(r#"{{"handle":{handle}}}"#);
    let mut shown = wire.call("inspect", &params).await.unwrap().get("context").unwrap().clone();
    // A context that looks like the raw form travels in it.
    if let Some(Json::String(text)) = shown.get("json") {
        shown = parse(text.as_str().unwrap());
    }
    wire.call("release", &params).await.unwrap();
    Some(Json::object([("ok", Json::object([("context", shown)]))]))
}

/// The same value with the members of every object in the order of their keys.
fn sorted(json: &Json) -> Json {
    match json {
        Json::Array(elements) => Json::Array(elements.iter().map(sorted).collect()),
        Json::Object(object) => {
            let mut members: Vec<_> =
                object.members().iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            members.sort_by(|left, right| left.0.cmp(&right.0));
            Json::Object(members.into_iter().collect())
        }
        other => other.clone(),
    }
}
