//! `B-SUMMARY-6`: an answer may be deferred 64 times, and not 65 times.

use crate::check::{Check, Judgement, Observed};
use crate::clause::{LIMIT_DEFERRALS, answer_reached, refused};
use crate::scenario::{RoundView, round_views};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::Level;

/// An answer may be deferred 64 times and no more.
pub(super) const CHECK: Check =
    Check { id: "B-SUMMARY-6.depth", clause: "B-SUMMARY-6", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(|view| round(observed, view)))
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    // An answer that comes by callback is deferred by the transport already: only a scripted depth is exact.
    let Answer::Chain { depth, cancel: false, .. } = &view.step.answer else { return Judgement::NotReached };
    if !view.step.scripted || !answer_reached(observed, view) {
        return Judgement::NotReached;
    }
    if *depth > LIMIT_DEFERRALS {
        return refused(view, "CONTEXT_SUMMARIZER_FAILED");
    }
    let code = view.outcome.reply.refusal_code();
    Judgement::require(code != Some("CONTEXT_SUMMARIZER_FAILED"), || {
        format!("an answer deferred {depth} times was refused")
    })
}
