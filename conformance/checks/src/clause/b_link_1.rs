//! `B-LINK-1`: a valid transcript has no diagnostics, and one whose calls and results are not linked has some.

use crate::case::Body;
use crate::check::{Check, Judgement, Observed};
use crate::step::Reply;
use crate::wire::Validity;
use seamcheck_protocol::messages::Level;

/// A valid transcript has no diagnostics, and one that is not linked has some.
pub(super) const CHECK: Check =
    Check { id: "B-LINK-1.valid", clause: "B-LINK-1", level: Level::Exact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let (Body::Query(query), Some(Reply::Diagnostics(found))) =
        (observed.body(), observed.outcomes.get(4).map(|outcome| &outcome.reply))
    else {
        return Judgement::NotReached;
    };
    match query.validity {
        Validity::Valid => {
            Judgement::require(found.is_empty(), || format!("a valid transcript was reported with {found:?}"))
        }
        Validity::Unlinked => Judgement::require(!found.is_empty(), || {
            "calls and results are not linked one to one, and nothing was reported".to_owned()
        }),
        Validity::Unknown => Judgement::NotReached,
    }
}
