//! Smaller transcripts, the most promising first: halves and quarters gone, single messages gone, a call
//! gone together with its result, blocks gone, texts emptied.

use crate::wire::Links;
use seamcheck_reference::Json;
use std::collections::BTreeSet;

/// Message lists that are a little smaller. Each is strictly smaller, so that shrinking ends.
pub(crate) fn smaller_messages(messages: &[Json]) -> Vec<Vec<Json>> {
    let mut smaller = Vec::new();
    let length = messages.len();
    let mut size = length / 2;
    while size > 1 {
        for start in (0..length).step_by(size) {
            smaller.push(without(messages, start..(start + size).min(length)));
        }
        size /= 2;
    }
    for index in 0..length {
        smaller.push(without(messages, index..index + 1));
    }
    for (call, result) in Links::of(messages.iter().enumerate()).pairs {
        smaller.push(keep(messages, |index| index != call && index != result));
    }
    for (index, message) in messages.iter().enumerate() {
        for message in simpler_message(message) {
            let mut changed = messages.to_vec();
            changed[index] = message;
            smaller.push(changed);
        }
    }
    smaller
}

/// A context with each smaller list of messages, and without requirements, summary and records.
pub(crate) fn smaller_contexts(context: &Json) -> Vec<Json> {
    let mut smaller = Vec::new();
    for name in ["compactions", "summary", "requirements"] {
        if context.get(name).is_some_and(|value| !matches!(value, Json::Null) && *value != Json::Array(Vec::new())) {
            smaller.push(with(context, name, None));
        }
    }
    if let Some(Json::Array(messages)) = context.get("messages") {
        smaller.extend(smaller_messages(messages).into_iter().map(|m| with(context, "messages", Some(Json::Array(m)))));
    }
    smaller
}

fn without(messages: &[Json], gone: std::ops::Range<usize>) -> Vec<Json> {
    keep(messages, |index| !gone.contains(&index))
}

fn keep(messages: &[Json], stays: impl Fn(usize) -> bool) -> Vec<Json> {
    messages.iter().enumerate().filter(|(index, _)| stays(*index)).map(|(_, message)| message.clone()).collect()
}

/// The object with one member replaced, or without it.
pub(crate) fn with(object: &Json, name: &str, value: Option<Json>) -> Json {
    let Json::Object(members) = object else { return object.clone() };
    let rest = members.members().iter().filter(|(key, _)| key.as_str() != Some(name)).cloned();
    Json::Object(rest.chain(value.map(|value| (name.into(), value))).collect())
}

fn simpler_message(message: &Json) -> Vec<Json> {
    let mut simpler = Vec::new();
    match message.get("content") {
        Some(Json::String(text)) => {
            let plain = Json::from("x");
            if text.code_points() > 1 {
                simpler.push(with(message, "content", Some(plain)));
            }
        }
        Some(Json::Array(blocks)) => {
            for index in 0..blocks.len() {
                let rest: BTreeSet<usize> = (0..blocks.len()).filter(|other| *other != index).collect();
                let blocks = keep(blocks, |other| rest.contains(&other));
                simpler.push(with(message, "content", Some(Json::Array(blocks))));
            }
            for (index, block) in blocks.iter().enumerate() {
                if let Some(block) = simpler_block(block) {
                    let mut blocks = blocks.clone();
                    blocks[index] = block;
                    simpler.push(with(message, "content", Some(Json::Array(blocks))));
                }
            }
        }
        _ => {}
    }
    simpler
}

fn simpler_block(block: &Json) -> Option<Json> {
    let empty = Json::object([]);
    match (block.get("text"), block.get("arguments")) {
        (Some(Json::String(text)), _) if text.code_points() > 1 => Some(with(block, "text", Some("x".into()))),
        (_, Some(arguments)) if *arguments != empty => Some(with(block, "arguments", Some(empty))),
        _ => None,
    }
}
