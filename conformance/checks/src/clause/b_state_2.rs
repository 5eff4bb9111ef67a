//! `B-STATE-2`: a compaction that fails leaves the context as it was and no record anywhere.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{RoundView, round_views};
use crate::step::Reply;
use crate::wire::{read, same};
use seamcheck_protocol::messages::Level;

/// A failure leaves no trace.
pub(super) const CHECK: Check =
    Check { id: "B-STATE-2.failure", clause: "B-STATE-2", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(round))
}

fn round(view: &RoundView<'_>) -> Judgement {
    let (Reply::Refused { code, .. }, Some(after)) = (&view.outcome.reply, view.after) else {
        return Judgement::NotReached;
    };
    let same_context = read(&after.context).is_some_and(|after| same(&view.old, &after));
    Judgement::require(same_context && after.native == view.before.native, || {
        format!("after {code} the context looks different")
    })
}
