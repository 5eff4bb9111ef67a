//! `B-UNIT-10`: the total is the sum of the formulas, counted once more by the check.

use crate::case::Body;
use crate::check::{Check, Judgement, Observed};
use crate::step::Reply;
use crate::wire::context_units;
use seamcheck_protocol::messages::Level;

/// A context costs the sum of its formulas.
pub(super) const CHECK: Check =
    Check { id: "B-UNIT-10.total", clause: "B-UNIT-10", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let (Body::Query(query), Some(Reply::Units(found))) = (observed.body(), observed.outcomes.get(2).map(|o| &o.reply))
    else {
        return Judgement::NotReached;
    };
    let expected = context_units(&query.context);
    Judgement::require(expected == *found, || format!("the formulas give {expected} units, found {found}"))
}
