//! The ten error codes. A code is stable; the message names what is wrong, where, and the value found.

use crate::text::Text;
use crate::validate::Diagnostic;
use std::fmt;

/// The stable code of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// `CONTEXT_INVALID_INPUT`: the shape of a context, a record or the options is wrong.
    InvalidInput,
    /// `CONTEXT_INVALID_TRANSCRIPT`: the messages are no valid transcript.
    InvalidTranscript,
    /// `CONTEXT_LIMIT_EXCEEDED`: a bound of [`Limits`](crate::Limits) is exceeded.
    LimitExceeded,
    /// `CONTEXT_INVALID_BUDGET`: a budget is out of range or contradicts another one.
    InvalidBudget,
    /// `CONTEXT_SUMMARY_INVALID`: the summary is no text, or a stored summary is blank.
    SummaryInvalid,
    /// `CONTEXT_SUMMARY_INSUFFICIENT`: the summary is blank or over its budget.
    SummaryInsufficient,
    /// `CONTEXT_BOUNDARY_UNAVAILABLE`: no safe boundary meets the budget.
    BoundaryUnavailable,
    /// `CONTEXT_CANCELLED`: a cancellation was accepted.
    Cancelled,
    /// `CONTEXT_SUMMARIZER_FAILED`: the summarizer threw, rejected, panicked or deferred too deep.
    SummarizerFailed,
    /// `CONTEXT_ASYNC_VALUE_UNOBSERVABLE`: the summarizer answered what nobody can wait for.
    AsyncValueUnobservable,
}

impl Code {
    /// Every code, in the order of the spec's table.
    pub const ALL: [Self; 10] = [
        Self::InvalidInput,
        Self::InvalidTranscript,
        Self::LimitExceeded,
        Self::InvalidBudget,
        Self::SummaryInvalid,
        Self::SummaryInsufficient,
        Self::BoundaryUnavailable,
        Self::Cancelled,
        Self::SummarizerFailed,
        Self::AsyncValueUnobservable,
    ];

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidInput => "CONTEXT_INVALID_INPUT",
            Self::InvalidTranscript => "CONTEXT_INVALID_TRANSCRIPT",
            Self::LimitExceeded => "CONTEXT_LIMIT_EXCEEDED",
            Self::InvalidBudget => "CONTEXT_INVALID_BUDGET",
            Self::SummaryInvalid => "CONTEXT_SUMMARY_INVALID",
            Self::SummaryInsufficient => "CONTEXT_SUMMARY_INSUFFICIENT",
            Self::BoundaryUnavailable => "CONTEXT_BOUNDARY_UNAVAILABLE",
            Self::Cancelled => "CONTEXT_CANCELLED",
            Self::SummarizerFailed => "CONTEXT_SUMMARIZER_FAILED",
            Self::AsyncValueUnobservable => "CONTEXT_ASYNC_VALUE_UNOBSERVABLE",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// A refusal: its code, the place in the input, and what was found there.
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    code: Code,
    /// From the inside out: `content`, `messages[3]`.
    path: Vec<String>,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Missing,
    NotA { expected: &'static str, found: &'static str },
    Blank,
    UnknownName { found: Text, expected: &'static str },
    Duplicate(Text),
    NotFinite,
    TooMany { what: &'static str, found: u64, limit: u64 },
    NotInteger { minimum: u64, found: String },
    Above { value: u64, bound_name: &'static str, bound: u64 },
    RecordLength { boundary: u64, ids: usize },
    Linkage(Diagnostic),
    NoBoundary { target_units: u64 },
    NotText { found: &'static str },
    Cancelled,
    Failed(Text),
    Panicked,
    TooDeeplyDeferred { limit: usize },
    Unobservable,
}

impl Error {
    pub(crate) fn new(code: Code, kind: Kind) -> Self {
        Self { code, path: Vec::new(), kind }
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Where in the input, for example `messages[3].content`; empty for the whole.
    pub fn location(&self) -> String {
        let mut location = String::new();
        for part in self.path.iter().rev() {
            if !location.is_empty() && !part.starts_with('[') {
                location.push('.');
            }
            location.push_str(part);
        }
        location
    }

    pub(crate) fn within(mut self, part: impl Into<String>) -> Self {
        self.path.push(part.into());
        self
    }

    pub(crate) fn with_code(mut self, code: Code) -> Self {
        self.code = code;
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let location = self.location();
        if !location.is_empty() {
            write!(out, "{location}: ")?;
        }
        write!(out, "{}", self.kind)
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => write!(out, "is missing"),
            Self::NotA { expected, found } => write!(out, "must be {expected}, found {found}"),
            Self::Blank => write!(out, "must not be blank"),
            Self::UnknownName { found, expected } => write!(out, "must be {expected}, found {found:?}"),
            Self::Duplicate(id) => write!(out, "{id:?} stands here a second time"),
            Self::NotFinite => write!(out, "must be a finite number"),
            Self::TooMany { what, found, limit } => write!(out, "{found} {what}, the limit is {limit}"),
            Self::NotInteger { minimum, found } => {
                write!(out, "must be an integer from {minimum} to 2^53 - 1, found {found}")
            }
            Self::Above { value, bound_name, bound } => write!(out, "{value} must not exceed {bound_name}, {bound}"),
            Self::RecordLength { boundary, ids } => {
                write!(out, "must hold as many ids as the boundary says, {boundary}, found {ids}")
            }
            Self::Linkage(diagnostic) => write!(out, "{diagnostic}"),
            Self::NoBoundary { target_units } => {
                write!(out, "no boundary between whole Tool rounds meets {target_units} units")
            }
            Self::NotText { found } => write!(out, "the summary must be text, found {found}"),
            Self::Cancelled => write!(out, "the compaction was cancelled"),
            Self::Failed(message) => write!(out, "the summarizer failed: {message}"),
            Self::Panicked => write!(out, "the summarizer panicked"),
            Self::TooDeeplyDeferred { limit } => {
                write!(out, "the summarizer deferred its answer more than {limit} times")
            }
            Self::Unobservable => write!(out, "the summarizer's deferred answer cannot be observed"),
        }
    }
}
