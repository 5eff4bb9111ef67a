//! `B-SUMMARY-1`: an answer that is no text is refused.

use crate::check::{Check, Judgement, Observed};
use crate::clause::{answer_reached, refused};
use crate::scenario::{RoundView, round_views};
use crate::wire::read;
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::Level;
use seamcheck_reference::Json;

/// An answer that is no text is refused.
pub(super) const CHECK: Check =
    Check { id: "B-SUMMARY-1.text-only", clause: "B-SUMMARY-1", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(|view| round(observed, view)))
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    match &view.step.answer {
        Answer::Value { value } if answer_reached(observed, view) && !matches!(read(value), Some(Json::String(_))) => {
            refused(view, "CONTEXT_SUMMARY_INVALID")
        }
        _ => Judgement::NotReached,
    }
}
