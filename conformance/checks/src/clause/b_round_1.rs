//! `B-ROUND-1`: no group ends between a call and its result.

use crate::check::{Check, Judgement, Observed};
use crate::clause::answered_groups;
use crate::wire::Links;
use seamcheck_protocol::messages::Level;

/// A call and its result stand in one group.
pub(super) const CHECK: Check =
    Check { id: "B-ROUND-1.together", clause: "B-ROUND-1", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let Some((messages, groups)) = answered_groups(observed) else { return Judgement::NotReached };
    let pairs = Links::of(messages.iter().enumerate()).pairs;
    if pairs.is_empty() {
        return Judgement::NotReached;
    }
    let ends = || groups.iter().map(|(_, _, end)| *end);
    let parted = pairs.into_iter().find(|(call, result)| ends().any(|end| *call < index(end) && index(end) <= *result));
    Judgement::require(parted.is_none(), || format!("a group ends between the call and the result {parted:?}"))
}

fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
