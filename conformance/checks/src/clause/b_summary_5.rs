//! `B-SUMMARY-5`: a summarizer that fails is reported as failed, and its words never become the summary.

use crate::check::{Check, Judgement, Observed};
use crate::clause::{answer_reached, refused};
use crate::scenario::{RoundView, round_views};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::Level;

/// A failing summarizer is reported as failed.
pub(super) const CHECK: Check =
    Check { id: "B-SUMMARY-5.failure", clause: "B-SUMMARY-5", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(|view| round(observed, view)))
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    match &view.step.answer {
        Answer::Throw { .. } | Answer::Reject { .. } | Answer::Panic { .. } if answer_reached(observed, view) => {
            refused(view, "CONTEXT_SUMMARIZER_FAILED")
        }
        _ => Judgement::NotReached,
    }
}
