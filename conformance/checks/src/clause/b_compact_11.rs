//! `B-COMPACT-11`: over a chain of compactions every message is in the view or was in exactly one request that
//! succeeded, and each request carries the summary before it.

use crate::check::{Check, Judgement, Observed};
use crate::clause::can_ask;
use crate::scenario::round_views;
use crate::wire::{list, same};
use seamcheck_protocol::messages::Level;
use seamcheck_reference::Json;

/// Over a chain, every message is in the view or was summarized once.
pub(super) const CHECK: Check =
    Check { id: "B-COMPACT-11.coverage", clause: "B-COMPACT-11", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let rounds = round_views(observed);
    let succeeded: Vec<_> = rounds.iter().filter(|round| round.compacted()).collect();
    if succeeded.len() < 2 {
        return Judgement::NotReached;
    }
    if !can_ask(observed) {
        return Judgement::NotObservable("the adapter does not show what its summarizer is asked");
    }
    let mut seen: Vec<Json> = Vec::new();
    let mut previous: Option<Json> = None;
    for round in &succeeded {
        let requests = round.requests();
        let Some(request) = requests.first() else {
            return Judgement::Violated("a compaction succeeded and asked for no summary".to_owned());
        };
        let carried = request.get("previousSummary");
        if previous.as_ref().is_some_and(|previous| !carried.is_some_and(|carried| same(carried, previous))) {
            return Judgement::Violated("the summary of the compaction before is not in the request".to_owned());
        }
        seen.extend_from_slice(list(request, "messages"));
        previous = round.new.as_ref().and_then(|new| new.get("summary").cloned());
    }
    let view = succeeded.last().and_then(|round| round.new.as_ref());
    seen.extend_from_slice(view.map_or(&[], |view| list(view, "messages")));
    let all = rounds.first().map_or(&[][..], |round| list(&round.old, "messages"));
    let complete = seen.len() == all.len() && seen.iter().zip(all).all(|(seen, sent)| same(seen, sent));
    Judgement::require(complete, || {
        format!("{} messages went in; {} were summarized or are in the view", all.len(), seen.len())
    })
}
