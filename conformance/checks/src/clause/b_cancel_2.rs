//! `B-CANCEL-2`: a compaction that is cancelled while it waits ends, though the answer never comes.

use crate::check::{Check, Judgement, Observed};
use crate::clause::probes;
use crate::step::CancelPlan;
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::Level;

/// Cancelled while it waits, it ends though no answer comes.
pub(super) const CHECK: Check =
    Check { id: "B-CANCEL-2.while-waiting", clause: "B-CANCEL-2", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(probes(observed).iter().map(|probe| match (probe.step.cancel, &probe.step.answer) {
        (CancelPlan::InsteadOfAnswer, _) | (_, Answer::Pending { cancel: true }) => {
            Judgement::require(probe.is_cancelled(), || format!("cancelled while waiting: {}", probe.outcome.reply))
        }
        _ => Judgement::NotReached,
    }))
}
