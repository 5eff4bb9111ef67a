//! `B-CANCEL-3`: cancelled by the time the answer settles, the compaction is cancelled, also over a failure; only a
//! call that fails at once is reported as failed.

use crate::check::{Check, Judgement, Observed};
use crate::clause::probes;
use crate::step::CancelPlan;
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::Level;

/// Cancelled by the time it settles, it is cancelled; a call that throws at once is not.
pub(super) const CHECK: Check =
    Check { id: "B-CANCEL-3.settled", clause: "B-CANCEL-3", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(probes(observed).iter().map(|probe| {
        let cancelled =
            || Judgement::require(probe.is_cancelled(), || format!("cancelled by then: {}", probe.outcome.reply));
        match (probe.step.cancel, &probe.step.answer) {
            (CancelPlan::BeforeAnswer, _) => cancelled(),
            (_, Answer::Throw { cancel: true, .. }) => {
                let code = probe.outcome.reply.refusal_code();
                Judgement::require(code == Some("CONTEXT_SUMMARIZER_FAILED"), || {
                    format!("a call that failed at once: {}", probe.outcome.reply)
                })
            }
            (
                _,
                Answer::Text { cancel: true, .. }
                | Answer::Reject { cancel: true, .. }
                | Answer::Chain { cancel: true, .. },
            ) => cancelled(),
            _ => Judgement::NotReached,
        }
    }))
}
