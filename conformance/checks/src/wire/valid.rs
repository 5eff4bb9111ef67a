//! Whether messages are a valid transcript, as far as this crate can say: what a query may expect of them.

use super::{context_units, is, list, text};
use seamcheck_reference::Json;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What is known about a context that nobody planted a fault in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Validity {
    /// It is well formed, its calls and results are linked, and it is far from every limit.
    Valid,
    /// It is well formed, and its calls and results are not linked as `B-LINK-1` asks.
    Unlinked,
    /// It is malformed, or so large that a limit may decide.
    Unknown,
}

/// Judges a context without looking at requirements, summary and records, which are taken as they come.
pub(crate) fn validity(context: &Json) -> Validity {
    let messages = list(context, "messages");
    if !messages.iter().all(is_well_formed) || is_large(context) {
        return Validity::Unknown;
    }
    if is_linked(messages) { Validity::Valid } else { Validity::Unlinked }
}

/// Each call id is there once, and has exactly one result, which stands later and has the call's name.
fn is_linked(messages: &[Json]) -> bool {
    let mut calls: HashMap<_, (usize, _)> = HashMap::new();
    let mut count = 0;
    for (index, message) in messages.iter().enumerate() {
        for block in list(message, "content").iter().filter(|block| is(block, "type", "toolCall")) {
            if calls.insert(text(block, "id"), (index, text(block, "name"))).is_some() {
                return false;
            }
            count += 1;
        }
    }
    let results = messages.iter().enumerate().filter(|(_, message)| is(message, "role", "toolResult"));
    for (index, message) in results {
        // A call that has been answered is taken out, so that a second result finds none.
        match calls.remove(&text(message, "toolCallId")) {
            Some((call, name)) if call < index && name == text(message, "toolName") => count -= 1,
            _ => return false,
        }
    }
    count == 0
}

fn is_well_formed(message: &Json) -> bool {
    let has_text =
        |record: &Json, names: &[&str]| names.iter().all(|name| text(record, name).is_some_and(|t| !t.is_blank()));
    let block = |block: &Json| {
        if is(block, "type", "text") {
            return text(block, "text").is_some();
        }
        let arguments = matches!(block.get("arguments"), Some(Json::Object(_)));
        is(block, "type", "toolCall") && has_text(block, &["id", "name"]) && arguments
    };
    let content = match message.get("content") {
        Some(Json::String(_)) => is(message, "role", "user") || is(message, "role", "toolResult"),
        Some(Json::Array(blocks)) => is(message, "role", "assistant") && blocks.iter().all(block),
        _ => false,
    };
    let result = !is(message, "role", "toolResult")
        || has_text(message, &["toolCallId", "toolName"]) && matches!(message.get("isError"), Some(Json::Bool(_)));
    has_text(message, &["id"]) && content && result
}

/// Not by the limits themselves, which the vectors hold, but well below each of them.
fn is_large(context: &Json) -> bool {
    const MESSAGES: usize = 4_000;
    const UNITS: u64 = 900_000;
    const BYTES: usize = 60_000;
    let texts = list(context, "messages").iter().any(|message| message.to_string().len() > BYTES);
    list(context, "messages").len() > MESSAGES || context_units(context) > UNITS || texts
}
