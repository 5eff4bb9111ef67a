//! `B-TRIM-2`: no call is kept without its result, unless it had none before.

use crate::check::{Check, Judgement, Observed};
use crate::clause::judged_by_index;
use seamcheck_protocol::messages::Level;

/// No kept call loses its result.
pub(super) const CHECK: Check =
    Check { id: "B-TRIM-2.no-unanswered", clause: "B-TRIM-2", level: Level::Cut, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    judged_by_index(observed, "B-TRIM-2", |links| !links.pairs.is_empty())
}
