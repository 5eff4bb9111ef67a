//! `B-CANCEL-1`: a compaction that is cancelled before it starts is refused, and nobody is asked.

use crate::check::{Check, Judgement, Observed};
use crate::clause::probes;
use crate::step::CancelPlan;
use seamcheck_protocol::messages::Level;

/// Cancelled before it starts, nobody is asked.
pub(super) const CHECK: Check =
    Check { id: "B-CANCEL-1.before", clause: "B-CANCEL-1", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(probes(observed).iter().map(|probe| match probe.step.cancel {
        CancelPlan::Before => Judgement::require(probe.is_cancelled() && probe.outcome.asked.is_empty(), || {
            format!("cancelled before: {} after {} calls", probe.outcome.reply, probe.outcome.asked.len())
        }),
        _ => Judgement::NotReached,
    }))
}
