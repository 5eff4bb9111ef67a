//! `B-STATE-5`: compactions of one context at the same time are each as if the others did not exist, in whatever order
//! they are answered and cancelled, and also when the handle has been released meanwhile.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::disturbance;
use seamcheck_protocol::messages::Level;

/// Compactions of one context do not see each other.
pub(super) const CHECK: Check =
    Check { id: "B-STATE-5.independent", clause: "B-STATE-5", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    match disturbance(observed, 0) {
        None => Judgement::NotReached,
        Some(Ok(())) => Judgement::Holds,
        Some(Err(words)) => Judgement::Violated(words),
    }
}
