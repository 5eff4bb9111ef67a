//! `B-TRIM-3`: an open call should stay while a later message stays.

use crate::check::{Check, Judgement, Observed};
use crate::clause::judged_by_index;
use seamcheck_protocol::messages::Level;

/// An open call is not dropped while a later message stays.
pub(super) const CHECK: Check =
    Check { id: "B-TRIM-3.open-calls", clause: "B-TRIM-3", level: Level::Cut, must: false, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    judged_by_index(observed, "B-TRIM-3", |links| !links.open.is_empty())
}
