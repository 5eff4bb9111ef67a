//! `B-COMPACT-4`: a record id that the context has already is refused, and nobody is asked.

use crate::check::{Check, Judgement, Observed};
use crate::clause::{is_over, refused_without_call};
use crate::scenario::{RoundView, round_views};
use crate::step::Reply;
use crate::wire::{list, same};
use seamcheck_protocol::messages::{Level, Status};

/// A record id that is there already is refused.
pub(super) const CHECK: Check =
    Check { id: "B-COMPACT-4.recorded", clause: "B-COMPACT-4", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(|view| round(observed, view)))
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    let id = view.option("recordId");
    let recorded = list(&view.old, "compactions").iter().filter_map(|record| record.get("id"));
    let repeated = recorded.into_iter().any(|recorded| id.as_ref().is_some_and(|id| same(recorded, id)));
    if !repeated {
        return Judgement::NotReached;
    }
    let code = "CONTEXT_INVALID_INPUT";
    if observed.is_exact() {
        return if is_over(observed, view) { refused_without_call(view, code) } else { Judgement::NotReached };
    }
    // Whether a context is over its threshold is known to an implementation with units of its own alone. One that asks
    // for a summary, or compacts, took it to be over.
    let compacts = matches!(view.outcome.reply, Reply::Compacted { status: Status::Compacted, .. });
    let is_reached = compacts || !view.outcome.asked.is_empty() || view.outcome.reply.refusal_code() == Some(code);
    if is_reached { refused_without_call(view, code) } else { Judgement::NotReached }
}
