//! `B-SELECT-4`: the boundary is the earliest safe cut that fits, found by trying every one.

use crate::check::{Check, Judgement, Observed};
use crate::clause::boundary_answers;
use seamcheck_protocol::messages::Level;

/// The boundary is the earliest safe cut that fits.
pub(super) const CHECK: Check =
    Check { id: "B-SELECT-4.earliest", clause: "B-SELECT-4", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(boundary_answers(observed).into_iter().map(|answer| {
        let expected = answer.numbers.fits(answer.context).map(|place| place as u64);
        Judgement::require(expected == answer.found, || {
            let target = answer.numbers.target_units;
            format!("the earliest safe cut that fits {target} units is {expected:?}, found {:?}", answer.found)
        })
    }))
}
