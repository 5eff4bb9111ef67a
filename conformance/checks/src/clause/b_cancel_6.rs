//! `B-CANCEL-6`: a cancellation that comes when the compaction has ended changes nothing of its end; one that comes
//! with the answer wins or loses as a whole.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{AttemptView, Reached, Way, attempt_views};
use crate::wire::{list, read, text};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::Level;

/// A commit stands, whoever cancels after it.
pub(super) const CHECK: Check =
    Check { id: "B-CANCEL-6.commit-stands", clause: "B-CANCEL-6", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(attempt_views(observed).iter().map(attempt))
}

fn attempt(view: &AttemptView<'_>) -> Judgement {
    let may_be_cancelled = match view.way {
        Way::CancelAfterEnd => false,
        Way::AnswerThenCancel if !matches!(view.answer, Answer::Pending { .. }) => true,
        _ => return Judgement::NotReached,
    };
    let natural = view.natural.as_ref().is_none_or(|natural| *natural == view.reached);
    let ended = Judgement::require(natural || may_be_cancelled && view.reached.is_cancelled(), || {
        format!("cancelled when it had been answered: {}", view.reply)
    });
    if view.reached != Reached::Compacted {
        return ended;
    }
    Judgement::all([ended, Judgement::require(is_whole(view), || "the new context is not whole".to_owned())])
}

/// Whether the new context has the summary and a record.
fn is_whole(view: &AttemptView<'_>) -> bool {
    let Some(new) = view.new.and_then(|new| read(&new.context)) else { return false };
    let said = match view.answer {
        Answer::Text { text, .. } | Answer::Chain { text, .. } => Some(&text.0),
        _ => None,
    };
    new.get("summary").and_then(|summary| text(summary, "content")) == said && !list(&new, "compactions").is_empty()
}
