//! `B-TRIM-4`: what is kept stands in its order, each message once, none invented.

use crate::check::{Check, Judgement, Observed};
use crate::clause::judged_by_index;
use seamcheck_protocol::messages::Level;

/// What is kept stands in its order, each once.
pub(super) const CHECK: Check =
    Check { id: "B-TRIM-4.order", clause: "B-TRIM-4", level: Level::Cut, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    judged_by_index(observed, "B-TRIM-4", |_| true)
}
