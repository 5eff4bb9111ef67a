//! `B-COMPACT-8`: a success adds one record, which says exactly what happened.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{RoundView, round_views};
use crate::step::Reply;
use crate::wire::read;
use crate::wire::{context_units, list, number, same, show};
use seamcheck_protocol::messages::Level;
use seamcheck_reference::Json;

/// Success adds exactly one record with its exact content.
pub(super) const CHECK: Check =
    Check { id: "B-COMPACT-8.one-record", clause: "B-COMPACT-8", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(|view| round(observed, view)))
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    let (true, Some(new)) = (view.compacted(), &view.new) else { return Judgement::NotReached };
    let (before, records) = (list(&view.old, "compactions"), list(new, "compactions"));
    let (true, Some(record)) = (records.len() == before.len() + 1, records.last()) else {
        return Judgement::Violated(format!("{} records before, {} after", before.len(), records.len()));
    };
    let returned = match &view.outcome.reply {
        Reply::Compacted { record: Some(record), .. } => read(record),
        _ => None,
    };
    let old = list(&view.old, "messages");
    let boundary = old.len().saturating_sub(list(new, "messages").len());
    let ids: Vec<Json> = old[..boundary].iter().filter_map(|message| message.get("id").cloned()).collect();
    let is = |name: &str, expected: Option<Json>| record.get(name).cloned() == expected;
    let mut holds = returned.is_some_and(|returned| same(&returned, record))
        && is("id", view.option("recordId"))
        && is("summaryId", view.option("summaryId"))
        && is("boundary", Some(boundary.into()))
        && is("compactedMessageIds", Some(Json::Array(ids)));
    if observed.is_exact() {
        holds &= number(record, "unitsBefore") == Some(context_units(&view.old))
            && number(record, "unitsAfter") == Some(context_units(new));
    }
    Judgement::require(holds, || format!("the record does not say what happened: {}", show(record)))
}
