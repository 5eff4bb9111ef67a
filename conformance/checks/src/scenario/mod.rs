//! The ways to go through a case: which steps are taken, and how a case is made smaller. What is judged
//! about them is in `clause/`.

mod attempts;
mod budget;
mod cancelling;
mod chain;
mod concurrent;
mod fault;
mod isolation;
mod query;
mod shrink;
mod trim;
mod vector;

pub use cancelling::{Cancelling, Ending, Way};
pub use chain::{Chain, Round, Speech};
pub use concurrent::{Act, COMPACTIONS, Concurrent, Does};

pub use fault::{Fault, Recipe};
pub use isolation::Isolation;
pub use query::Query;
pub use trim::Trim;
pub use vector::{Attempt, Operation, Vector};

pub(crate) use budget::Numbers;
pub(crate) use cancelling::{AttemptView, Reached, SECOND, attempt_views, counts_looks};
pub(crate) use chain::{RoundView, round_views};
pub(crate) use concurrent::disturbance;
pub(crate) use isolation::IsolationView;
pub(crate) use shrink::with;

use crate::case::Unmet;
use crate::step::{Outcome, Reply};
use seamcheck_protocol::answer::{Answer, AnswerKind};
use seamcheck_protocol::messages::{Declaration, InspectResult, Level, Status, Summarize};

/// Refuses a case whose level is not declared.
fn needs_level(declaration: &Declaration, level: Level) -> Option<Unmet> {
    (!declaration.levels.contains(&level)).then_some(Unmet::Level)
}

/// Refuses a case whose answer the adapter's summarizer cannot act out.
fn needs_answer(declaration: &Declaration, answer: &Answer) -> Option<Unmet> {
    needs_kind(declaration, answer.kind())
}

fn needs_kind(declaration: &Declaration, kind: AnswerKind) -> Option<Unmet> {
    let known = kind == AnswerKind::Text || declaration.capabilities.answers.contains(&kind);
    (!known).then_some(Unmet::Capability("the adapter's summarizer cannot act out this answer"))
}

/// Whether the answer must be given beforehand.
fn must_script(declaration: &Declaration) -> bool {
    declaration.capabilities.summarize == Summarize::Scripted
}

/// Whether a compaction gave a new context.
fn succeeded(outcome: &Outcome) -> bool {
    matches!(outcome.reply, Reply::Compacted { status: Status::Compacted, .. })
}

/// What an inspection showed.
pub(crate) fn inspected(outcome: Option<&Outcome>) -> Option<&InspectResult> {
    match outcome.map(|outcome| &outcome.reply) {
        Some(Reply::Inspected(inspection)) => Some(inspection),
        _ => None,
    }
}
