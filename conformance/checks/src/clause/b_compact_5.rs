//! `B-COMPACT-5`: where no safe cut fits, the compaction is refused and nobody is asked.

use crate::check::{Check, Judgement, Observed};
use crate::clause::{fitting_cut, is_over, refused_without_call, repeats_record_id};
use crate::scenario::{RoundView, round_views};
use seamcheck_protocol::messages::Level;

/// Where no cut fits, the compaction is refused before anybody is asked.
pub(super) const CHECK: Check =
    Check { id: "B-COMPACT-5.no-boundary", clause: "B-COMPACT-5", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(|view| round(observed, view)))
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    if repeats_record_id(view) || !is_over(observed, view) || fitting_cut(view).is_some() {
        return Judgement::NotReached;
    }
    refused_without_call(view, "CONTEXT_BOUNDARY_UNAVAILABLE")
}
