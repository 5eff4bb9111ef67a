//! Smaller transcripts, the most promising first: halves and quarters gone, single messages gone, a call
//! gone together with its result, blocks gone, texts emptied, any two messages gone; the same at simpler budgets.

use crate::wire::{Links, is, list, text};
use seamcheck_generate::BudgetPlan;
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
    let pairs = Links::of(messages.iter().enumerate()).pairs;
    for (call, result) in &pairs {
        smaller.push(keep(messages, |index| index != *call && index != *result));
    }
    for call in pairs.iter().map(|(call, _)| *call).collect::<BTreeSet<_>>() {
        let belongs = |index: usize| index == call || pairs.contains(&(call, index));
        smaller.push(keep(messages, |index| !belongs(index)));
    }
    smaller.extend(pairs.iter().filter_map(|(call, result)| without_answered_block(messages, *call, *result)));
    for (index, message) in messages.iter().enumerate() {
        for message in simpler_message(message) {
            let mut changed = messages.to_vec();
            changed[index] = message;
            smaller.push(changed);
        }
    }
    if length <= FEW_MESSAGES {
        let pairs = (0..length).flat_map(|first| (first + 1..length).map(move |second| (first, second)));
        smaller.extend(pairs.map(|(first, second)| keep(messages, |index| index != first && index != second)));
    }
    smaller
}

/// So few that every two of them are tried together.
const FEW_MESSAGES: usize = 10;

/// One of several calls of a message gone, and its result.
fn without_answered_block(messages: &[Json], call: usize, result: usize) -> Option<Vec<Json>> {
    let id = text(&messages[result], "toolCallId")?;
    let blocks = list(&messages[call], "content");
    let is_call = |block: &Json| is(block, "type", "toolCall") && text(block, "id") == Some(id);
    let place = blocks.iter().position(is_call).filter(|_| blocks.len() > 1)?;
    let mut changed = messages.to_vec();
    let blocks = keep(blocks, |index| index != place);
    changed[call] = with(&messages[call], "content", Some(Json::Array(blocks)));
    changed.remove(result);
    Some(changed)
}

/// Budgets that are simpler than this one, the simplest first.
pub(crate) fn simpler_budgets(budget: &BudgetPlan) -> Vec<BudgetPlan> {
    let simple = [0, u16::MAX / 2, u16::MAX].map(|suffix| BudgetPlan { suffix, ..BudgetPlan::default() });
    simple.into_iter().take_while(|simple| simple != budget).collect()
}

/// Smaller contexts, then the context as it is at simpler budgets, then few messages smaller and at another budget
/// at once: a budget is a share of what is there, so that what is cut moves with every message that goes.
pub(crate) fn smaller_at_budgets(context: &Json, budget: &BudgetPlan) -> Vec<(Json, BudgetPlan)> {
    let contexts = smaller_contexts(context);
    let simpler = simpler_budgets(budget).into_iter().map(|simpler| (context.clone(), simpler));
    let mut smaller: Vec<(Json, BudgetPlan)> = contexts.iter().map(|context| (context.clone(), *budget)).collect();
    smaller.extend(simpler);
    if list(context, "messages").len() <= FEW_MESSAGES {
        let every = [0, u16::MAX / 2, u16::MAX].map(|suffix| BudgetPlan { suffix, ..BudgetPlan::default() });
        let others = every.into_iter().filter(|other| other != budget);
        smaller.extend(others.flat_map(|other| contexts.iter().map(move |context| (context.clone(), other))));
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
