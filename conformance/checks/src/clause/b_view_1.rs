//! `B-VIEW-1`: a model is shown every requirement once and the summary once, before anything that was retained.

use crate::check::{Check, Judgement, Observed};
use crate::clause::{judge_rendered, rendered_values};
use crate::wire::{list, same, show};
use seamcheck_protocol::messages::{Level, ShownKind};
use seamcheck_reference::Json;

/// Requirements and summary come first, each once.
pub(super) const CHECK: Check =
    Check { id: "B-VIEW-1.summary-first", clause: "B-VIEW-1", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    judge_rendered(observed, |rendering| {
        let summaries = rendered_values(rendering, ShownKind::Summary);
        let summary = rendering.context.get("summary").filter(|summary| **summary != Json::Null);
        let right = match (summary, summaries.as_slice()) {
            (None, []) => true,
            (Some(summary), [shown]) => same(summary, shown),
            _ => false,
        };
        let requirements = rendered_values(rendering, ShownKind::Requirement);
        let expected = list(&rendering.context, "requirements");
        let all = requirements.len() == expected.len()
            && requirements.iter().zip(expected).all(|(shown, expected)| same(shown, expected));
        let first = rendering.view.iter().position(|(kind, _)| *kind == ShownKind::Message);
        let last = rendering.view.iter().rposition(|(kind, _)| *kind != ShownKind::Message);
        Judgement::all([
            Judgement::require(right, || {
                let found = summaries.iter().map(|shown| show(shown)).collect::<Vec<_>>().join(", ");
                format!("the context's summary is {}, shown is [{found}]", summary.map_or("none".to_owned(), show))
            }),
            Judgement::require(all, || {
                format!("{} requirements, and {} shown or in another order", expected.len(), requirements.len())
            }),
            Judgement::require(first.is_none_or(|first| last.is_none_or(|last| last < first)), || {
                "a message stands before the summary or a requirement".to_owned()
            }),
        ])
    })
}
