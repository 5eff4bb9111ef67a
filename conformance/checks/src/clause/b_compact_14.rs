//! `B-COMPACT-14`: no half of a surrogate pair is given to the summarizer, retained or shown where the whole pair went
//! in.

use crate::check::{Check, Judgement, Observed};
use crate::clause::{answered_text, rendered};
use crate::scenario::{RoundView, round_views};
use crate::wire::{halves, has_pair, list, texts};
use seamcheck_protocol::messages::{Level, ShownKind};
use seamcheck_reference::Json;

/// A pair stays whole or goes.
pub(super) const CHECK: Check =
    Check { id: "B-COMPACT-14.whole-pairs", clause: "B-COMPACT-14", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let shown = rendered(observed).into_iter().map(|rendering| {
        let messages = rendering.view.iter().filter(|shown| shown.0 == ShownKind::Message).map(|shown| &shown.1);
        whole("what is shown", list(&rendering.context, "messages"), messages)
    });
    Judgement::all(round_views(observed).iter().map(round).chain(shown))
}

fn round(view: &RoundView<'_>) -> Judgement {
    let old = list(&view.old, "messages");
    let requests = view.requests();
    let asked = requests.iter().map(|request| whole("what is to be summarized", old, list(request, "messages")));
    let retained = view.new.as_ref().map(|new| whole("what is retained", old, list(new, "messages")));
    let summary = view.new.as_ref().and_then(|new| new.get("summary")).zip(answered_text(view)).map(|(kept, said)| {
        let said = Json::from(said.clone());
        if !view.compacted() || !has_pair(&said) {
            return Judgement::NotReached;
        }
        let halved = kept.get("content").map_or(0, halves) > halves(&said);
        Judgement::require(!halved, || "the summary holds half of a pair that was answered whole".to_owned())
    });
    Judgement::all(asked.chain(retained).chain(summary))
}

/// Messages are found again by their ids; of several with one id, the one with the most halves is the measure.
fn whole<'a>(what: &str, old: &[Json], found: impl IntoIterator<Item = &'a Json>) -> Judgement {
    if !old.iter().any(has_pair) {
        return Judgement::NotReached;
    }
    Judgement::all(found.into_iter().map(|message| {
        let same_id = |sent: &&Json| sent.get("id") == message.get("id");
        let sent = old.iter().filter(same_id).map(halves).max().unwrap_or_else(|| old.iter().map(halves).sum());
        Judgement::require(halves(message) <= sent, || {
            let id = message.get("id").map(ToString::to_string).unwrap_or_default();
            format!("{what} holds half of a pair, in the message {id} with {} texts", texts(message).len())
        })
    }))
}
