//! `B-LINK-4` to `B-LINK-6`: faults of linkage. Messages keep their indexes: what is added stands at the end, or in
//! the place of a message that no call or result is part of.

use super::facts::{BlockFact, CallFact, MessageFact, ResultFact};
use super::plant::{Draft, Seed, choose};
use super::slot::{LINKAGE, MESSAGES};
use super::{Fault, FaultPlan, Refusal};
use crate::built::{Built, PlantedCall};
use crate::raw::{RawJson, Seg};
use crate::text::append;
use seamcheck_reference::{Message, Text};

pub(super) fn seed(built: &Built, plan: FaultPlan) -> Option<Seed> {
    match plan.fault {
        Fault::MissingToolResult => missing_result(built, plan),
        Fault::ToolNameMismatch => name_mismatch(built, plan),
        Fault::OrphanToolResult => orphan(built, plan),
        Fault::DuplicateToolResult => duplicate_result(built, plan),
        Fault::DuplicateToolCallId => duplicate_call(built, plan),
        Fault::ToolResultBeforeCall => result_before_call(built, plan),
        Fault::BrokenResultBeforeCall => broken_result_before_call(built, plan),
        _ => None,
    }
}

/// A call of the context: its message, itself, and where its result is.
#[derive(Clone)]
struct Linked {
    message: usize,
    call: PlantedCall,
    result: usize,
    /// Whether it is the only call of its message.
    alone: bool,
}

fn links(built: &Built) -> Vec<Linked> {
    let calls = built.rounds.iter().flat_map(|round| round.calls.iter().map(move |call| (round, call)));
    calls
        .filter_map(|(round, call)| {
            let alone = round.calls.len() == 1;
            Some(Linked { message: round.assistant, call: call.clone(), result: call.result?, alone })
        })
        .collect()
}

/// Messages that neither call nor answer.
fn neutral(built: &Built) -> Vec<usize> {
    let messages = built.messages.iter().enumerate();
    let is_neutral =
        |message: &Message| !matches!(message, Message::ToolResult(_)) && message.tool_calls().next().is_none();
    messages.filter(|(_, message)| is_neutral(message)).map(|(index, _)| index).collect()
}

/// `touches` in the order of the position: the first decides where the fault stands among others.
fn linkage(plan: FaultPlan, touches: Vec<usize>, moves: bool, apply: impl FnOnce(&mut Draft) + 'static) -> Seed {
    // What stands at the end touches nothing: the kind keeps two of them apart.
    let place = touches.first().copied().unwrap_or(usize::MAX);
    Seed { position: vec![LINKAGE, place, plan.fault as usize], refusal: None, touches, moves, apply: Box::new(apply) }
}

fn missing_result(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let link = choose(links(built), plan)?;
    Some(linkage(plan, vec![link.result], true, move |draft| {
        let value = RawJson::object([
            ("id", RawJson::text("planted")),
            ("role", RawJson::text("user")),
            ("content", RawJson::text("")),
        ]);
        put(draft, link.result, value, MessageFact::User { content: true });
    }))
}

fn name_mismatch(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let link = choose(links(built), plan)?;
    let name = append(&link.call.name, [" ", "\u{301}", "x", "\0"][usize::from(plan.variant % 4)]);
    Some(linkage(plan, vec![link.result], false, move |draft| {
        let path = [Seg::Key("messages"), Seg::At(link.result), Seg::Key("toolName")];
        draft.context.set(&path, RawJson::Text(name.clone()));
        draft.edit_result(link.result, |result| result.name = Some(name.clone()));
    }))
}

fn orphan(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let links = links(built);
    // An id that only looks like one that is called.
    let mut id = links.first().map_or_else(|| Text::from("planted"), |link| append(&link.call.id, "\u{200B}"));
    while links.iter().any(|link| link.call.id == id) {
        id = append(&id, "\u{200B}");
    }
    match plan.variant % 3 {
        0 => {
            let index = choose(neutral(built), plan)?;
            Some(linkage(plan, vec![index], true, move |draft| put_result(draft, Some(index), &id, &"t".into())))
        }
        1 => Some(linkage(plan, Vec::new(), false, move |draft| put_result(draft, None, &id, &"t".into()))),
        // The result of a call turns to another id: the call then waits in vain.
        _ => {
            let link = choose(links, plan)?;
            Some(linkage(plan, vec![link.result], false, move |draft| {
                let path = [Seg::Key("messages"), Seg::At(link.result), Seg::Key("toolCallId")];
                draft.context.set(&path, RawJson::Text(id.clone()));
                draft.edit_result(link.result, |result| result.id = Some(id.clone()));
            }))
        }
    }
}

fn duplicate_result(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let link = choose(links(built), plan)?;
    let name = if plan.variant.is_multiple_of(2) { link.call.name.clone() } else { append(&link.call.name, "x") };
    // In the place of a message before the call, one behind it, or at the end.
    let place = match plan.variant / 2 % 3 {
        0 => None,
        1 => Some(neutral(built).into_iter().rfind(|index| *index < link.message)?),
        _ => Some(neutral(built).into_iter().find(|index| *index > link.message)?),
    };
    let touches = place.into_iter().collect();
    Some(linkage(plan, touches, place.is_some(), move |draft| put_result(draft, place, &link.call.id, &name)))
}

fn duplicate_call(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let links = links(built);
    let first = choose(links.clone(), plan)?;
    let id = first.call.id.clone();
    if plan.variant % 3 == 2 {
        // A later call takes the id of this one; its own result is left alone.
        let other =
            links.into_iter().find(|link| (link.message, link.call.block) > (first.message, first.call.block))?;
        return Some(linkage(plan, vec![other.message], false, move |draft| {
            let mut path = super::shape::block_path(other.message, other.call.block);
            path.push(Seg::Key("id"));
            draft.context.set(&path, RawJson::Text(id.clone()));
            draft.edit_call(other.message, other.call.block, |call| call.id = Some(id.clone()));
        }));
    }
    let block = RawJson::object([
        ("type", RawJson::text("toolCall")),
        ("id", RawJson::Text(id.clone())),
        ("name", RawJson::text("t")),
        ("arguments", RawJson::token("{}")),
    ]);
    let fact = BlockFact::Call(CallFact { id: Some(id), name: Some("t".into()), arguments: true });
    let message = if plan.variant.is_multiple_of(3) {
        first.message
    } else {
        let assistants =
            built.messages.iter().enumerate().filter(|(_, message)| matches!(message, Message::Assistant(_)));
        assistants.map(|(index, _)| index).find(|index| *index > first.message)?
    };
    Some(linkage(plan, vec![message], false, move |draft| {
        let path = [Seg::Key("messages"), Seg::At(message), Seg::Key("content")];
        draft.context.extend(&path, [block]);
        if let Some(MessageFact::Assistant(Some(blocks))) = draft.facts.messages.get_mut(message) {
            blocks.push(fact);
        }
    }))
}

/// The result changes places with a message before its call, or with the call's own message.
fn result_before_call(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let (left, right) = swap(built, plan)?;
    Some(linkage(plan, vec![left, right], true, move |draft| swap_messages(draft, left, right)))
}

/// The same, with a result that has no content any more: a fault of shape, at its new place.
fn broken_result_before_call(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let (left, right) = swap(built, plan)?;
    let seed = linkage(plan, vec![left, right], true, move |draft| {
        swap_messages(draft, left, right);
        draft.context.set(&[Seg::Key("messages"), Seg::At(left), Seg::Key("content")], RawJson::token("0"));
        draft.edit_result(left, |result| result.content = false);
    });
    Some(Seed { position: vec![MESSAGES, left + 1, 6], refusal: Some(Refusal::InvalidTranscript), ..seed })
}

/// A result, and where before its call it can go.
fn swap(built: &Built, plan: FaultPlan) -> Option<(usize, usize)> {
    let neutral = neutral(built);
    let earlier = |link: &Linked| neutral.iter().copied().rfind(|index| *index < link.message);
    let swaps = links(built).into_iter().filter_map(|link| {
        let other = earlier(&link).or(link.alone.then_some(link.message))?;
        Some((other, link.result))
    });
    choose(swaps.collect(), plan)
}

fn swap_messages(draft: &mut Draft, left: usize, right: usize) {
    draft.facts.messages.swap(left, right);
    if let Some(RawJson::Array(messages)) = draft.context.at(&[Seg::Key("messages")]) {
        messages.swap(left, right);
    }
}

/// A sound result in the place of a message, or at the end.
fn put_result(draft: &mut Draft, place: Option<usize>, id: &Text, name: &Text) {
    let value = RawJson::object([
        ("id", RawJson::text("planted")),
        ("role", RawJson::text("toolResult")),
        ("toolCallId", RawJson::Text(id.clone())),
        ("toolName", RawJson::Text(name.clone())),
        ("content", RawJson::text("")),
        ("isError", RawJson::token("false")),
    ]);
    let result = ResultFact { id: Some(id.clone()), name: Some(name.clone()), content: true, flag: true };
    put(draft, place.unwrap_or(draft.facts.messages.len()), value, MessageFact::Result(result));
}

/// A message in the place of another, or at the end.
fn put(draft: &mut Draft, index: usize, value: RawJson, fact: MessageFact) {
    if let Some(standing) = draft.facts.messages.get_mut(index) {
        *standing = fact;
        draft.context.set(&[Seg::Key("messages"), Seg::At(index)], value);
    } else {
        draft.facts.messages.push(fact);
        draft.context.extend(&[Seg::Key("messages")], [value]);
    }
}
