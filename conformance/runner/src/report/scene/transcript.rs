//! Messages read for a picture: who speaks, who calls and who answers, and which of many are shown.

use super::{Pair, Role, SceneMessage};
use crate::report::safe_text::shortened;
use seamcheck_checks::wire::{Links, same};
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::{Document, Json};
use std::collections::BTreeSet;

/// Messages of one transcript that are drawn.
const SHOWN_MESSAGES: usize = 24;
/// Characters of a text that are drawn.
const TEXT_CHARACTERS: usize = 60;
/// Containers in a message, one inside the other.
const DEPTH: usize = 64;

/// Messages, and who answers whom.
#[derive(Debug)]
pub(super) struct Transcript {
    pub(super) messages: Vec<Json>,
    pub(super) summary: Option<String>,
    pub(super) links: Links,
}

impl Transcript {
    /// The messages of a context, or messages alone; `None` for what has none.
    pub(super) fn read(payload: &Payload) -> Option<Self> {
        let root = Document::parse(payload.text().as_bytes()).ok()?.root().to_json(DEPTH)?;
        let summary = root.get("summary").and_then(|summary| summary.get("content"));
        let summary = summary.map(|content| shortened(&content.to_string(), TEXT_CHARACTERS));
        let messages = match root {
            Json::Array(messages) => messages,
            context => match context.get("messages")? {
                Json::Array(messages) => messages.clone(),
                _ => return None,
            },
        };
        let links = Links::of(messages.iter().enumerate());
        Some(Self { messages, summary, links })
    }

    /// Whether it says the same.
    pub(super) fn looks_like(&self, other: &Self) -> bool {
        self.summary == other.summary
            && self.len() == other.len()
            && self.messages.iter().zip(0..).all(|(message, index)| other.has(index, message))
    }

    /// Whether this message stands at this index.
    pub(super) fn has(&self, index: usize, message: &Json) -> bool {
        self.messages.get(index).is_some_and(|here| same(here, message))
    }

    pub(super) fn len(&self) -> usize {
        self.messages.len()
    }

    /// Of a long transcript: what matters, each with its neighbour, then the newest and the oldest.
    pub(super) fn shown(&self, matters: &BTreeSet<usize>) -> Vec<usize> {
        let length = self.len();
        let mut shown: BTreeSet<usize> =
            matters.iter().copied().filter(|at| *at < length).take(SHOWN_MESSAGES).collect();
        let ends = (0..length.div_ceil(2)).flat_map(|step| [length - 1 - step, step]);
        for index in ends {
            if shown.len() >= SHOWN_MESSAGES {
                break;
            }
            shown.insert(index);
        }
        shown.into_iter().collect()
    }

    pub(super) fn message(&self, index: usize) -> SceneMessage {
        let message = &self.messages[index];
        let is = |field: &str, value: &str| *message.get(field).unwrap_or(&Json::Null) == Json::from(value);
        let role = if is("role", "user") {
            Role::User
        } else if is("role", "assistant") {
            Role::Assistant
        } else if is("role", "toolResult") {
            Role::Tool
        } else {
            Role::Other
        };
        let blocks = match message.get("content") {
            Some(Json::Array(blocks)) if role == Role::Assistant => blocks.as_slice(),
            _ => &[],
        };
        let of_kind =
            |kind: &'static str| blocks.iter().filter(move |block| block.get("type") == Some(&Json::from(kind)));
        let mut texts: Vec<String> = of_kind("text").map(|block| field(block, "text")).collect();
        if blocks.is_empty() && role != Role::Other {
            texts.extend(message.get("content").filter(|content| **content != Json::Array(Vec::new())).map(shown));
        }
        if role == Role::Other {
            texts.push(shown(message));
        }
        let calls = of_kind("toolCall").map(|block| field(block, "name")).collect();
        SceneMessage { index, role, id: field(message, "id"), text: texts.join(" "), calls }
    }

    pub(super) fn pair(&self, call: usize, result: usize) -> Pair {
        let message = &self.messages[result];
        Pair { call, result, id: field(message, "toolCallId"), tool: field(message, "toolName") }
    }
}

fn field(value: &Json, name: &str) -> String {
    value.get(name).map_or_else(|| "(absent)".to_owned(), shown)
}

/// As it stands in JSON: a lone surrogate is an escape there.
fn shown(value: &Json) -> String {
    shortened(&value.to_string(), TEXT_CHARACTERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_messages_those_that_matter_are_shown_and_then_both_ends() {
        let list = (0..500).map(|n| format!(r#"{{"id":"{n}","role":"user","content":""}}"#)).collect::<Vec<_>>();
        let transcript = Transcript::read(&Payload::raw(format!("[{}]", list.join(",")))).unwrap();
        let shown = transcript.shown(&BTreeSet::from([250, 251, 9_999]));
        assert_eq!(shown.len(), SHOWN_MESSAGES);
        assert!([0, 1, 250, 251, 498, 499].iter().all(|index| shown.contains(index)), "{shown:?}");
    }

    #[test]
    fn a_message_is_read_by_its_role_and_what_is_none_is_shown_as_it_stands() {
        let text = r#"{"summary":{"id":"s","content":"so far"},"messages":[
            {"id":"a","role":"assistant","content":[{"type":"text","text":"on it"},{"type":"toolCall","id":"c","name":"n\ud800"}]},
            {"id":"t","role":"toolResult","toolCallId":"c","toolName":"n","content":"x"},{"role":"robot"},7]}"#;
        let transcript = Transcript::read(&Payload::raw(text)).unwrap();
        let first = transcript.message(0);
        assert_eq!(
            (first.role, first.text.as_str(), first.calls),
            (Role::Assistant, "\"on it\"", vec!["\"n\\ud800\"".to_owned()])
        );
        assert_eq!(transcript.links.pairs, [(0, 1)]);
        assert_eq!(transcript.message(2).text, r#"{"role":"robot"}"#);
        assert_eq!(transcript.message(3).role, Role::Other);
        assert_eq!(transcript.summary.as_deref(), Some("\"so far\""));
        assert!(Transcript::read(&Payload::raw("{nonsense")).is_none());
    }
}
