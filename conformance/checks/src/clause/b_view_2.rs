//! `B-VIEW-2`: a model is shown each retained message once, in its order and verbatim, the newest one included.

use crate::check::{Check, Judgement, Observed};
use crate::clause::{judge_rendered, rendered_values};
use crate::wire::{list, same, show};
use seamcheck_protocol::messages::{Level, ShownKind};

/// Retained messages are shown as they are.
pub(super) const CHECK: Check =
    Check { id: "B-VIEW-2.messages", clause: "B-VIEW-2", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    judge_rendered(observed, |rendering| {
        let shown = rendered_values(rendering, ShownKind::Message);
        let expected = list(&rendering.context, "messages");
        if let Some(place) = shown.iter().zip(expected).position(|(shown, expected)| !same(shown, expected)) {
            return Judgement::Violated(format!(
                "at place {place} stands {}, expected {}",
                show(shown[place]),
                show(&expected[place])
            ));
        }
        Judgement::require(shown.len() == expected.len(), || {
            format!("{} messages are retained, and {} are shown", expected.len(), shown.len())
        })
    })
}
