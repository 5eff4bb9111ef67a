//! `B-COMPACT-6`: a compaction that succeeds asked its summarizer exactly once, about exactly what it replaces.

use crate::check::{Check, Judgement, Observed};
use crate::clause::can_ask;
use crate::scenario::{RoundView, round_views};
use crate::wire::{list, number, same};
use seamcheck_protocol::messages::Level;
use seamcheck_reference::Json;

/// The summarizer is asked once, about exactly the prefix.
pub(super) const CHECK: Check =
    Check { id: "B-COMPACT-6.exact-prefix", clause: "B-COMPACT-6", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(|view| round(observed, view)))
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    if !view.compacted() {
        return Judgement::require(view.requests().len() <= 1, || {
            format!("one compaction asked its summarizer {} times", view.requests().len())
        });
    }
    if !can_ask(observed) {
        return Judgement::NotObservable("the adapter does not show what its summarizer is asked");
    }
    let requests = view.requests();
    let [request] = requests.as_slice() else {
        return Judgement::Violated(format!("the summarizer was called {} times", requests.len()));
    };
    let old = list(&view.old, "messages");
    let kept = view.new.as_ref().map_or(0, |new| list(new, "messages").len());
    let prefix = Json::Array(old[..old.len().saturating_sub(kept)].to_vec());
    let length = Json::from(old.len().saturating_sub(kept));
    let expected = [
        ("messages", Some(&prefix)),
        ("boundary", Some(&length)),
        ("requirements", view.old.get("requirements")),
        ("previousSummary", view.old.get("summary")),
    ];
    let different = expected.iter().find(|(name, expected)| match (request.get(name), expected) {
        (Some(found), Some(expected)) => !same(found, expected),
        _ => true,
    });
    let limit = number(request, "maxSummaryUnits") == Some(view.number("summaryMaxUnits"));
    Judgement::require(different.is_none() && limit, || match different {
        Some((name, _)) => format!("{name} of the request is not what is replaced"),
        None => "maxSummaryUnits of the request is not that of the options".to_owned(),
    })
}
