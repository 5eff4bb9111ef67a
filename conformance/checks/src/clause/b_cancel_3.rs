//! `B-CANCEL-3`: cancelled by the time the answer settles, the compaction is cancelled, also over a failure; only a
//! call that fails at once is reported as failed.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{AttemptView, Way, attempt_views};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::Level;

/// Cancelled by the time it settles, it is cancelled; a call that throws at once is not.
pub(super) const CHECK: Check =
    Check { id: "B-CANCEL-3.settled", clause: "B-CANCEL-3", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(attempt_views(observed).iter().map(attempt))
}

fn attempt(view: &AttemptView<'_>) -> Judgement {
    if view.calls == 0 {
        return Judgement::NotReached;
    }
    match (view.way, view.answer) {
        (Way::InCall, Answer::Throw { .. }) => {
            Judgement::require(view.reached.is_failed(), || format!("a call that failed at once: {}", view.reply))
        }
        (Way::InCall, Answer::Pending { .. }) => Judgement::NotReached,
        (Way::InCall | Way::CancelThenAnswer | Way::CancelTwice | Way::CancelThenTwice, _) => {
            Judgement::require(view.heeds_cancellation(), || format!("cancelled by then: {}", view.reply))
        }
        _ => Judgement::NotReached,
    }
}
