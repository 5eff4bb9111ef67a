//! `B-TRIM-5`: a kept message comes back as it went in, text by code unit.

use crate::check::{Check, Judgement, Observed};
use crate::clause::cuts;
use crate::scenario::with;
use crate::wire::{list, read, same, show};
use seamcheck_protocol::messages::Level;
use seamcheck_protocol::messages::{Keeps, Kept};
use seamcheck_reference::Json;

/// What is kept comes back as it went in.
pub(super) const CHECK: Check =
    Check { id: "B-TRIM-5.verbatim", clause: "B-TRIM-5", level: Level::Cut, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let keeps = observed.declaration.capabilities.keeps;
    let mut kept =
        cuts(observed).into_iter().flat_map(|cut| cut.kept.iter().map(move |kept| (cut.messages, kept))).peekable();
    if kept.peek().is_none() {
        return Judgement::NotReached;
    }
    Judgement::all(kept.map(|(messages, kept)| verbatim(messages, kept, keeps)))
}

fn verbatim(messages: &[Json], kept: &Kept, keeps: Keeps) -> Judgement {
    let Some(sent) = usize::try_from(kept.index).ok().and_then(|index| messages.get(index)) else {
        return Judgement::NotReached;
    };
    if let Some(id) = &kept.id
        && sent.get("id") != Some(&id.0.clone().into())
    {
        return Judgement::Violated(format!("message {} came back under the id {:?}", kept.index, id.0));
    }
    let Some(found) = &kept.message else {
        return Judgement::NotObservable("the adapter does not give back what it keeps");
    };
    let expected = match (keeps, &kept.blocks) {
        (Keeps::Parts, Some(blocks)) => some_blocks(sent, blocks),
        _ => sent.clone(),
    };
    Judgement::require(read(found).is_some_and(|found| same(&found, &expected)), || {
        format!("message {} came back changed: sent {}, found {}", kept.index, show(&expected), found.text())
    })
}

fn some_blocks(message: &Json, blocks: &[u64]) -> Json {
    let kept = list(message, "content").iter().zip(0_u64..).filter(|(_, index)| blocks.contains(index));
    with(message, "content", Some(Json::Array(kept.map(|(block, _)| block.clone()).collect())))
}
