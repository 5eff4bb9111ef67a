//! Compactions one after another, four steps each: look, compact, look at the old context, look at the new one.
//! Each starts from the context of the last that succeeded.

use super::succeeded;
use crate::step::{Outcome, Slot, Step};

/// Steps of one compaction. The context is built in one step before the first.
pub(super) const STEPS: usize = 4;

/// The next step, after the context was built and `done` steps more; `compact` makes the compaction of a slot into
/// another.
pub(super) fn next(done: usize, outcomes: &[Outcome], compact: impl FnOnce(Slot, Slot) -> Step) -> Step {
    let attempt = done / STEPS;
    let compaction = |attempt: usize| &outcomes[2 + attempt * STEPS];
    let slot = (0..attempt).rev().find(|earlier| succeeded(compaction(*earlier))).map_or(0, |earlier| earlier + 1);
    let into = attempt + 1;
    match done % STEPS {
        0 | 2 => Step::Inspect { slot },
        1 => compact(slot, into),
        _ => Step::Inspect { slot: if succeeded(compaction(attempt)) { into } else { slot } },
    }
}
