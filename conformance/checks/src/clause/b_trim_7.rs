//! `B-TRIM-7`: messages within the budget, by the implementation's own measure, all stay.

use crate::case::Body;
use crate::check::{Check, Judgement, Observed};
use crate::clause::cuts;
use crate::step::Reply;
use seamcheck_protocol::messages::Level;

/// Under its budget nothing is cut.
pub(super) const CHECK: Check =
    Check { id: "B-TRIM-7.under-budget", clause: "B-TRIM-7", level: Level::Cut, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let Body::Trim(trim) = observed.body() else { return Judgement::NotReached };
    if trim.budget.is_some() {
        // One budget alone measures nothing.
        return Judgement::NotReached;
    }
    // The whole is measured first.
    let Some(Reply::Units(whole)) = observed.outcomes.first().map(|outcome| &outcome.reply) else {
        return Judgement::NotObservable("the adapter does not show its own measure");
    };
    Judgement::all(cuts(observed).into_iter().filter(|cut| cut.budget >= *whole).map(|cut| {
        Judgement::require(cut.kept.len() == trim.messages.len(), || {
            format!(
                "{whole} units are within the budget of {}, and {} of {} messages stay",
                cut.budget,
                cut.kept.len(),
                trim.messages.len()
            )
        })
    }))
}
