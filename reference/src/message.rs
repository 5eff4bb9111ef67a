//! The message IR: what a context is made of. Plain data; what makes it valid is in `validate.rs` and
//! `context.rs`.

use crate::json::{Json, Object};
use crate::text::Text;

/// A message of the transcript.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// What a user said.
    User(UserMessage),
    /// What the model said and which Tools it called.
    Assistant(AssistantMessage),
    /// What one Tool call gave back.
    ToolResult(ToolResultMessage),
}

/// `{id, role: "user", content}`
#[derive(Debug, Clone, PartialEq)]
pub struct UserMessage {
    /// Not blank.
    pub id: Text,
    /// May be empty.
    pub content: Text,
}

/// `{id, role: "assistant", content: [block]}`
#[derive(Debug, Clone, PartialEq)]
pub struct AssistantMessage {
    /// Not blank.
    pub id: Text,
    /// May be empty.
    pub content: Vec<Block>,
}

/// A part of an assistant message.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// `{type: "text", text}`
    Text(Text),
    /// `{type: "toolCall", id, name, arguments}`
    ToolCall(ToolCall),
}

/// A call that waits for exactly one later result.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// Unique in a transcript; not blank.
    pub id: Text,
    /// Not blank.
    pub name: Text,
    /// At most [`argument_depth`](crate::Limits::argument_depth) deep.
    pub arguments: Object,
}

/// `{id, role: "toolResult", toolCallId, toolName, content, isError}`
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResultMessage {
    /// Not blank.
    pub id: Text,
    /// The id of the call that it answers.
    pub tool_call_id: Text,
    /// The name of the call that it answers.
    pub tool_name: Text,
    /// May be empty.
    pub content: Text,
    /// Whether the Tool failed.
    pub is_error: bool,
}

/// `{id, content}`: a channel of its own, never compacted.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// Unique among the requirements; not blank.
    pub id: Text,
    /// Not blank.
    pub content: Text,
}

/// `{id, content}`: what stands for the compacted messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Not blank.
    pub id: Text,
    /// Not blank; kept as the summarizer wrote it.
    pub content: Text,
}

/// One successful compaction.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactionRecord {
    /// Unique among the records; not blank.
    pub id: Text,
    /// The id of the summary that the compaction made.
    pub summary_id: Text,
    /// How many messages it covered, at least 1.
    pub boundary: u64,
    /// Their ids in order.
    pub compacted_message_ids: Vec<Text>,
    /// Units of the context before.
    pub units_before: u64,
    /// Units of the context after; records cost nothing.
    pub units_after: u64,
}

impl Message {
    /// The message's id.
    pub fn id(&self) -> &Text {
        match self {
            Self::User(message) => &message.id,
            Self::Assistant(message) => &message.id,
            Self::ToolResult(message) => &message.id,
        }
    }

    /// The Tool calls in order; none for other roles.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        let blocks = match self {
            Self::Assistant(message) => message.content.as_slice(),
            Self::User(_) | Self::ToolResult(_) => &[],
        };
        blocks.iter().filter_map(|block| match block {
            Block::ToolCall(call) => Some(call),
            Block::Text(_) => None,
        })
    }

    /// The message as JSON, fields in the order of the IR.
    pub fn to_json(&self) -> Json {
        match self {
            Self::User(message) => Json::object([
                ("id", message.id.clone().into()),
                ("role", "user".into()),
                ("content", message.content.clone().into()),
            ]),
            Self::Assistant(message) => Json::object([
                ("id", message.id.clone().into()),
                ("role", "assistant".into()),
                ("content", Json::Array(message.content.iter().map(Block::to_json).collect())),
            ]),
            Self::ToolResult(message) => Json::object([
                ("id", message.id.clone().into()),
                ("role", "toolResult".into()),
                ("toolCallId", message.tool_call_id.clone().into()),
                ("toolName", message.tool_name.clone().into()),
                ("content", message.content.clone().into()),
                ("isError", message.is_error.into()),
            ]),
        }
    }
}

impl Block {
    fn to_json(&self) -> Json {
        match self {
            Self::Text(text) => Json::object([("type", "text".into()), ("text", text.clone().into())]),
            Self::ToolCall(call) => Json::object([
                ("type", "toolCall".into()),
                ("id", call.id.clone().into()),
                ("name", call.name.clone().into()),
                ("arguments", Json::Object(call.arguments.clone())),
            ]),
        }
    }
}

impl Requirement {
    /// The requirement as JSON.
    pub fn to_json(&self) -> Json {
        Json::object([("id", self.id.clone().into()), ("content", self.content.clone().into())])
    }
}

impl Summary {
    /// The summary as JSON.
    pub fn to_json(&self) -> Json {
        Json::object([("id", self.id.clone().into()), ("content", self.content.clone().into())])
    }
}

impl CompactionRecord {
    /// The record as JSON.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("id", self.id.clone().into()),
            ("summaryId", self.summary_id.clone().into()),
            ("boundary", integer(self.boundary)),
            ("compactedMessageIds", self.compacted_message_ids.clone().into()),
            ("unitsBefore", integer(self.units_before)),
            ("unitsAfter", integer(self.units_after)),
        ])
    }
}

#[expect(clippy::cast_precision_loss, reason = "the numbers of a record are safe integers, below 2^53")]
fn integer(number: u64) -> Json {
    Json::Number(number as f64)
}
