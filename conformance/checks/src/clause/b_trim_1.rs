//! `B-TRIM-1`: no result is kept without its call, unless it had none before.

use crate::check::{Check, Judgement, Observed};
use crate::clause::judged_by_index;
use seamcheck_protocol::messages::Level;

/// No kept result loses its call.
pub(super) const CHECK: Check =
    Check { id: "B-TRIM-1.no-orphan", clause: "B-TRIM-1", level: Level::Cut, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    judged_by_index(observed, "B-TRIM-1", |links| !links.pairs.is_empty())
}
