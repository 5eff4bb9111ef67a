//! `B-CANCEL-1`: a compaction that is cancelled before it starts is refused, and nobody is asked.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{Reached, Way, attempt_views};
use seamcheck_protocol::messages::Level;

/// Cancelled before it starts, nobody is asked.
pub(super) const CHECK: Check =
    Check { id: "B-CANCEL-1.before", clause: "B-CANCEL-1", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let views = attempt_views(observed);
    Judgement::all(views.iter().filter(|view| view.way == Way::Before).map(|view| match &view.natural {
        // Within its threshold a context is left alone, cancelled or not: `B-COMPACT-3`.
        None | Some(Reached::Unchanged) => Judgement::NotReached,
        Some(_) => Judgement::require(view.reached.is_cancelled() && view.calls == 0, || {
            format!("cancelled before: {} after {} calls", view.reply, view.calls)
        }),
    }))
}
