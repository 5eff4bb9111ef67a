//! `B-SUMMARY-7`: an answer that nobody can wait for has a code of its own.

use crate::check::{Check, Judgement, Observed};
use crate::clause::{answer_reached, refused};
use crate::scenario::{RoundView, round_views};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::Level;

/// An answer that cannot be observed has its own code.
pub(super) const CHECK: Check =
    Check { id: "B-SUMMARY-7.unobservable", clause: "B-SUMMARY-7", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(|view| round(observed, view)))
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    match &view.step.answer {
        Answer::Unobservable if answer_reached(observed, view) => refused(view, "CONTEXT_ASYNC_VALUE_UNOBSERVABLE"),
        _ => Judgement::NotReached,
    }
}
