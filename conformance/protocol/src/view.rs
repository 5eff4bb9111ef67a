//! What a model would be shown of a context, as the method `render` says it.

use crate::payload::Payload;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Result of `render`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RenderResult {
    /// What a model would be shown, in order.
    pub view: Vec<Shown>,
}

/// One entry of what a model would be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    /// What it is.
    pub kind: ShownKind,
    /// The requirement, summary or message as it is shown, in the IR.
    pub value: Payload,
}

/// What an entry of a rendered view is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShownKind {
    /// A requirement: `id` and `content`.
    Requirement,
    /// The summary: `id` and `content`.
    Summary,
    /// A message.
    Message,
}
