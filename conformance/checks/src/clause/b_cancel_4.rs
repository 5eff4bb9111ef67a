//! `B-CANCEL-4`: turning the signal at any look cancels the compaction, and there is a look after the summary was
//! accepted: a blank summary, which ends before it, is looked at less often.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{AttemptView, Reached, Way, attempt_views, counts_looks};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::Level;

/// Every look is heeded, and one comes after everything else.
pub(super) const CHECK: Check =
    Check { id: "B-CANCEL-4.last-look", clause: "B-CANCEL-4", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let views = attempt_views(observed);
    if views.is_empty() {
        return Judgement::NotReached;
    }
    if !counts_looks(observed.declaration) {
        return Judgement::NotObservable("the adapter's signal does not count the looks at it");
    }
    Judgement::all(views.iter().map(look).chain([last_look(&views)]))
}

fn look(view: &AttemptView<'_>) -> Judgement {
    let (Way::AtLook(look), Some(looks)) = (view.way, view.reply.looks()) else { return Judgement::NotReached };
    // Within its threshold a context is left alone, cancelled or not: `B-COMPACT-3`.
    if view.natural == Some(Reached::Unchanged) || view.reached == Reached::Unchanged {
        return Judgement::NotReached;
    }
    if look >= looks {
        let natural = view.natural.as_ref().is_none_or(|natural| *natural == view.reached);
        return Judgement::require(natural, || format!("not turned within {looks} looks: {}", view.reply));
    }
    // A call that fails at once is reported as failed, whoever looks after it.
    let at_once = matches!(view.answer, Answer::Throw { .. } | Answer::Panic { .. });
    let failed = at_once && view.calls > 0 && view.reached.is_failed();
    Judgement::require(view.reached.is_cancelled() || failed, || {
        format!("turned at look {look} of {looks}: {}", view.reply)
    })
}

fn last_look(views: &[AttemptView<'_>]) -> Judgement {
    let looks = |view: &AttemptView<'_>| view.reply.looks();
    let is_insufficient =
        |view: &&AttemptView<'_>| view.reached == Reached::Refused("CONTEXT_SUMMARY_INSUFFICIENT".to_owned());
    let blank = views.iter().filter(|view| view.way == Way::Blank).find(is_insufficient).and_then(looks);
    let good = views.iter().find(|view| view.way == Way::Natural && view.reached == Reached::Compacted).and_then(looks);
    match (blank, good) {
        (Some(0), _) => Judgement::NotObservable("the implementation never looked at its signal"),
        (Some(blank), Some(good)) => Judgement::require(good > blank, || {
            format!("{good} looks in all, {blank} until the summary is read: none comes after it")
        }),
        _ => Judgement::NotReached,
    }
}
