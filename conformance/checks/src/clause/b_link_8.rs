//! `B-LINK-8`: the diagnostics of planted faults are exactly those that the planting foretells, in order.

use crate::case::Body;
use crate::check::{Check, Judgement, Observed};
use crate::step::Reply;
use seamcheck_protocol::messages::Level;

/// Planted faults are reported, in the order of the spec, and nothing else is.
pub(super) const CHECK: Check =
    Check { id: "B-LINK-8.planted", clause: "B-LINK-8", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let Body::Fault(fault) = observed.body() else { return Judgement::NotReached };
    let (Some(expected), Some(outcome)) = (&fault.diagnostics, observed.outcomes.get(1)) else {
        return Judgement::NotReached;
    };
    match &outcome.reply {
        Reply::Diagnostics(found) => Judgement::require(found == expected, || {
            format!("{}: expected {expected:?}, found {found:?}", fault.planted)
        }),
        Reply::Refused { code, .. } => Judgement::Violated(format!("{}: refused with {code}", fault.planted)),
        _ => Judgement::NotReached,
    }
}
