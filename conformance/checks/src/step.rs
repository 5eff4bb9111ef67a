//! What a case asks of an adapter, and what came of it. No I/O: the runner carries steps to the adapter
//! and brings outcomes back.

use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::{CutResult, InspectResult, Shown, Status};
use seamcheck_protocol::payload::{Payload, WireText};
use std::fmt;

/// A place for a live context within one case; the runner keeps the adapter's handle for it.
pub type Slot = usize;

/// One request to the adapter.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Make a live context.
    Build {
        /// What it is made of.
        context: Payload,
        /// Where it is kept.
        slot: Slot,
    },
    /// Look at a live context.
    Inspect {
        /// Which one.
        slot: Slot,
    },
    /// Units of a context.
    Units {
        /// The context.
        context: Payload,
    },
    /// Groups of messages.
    Groups {
        /// The messages.
        messages: Payload,
    },
    /// Diagnostics of messages.
    Diagnose {
        /// The messages.
        messages: Payload,
    },
    /// The boundary of a context.
    Boundary {
        /// The context.
        context: Payload,
        /// The options of selecting.
        options: Payload,
    },
    /// The adapter's own count.
    Measure {
        /// The messages.
        messages: Payload,
    },
    /// Trim messages to a budget.
    Cut {
        /// The messages.
        messages: Payload,
        /// The budget in the adapter's own count.
        budget: u64,
    },
    /// What a model would be shown of a live context.
    Render {
        /// Which one.
        slot: Slot,
    },
    /// Forget a live context. A compaction of it that is under way keeps what it began with.
    Release {
        /// Which one.
        slot: Slot,
    },
    /// Compact a live context.
    Compact(CompactStep),
    /// Begin to compact a live context: the step is over when the summarizer has been asked, or when the compaction
    /// has ended without asking.
    Begin(CompactStep),
    /// Do something to a compaction that was begun, and do not wait for what comes of it. It may have ended.
    Tell {
        /// The `into` of the compaction.
        into: Slot,
        /// What is done, in order.
        moves: Vec<Move>,
    },
    /// Do something to a compaction that was begun, and wait for its end.
    End {
        /// The `into` of the compaction.
        into: Slot,
        /// What is done, in order.
        moves: Vec<Move>,
    },
}

/// What is done to a compaction whose summarizer was asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Move {
    /// The question is answered. A second time, the adapter must ignore it.
    Answer(Answer),
    /// The question is answered by an error, on which the adapter's summarizer fails.
    Fail,
    /// The compaction is cancelled.
    Cancel,
}

/// A compaction and everything that happens around it.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactStep {
    /// The context to compact.
    pub slot: Slot,
    /// Where the new context is kept; the same one when it is unchanged.
    pub into: Slot,
    /// The options of compacting.
    pub options: Payload,
    /// What the summarizer does.
    pub answer: Answer,
    /// Whether the adapter is given the answer beforehand, so that its summarizer can act at once; it then
    /// only tells the runner what was asked. Adapters that cannot ask are always given it.
    pub scripted: bool,
    /// When the compaction is cancelled.
    pub cancel: CancelPlan,
    /// Contexts to look at while the adapter waits for the summary.
    pub inspect_while_waiting: Vec<Slot>,
}

/// When a compaction is cancelled, as far as that is known beforehand; every other moment is a [`Move`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CancelPlan {
    /// Never.
    Never,
    /// Before it starts.
    Before,
    /// At this look of the implementation at its signal, counted from 0.
    AtLook(u32),
}

/// What came of one step.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The step.
    pub step: Step,
    /// What the adapter answered.
    pub reply: Reply,
    /// What the summarizer was asked meanwhile, in order.
    pub asked: Vec<Asked>,
}

/// One call of the summarizer, as the runner saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The request.
    pub request: Payload,
    /// What the contexts of `inspect_while_waiting` looked like at the first call, in the same order; none where the
    /// adapter cannot show anything while it waits.
    pub inspected: Vec<Reply>,
}

/// An adapter's answer to a step.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The context is live.
    Built,
    /// What a live context looks like.
    Inspected(InspectResult),
    /// Units, of the spec or of the adapter's own count.
    Units(u64),
    /// Groups: kind, start, end.
    Groups(Vec<(String, u64, u64)>),
    /// Diagnostics: code, message index.
    Diagnostics(Vec<(String, i64)>),
    /// The boundary.
    Boundary(Option<u64>),
    /// What is kept.
    Cut(CutResult),
    /// How a compaction ended.
    Compacted {
        /// As the adapter says.
        status: Status,
        /// Whether the handle is the one that went in.
        same_handle: bool,
        /// The record, if it gave one.
        record: Option<Payload>,
        /// How often the signal was looked at, if it counts.
        looks: Option<u32>,
    },
    /// The implementation refused.
    Refused {
        /// Its code.
        code: String,
        /// Its words.
        message: WireText,
        /// How often the signal was looked at, if it counts.
        looks: Option<u32>,
    },
    /// What a model would be shown, in order.
    Rendered(Vec<Shown>),
    /// The context is forgotten.
    Released,
    /// The compaction waits for its summary.
    Waiting,
    /// It was done, and nothing was waited for.
    Told,
    /// The step was not sent, since the context it needs was refused before.
    Skipped,
}

/// In a few words, for a violation: what was answered, without the contexts in it.
impl fmt::Display for Reply {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { code, message, .. } => {
                const SHOWN_CHARACTERS: usize = 120;
                // As it is written in JSON: nothing in it can command a terminal.
                let words = format!("{:?}", message.0);
                let shown: String = words.chars().take(SHOWN_CHARACTERS).collect();
                write!(out, "refused with {code} ({shown})")
            }
            Self::Compacted { status: Status::Compacted, .. } => write!(out, "compacted"),
            Self::Compacted { status: Status::Unchanged, .. } => write!(out, "unchanged"),
            Self::Built => write!(out, "accepted"),
            Self::Inspected(_) => write!(out, "a context"),
            Self::Units(units) => write!(out, "{units} units"),
            Self::Groups(groups) => write!(out, "{} groups", groups.len()),
            Self::Diagnostics(diagnostics) => write!(out, "{} diagnostics", diagnostics.len()),
            Self::Boundary(Some(boundary)) => write!(out, "the boundary {boundary}"),
            Self::Boundary(None) => write!(out, "no boundary"),
            Self::Cut(cut) => write!(out, "{} messages kept", cut.kept.len()),
            Self::Rendered(view) => write!(out, "{} entries shown", view.len()),
            Self::Released => write!(out, "released"),
            Self::Waiting => write!(out, "waiting for the summary"),
            Self::Told => write!(out, "told"),
            Self::Skipped => write!(out, "nothing, since there was no context to ask about"),
        }
    }
}

impl Reply {
    /// The code of a refusal.
    pub fn refusal_code(&self) -> Option<&str> {
        match self {
            Self::Refused { code, .. } => Some(code),
            _ => None,
        }
    }

    /// How often the signal was looked at.
    pub fn looks(&self) -> Option<u32> {
        match self {
            Self::Compacted { looks, .. } | Self::Refused { looks, .. } => *looks,
            _ => None,
        }
    }
}
