//! `B-SUMMARY-4`: a summary that costs more than its own budget is refused.

use crate::check::{Check, Judgement, Observed};
use crate::clause::answered_text;
use crate::clause::{answer_reached, refused};
use crate::scenario::{RoundView, round_views};
use crate::wire::summary_units;
use seamcheck_protocol::messages::Level;
use seamcheck_reference::Json;

/// A summary over its budget is refused.
pub(super) const CHECK: Check =
    Check { id: "B-SUMMARY-4.budget", clause: "B-SUMMARY-4", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(|view| round(observed, view)))
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    let Some(content) = answered_text(view).filter(|text| !text.to_string().trim().is_empty()) else {
        return Judgement::NotReached;
    };
    if !observed.is_exact() {
        return Judgement::NotObservable("the adapter counts what a summary costs in units of its own");
    }
    let id = view.option("summaryId").unwrap_or(Json::Null);
    let units = summary_units(&Json::object([("id", id), ("content", content.clone().into())]));
    if units <= view.number("summaryMaxUnits") || units > 60_000 || !answer_reached(observed, view) {
        return Judgement::NotReached;
    }
    refused(view, "CONTEXT_SUMMARY_INSUFFICIENT")
}
