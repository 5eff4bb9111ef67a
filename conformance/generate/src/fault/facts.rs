//! `B-LINK-1` to `B-LINK-8`: what is known of each message after planting, and the diagnostics that follow. This is
//! not a reader of JSON: it knows only what was built and what was planted.

use super::Finding;
use crate::built::Built;
use seamcheck_reference::{Block, Message, Text};

/// What is known of the messages.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    pub(super) messages: Vec<MessageFact>,
    /// The messages are no array.
    pub(super) gone: bool,
}

/// What is known of a message.
#[derive(Debug, Clone)]
pub(super) enum MessageFact {
    /// Broken as a whole.
    Ignored,
    User {
        content: bool,
    },
    /// `None` when the content is no array.
    Assistant(Option<Vec<BlockFact>>),
    Result(ResultFact),
}

/// What is known of a block.
#[derive(Debug, Clone)]
pub(super) enum BlockFact {
    Broken,
    Text,
    Call(CallFact),
}

/// A call: an id or a name is `None` when it is unusable.
#[derive(Debug, Clone)]
pub(super) struct CallFact {
    pub(super) id: Option<Text>,
    pub(super) name: Option<Text>,
    pub(super) arguments: bool,
}

/// A result, in the same way.
#[derive(Debug, Clone)]
pub(super) struct ResultFact {
    pub(super) id: Option<Text>,
    pub(super) name: Option<Text>,
    pub(super) content: bool,
    pub(super) flag: bool,
}

impl Facts {
    pub(super) fn of(built: &Built) -> Self {
        Self { messages: built.messages.iter().map(MessageFact::of).collect(), gone: false }
    }

    pub(super) fn call(&mut self, message: usize, block: usize) -> Option<&mut CallFact> {
        match self.messages.get_mut(message) {
            Some(MessageFact::Assistant(Some(blocks))) => match blocks.get_mut(block) {
                Some(BlockFact::Call(call)) => Some(call),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn result(&mut self, message: usize) -> Option<&mut ResultFact> {
        match self.messages.get_mut(message) {
            Some(MessageFact::Result(result)) => Some(result),
            _ => None,
        }
    }

    /// The diagnostics: code and message index, -1 for the whole.
    pub(super) fn findings(&self) -> Vec<(Finding, i64)> {
        if self.gone {
            return vec![(Finding::InvalidTranscript, -1)];
        }
        let calls = self.calls();
        let results = self.results();
        let mut findings = self.findings_in_message_order(&calls, &results);
        results_findings(&calls, &results, &mut findings);
        missing_findings(&calls, &results, &mut findings);
        findings.into_iter().map(|(finding, index)| (finding, i64::try_from(index).unwrap_or(i64::MAX))).collect()
    }

    fn calls(&self) -> Vec<(usize, &CallFact)> {
        let blocks = self.messages.iter().enumerate().filter_map(|(index, message)| match message {
            MessageFact::Assistant(Some(blocks)) => Some((index, blocks)),
            _ => None,
        });
        let calls = blocks.flat_map(|(index, blocks)| blocks.iter().map(move |block| (index, block)));
        calls
            .filter_map(|(index, block)| if let BlockFact::Call(call) = block { Some((index, call)) } else { None })
            .collect()
    }

    fn results(&self) -> Vec<(usize, &ResultFact)> {
        let messages = self.messages.iter().enumerate();
        messages
            .filter_map(
                |(index, message)| if let MessageFact::Result(result) = message { Some((index, result)) } else { None },
            )
            .collect()
    }

    /// Faults of shape, and duplicates where they are met.
    fn findings_in_message_order(&self, calls: &Calls<'_>, results: &Results<'_>) -> Vec<(Finding, usize)> {
        let mut findings = Vec::new();
        let (mut calls, mut results) = (calls.iter().enumerate(), results.iter().enumerate());
        let (all_calls, all_results) = (self.calls(), self.results());
        for (index, message) in self.messages.iter().enumerate() {
            let mut add = |finding, holds: bool| {
                if holds {
                    findings.push((finding, index));
                }
            };
            match message {
                MessageFact::Ignored | MessageFact::Assistant(None) => add(Finding::InvalidMessage, true),
                MessageFact::User { content } => add(Finding::InvalidMessage, !content),
                MessageFact::Assistant(Some(blocks)) => {
                    for block in blocks {
                        match block {
                            BlockFact::Broken => add(Finding::InvalidMessage, true),
                            BlockFact::Text => {}
                            BlockFact::Call(call) => {
                                add(Finding::InvalidMessage, call.id.is_none());
                                add(Finding::EmptyToolName, call.name.is_none());
                                add(Finding::InvalidToolArguments, !call.arguments);
                                let place = calls.next().map_or(0, |(place, _)| place);
                                let again =
                                    all_calls[..place].iter().any(|(_, other)| other.is_sound() && other.id == call.id);
                                add(Finding::DuplicateToolCallId, call.is_sound() && again);
                            }
                        }
                    }
                }
                MessageFact::Result(result) => {
                    add(Finding::InvalidMessage, result.id.is_none());
                    add(Finding::EmptyToolName, result.name.is_none());
                    add(Finding::InvalidMessage, !result.content);
                    add(Finding::InvalidMessage, !result.flag);
                    let place = results.next().map_or(0, |(place, _)| place);
                    let again = all_results[..place].iter().any(|(_, other)| other.is_sound() && other.id == result.id);
                    add(Finding::DuplicateToolResult, result.is_sound() && again);
                }
            }
        }
        findings
    }
}

type Calls<'a> = [(usize, &'a CallFact)];
type Results<'a> = [(usize, &'a ResultFact)];

/// Orphans, results before their call, other names: by call id, in the order of first sound results.
fn results_findings(calls: &Calls<'_>, results: &Results<'_>, findings: &mut Vec<(Finding, usize)>) {
    let sound: Vec<_> = results.iter().filter(|(_, result)| result.is_sound()).collect();
    let mut ids: Vec<&Text> = Vec::new();
    for id in sound.iter().filter_map(|(_, result)| result.id.as_ref()) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    for id in ids {
        let Linked::Calls(sound_calls) = linked(calls, id) else { continue };
        for (index, result) in sound.iter().filter(|(_, result)| result.id.as_ref() == Some(id)) {
            match sound_calls.as_slice() {
                [] => findings.push((Finding::OrphanToolResult, *index)),
                [(call_index, _)] if index <= call_index => findings.push((Finding::ToolResultBeforeCall, *index)),
                [(_, call)] if call.name != result.name => findings.push((Finding::ToolNameMismatch, *index)),
                _ => {}
            }
        }
    }
}

fn missing_findings(calls: &Calls<'_>, results: &Results<'_>, findings: &mut Vec<(Finding, usize)>) {
    for (index, call) in calls.iter().filter(|(_, call)| call.is_sound()) {
        let Some(id) = &call.id else { continue };
        let Linked::Calls(sound_calls) = linked(calls, id) else { continue };
        let mut of_id = results.iter().filter(|(_, result)| result.id.as_ref() == Some(id));
        let answered = of_id.any(|(result_index, result)| !result.is_sound() || result_index > index);
        if sound_calls.len() == 1 && !answered {
            findings.push((Finding::MissingToolResult, *index));
        }
    }
}

/// What can be said about the linkage of an id.
enum Linked<'a> {
    /// A broken call has it: nothing.
    Suppressed,
    Calls(Vec<(usize, &'a CallFact)>),
}

fn linked<'a>(calls: &Calls<'a>, id: &Text) -> Linked<'a> {
    let of_id: Vec<_> = calls.iter().filter(|(_, call)| call.id.as_ref() == Some(id)).copied().collect();
    if of_id.iter().any(|(_, call)| !call.is_sound()) { Linked::Suppressed } else { Linked::Calls(of_id) }
}

impl MessageFact {
    fn of(message: &Message) -> Self {
        match message {
            Message::User(_) => Self::User { content: true },
            Message::Assistant(message) => Self::Assistant(Some(message.content.iter().map(BlockFact::of).collect())),
            Message::ToolResult(message) => Self::Result(ResultFact {
                id: Some(message.tool_call_id.clone()),
                name: Some(message.tool_name.clone()),
                content: true,
                flag: true,
            }),
        }
    }
}

impl BlockFact {
    fn of(block: &Block) -> Self {
        match block {
            Block::Text(_) => Self::Text,
            Block::ToolCall(call) => {
                Self::Call(CallFact { id: Some(call.id.clone()), name: Some(call.name.clone()), arguments: true })
            }
        }
    }
}

impl CallFact {
    fn is_sound(&self) -> bool {
        self.id.is_some() && self.name.is_some() && self.arguments
    }
}

impl ResultFact {
    fn is_sound(&self) -> bool {
        self.id.is_some() && self.name.is_some() && self.content && self.flag
    }
}
