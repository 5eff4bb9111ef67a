//! The plan: a recipe for a context. Every value of these types builds, so that removing or simplifying
//! any part of a plan leaves a plan; that is what keeps shrinking good.

use crate::id::IdPlan;
use crate::text::TextPlan;
use crate::value::{KeyPlan, ValuePlan};

/// A recipe for a context. [`Plan::build`](crate::Plan::build) is total.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// The requirements in order.
    pub requirements: Vec<RequirementPlan>,
    /// The summary, if any.
    pub summary: Option<SummaryPlan>,
    /// The transcript: one message a step. Calls still open at the end are answered there, oldest first.
    pub steps: Vec<Step>,
    /// The earlier compactions in order.
    pub records: Vec<RecordPlan>,
    /// Limits that the context is padded to.
    pub fills: Vec<Fill>,
    /// Whether what only trimming accepts is built, or left out.
    pub loose: Option<Loose>,
}

/// A recipe for a requirement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequirementPlan {
    /// Made unique among the requirements.
    pub id: IdPlan,
    /// Gets a letter when it is blank.
    pub content: TextPlan,
}

/// A recipe for a summary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SummaryPlan {
    /// May equal any other id.
    pub id: IdPlan,
    /// Gets a letter when it is blank.
    pub content: TextPlan,
}

/// One message of the transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A user message.
    User(UserPlan),
    /// An assistant message; its calls are open from here on.
    Assistant(AssistantPlan),
    /// A result for a call that is open; nothing when none is.
    Result(ResultPlan),
}

/// A recipe for a user message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserPlan {
    /// May repeat.
    pub id: IdPlan,
    /// May be empty or blank.
    pub content: TextPlan,
}

/// A recipe for an assistant message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssistantPlan {
    /// May repeat.
    pub id: IdPlan,
    /// May be none.
    pub blocks: Vec<BlockPlan>,
}

/// A recipe for a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockPlan {
    /// A text block.
    Text(TextPlan),
    /// A Tool call.
    Call(CallPlan),
}

/// A recipe for a Tool call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallPlan {
    /// Made unique among the calls.
    pub id: IdPlan,
    /// Gets a letter when it is blank.
    pub name: TextPlan,
    /// The members of the arguments.
    pub arguments: Vec<(KeyPlan, ValuePlan)>,
    /// In a loose plan, the number of an earlier call whose id is used again.
    pub reuse: Option<u8>,
}

/// A recipe for a result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultPlan {
    /// Which open call it answers.
    pub pick: Pick,
    /// May repeat.
    pub id: IdPlan,
    /// May be empty or blank.
    pub content: TextPlan,
    /// Whether the Tool failed.
    pub is_error: bool,
}

/// Which of the open calls a result answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Pick {
    /// The one that has waited longest.
    #[default]
    Oldest,
    /// The one that was made last: nested rounds.
    Newest,
    /// One of them, modulo their number.
    Nth(u8),
    /// None: an orphan in a loose plan, the oldest in any other.
    Orphan(IdPlan),
}

/// A recipe for a compaction record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordPlan {
    /// Made unique among the records.
    pub id: IdPlan,
    /// May equal any other id.
    pub summary_id: IdPlan,
    /// The compacted message ids, at least one; they may repeat and name nothing.
    pub message_ids: Vec<IdPlan>,
    /// Units before.
    pub units_before: Count,
    /// Units after.
    pub units_after: Count,
}

/// A safe integer from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Count {
    /// 0
    #[default]
    Zero,
    /// This one.
    Of(u32),
    /// 2^53 - 1, the largest.
    Largest,
}

/// A limit that a context is padded to. Several work together; each takes what the ones before it in this
/// order have left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fill {
    /// 128 requirements.
    Requirements,
    /// 16,384 collection items, by one call with a long array. Within 40 of it when units are padded too.
    Items,
    /// 4,096 messages, by user messages at the end.
    Messages,
    /// 1,000,000 units, by long user messages at the end.
    Units,
    /// 256 records.
    Records,
    /// 1,000,000 code points, by a record with long message ids: records cost no units.
    Texts,
}

impl Fill {
    /// Every limit, in the order in which they are padded.
    pub const ALL: [Self; 6] =
        [Self::Requirements, Self::Items, Self::Messages, Self::Units, Self::Records, Self::Texts];
}

/// What a loose plan leaves undone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Loose {
    /// How many of the calls open at the end, the newest ones, stay without a result.
    pub open_calls: u8,
}

impl AssistantPlan {
    /// Whether any of its blocks is a call.
    pub fn has_calls(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block, BlockPlan::Call(_)))
    }
}
