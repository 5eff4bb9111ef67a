//! `B-CANCEL-4`: turning the signal at any look cancels the compaction, and there is a look after the summary was
//! accepted: a blank summary, which ends before it, is looked at less often.

use crate::check::{Check, Judgement, Observed};
use crate::clause::probes;
use crate::scenario::NO_LOOK;
use crate::step::CancelPlan;
use seamcheck_protocol::messages::CancelMode;
use seamcheck_protocol::messages::Level;

/// Every look is heeded, and one comes after everything else.
pub(super) const CHECK: Check =
    Check { id: "B-CANCEL-4.last-look", clause: "B-CANCEL-4", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let probes = probes(observed);
    if probes.is_empty() {
        return Judgement::NotReached;
    }
    if !observed.declaration.capabilities.cancel.contains(&CancelMode::AtLook) {
        return Judgement::NotObservable("the adapter's signal does not count the looks at it");
    }
    let mut blank_looks = None;
    let mut good_looks = None;
    for probe in &probes {
        let (CancelPlan::AtLook(look), Some(looks)) = (probe.step.cancel, probe.outcome.reply.looks()) else {
            continue;
        };
        match look {
            NO_LOOK => blank_looks = Some(looks),
            _ if look < looks && !probe.is_cancelled() => {
                return Judgement::Violated(format!("turned at look {look} of {looks}: {}", probe.outcome.reply));
            }
            _ if look < looks => {}
            _ => good_looks = Some(looks),
        }
    }
    match (blank_looks, good_looks) {
        (Some(0), _) => Judgement::NotObservable("the implementation never looked at its signal"),
        (Some(blank), Some(good)) => Judgement::require(good > blank, || {
            format!("{good} looks in all, {blank} until the summary is read: none comes after it")
        }),
        _ => Judgement::NotReached,
    }
}
