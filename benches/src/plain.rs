//! A plain typed parse of the same bytes, the yardstick of the pipeline.

use serde::Deserialize;
use serde_json::{Map, Value};

/// A context as a program without limits and diagnostics would read it.
#[derive(Debug, Deserialize)]
pub struct Context {
    /// The messages.
    pub messages: Vec<Message>,
}

/// A message by its role.
#[derive(Debug, Deserialize)]
#[serde(tag = "role", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Message {
    /// A user message.
    User {
        /// Its id.
        id: String,
        /// Its text.
        content: String,
    },
    /// An assistant message.
    Assistant {
        /// Its id.
        id: String,
        /// Its blocks.
        content: Vec<Block>,
    },
    /// A Tool result.
    ToolResult {
        /// Its id.
        id: String,
        /// The call that it answers.
        tool_call_id: String,
        /// The Tool's name.
        tool_name: String,
        /// Its text.
        content: String,
        /// Whether the Tool failed.
        is_error: bool,
    },
}

/// A block by its type.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Block {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A Tool call.
    ToolCall {
        /// Its id.
        id: String,
        /// The Tool's name.
        name: String,
        /// Its arguments.
        arguments: Map<String, Value>,
    },
}
