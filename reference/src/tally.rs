//! Running totals against the limits: `B-LIMIT-5` (items), `B-LIMIT-6` (one string) and `B-LIMIT-7` (all
//! strings). The reader counts as it goes, since the order of faults depends on it; a context made by a
//! compaction is counted again from its parts.

use crate::context::Context;
use crate::error::{Code, Error, Kind};
use crate::json::{Json, Object};
use crate::limits::Limits;
use crate::message::{Block, CompactionRecord, Message};
use crate::text::Text;

/// What has been read so far.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) limits: Limits,
    items: usize,
    code_points: usize,
}

impl Tally {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, items: 0, code_points: 0 }
    }

    /// Counts the items of one collection.
    pub(crate) fn add_items(&mut self, items: usize) -> Result<(), Error> {
        self.items = self.items.saturating_add(items);
        exceeds("collection items in all", self.items, self.limits.collection_items)
    }

    /// Counts one string: its own length first, then the total.
    pub(crate) fn add_text(&mut self, text: &Text) -> Result<(), Error> {
        let code_points = text.code_points();
        exceeds("code points", code_points, self.limits.text_code_points)?;
        self.code_points = self.code_points.saturating_add(code_points);
        exceeds("code points in all strings", self.code_points, self.limits.aggregate_code_points)
    }

    /// Counts a whole context from its parts.
    pub(crate) fn add_context(&mut self, context: &Context) -> Result<(), Error> {
        self.add_items(context.requirements().len())?;
        for requirement in context.requirements() {
            self.add_text(&requirement.id)?;
            self.add_text(&requirement.content)?;
        }
        if let Some(summary) = context.summary() {
            self.add_text(&summary.id)?;
            self.add_text(&summary.content)?;
        }
        self.add_items(context.transcript().messages().len())?;
        context.transcript().messages().iter().try_for_each(|message| self.add_message(message))?;
        exceeds("compaction records", context.records().len(), self.limits.records)?;
        self.add_items(context.records().len())?;
        context.records().iter().try_for_each(|record| self.add_record(record))
    }

    fn add_message(&mut self, message: &Message) -> Result<(), Error> {
        self.add_text(message.id())?;
        match message {
            Message::User(message) => self.add_text(&message.content),
            Message::Assistant(message) => {
                self.add_items(message.content.len())?;
                message.content.iter().try_for_each(|block| self.add_block(block))
            }
            Message::ToolResult(message) => {
                self.add_text(&message.tool_call_id)?;
                self.add_text(&message.tool_name)?;
                self.add_text(&message.content)
            }
        }
    }

    fn add_block(&mut self, block: &Block) -> Result<(), Error> {
        match block {
            Block::Text(text) => self.add_text(text),
            Block::ToolCall(call) => {
                self.add_text(&call.id)?;
                self.add_text(&call.name)?;
                self.add_object(&call.arguments)
            }
        }
    }

    fn add_object(&mut self, object: &Object) -> Result<(), Error> {
        self.add_items(object.members().len())?;
        object.members().iter().try_for_each(|(key, value)| {
            self.add_text(key)?;
            self.add_value(value)
        })
    }

    fn add_value(&mut self, value: &Json) -> Result<(), Error> {
        match value {
            Json::Null | Json::Bool(_) | Json::Number(_) => Ok(()),
            Json::String(text) => self.add_text(text),
            Json::Array(elements) => {
                self.add_items(elements.len())?;
                elements.iter().try_for_each(|element| self.add_value(element))
            }
            Json::Object(object) => self.add_object(object),
        }
    }

    fn add_record(&mut self, record: &CompactionRecord) -> Result<(), Error> {
        self.add_text(&record.id)?;
        self.add_text(&record.summary_id)?;
        self.add_items(record.compacted_message_ids.len())?;
        record.compacted_message_ids.iter().try_for_each(|id| self.add_text(id))
    }
}

/// Refuses a count over its limit with `CONTEXT_LIMIT_EXCEEDED`.
pub(crate) fn exceeds(what: &'static str, found: usize, limit: usize) -> Result<(), Error> {
    if found <= limit {
        return Ok(());
    }
    let (found, limit) = (found as u64, limit as u64);
    Err(Error::new(Code::LimitExceeded, Kind::TooMany { what, found, limit }))
}
