//! The executable spec of context compaction. This page is its table of contents; the clauses, with their
//! reasons and examples, are in `SPEC/`.
//!
//! | stage | clauses | module |
//! |---|---|---|
//! | text | `B-TEXT` | [`text`] |
//! | JSON | `B-JSON` | [`json`] |
//! | limits | `B-LIMIT` | [`limits`], counted in `tally` |
//! | messages and contexts | `B-BUILD` | [`message`], [`transcript`], [`context`], read by `read` |
//! | diagnostics | `B-LINK` | [`validate`] |
//! | units | `B-UNIT` | [`units`] |
//! | Tool rounds | `B-ROUND` | [`rounds`] |
//! | the boundary | `B-SELECT` | [`boundary`] |
//! | compacting | `B-COMPACT`, `B-SUMMARY` | [`compact`](mod@compact), [`summarizer`] |
//! | cancelling | `B-CANCEL` | [`cancellation`] |
//!
//! Pure: no I/O, no clock, no runtime. The obvious form only; what comes from outside is walked without
//! recursion until a limit bounds its depth.

pub mod boundary;
pub mod cancellation;
pub mod compact;
pub mod context;
pub mod error;
pub mod json;
pub mod limits;
pub mod message;
pub mod rounds;
pub mod summarizer;
pub mod text;
pub mod transcript;
pub mod units;
pub mod validate;

mod read;
mod tally;

pub use boundary::{BoundaryOptions, select_boundary};
pub use cancellation::Cancellation;
pub use compact::{CompactOptions, Compaction, compact};
pub use context::Context;
pub use error::{Code, Error};
pub use json::{Document, Json, Value};
pub use limits::Limits;
pub use message::{Block, CompactionRecord, Message, Requirement, Summary, ToolCall};
pub use rounds::{Group, GroupKind, group};
pub use summarizer::{Answer, Summarizer, SummarizerFailure, SummaryRequest};
pub use text::Text;
pub use transcript::Transcript;
pub use units::Units;
pub use validate::{Diagnostic, DiagnosticCode, diagnose};

/// The version of the spec that this crate executes.
pub const SPEC_VERSION: &str = "1.0.0-draft";
