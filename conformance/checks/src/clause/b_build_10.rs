//! `B-BUILD-10`: a built context equals its input, with absent fields filled.

use crate::case::Body;
use crate::check::{Check, Judgement, Observed};
use crate::scenario::inspected;
use crate::step::Reply;
use crate::wire::{Validity, read, same, show};
use seamcheck_protocol::messages::Level;
use seamcheck_reference::Json;

/// What was built shows what was sent, with defaults filled.
pub(super) const CHECK: Check =
    Check { id: "B-BUILD-10.equal", clause: "B-BUILD-10", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let (Body::Query(query), Some(built)) = (observed.body(), observed.outcomes.first()) else {
        return Judgement::NotReached;
    };
    if query.validity != Validity::Valid {
        return Judgement::NotReached;
    }
    if let Reply::Refused { .. } = &built.reply {
        return Judgement::Violated(format!("a valid context was {}", built.reply));
    }
    let Some(shown) = inspected(observed.outcomes.get(1)).and_then(|inspection| read(&inspection.context)) else {
        return Judgement::NotReached;
    };
    let expected = filled(&query.context);
    Judgement::require(same(&expected, &shown), || {
        let name = FIELDS.iter().map(|(name, _)| *name).find(|name| differs(&expected, &shown, name));
        let part = |context: &Json| name.and_then(|name| context.get(name)).map_or_else(String::new, show);
        format!("{} differs: sent {}, shown {}", name.unwrap_or("the context"), part(&expected), part(&shown))
    })
}

const FIELDS: [(&str, bool); 4] =
    [("requirements", true), ("summary", false), ("messages", true), ("compactions", true)];

/// The context with every field there.
fn filled(context: &Json) -> Json {
    let fields = FIELDS.map(|(name, is_list)| {
        let default = if is_list { Json::Array(Vec::new()) } else { Json::Null };
        (name, context.get(name).cloned().unwrap_or(default))
    });
    Json::object(fields)
}

fn differs(expected: &Json, shown: &Json, name: &str) -> bool {
    match (expected.get(name), shown.get(name)) {
        (Some(expected), Some(shown)) => !same(expected, shown),
        (expected, shown) => expected.is_some() != shown.is_some(),
    }
}
