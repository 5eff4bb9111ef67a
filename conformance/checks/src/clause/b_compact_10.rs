//! `B-COMPACT-10`: what says it compacted has covered a message and meets its target.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{RoundView, round_views};
use crate::wire::{context_units, list};
use seamcheck_protocol::messages::Level;

/// A compaction covers something and meets its target.
pub(super) const CHECK: Check =
    Check { id: "B-COMPACT-10.progress", clause: "B-COMPACT-10", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(|view| round(observed, view)))
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    let (true, Some(new)) = (view.compacted(), &view.new) else { return Judgement::NotReached };
    let old = list(&view.old, "messages");
    let covered = old.len().saturating_sub(list(new, "messages").len());
    if covered == 0 {
        return Judgement::Violated("it says compacted and covered no message".to_owned());
    }
    let (units, target) = (context_units(new), view.number("targetUnits"));
    Judgement::require(!observed.is_exact() || units <= target, || {
        format!("{units} units are over the target of {target}")
    })
}
