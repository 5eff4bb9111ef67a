//! `B-LINK-1` to `B-LINK-8`: every transcript diagnostic, in the order of the spec. The inspection reads
//! raw JSON, never fails and has no limits.

use crate::json::{Kind as JsonKind, Value};
use crate::message::Message;
use crate::text::Text;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// What is wrong with a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DiagnosticCode {
    /// `INVALID_TRANSCRIPT`: the messages are no array.
    InvalidTranscript,
    /// `INVALID_MESSAGE`: a shape fault that no other code names.
    InvalidMessage,
    /// `DUPLICATE_TOOL_CALL_ID`: a later call has the id of an earlier one.
    DuplicateToolCallId,
    /// `DUPLICATE_TOOL_RESULT`: a further result for one call id.
    DuplicateToolResult,
    /// `ORPHAN_TOOL_RESULT`: a result whose call does not exist.
    OrphanToolResult,
    /// `TOOL_RESULT_BEFORE_CALL`: a result that stands before its call.
    ToolResultBeforeCall,
    /// `MISSING_TOOL_RESULT`: a call without a later result.
    MissingToolResult,
    /// `TOOL_NAME_MISMATCH`: a result under another name than its call.
    ToolNameMismatch,
    /// `EMPTY_TOOL_NAME`: a name that is absent, no string or blank.
    EmptyToolName,
    /// `INVALID_TOOL_ARGUMENTS`: arguments that are no object or hold a number that is not finite.
    InvalidToolArguments,
}

impl DiagnosticCode {
    /// Every code, in the order of the spec's table.
    pub const ALL: [Self; 10] = [
        Self::InvalidTranscript,
        Self::InvalidMessage,
        Self::DuplicateToolCallId,
        Self::DuplicateToolResult,
        Self::OrphanToolResult,
        Self::ToolResultBeforeCall,
        Self::MissingToolResult,
        Self::ToolNameMismatch,
        Self::EmptyToolName,
        Self::InvalidToolArguments,
    ];

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidTranscript => "INVALID_TRANSCRIPT",
            Self::InvalidMessage => "INVALID_MESSAGE",
            Self::DuplicateToolCallId => "DUPLICATE_TOOL_CALL_ID",
            Self::DuplicateToolResult => "DUPLICATE_TOOL_RESULT",
            Self::OrphanToolResult => "ORPHAN_TOOL_RESULT",
            Self::ToolResultBeforeCall => "TOOL_RESULT_BEFORE_CALL",
            Self::MissingToolResult => "MISSING_TOOL_RESULT",
            Self::ToolNameMismatch => "TOOL_NAME_MISMATCH",
            Self::EmptyToolName => "EMPTY_TOOL_NAME",
            Self::InvalidToolArguments => "INVALID_TOOL_ARGUMENTS",
        }
    }
}

/// One finding about a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// What is wrong.
    pub code: DiagnosticCode,
    /// The message it is about; `None` for the transcript as a whole (-1 on the wire).
    pub message_index: Option<usize>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.message_index {
            Some(index) => write!(out, "{} at message {index}", self.code.as_str()),
            None => out.write_str(self.code.as_str()),
        }
    }
}

/// Every finding about these messages, in the order of the spec; none for a valid transcript.
pub fn diagnose(messages: Value<'_>) -> Vec<Diagnostic> {
    if messages.kind() != JsonKind::Array {
        return vec![Diagnostic { code: DiagnosticCode::InvalidTranscript, message_index: None }];
    }
    let mut inspection = Inspection::default();
    for (index, message) in messages.elements().enumerate() {
        inspection.inspect_message(index, message);
    }
    inspection.finish()
}

/// The findings about messages whose shape is already proved.
pub(crate) fn diagnose_linkage(messages: &[Arc<Message>]) -> Vec<Diagnostic> {
    let mut inspection = Inspection::default();
    for (index, message) in messages.iter().enumerate() {
        if let Message::ToolResult(result) = &**message {
            inspection.add_result(index, result.tool_call_id.clone(), result.tool_name.clone());
        }
        for call in message.tool_calls() {
            inspection.add_call(index, call.id.clone(), call.name.clone());
        }
    }
    inspection.finish()
}

/// A sound call or result: its message, and its Tool's name.
struct Mention {
    message_index: usize,
    name: Text,
}

/// Mentions by call id, the ids in the order in which they first appear.
#[derive(Default)]
struct Mentions {
    order: Vec<Text>,
    by_id: HashMap<Text, Vec<Mention>>,
}

impl Mentions {
    /// Adds a mention; whether it is the first of its id.
    fn add(&mut self, id: Text, mention: Mention) -> bool {
        let mentions = self.by_id.entry(id.clone()).or_default();
        mentions.push(mention);
        let first = mentions.len() == 1;
        if first {
            self.order.push(id);
        }
        first
    }

    fn get(&self, id: &Text) -> &[Mention] {
        self.by_id.get(id).map_or(&[], Vec::as_slice)
    }

    fn iter(&self) -> impl Iterator<Item = (&Text, &[Mention])> {
        self.order.iter().map(|id| (id, self.get(id)))
    }
}

#[derive(Default)]
struct Inspection {
    diagnostics: Vec<Diagnostic>,
    calls: Mentions,
    results: Mentions,
    malformed_calls: HashSet<Text>,
    malformed_results: HashSet<Text>,
}

impl Inspection {
    fn report(&mut self, code: DiagnosticCode, message_index: usize) {
        self.diagnostics.push(Diagnostic { code, message_index: Some(message_index) });
    }

    fn inspect_message(&mut self, index: usize, message: Value<'_>) {
        let usable = usable_text(message.get("id")).is_some();
        let role = message.get("role").filter(|role| usable && role.kind() == JsonKind::String);
        let content = message.get("content");
        match role {
            Some(role) if role.is_str("user") => {
                if !is_string(content) {
                    self.report(DiagnosticCode::InvalidMessage, index);
                }
            }
            Some(role) if role.is_str("assistant") => match content {
                Some(blocks) if blocks.kind() == JsonKind::Array => {
                    blocks.elements().for_each(|block| self.inspect_block(index, block));
                }
                _ => self.report(DiagnosticCode::InvalidMessage, index),
            },
            Some(role) if role.is_str("toolResult") => self.inspect_result(index, message),
            _ => self.report(DiagnosticCode::InvalidMessage, index),
        }
    }

    fn inspect_block(&mut self, index: usize, block: Value<'_>) {
        match block.get("type") {
            Some(kind) if kind.is_str("text") => {
                if !is_string(block.get("text")) {
                    self.report(DiagnosticCode::InvalidMessage, index);
                }
            }
            Some(kind) if kind.is_str("toolCall") => self.inspect_call(index, block),
            _ => self.report(DiagnosticCode::InvalidMessage, index),
        }
    }

    fn inspect_call(&mut self, index: usize, block: Value<'_>) {
        let id = usable_text(block.get("id"));
        let name = usable_text(block.get("name"));
        let arguments = block.get("arguments").filter(|value| value.kind() == JsonKind::Object);
        let sound_arguments = arguments.is_some_and(|value| !value.holds_infinity());
        if id.is_none() {
            self.report(DiagnosticCode::InvalidMessage, index);
        }
        if name.is_none() {
            self.report(DiagnosticCode::EmptyToolName, index);
        }
        if !sound_arguments {
            self.report(DiagnosticCode::InvalidToolArguments, index);
        }
        match (id, name) {
            (Some(id), Some(name)) if sound_arguments => self.add_call(index, id, name),
            (Some(id), _) => {
                self.malformed_calls.insert(id);
            }
            (None, _) => {}
        }
    }

    fn inspect_result(&mut self, index: usize, message: Value<'_>) {
        let id = usable_text(message.get("toolCallId"));
        let name = usable_text(message.get("toolName"));
        let sound_content = is_string(message.get("content"));
        let sound_flag = message.get("isError").is_some_and(|flag| flag.kind() == JsonKind::Bool);
        if id.is_none() {
            self.report(DiagnosticCode::InvalidMessage, index);
        }
        if name.is_none() {
            self.report(DiagnosticCode::EmptyToolName, index);
        }
        for sound in [sound_content, sound_flag] {
            if !sound {
                self.report(DiagnosticCode::InvalidMessage, index);
            }
        }
        match (id, name) {
            (Some(id), Some(name)) if sound_content && sound_flag => self.add_result(index, id, name),
            (Some(id), _) => {
                self.malformed_results.insert(id);
            }
            (None, _) => {}
        }
    }

    fn add_call(&mut self, message_index: usize, id: Text, name: Text) {
        if !self.calls.add(id, Mention { message_index, name }) {
            self.report(DiagnosticCode::DuplicateToolCallId, message_index);
        }
    }

    fn add_result(&mut self, message_index: usize, id: Text, name: Text) {
        if !self.results.add(id, Mention { message_index, name }) {
            self.report(DiagnosticCode::DuplicateToolResult, message_index);
        }
    }

    /// The linkage, once everything has been seen: results by call id, then missing results by call.
    fn finish(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics;
        let mut report = |code, mention: &Mention| {
            diagnostics.push(Diagnostic { code, message_index: Some(mention.message_index) });
        };
        for (id, results) in self.results.iter().filter(|(id, _)| !self.malformed_calls.contains(*id)) {
            match self.calls.get(id) {
                [] => results.iter().for_each(|result| report(DiagnosticCode::OrphanToolResult, result)),
                [call] => {
                    for result in results {
                        if result.message_index <= call.message_index {
                            report(DiagnosticCode::ToolResultBeforeCall, result);
                        } else if result.name != call.name {
                            report(DiagnosticCode::ToolNameMismatch, result);
                        }
                    }
                }
                // Several sound calls with one id: nobody can say which one a result answers.
                _ => {}
            }
        }
        for (id, calls) in self.calls.iter() {
            let suppressed = self.malformed_calls.contains(id) || self.malformed_results.contains(id);
            if let ([call], false) = (calls, suppressed) {
                let answered = self.results.get(id).iter().any(|result| result.message_index > call.message_index);
                if !answered {
                    report(DiagnosticCode::MissingToolResult, call);
                }
            }
        }
        diagnostics
    }
}

fn is_string(value: Option<Value<'_>>) -> bool {
    value.is_some_and(|value| value.kind() == JsonKind::String)
}

/// A string that is not blank.
fn usable_text(value: Option<Value<'_>>) -> Option<Text> {
    value.and_then(Value::as_text).filter(|text| !text.is_blank())
}
