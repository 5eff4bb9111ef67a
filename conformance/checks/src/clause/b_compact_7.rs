//! `B-COMPACT-7`: what is kept stays as it was, and the summary is what the summarizer wrote.

use crate::check::{Check, Judgement, Observed};
use crate::clause::answered_text;
use crate::scenario::{RoundView, round_views};
use crate::wire::{list, same, show, text};
use seamcheck_protocol::messages::Level;
use seamcheck_reference::Json;

/// Requirements, suffix and earlier records stay verbatim; the summary is what was answered.
pub(super) const CHECK: Check =
    Check { id: "B-COMPACT-7.verbatim", clause: "B-COMPACT-7", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(round))
}

fn round(view: &RoundView<'_>) -> Judgement {
    let (true, Some(new)) = (view.compacted(), &view.new) else { return Judgement::NotReached };
    let require = |holds: bool, what: &str| Judgement::require(holds, || format!("{what}: {}", show(new)));
    let (old_messages, kept) = (list(&view.old, "messages"), list(new, "messages"));
    let suffix = old_messages.len().checked_sub(kept.len()).map(|start| &old_messages[start..]);
    let (old_records, records) = (list(&view.old, "compactions"), list(new, "compactions"));
    let summary = new.get("summary");
    let content = summary.and_then(|summary| text(summary, "content"));
    let id = summary.and_then(|summary| summary.get("id"));
    Judgement::all([
        require(all_same(list(&view.old, "requirements"), list(new, "requirements")), "the requirements changed"),
        require(suffix.is_some_and(|suffix| all_same(suffix, kept)), "the messages are no verbatim suffix"),
        require(
            records.get(..old_records.len()).is_some_and(|kept| all_same(old_records, kept)),
            "an earlier record changed",
        ),
        require(content.is_some() && content == answered_text(view), "the summary is not what was answered"),
        require(id == view.option("summaryId").as_ref(), "the summary has another id"),
    ])
}

fn all_same(left: &[Json], right: &[Json]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
}
