//! `B-TEXT-1`: a text with a lone surrogate survives being built and looked at.

use crate::case::Body;
use crate::check::{Check, Judgement, Observed};
use crate::scenario::inspected;
use crate::wire::read;
use seamcheck_protocol::messages::Level;
use seamcheck_reference::{Json, Text};
use std::collections::BTreeSet;

/// Text with a lone surrogate comes back unit by unit.
pub(super) const CHECK: Check =
    Check { id: "B-TEXT-1.round-trip", clause: "B-TEXT-1", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let Body::Query(query) = observed.body() else { return Judgement::NotReached };
    let mut sent = BTreeSet::new();
    collect(&query.context, &mut sent);
    let lone: Vec<&Text> = sent.into_iter().filter(|text| text.as_str().is_none()).collect();
    let shown = inspected(observed.outcomes.get(1)).and_then(|inspection| read(&inspection.context));
    let (false, Some(shown)) = (lone.is_empty(), shown) else { return Judgement::NotReached };
    let mut came_back = BTreeSet::new();
    collect(&shown, &mut came_back);
    let lost = lone.into_iter().find(|text| !came_back.contains(text));
    Judgement::require(lost.is_none(), || format!("the text {lost:?} was sent and did not come back"))
}

/// Every text in a value.
fn collect<'a>(value: &'a Json, texts: &mut BTreeSet<&'a Text>) {
    match value {
        Json::String(text) => {
            texts.insert(text);
        }
        Json::Array(elements) => elements.iter().for_each(|element| collect(element, texts)),
        Json::Object(object) => object.members().iter().for_each(|(_, member)| collect(member, texts)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}
