//! `B-TRIM-8`: no half of a surrogate pair is kept where the whole pair went in.

use crate::check::{Check, Judgement, Observed};
use crate::clause::cuts;
use crate::wire::{halves, has_pair, read};
use seamcheck_protocol::messages::Level;

/// A pair stays whole or goes.
pub(super) const CHECK: Check =
    Check { id: "B-TRIM-8.whole-pairs", clause: "B-TRIM-8", level: Level::Cut, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let kept = cuts(observed).into_iter().flat_map(|cut| cut.kept.iter().map(move |kept| (cut.messages, kept)));
    Judgement::all(kept.map(|(messages, kept)| {
        let sent = usize::try_from(kept.index).ok().and_then(|index| messages.get(index));
        let Some(sent) = sent.filter(|sent| has_pair(sent)) else { return Judgement::NotReached };
        let Some(found) = kept.message.as_ref().and_then(read) else {
            return Judgement::NotObservable("the adapter does not give back what it keeps");
        };
        Judgement::require(halves(&found) <= halves(sent), || {
            format!("message {} came back with half of a pair", kept.index)
        })
    }))
}
