//! `B-SUMMARY-3`: a blank answer is no summary.

use crate::check::{Check, Judgement, Observed};
use crate::clause::answered_text;
use crate::clause::{answer_reached, refused};
use crate::scenario::{RoundView, round_views};
use seamcheck_protocol::messages::Level;

/// A blank answer is refused.
pub(super) const CHECK: Check =
    Check { id: "B-SUMMARY-3.not-blank", clause: "B-SUMMARY-3", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(|view| round(observed, view)))
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    const BLANK: [char; 5] = [' ', '\t', '\n', '\u{3000}', '\u{feff}'];
    match answered_text(view) {
        // The answers of the generator use these blanks; the vectors hold every other one.
        Some(text) if answer_reached(observed, view) && text.to_string().chars().all(|c| BLANK.contains(&c)) => {
            refused(view, "CONTEXT_SUMMARY_INSUFFICIENT")
        }
        _ => Judgement::NotReached,
    }
}
