//! `B-CANCEL-2`: a compaction that is cancelled while it waits ends, though the answer never comes.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{AttemptView, Way, attempt_views};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::Level;

/// Cancelled while it waits, it ends though no answer comes.
pub(super) const CHECK: Check =
    Check { id: "B-CANCEL-2.while-waiting", clause: "B-CANCEL-2", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(attempt_views(observed).iter().map(attempt))
}

fn attempt(view: &AttemptView<'_>) -> Judgement {
    let never_answered = match view.way {
        Way::Instead | Way::Late | Way::LateTwice => true,
        Way::InCall | Way::AnswerThenCancel => matches!(view.answer, Answer::Pending { .. }),
        _ => false,
    };
    if !never_answered || view.calls == 0 {
        return Judgement::NotReached;
    }
    Judgement::require(view.heeds_cancellation(), || format!("cancelled while waiting: {}", view.reply))
}
