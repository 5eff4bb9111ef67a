//! `B-CANCEL-5`: a late answer is consumed silently: after every attempt the context looks the same, and at last it
//! can be compacted as if nobody had ever cancelled.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{Way, attempt_views, inspected};
use crate::wire::{list, read, text};
use seamcheck_protocol::messages::Level;

/// After every cancellation the old context is whole and works.
pub(super) const CHECK: Check =
    Check { id: "B-CANCEL-5.silent", clause: "B-CANCEL-5", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let views = attempt_views(observed);
    let (Some(before), Some(last)) = (inspected(observed.outcomes.get(1)), views.last()) else {
        return Judgement::NotReached;
    };
    if let Some(view) = views.iter().find(|view| view.old != Some(before)) {
        return Judgement::Violated(format!("the context looks different after the attempt {:?}", view.way));
    }
    if last.way != Way::Natural {
        return Judgement::Holds;
    }
    let natural = last.natural.as_ref().is_none_or(|natural| *natural == last.reached);
    let works = Judgement::require(natural, || format!("the last attempt, not cancelled, gave {}", last.reply));
    let records = |found: &_| list(found, "compactions").iter().filter_map(|record| text(record, "id")).count();
    let [old, new] = [Some(before), last.new].map(|found| found.and_then(|found| read(&found.context)));
    let (Some(old), Some(new)) = (old, new) else { return works };
    let (old, new) = (records(&old), records(&new));
    Judgement::all([works, Judgement::require(new == old + 1, || format!("{old} records before, {new} at last"))])
}
