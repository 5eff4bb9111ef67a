//! `B-ROUND-2`: overlapping rounds merge as far as they must and no further: groups end exactly at the safe cuts.

use crate::check::{Check, Judgement, Observed};
use crate::clause::answered_groups;
use crate::wire::safe_cuts;
use seamcheck_protocol::messages::Level;

/// Groups end at every safe cut, and nowhere else.
pub(super) const CHECK: Check =
    Check { id: "B-ROUND-2.finest", clause: "B-ROUND-2", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let Some((messages, groups)) = answered_groups(observed) else { return Judgement::NotReached };
    let safe = safe_cuts(messages);
    if safe.iter().all(|safe| *safe) {
        return Judgement::NotReached;
    }
    let cuts = safe.iter().enumerate().skip(1).filter(|(_, safe)| **safe);
    let expected: Vec<u64> = cuts.map(|(place, _)| place as u64).collect();
    let found: Vec<u64> = groups.iter().map(|(_, _, end)| *end).collect();
    Judgement::require(expected == found, || {
        let differs = expected.iter().zip(&found).find(|(expected, found)| expected != found);
        format!(
            "groups must end at the {} safe cuts, first difference {differs:?}, found {} ends",
            expected.len(),
            found.len()
        )
    })
}
