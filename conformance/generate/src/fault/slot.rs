//! `B-BUILD-3` to `B-BUILD-8`: the fields of a context, where each stands, and when it is read.

use super::Refusal;
use crate::built::Built;
use crate::raw::Seg;
use seamcheck_reference::{Block, Message};

/// What a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    RequirementId,
    RequirementContent,
    SummaryId,
    SummaryContent,
    MessageRole,
    MessageId,
    UserContent,
    AssistantContent,
    BlockType,
    BlockText,
    CallId,
    CallName,
    CallArguments,
    ResultCallId,
    ResultName,
    ResultContent,
    ResultFlag,
    RecordId,
    RecordSummaryId,
    RecordBoundary,
    RecordUnits,
    RecordIds,
    RecordIdEntry,
}

/// When something is read: the section, then indexes (from 1) and fields, compared like words. What stands
/// inside something is read after it.
pub(super) type Position = Vec<usize>;

pub(super) const REQUIREMENTS: usize = 1;
pub(super) const SUMMARY: usize = 2;
pub(super) const MESSAGES: usize = 3;
pub(super) const LINKAGE: usize = 4;
pub(super) const RECORDS: usize = 5;
pub(super) const ESTIMATE: usize = 6;
/// Where in an entry its id is compared with those before: behind every field.
pub(super) const DUPLICATE: usize = 9;
/// The role is looked for first, but an unknown one is refused only after the id.
pub(super) const UNKNOWN_ROLE: usize = 3;
/// The length of a record's ids is compared once they are known to be an array within its limit.
pub(super) const RECORD_LENGTH: usize = 7;

/// A field of a built context.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) slot: Slot,
    pub(super) position: Position,
    /// Where the object is that holds the field.
    pub(super) holder: Vec<Seg>,
    /// The field in it.
    pub(super) field: Seg,
    /// Index of the message, if it is in one.
    pub(super) message: Option<usize>,
    /// Index of the block, if it is in one.
    pub(super) block: usize,
}

impl Site {
    pub(super) fn path(&self) -> Vec<Seg> {
        let mut path = self.holder.clone();
        path.push(self.field);
        path
    }
}

impl Slot {
    /// The code of a fault here that is no limit.
    pub(super) fn refusal(self) -> Refusal {
        match self {
            Self::RequirementId
            | Self::RequirementContent
            | Self::SummaryId
            | Self::SummaryContent
            | Self::RecordId
            | Self::RecordSummaryId
            | Self::RecordBoundary
            | Self::RecordUnits
            | Self::RecordIds
            | Self::RecordIdEntry => Refusal::InvalidInput,
            _ => Refusal::InvalidTranscript,
        }
    }

    pub(super) fn is_text(self) -> bool {
        !matches!(
            self,
            Self::MessageRole
                | Self::AssistantContent
                | Self::BlockType
                | Self::CallArguments
                | Self::ResultFlag
                | Self::RecordBoundary
                | Self::RecordUnits
                | Self::RecordIds
        )
    }

    /// Whether a blank text is refused; the content of the summary has a fault of its own.
    pub(super) fn refuses_blank(self) -> bool {
        let allowed = matches!(self, Self::SummaryContent | Self::UserContent | Self::BlockText | Self::ResultContent);
        self.is_text() && !allowed
    }
}

/// Every field in reading order.
pub(super) fn sites(built: &Built) -> Vec<Site> {
    let mut walk = Walk { sites: Vec::new() };
    for index in 0..built.requirements.len() {
        let at = Place::of(REQUIREMENTS, "requirements", index);
        walk.fields(&at, &[(Slot::RequirementId, "id", 1), (Slot::RequirementContent, "content", 2)]);
    }
    if built.summary.is_some() {
        let at = Place { position: vec![SUMMARY], holder: vec![Seg::Key("summary")], message: None, block: 0 };
        walk.fields(&at, &[(Slot::SummaryId, "id", 1), (Slot::SummaryContent, "content", 2)]);
    }
    for (index, message) in built.messages.iter().enumerate() {
        walk.message(index, message);
    }
    for (index, record) in built.records.iter().enumerate() {
        walk.record(index, record.compacted_message_ids.len());
    }
    walk.sites
}

/// An object whose fields are read.
struct Place {
    position: Position,
    holder: Vec<Seg>,
    message: Option<usize>,
    block: usize,
}

impl Place {
    fn of(section: usize, key: &'static str, index: usize) -> Self {
        let message = (section == MESSAGES).then_some(index);
        Self { position: vec![section, index + 1], holder: vec![Seg::Key(key), Seg::At(index)], message, block: 0 }
    }
}

struct Walk {
    sites: Vec<Site>,
}

impl Walk {
    fn fields(&mut self, at: &Place, fields: &[(Slot, &'static str, usize)]) {
        for &(slot, field, rank) in fields {
            self.field(at, slot, Seg::Key(field), &[rank]);
        }
    }

    fn field(&mut self, at: &Place, slot: Slot, field: Seg, rank: &[usize]) {
        let position = [at.position.as_slice(), rank].concat();
        let (holder, message, block) = (at.holder.clone(), at.message, at.block);
        self.sites.push(Site { slot, position, holder, field, message, block });
    }

    fn message(&mut self, index: usize, message: &Message) {
        let at = Place::of(MESSAGES, "messages", index);
        self.fields(&at, &[(Slot::MessageRole, "role", 1), (Slot::MessageId, "id", 2)]);
        match message {
            Message::User(_) => self.fields(&at, &[(Slot::UserContent, "content", 4)]),
            Message::ToolResult(_) => self.fields(
                &at,
                &[
                    (Slot::ResultCallId, "toolCallId", 4),
                    (Slot::ResultName, "toolName", 5),
                    (Slot::ResultContent, "content", 6),
                    (Slot::ResultFlag, "isError", 7),
                ],
            ),
            Message::Assistant(message) => {
                self.fields(&at, &[(Slot::AssistantContent, "content", 4)]);
                for (block, content) in message.content.iter().enumerate() {
                    self.block(index, block, content);
                }
            }
        }
    }

    fn block(&mut self, message: usize, block: usize, content: &Block) {
        let at = Place {
            position: vec![MESSAGES, message + 1, 4, block + 1],
            holder: vec![Seg::Key("messages"), Seg::At(message), Seg::Key("content"), Seg::At(block)],
            message: Some(message),
            block,
        };
        self.fields(&at, &[(Slot::BlockType, "type", 1)]);
        match content {
            Block::Text(_) => self.fields(&at, &[(Slot::BlockText, "text", 2)]),
            Block::ToolCall(_) => self.fields(
                &at,
                &[(Slot::CallId, "id", 2), (Slot::CallName, "name", 3), (Slot::CallArguments, "arguments", 4)],
            ),
        }
    }

    fn record(&mut self, index: usize, ids: usize) {
        let at = Place::of(RECORDS, "compactions", index);
        self.fields(
            &at,
            &[
                (Slot::RecordId, "id", 1),
                (Slot::RecordSummaryId, "summaryId", 2),
                (Slot::RecordBoundary, "boundary", 3),
                (Slot::RecordUnits, "unitsBefore", 4),
                (Slot::RecordUnits, "unitsAfter", 5),
                (Slot::RecordIds, "compactedMessageIds", 6),
            ],
        );
        let mut holder = at.holder.clone();
        holder.push(Seg::Key("compactedMessageIds"));
        let entries = Place { holder, ..at };
        for entry in 0..ids {
            self.field(&entries, Slot::RecordIdEntry, Seg::At(entry), &[8, entry + 1]);
        }
    }
}
