//! `B-ROUND-3`: groups tile the transcript in order; a group with a call is a round, every other one a single message.

use crate::check::{Check, Judgement, Observed};
use crate::clause::answered_groups;
use crate::wire::call_ids;
use seamcheck_protocol::messages::Level;

/// Groups tile the transcript and name their kind.
pub(super) const CHECK: Check =
    Check { id: "B-ROUND-3.tiles", clause: "B-ROUND-3", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let Some((messages, groups)) = answered_groups(observed) else { return Judgement::NotReached };
    let mut place = 0;
    for (kind, start, end) in groups {
        let (Ok(from), Ok(to)) = (usize::try_from(*start), usize::try_from(*end)) else {
            return Judgement::Violated(format!("the group from {start} to {end} is no place in a transcript"));
        };
        if from != place || to <= from || to > messages.len() {
            return Judgement::Violated(format!("a group must start at {place}, found {start} to {end}"));
        }
        let calls = messages[from..to].iter().any(|message| call_ids(message).next().is_some());
        let expected = if calls { "toolRound" } else { "message" };
        if kind != expected || (!calls && to - from != 1) {
            return Judgement::Violated(format!("the group from {start} to {end} is a {kind}, expected {expected}"));
        }
        place = to;
    }
    Judgement::require(place == messages.len(), || format!("the groups end at {place} of {}", messages.len()))
}
