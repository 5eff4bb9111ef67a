//! `B-BUILD-1` to `B-BUILD-9` and `B-LINK-1` to `B-LINK-8`: faults planted into a valid context, with the code and the
//! diagnostics that must come of them. Both follow from what was planted and where, never from a stage.

mod facts;
mod field;
mod kind;
mod limit;
mod linkage;
mod plant;
mod shape;
mod slot;

pub use kind::Fault;
pub use plant::{Planted, near, plant};

use crate::generate::{Generate, Source};
use crate::settings::Settings;
use arbitrary::Unstructured;

/// A fault, where it is planted, and in which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultPlan {
    /// The kind of fault.
    pub fault: Fault,
    /// Which of its possible places in reading order, as a share of 65,536 of their number.
    pub place: u16,
    /// Which of its forms, modulo their number.
    pub variant: u8,
}

impl Generate for FaultPlan {
    fn generate(bytes: &mut Unstructured<'_>, settings: &Settings) -> Self {
        let mut source = Source { bytes, settings };
        let fault = Fault::ALL[source.below(Fault::ALL.len())];
        Self { fault, place: source.any(), variant: source.any() }
    }
}

/// The codes that building can answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Refusal {
    /// `CONTEXT_INVALID_INPUT`
    InvalidInput,
    /// `CONTEXT_INVALID_TRANSCRIPT`
    InvalidTranscript,
    /// `CONTEXT_LIMIT_EXCEEDED`
    LimitExceeded,
    /// `CONTEXT_SUMMARY_INVALID`
    SummaryInvalid,
}

impl Refusal {
    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidInput => "CONTEXT_INVALID_INPUT",
            Self::InvalidTranscript => "CONTEXT_INVALID_TRANSCRIPT",
            Self::LimitExceeded => "CONTEXT_LIMIT_EXCEEDED",
            Self::SummaryInvalid => "CONTEXT_SUMMARY_INVALID",
        }
    }
}

/// The codes of the diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Finding {
    /// `INVALID_TRANSCRIPT`
    InvalidTranscript,
    /// `INVALID_MESSAGE`
    InvalidMessage,
    /// `DUPLICATE_TOOL_CALL_ID`
    DuplicateToolCallId,
    /// `DUPLICATE_TOOL_RESULT`
    DuplicateToolResult,
    /// `ORPHAN_TOOL_RESULT`
    OrphanToolResult,
    /// `TOOL_RESULT_BEFORE_CALL`
    ToolResultBeforeCall,
    /// `MISSING_TOOL_RESULT`
    MissingToolResult,
    /// `TOOL_NAME_MISMATCH`
    ToolNameMismatch,
    /// `EMPTY_TOOL_NAME`
    EmptyToolName,
    /// `INVALID_TOOL_ARGUMENTS`
    InvalidToolArguments,
}

impl Finding {
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
