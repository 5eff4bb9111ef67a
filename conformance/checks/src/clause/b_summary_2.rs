//! `B-SUMMARY-2`: an answer over 65,536 code points is over the limit, whatever else is wrong with it.

use crate::check::{Check, Judgement, Observed};
use crate::clause::answered_text;
use crate::clause::{answer_reached, refused};
use crate::scenario::{RoundView, round_views};
use seamcheck_protocol::messages::Level;

/// An answer that is too long is over the limit.
pub(super) const CHECK: Check =
    Check { id: "B-SUMMARY-2.limit", clause: "B-SUMMARY-2", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(|view| round(observed, view)))
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    const LIMIT_CODE_POINTS: usize = 65_536;
    match answered_text(view) {
        Some(text) if answer_reached(observed, view) && text.points().count() > LIMIT_CODE_POINTS => {
            refused(view, "CONTEXT_LIMIT_EXCEEDED")
        }
        _ => Judgement::NotReached,
    }
}
