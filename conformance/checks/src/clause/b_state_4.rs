//! `B-STATE-4`: the same context, options and answers give the same result.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::IsolationView;
use crate::step::{Outcome, Reply};
use seamcheck_protocol::messages::Level;

/// The same again gives the same again.
pub(super) const CHECK: Check =
    Check { id: "B-STATE-4.deterministic", clause: "B-STATE-4", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let Some(view) = IsolationView::of(observed) else { return Judgement::NotReached };
    let [first, again] = view.compactions;
    if matches!(first.reply, Reply::Skipped) {
        return Judgement::NotReached;
    }
    let asked = |outcome: &Outcome| outcome.asked.iter().map(|asked| asked.request.clone()).collect::<Vec<_>>();
    let same_result = view.first_new[0] == view.again_new && asked(first) == asked(again);
    Judgement::require(first.reply == again.reply && same_result, || {
        format!("the same compaction gave {} and then {}", first.reply, again.reply)
    })
}
