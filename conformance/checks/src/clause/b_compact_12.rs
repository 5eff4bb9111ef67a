//! `B-COMPACT-12`: no round is parted, whatever the implementation counts in: what is retained begins behind a whole
//! round, and what is summarized ends with one.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{RoundView, round_views};
use crate::wire::{Links, list, safe_cuts};
use seamcheck_protocol::messages::Level;
use seamcheck_reference::Json;

/// What is retained never begins inside a round.
pub(super) const CHECK: Check =
    Check { id: "B-COMPACT-12.whole-rounds", clause: "B-COMPACT-12", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(round))
}

fn round(view: &RoundView<'_>) -> Judgement {
    let old = list(&view.old, "messages");
    let before = links(old);
    if before.pairs.is_empty() {
        return Judgement::NotReached;
    }
    let requests = view.requests();
    let asked = requests.iter().map(|request| {
        let asked = links(list(request, "messages"));
        Judgement::require(asked.open.len() <= before.open.len(), || {
            "a call is to be summarized, and its result is not".to_owned()
        })
    });
    let retained = view.new.as_ref().filter(|_| view.compacted()).map(|new| {
        let kept = list(new, "messages");
        if links(kept).orphans.len() > before.orphans.len() {
            return Judgement::Violated("a result is retained, and its call is not".to_owned());
        }
        let covered = old.len().saturating_sub(kept.len());
        Judgement::require(safe_cuts(old)[covered], || format!("the cut at {covered} parts a call from its result"))
    });
    Judgement::all(asked.chain(retained))
}

fn links(messages: &[Json]) -> Links {
    Links::of(messages.iter().enumerate())
}
