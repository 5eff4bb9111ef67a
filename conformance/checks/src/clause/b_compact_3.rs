//! `B-COMPACT-3`: a context within its threshold comes back as it is, and nobody is asked for a summary.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{AttemptView, Reached, RoundView, attempt_views, round_views};
use crate::step::Reply;
use crate::wire::context_units;
use seamcheck_protocol::messages::Level;

/// Within its threshold a context is left alone.
pub(super) const CHECK: Check =
    Check { id: "B-COMPACT-3.untouched", clause: "B-COMPACT-3", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let attempts = attempt_views(observed);
    let rounds = round_views(observed);
    Judgement::all(rounds.iter().map(|view| round(observed, view)).chain(attempts.iter().map(attempt)))
}

/// Also when it is cancelled.
fn attempt(view: &AttemptView<'_>) -> Judgement {
    if view.natural != Some(Reached::Unchanged) {
        return Judgement::NotReached;
    }
    Judgement::require(view.reached == Reached::Unchanged && view.calls == 0, || {
        format!("within the threshold, and {} after {} calls", view.reply, view.calls)
    })
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    if view.unchanged() {
        let same_handle = matches!(view.outcome.reply, Reply::Compacted { same_handle: true, record: None, .. });
        let called = !view.requests().is_empty();
        return Judgement::require(same_handle && !called, || {
            format!(
                "unchanged, with the same context and no record: {same_handle}; the summarizer was called: {called}"
            )
        });
    }
    // Only an implementation that counts as the spec does can be told what is within the threshold.
    if !observed.is_exact() || context_units(&view.old) > view.number("maxUnits") {
        return Judgement::NotReached;
    }
    Judgement::Violated(format!(
        "{} units are within the threshold of {}, found {}",
        context_units(&view.old),
        view.number("maxUnits"),
        view.outcome.reply
    ))
}
