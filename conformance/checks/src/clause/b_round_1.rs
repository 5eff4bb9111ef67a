//! `B-ROUND-1`: no group ends between a call and its result.

use crate::case::Body;
use crate::check::{Check, Judgement, Observed};
use crate::step::Reply;
use crate::wire::{Links, list};
use seamcheck_protocol::messages::Level;

/// A call and its result stand in one group.
pub(super) const CHECK: Check =
    Check { id: "B-ROUND-1.together", clause: "B-ROUND-1", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let (Body::Query(query), Some(Reply::Groups(groups))) =
        (observed.body(), observed.outcomes.get(3).map(|o| &o.reply))
    else {
        return Judgement::NotReached;
    };
    let messages = list(&query.context, "messages");
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
