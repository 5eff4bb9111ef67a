//! `B-ROUND-1` to `B-ROUND-4`: which messages belong together. A boundary may stand between two groups
//! and nowhere else.

use crate::message::Message;
use crate::text::Text;
use crate::transcript::Transcript;
use std::collections::HashMap;

/// Messages that no boundary may part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Why they belong together.
    pub kind: GroupKind,
    /// Index of the first message.
    pub start: usize,
    /// Index after the last message.
    pub end: usize,
}

/// Why the messages of a group belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// One message by itself.
    Message,
    /// An assistant message with Tool calls, through the last result of everything that overlaps.
    ToolRound,
}

impl GroupKind {
    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::ToolRound => "toolRound",
        }
    }
}

/// The groups, which tile the transcript in order (`B-ROUND-3`).
pub fn group(transcript: &Transcript) -> Vec<Group> {
    let messages = transcript.messages();
    let result_index = index_results(transcript);
    // Where the round that starts at a message ends; messages without calls start none.
    let round_end = |index: usize| {
        messages[index].tool_calls().filter_map(|call| result_index.get(&call.id)).max().map(|last| last + 1)
    };
    let mut groups = Vec::new();
    let mut start = 0;
    while start < messages.len() {
        let Some(mut end) = round_end(start) else {
            groups.push(Group { kind: GroupKind::Message, start, end: start + 1 });
            start += 1;
            continue;
        };
        // Every round that starts inside carries the end further out (`B-ROUND-2`).
        let mut inside = start + 1;
        while inside < end {
            end = end.max(round_end(inside).unwrap_or(end));
            inside += 1;
        }
        groups.push(Group { kind: GroupKind::ToolRound, start, end });
        start = end;
    }
    groups
}

/// A valid transcript has exactly one result for each call.
fn index_results(transcript: &Transcript) -> HashMap<&Text, usize> {
    let messages = transcript.messages().iter().enumerate();
    messages
        .filter_map(|(index, message)| match &**message {
            Message::ToolResult(result) => Some((&result.tool_call_id, index)),
            Message::User(_) | Message::Assistant(_) => None,
        })
        .collect()
}
