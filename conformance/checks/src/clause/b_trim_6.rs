//! `B-TRIM-6`: an adapter that declares `suffix` keeps one without a gap.

use crate::check::{Check, Judgement, Observed};
use crate::clause::judged_by_index;
use seamcheck_protocol::messages::Keeps;
use seamcheck_protocol::messages::Level;

/// An adapter that declares a suffix keeps one.
pub(super) const CHECK: Check =
    Check { id: "B-TRIM-6.suffix", clause: "B-TRIM-6", level: Level::Cut, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    if observed.declaration.capabilities.keeps != Keeps::Suffix {
        return Judgement::NotReached;
    }
    judged_by_index(observed, "B-TRIM-6", |_| true)
}
