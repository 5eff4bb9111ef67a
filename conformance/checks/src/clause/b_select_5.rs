//! `B-SELECT-5`: a boundary never lies inside a group.

use crate::check::{Check, Judgement, Observed};
use crate::clause::boundary_answers;
use crate::wire::safe_cuts;
use seamcheck_protocol::messages::Level;

/// No boundary parts a call from its result.
pub(super) const CHECK: Check =
    Check { id: "B-SELECT-5.no-split", clause: "B-SELECT-5", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(boundary_answers(observed).into_iter().map(|answer| {
        let Some(found) = answer.found else { return Judgement::NotReached };
        let safe = safe_cuts(answer.messages);
        let place = usize::try_from(found).unwrap_or(usize::MAX);
        let is_safe = found > 0 && safe.get(place).copied().unwrap_or_default();
        Judgement::require(is_safe, || format!("the boundary {found} lies inside a group"))
    }))
}
