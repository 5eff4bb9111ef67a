//! `B-SUMMARY-8`: the first answer of a summarizer counts, and what it gives later does not.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{AttemptView, SECOND, Way, attempt_views};
use crate::wire::{read, text};
use seamcheck_protocol::messages::Level;

/// The first answer counts.
pub(super) const CHECK: Check =
    Check { id: "B-SUMMARY-8.first-counts", clause: "B-SUMMARY-8", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(attempt_views(observed).iter().map(attempt))
}

fn attempt(view: &AttemptView<'_>) -> Judgement {
    if !matches!(view.way, Way::Twice | Way::AnswerAfterEnd) || view.calls == 0 {
        return Judgement::NotReached;
    }
    let natural = view.natural.as_ref().is_none_or(|natural| *natural == view.reached);
    let shows_second = [view.old, view.new].into_iter().flatten().any(|found| {
        let context = read(&found.context);
        let content = context.as_ref().and_then(|context| text(context.get("summary")?, "content"));
        content.and_then(|content| content.as_str()) == Some(SECOND)
    });
    Judgement::all([
        Judgement::require(natural, || format!("answered twice: {}", view.reply)),
        Judgement::require(!shows_second, || "the second answer is the summary".to_owned()),
    ])
}
