//! `B-BUILD-1` and `B-BUILD-7`: containers and elements of the wrong kind, unknown roles and block types, repeated ids.

use super::facts::{BlockFact, MessageFact};
use super::plant::{Draft, Seed, choose, form};
use super::slot::{DUPLICATE, MESSAGES, Position, RECORDS, REQUIREMENTS, SUMMARY, UNKNOWN_ROLE};
use super::{Fault, FaultPlan, Refusal};
use crate::built::Built;
use crate::raw::{RawJson, Seg};
use seamcheck_reference::{Message, Text};

/// What is neither an array nor an object.
const SCALARS: [&str; 5] = ["null", "true", "0", "\"\"", "\"[]\""];
/// The same, `null` left out.
const SCALARS_BUT_NULL: [&str; 4] = ["false", "0", "\"\"", "[]"];
const NO_ARRAYS: [&str; 5] = ["null", "{}", "0", "\"\"", "{\"length\":0}"];
const NO_OBJECTS: [&str; 5] = ["null", "[]", "\"message\"", "0", "true"];
const ROLES: [&str; 6] = ["system", "User", "tool", "", "user ", "toolresult"];
const BLOCK_TYPES: [&str; 6] = ["image", "Text", "", "tool_call", "text ", "toolcall"];

pub(super) fn seed(built: &Built, plan: FaultPlan) -> Option<Seed> {
    match plan.fault {
        Fault::ContextNotObject => {
            let value = RawJson::Token(form(&SCALARS, plan)?.to_owned());
            Some(simple(vec![0], Refusal::InvalidInput, move |draft| draft.replace(value)))
        }
        Fault::RequirementsNotArray => container("requirements", REQUIREMENTS, form(&NO_ARRAYS, plan)?),
        Fault::SummaryNotObject => container("summary", SUMMARY, form(&SCALARS_BUT_NULL, plan)?),
        Fault::RecordsNotArray => container("compactions", RECORDS, form(&NO_ARRAYS, plan)?),
        Fault::MessagesNotArray => {
            let value = RawJson::Token(form(&NO_ARRAYS, plan)?.to_owned());
            Some(simple(vec![MESSAGES], Refusal::InvalidTranscript, move |draft| {
                draft.context.set(&[Seg::Key("messages")], value);
                draft.facts.gone = true;
            }))
        }
        Fault::RequirementNotObject => element("requirements", REQUIREMENTS, built.requirements.len(), plan),
        Fault::RecordNotObject => element("compactions", RECORDS, built.records.len(), plan),
        Fault::MessageNotObject => message_not_object(built, plan),
        Fault::BlockNotObject => block_not_object(built, plan),
        Fault::UnknownRole => unknown_role(built, plan),
        Fault::UnknownBlockType => unknown_block_type(built, plan),
        Fault::DuplicateRequirementId => {
            let ids: Vec<&Text> = built.requirements.iter().map(|requirement| &requirement.id).collect();
            duplicate("requirements", REQUIREMENTS, &ids, plan)
        }
        Fault::DuplicateRecordId => {
            let ids: Vec<&Text> = built.records.iter().map(|record| &record.id).collect();
            duplicate("compactions", RECORDS, &ids, plan)
        }
        _ => None,
    }
}

/// A fault that touches no message.
pub(super) fn simple(position: Position, refusal: Refusal, apply: impl FnOnce(&mut Draft) + 'static) -> Seed {
    Seed { position, refusal: Some(refusal), touches: Vec::new(), moves: false, apply: Box::new(apply) }
}

/// A fault within one message.
pub(super) fn in_message(
    position: Position,
    message: usize,
    refusal: Refusal,
    apply: impl FnOnce(&mut Draft) + 'static,
) -> Seed {
    Seed { touches: vec![message], ..simple(position, refusal, apply) }
}

#[expect(clippy::unnecessary_wraps, reason = "it stands among seeds that may have no place")]
fn container(key: &'static str, section: usize, value: &str) -> Option<Seed> {
    let value = RawJson::token(value);
    let apply = move |draft: &mut Draft| draft.context.set(&[Seg::Key(key)], value);
    Some(simple(vec![section], Refusal::InvalidInput, apply))
}

fn element(key: &'static str, section: usize, length: usize, plan: FaultPlan) -> Option<Seed> {
    let index = choose((0..length).collect(), plan)?;
    let value = RawJson::token(form(&NO_OBJECTS, plan)?);
    let apply = move |draft: &mut Draft| draft.context.set(&[Seg::Key(key), Seg::At(index)], value);
    Some(simple(vec![section, index + 1], Refusal::InvalidInput, apply))
}

fn message_not_object(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let index = choose((0..built.messages.len()).collect(), plan)?;
    let value = RawJson::token(form(&NO_OBJECTS, plan)?);
    Some(in_message(vec![MESSAGES, index + 1], index, Refusal::InvalidTranscript, move |draft| {
        draft.context.set(&[Seg::Key("messages"), Seg::At(index)], value);
        ignore(draft, index);
    }))
}

fn unknown_role(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let index = choose((0..built.messages.len()).collect(), plan)?;
    let value = RawJson::text(form(&ROLES, plan)?);
    Some(in_message(vec![MESSAGES, index + 1, UNKNOWN_ROLE], index, Refusal::InvalidTranscript, move |draft| {
        draft.context.set(&[Seg::Key("messages"), Seg::At(index), Seg::Key("role")], value);
        ignore(draft, index);
    }))
}

/// Every block, as (message, block).
fn blocks(built: &Built) -> Vec<(usize, usize)> {
    let counts = built.messages.iter().enumerate().map(|(index, message)| match message {
        Message::Assistant(message) => (index, message.content.len()),
        Message::User(_) | Message::ToolResult(_) => (index, 0),
    });
    counts.flat_map(|(index, count)| (0..count).map(move |block| (index, block))).collect()
}

fn block_not_object(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let (message, block) = choose(blocks(built), plan)?;
    let value = RawJson::token(form(&NO_OBJECTS, plan)?);
    let position = vec![MESSAGES, message + 1, 4, block + 1];
    Some(in_message(position, message, Refusal::InvalidTranscript, move |draft| {
        draft.context.set(&block_path(message, block), value);
        break_block(draft, message, block);
    }))
}

fn unknown_block_type(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let (message, block) = choose(blocks(built), plan)?;
    let value = RawJson::text(form(&BLOCK_TYPES, plan)?);
    let position = vec![MESSAGES, message + 1, 4, block + 1, 1];
    Some(in_message(position, message, Refusal::InvalidTranscript, move |draft| {
        let mut path = block_path(message, block);
        path.push(Seg::Key("type"));
        draft.context.set(&path, value);
        break_block(draft, message, block);
    }))
}

fn duplicate(key: &'static str, section: usize, ids: &[&Text], plan: FaultPlan) -> Option<Seed> {
    let later = choose((1..ids.len()).collect::<Vec<_>>(), plan)?;
    let id = RawJson::Text(ids[usize::from(plan.variant) % later].clone());
    let position = vec![section, later + 1, DUPLICATE];
    let apply = move |draft: &mut Draft| draft.context.set(&[Seg::Key(key), Seg::At(later), Seg::Key("id")], id);
    Some(simple(position, Refusal::InvalidInput, apply))
}

pub(super) fn block_path(message: usize, block: usize) -> Vec<Seg> {
    vec![Seg::Key("messages"), Seg::At(message), Seg::Key("content"), Seg::At(block)]
}

/// A message that is broken as a whole.
pub(super) fn ignore(draft: &mut Draft, message: usize) {
    if let Some(fact) = draft.facts.messages.get_mut(message) {
        *fact = MessageFact::Ignored;
    }
}

/// A block that is broken as a whole.
pub(super) fn break_block(draft: &mut Draft, message: usize, block: usize) {
    if let Some(MessageFact::Assistant(Some(blocks))) = draft.facts.messages.get_mut(message)
        && let Some(fact) = blocks.get_mut(block)
    {
        *fact = BlockFact::Broken;
    }
}
