//! `B-SELECT-3`: as many of the newest messages stay as the options say.

use crate::check::{Check, Judgement, Observed};
use crate::clause::boundary_answers;
use seamcheck_protocol::messages::Level;

/// The newest messages stay.
pub(super) const CHECK: Check =
    Check { id: "B-SELECT-3.retained", clause: "B-SELECT-3", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(boundary_answers(observed).into_iter().map(|answer| {
        let retain = answer.numbers.retain_recent_messages;
        let latest = (answer.messages.len() as u64).saturating_sub(retain);
        match answer.found {
            Some(found) => Judgement::require(found <= latest, || {
                format!("the boundary {found} leaves fewer than {retain} messages")
            }),
            None => Judgement::Holds,
        }
    }))
}
