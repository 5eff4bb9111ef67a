//! What can go wrong with an adapter, each kind told apart. None of it is ever a verdict on a clause: the
//! case in flight has an adapter fault instead of one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kinds of adapter fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// The program could not be started at all.
    StartFailed,
    /// `initialize` was not answered in time.
    StartTimeout,
    /// The adapter owed an answer and was silent for too long.
    IdleTimeout,
    /// The process ended.
    Exited {
        /// Its exit status, in words.
        status: String,
    },
    /// The process was ended by a signal.
    Signal {
        /// The signal, named.
        signal: String,
    },
    /// Standard output was closed, and the process lives on.
    EndOfFile,
    /// A line is not JSON, or not UTF-8.
    BadJson,
    /// A line is JSON, but no message that the protocol allows here.
    InvalidMessage,
    /// An answer to something that was never asked.
    WrongId,
    /// A second answer to the same request.
    DuplicateAnswer,
    /// Requests that must be answered in their order were not.
    OutOfOrder,
    /// A line over 16 MiB.
    OversizedLine,
    /// An answer that does not fit its method.
    BadResult,
    /// A JSON-RPC error that is no refusal.
    ProtocolError {
        /// Its code.
        code: i64,
    },
}

impl FaultKind {
    /// A name that is stable over versions.
    pub fn name(&self) -> &'static str {
        match self {
            Self::StartFailed => "start-failed",
            Self::StartTimeout => "start-timeout",
            Self::IdleTimeout => "idle-timeout",
            Self::Exited { .. } => "exited",
            Self::Signal { .. } => "signal",
            Self::EndOfFile => "end-of-file",
            Self::BadJson => "bad-json",
            Self::InvalidMessage => "invalid-message",
            Self::WrongId => "wrong-id",
            Self::DuplicateAnswer => "duplicate-answer",
            Self::OutOfOrder => "out-of-order",
            Self::OversizedLine => "oversized-line",
            Self::BadResult => "bad-result",
            Self::ProtocolError { .. } => "protocol-error",
        }
    }

    /// Whether a kind has this name.
    pub fn is_name(name: &str) -> bool {
        const NAMES: [&str; 13] = [
            "start-failed",
            "start-timeout",
            "idle-timeout",
            "exited",
            "signal",
            "end-of-file",
            "bad-json",
            "invalid-message",
            "wrong-id",
            "duplicate-answer",
            "oversized-line",
            "bad-result",
            "protocol-error",
        ];
        NAMES.contains(&name)
    }

    /// Whether the next request can still be asked of the same process: the fault was one whole answer.
    pub fn leaves_session_usable(&self) -> bool {
        matches!(self, Self::BadResult | Self::ProtocolError { .. })
    }
}

/// A fault as it is met, before the process has been looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// Which kind.
    pub kind: FaultKind,
    /// What happened and what to do about it.
    pub words: String,
}

impl Trouble {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, words: impl Into<String>) -> Self {
        Self { kind, words: words.into() }
    }

    /// An answer that does not fit its method.
    pub fn bad_result(words: impl Into<String>) -> Self {
        Self::new(FaultKind::BadResult, words)
    }

    /// A message that the protocol does not allow here.
    pub fn invalid_message(words: impl Into<String>) -> Self {
        Self::new(FaultKind::InvalidMessage, words)
    }
}

/// A fault with everything that is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdapterFault {
    /// Which kind.
    pub kind: FaultKind,
    /// What happened and what to do about it.
    pub words: String,
    /// The last lines of the adapter's standard error.
    pub stderr: Vec<String>,
}

impl fmt::Display for AdapterFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.kind.name(), self.words)
    }
}

impl std::error::Error for AdapterFault {}

/// How a fault stands in a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FaultEntry {
    /// [`FaultKind::name`]
    pub kind: String,
    /// The case in flight, or the phase of the session.
    pub during: String,
    /// The place of that case in the whole run.
    pub ordinal: Option<u64>,
    /// What happened.
    pub words: String,
    /// The last lines of standard error.
    pub stderr: Vec<String>,
    /// How many faults more are like this one, but for numbers in their words.
    pub more_like_it: u64,
    /// During what the first of them happened.
    pub also_during: Vec<String>,
}

impl FaultEntry {
    /// The fault as it happened during this.
    pub fn new(during: impl Into<String>, ordinal: Option<u64>, fault: AdapterFault) -> Self {
        let AdapterFault { kind, words, stderr } = fault;
        let kind = kind.name().to_owned();
        Self { kind, during: during.into(), ordinal, words, stderr, more_like_it: 0, also_during: Vec::new() }
    }
}
