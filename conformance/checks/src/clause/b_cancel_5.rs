//! `B-CANCEL-5`: a late answer is consumed silently: after every cancelled attempt the context looks the same, and at
//! last it can be compacted.

use crate::check::{Check, Judgement, Observed};
use crate::clause::probes;
use crate::scenario::inspected;
use crate::step::Reply;
use crate::wire::{read, text};
use seamcheck_protocol::messages::Level;

/// After every cancellation the old context is whole and works.
pub(super) const CHECK: Check =
    Check { id: "B-CANCEL-5.silent", clause: "B-CANCEL-5", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let probes = probes(observed);
    let (Some(before), Some(last)) = (inspected(observed.outcomes.get(1)), probes.last()) else {
        return Judgement::NotReached;
    };
    if let Some(probe) = probes.iter().find(|probe| probe.after.is_some_and(|after| after != before)) {
        return Judgement::Violated(format!("the context looks different after {:?}", probe.step.cancel));
    }
    match &last.outcome.reply {
        Reply::Compacted { record: Some(record), .. } => {
            let id = read(record).and_then(|record| text(&record, "id").map(ToString::to_string));
            Judgement::require(id.as_deref() == Some("record"), || format!("the last attempt recorded {id:?}"))
        }
        other => Judgement::Violated(format!("the last attempt, not cancelled, gave {other}")),
    }
}
