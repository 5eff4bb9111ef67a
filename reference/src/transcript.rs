//! `B-BUILD-7`: reading messages, JSON to [`Transcript`]. That a value of this type exists proves that
//! its messages are well formed, linked and within the limits.

use crate::error::{Code, Error, Kind};
use crate::json::{Json, Kind as JsonKind, Object, Value};
use crate::limits::Limits;
use crate::message::{AssistantMessage, Block, Message, ToolCall, ToolResultMessage, UserMessage};
use crate::read::{Blank, array, field, invalid, not_a, object, string, text};
use crate::tally::{Tally, exceeds};
use crate::text::Text;
use crate::validate::{diagnose, diagnose_linkage};
use std::sync::Arc;

/// A valid transcript. Cloning it and taking a suffix share the messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    messages: Arc<[Arc<Message>]>,
}

impl Transcript {
    /// Reads messages on their own: the rules and limits of a transcript, without the ceiling on a whole
    /// context (`B-ROUND-4`).
    ///
    /// # Errors
    /// `CONTEXT_LIMIT_EXCEEDED`, and `CONTEXT_INVALID_TRANSCRIPT` for every other fault.
    pub fn from_json(messages: Value<'_>) -> Result<Self, Error> {
        Self::read(Some(messages), &mut Tally::new(Limits::SPEC))
    }

    /// The messages in order.
    pub fn messages(&self) -> &[Arc<Message>] {
        &self.messages
    }

    pub(crate) fn read(messages: Option<Value<'_>>, tally: &mut Tally) -> Result<Self, Error> {
        let Some(messages) = messages else {
            return Ok(Self { messages: Arc::default() });
        };
        read_messages(messages, tally).map_err(|error| {
            let code = if error.code() == Code::LimitExceeded { Code::LimitExceeded } else { Code::InvalidTranscript };
            error.with_code(code).within("messages")
        })
    }

    /// The messages from `start` on, shared, if they are a valid transcript by themselves.
    pub(crate) fn suffix(&self, start: usize) -> Result<Self, Error> {
        let messages = self.messages.get(start..).unwrap_or_default();
        match diagnose_linkage(messages).into_iter().next() {
            Some(diagnostic) => Err(Error::new(Code::InvalidTranscript, Kind::Linkage(diagnostic)).within("messages")),
            None => Ok(Self { messages: messages.into() }),
        }
    }
}

fn read_messages(value: Value<'_>, tally: &mut Tally) -> Result<Transcript, Error> {
    let entries = array(value, "messages", tally.limits.messages, tally)?;
    let mut messages = Vec::with_capacity(entries.len());
    for (index, entry) in entries.into_iter().enumerate() {
        let message = read_message(entry, tally).map_err(|error| error.within(format!("[{index}]")))?;
        messages.push(Arc::new(message));
    }
    // Linkage is judged only after every message has passed.
    match diagnose(value).into_iter().next() {
        Some(diagnostic) => Err(invalid(Kind::Linkage(diagnostic))),
        None => Ok(Transcript { messages: messages.into() }),
    }
}

fn read_message(value: Value<'_>, tally: &mut Tally) -> Result<Message, Error> {
    let record = object(value)?;
    let role = field(record, "role")?;
    let id = text(record, "id", Blank::Refused, tally)?;
    if role.is_str("user") {
        let content = text(record, "content", Blank::Allowed, tally)?;
        return Ok(Message::User(UserMessage { id, content }));
    }
    if role.is_str("assistant") {
        let content = read_blocks(field(record, "content")?, tally).map_err(|error| error.within("content"))?;
        return Ok(Message::Assistant(AssistantMessage { id, content }));
    }
    if role.is_str("toolResult") {
        return read_tool_result(record, id, tally).map(Message::ToolResult);
    }
    Err(unknown_name(role, "user, assistant or toolResult").within("role"))
}

fn read_tool_result(record: Value<'_>, id: Text, tally: &mut Tally) -> Result<ToolResultMessage, Error> {
    let tool_call_id = text(record, "toolCallId", Blank::Refused, tally)?;
    let tool_name = text(record, "toolName", Blank::Refused, tally)?;
    let content = text(record, "content", Blank::Allowed, tally)?;
    let flag = field(record, "isError")?;
    let is_error = flag.as_bool().ok_or_else(|| not_a("a boolean", flag).within("isError"))?;
    Ok(ToolResultMessage { id, tool_call_id, tool_name, content, is_error })
}

fn read_blocks(value: Value<'_>, tally: &mut Tally) -> Result<Vec<Block>, Error> {
    let entries = array(value, "blocks", tally.limits.collection_items, tally)?;
    let mut blocks = Vec::with_capacity(entries.len());
    for (index, entry) in entries.into_iter().enumerate() {
        blocks.push(read_block(entry, tally).map_err(|error| error.within(format!("[{index}]")))?);
    }
    Ok(blocks)
}

fn read_block(value: Value<'_>, tally: &mut Tally) -> Result<Block, Error> {
    let record = object(value)?;
    let kind = field(record, "type")?;
    if kind.is_str("text") {
        return text(record, "text", Blank::Allowed, tally).map(Block::Text);
    }
    if !kind.is_str("toolCall") {
        return Err(unknown_name(kind, "text or toolCall").within("type"));
    }
    let id = text(record, "id", Blank::Refused, tally)?;
    let name = text(record, "name", Blank::Refused, tally)?;
    let arguments = field(record, "arguments")?;
    let arguments = read_object(arguments, 0, tally).map_err(|error| error.within("arguments"))?;
    Ok(Block::ToolCall(ToolCall { id, name, arguments }))
}

/// The recursion ends at the depth limit, which is looked at before anything else (`B-LIMIT-4`).
fn read_value(value: Value<'_>, depth: usize, tally: &mut Tally) -> Result<Json, Error> {
    exceeds("levels of arguments", depth, tally.limits.argument_depth)?;
    match value.kind() {
        JsonKind::Null => Ok(Json::Null),
        JsonKind::Bool => Ok(Json::Bool(value.as_bool() == Some(true))),
        JsonKind::Number => value
            .as_number()
            .filter(|number| number.is_finite())
            .map(Json::Number)
            .ok_or_else(|| invalid(Kind::NotFinite)),
        JsonKind::String => string(value, Blank::Allowed, tally).map(Json::String),
        JsonKind::Array => {
            let entries = array(value, "elements", tally.limits.collection_items, tally)?;
            let mut elements = Vec::with_capacity(entries.len());
            for (index, entry) in entries.into_iter().enumerate() {
                let element = read_value(entry, depth + 1, tally);
                elements.push(element.map_err(|error| error.within(format!("[{index}]")))?);
            }
            Ok(Json::Array(elements))
        }
        JsonKind::Object => read_object(value, depth, tally).map(Json::Object),
    }
}

fn read_object(value: Value<'_>, depth: usize, tally: &mut Tally) -> Result<Object, Error> {
    object(value)?;
    tally.add_items(value.member_count())?;
    let mut members = Object::default();
    for (key, member) in value.members() {
        tally.add_text(&key)?;
        let member = read_value(member, depth + 1, tally).map_err(|error| error.within(format!("[{key:?}]")))?;
        members.push(key, member);
    }
    Ok(members)
}

fn unknown_name(value: Value<'_>, expected: &'static str) -> Error {
    match value.as_text() {
        Some(found) => invalid(Kind::UnknownName { found, expected }),
        None => not_a(expected, value),
    }
}
