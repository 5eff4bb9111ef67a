//! `B-BUILD-2`: of several planted faults, the one that is read first decides the code.

use crate::case::Body;
use crate::check::{Check, Judgement, Observed};
use crate::step::Reply;
use seamcheck_protocol::messages::Level;

/// Of the planted faults, the one that is read first decides.
pub(super) const CHECK: Check =
    Check { id: "B-BUILD-2.first-fault", clause: "B-BUILD-2", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let (Body::Fault(fault), Some(built)) = (observed.body(), observed.outcomes.first()) else {
        return Judgement::NotReached;
    };
    let found = match &built.reply {
        Reply::Refused { code, .. } => code.as_str(),
        _ => "no refusal",
    };
    Judgement::require(found == fault.code, || format!("{}: expected {}, found {found}", fault.planted, fault.code))
}
