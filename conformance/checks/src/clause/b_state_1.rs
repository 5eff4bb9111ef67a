//! `B-STATE-1`: the context that went in looks the same before, while the summary is made, and after.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{RoundView, round_views};
use crate::step::Reply;
use crate::wire::{read, same};
use seamcheck_protocol::messages::InspectResult;
use seamcheck_protocol::messages::Level;

/// The old context looks the same before, during and after.
pub(super) const CHECK: Check =
    Check { id: "B-STATE-1.old-context", clause: "B-STATE-1", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(round))
}

fn round(view: &RoundView<'_>) -> Judgement {
    let during = view.outcome.asked.iter().flat_map(|asked| &asked.inspected).filter_map(|reply| match reply {
        Reply::Inspected(inspection) => Some(("while the summary was made", inspection)),
        _ => None,
    });
    let after = view.after.map(|inspection| ("after the compaction", inspection));
    Judgement::all(during.chain(after).map(|(when, found)| {
        Judgement::require(unchanged(view.before, found), || format!("the old context looks different {when}"))
    }))
}

/// Every native field, if the adapter shows a digest of them, and the context itself.
fn unchanged(before: &InspectResult, found: &InspectResult) -> bool {
    let same_context = match (read(&before.context), read(&found.context)) {
        (Some(before), Some(found)) => same(&before, &found),
        _ => false,
    };
    before.native == found.native && same_context
}
