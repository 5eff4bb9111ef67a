//! How a compaction ends when it is not refused.

use crate::payload::Payload;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a compaction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The context was within its budget.
    Unchanged,
    /// The context was compacted.
    Compacted,
}

/// Result of `compact`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CompactResult {
    /// How it ended.
    pub status: Status,
    /// The context that it ended with: a new handle, or the same one when unchanged.
    pub handle: String,
    /// The new record, or null.
    pub record: Option<Payload>,
    /// How often the cancellation was looked at, if the adapter counts that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looks: Option<u32>,
}
