//! Faults of `B-VIEW`: what a model is shown of a context that is sound.

use super::pairs::read;
use super::with_member;
use crate::registry::Mutant;
use crate::stages::Stages;
use seamcheck_protocol::messages::{Shown, ShownKind};
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::Json;
use std::collections::HashSet;

const fn showing(view: fn(Vec<Shown>) -> Vec<Shown>) -> Stages {
    Stages { view, ..Stages::SPEC }
}

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "view-summary-last",
        description: "the summary is shown behind the newest message",
        must: &["B-VIEW-1"],
        may: &[],
        stages: showing(|view| {
            let (summary, mut rest): (Vec<_>, Vec<_>) =
                view.into_iter().partition(|shown| shown.kind == ShownKind::Summary);
            rest.extend(summary);
            rest
        }),
    },
    Mutant {
        name: "view-summary-twice",
        description: "the summary is shown once more before the newest message",
        must: &["B-VIEW-1"],
        may: &[],
        stages: showing(|mut view| {
            let summary = view.iter().find(|shown| shown.kind == ShownKind::Summary).cloned();
            let newest = view.len().saturating_sub(1);
            view.splice(newest..newest, summary);
            view
        }),
    },
    Mutant {
        name: "view-summary-missing",
        description: "the summary is not shown",
        must: &["B-VIEW-1"],
        may: &[],
        stages: showing(|mut view| {
            view.retain(|shown| shown.kind != ShownKind::Summary);
            view
        }),
    },
    Mutant {
        name: "view-newest-missing",
        description: "the newest message is not shown",
        must: &["B-VIEW-2"],
        may: &[],
        stages: showing(|mut view| {
            view.pop_if(|shown| shown.kind == ShownKind::Message);
            view
        }),
    },
    Mutant {
        name: "view-by-id",
        description: "of two messages with one id the first is shown",
        must: &["B-VIEW-2"],
        may: &[],
        stages: showing(|mut view| {
            let mut seen = HashSet::new();
            view.retain(|shown| {
                let id = read(&shown.value).and_then(|value| value.get("id").map(ToString::to_string));
                shown.kind != ShownKind::Message || seen.insert(id)
            });
            view
        }),
    },
    Mutant {
        name: "view-results-first",
        description: "Tool results are shown before the other messages",
        must: &["B-VIEW-2"],
        may: &[],
        stages: showing(|mut view| {
            let is_result = |shown: &Shown| read(&shown.value).is_some_and(|value| value.get("toolCallId").is_some());
            view.sort_by_key(|shown| (shown.kind == ShownKind::Message, !is_result(shown)));
            view
        }),
    },
    Mutant {
        name: "view-shortens-results",
        description: "Tool results are shown without their content",
        must: &["B-VIEW-2"],
        may: &[],
        stages: showing(|mut view| {
            for shown in &mut view {
                if let Some(value) = read(&shown.value).filter(|value| value.get("toolCallId").is_some()) {
                    shown.value = Payload::from(with_member(&value, "content", Json::from("")));
                }
            }
            view
        }),
    },
];
