//! `B-BUILD-4` to `B-BUILD-9`: faults of one field, absent, of another type, blank, too long or no integer.

use super::facts::MessageFact;
use super::plant::{Draft, Seed, choose, form};
use super::shape::{break_block, ignore};
use super::slot::{RECORD_LENGTH, RECORDS, Site, Slot, UNKNOWN_ROLE, sites};
use super::{Fault, FaultPlan, Refusal};
use crate::built::Built;
use crate::raw::{RawJson, Seg};
use seamcheck_reference::{Limits, Text};

/// Blank for ECMAScript: every such character, and mixes.
const BLANKS: [&str; 12] = [
    "",
    " ",
    "\u{FEFF}",
    "\t\n\u{B}\u{C}\r",
    "\u{A0}",
    "\u{1680}",
    "\u{2000}\u{2005}\u{200A}",
    "\u{2028}\u{2029}",
    "\u{202F}",
    "\u{205F}",
    "\u{3000}",
    " \u{FEFF} ",
];
const VALUES: [&str; 8] = ["null", "true", "0", "\"text\"", "[]", "{}", "[\"a\"]", "1e999"];
/// No safe integer from 0 on.
const NO_INTEGERS: [&str; 10] =
    ["-1", "0.5", "9007199254740992", "1e16", "1e999", "-1e999", "1.0000000000000002", "5e-324", "-0.5", "1e300"];
/// Letters of one code point each.
const LONG: [&str; 4] = ["x", "\u{1F600}", " ", "\u{E9}"];

pub(super) fn seed(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let pick = |keep: &dyn Fn(&Site) -> bool| choose(sites(built).into_iter().filter(keep).collect(), plan);
    let is_name = |site: &Site| matches!(site.slot, Slot::CallName | Slot::ResultName);
    match plan.fault {
        Fault::MissingField => missing(pick(&|site| site.slot != Slot::RecordIdEntry)?),
        Fault::WrongType => wrong_type(pick(&|_| true)?, plan),
        Fault::BlankText => blank(pick(&|site| site.slot.refuses_blank())?, plan),
        Fault::BlankSummary => {
            let seed = blank(pick(&|site| site.slot == Slot::SummaryContent)?, plan)?;
            Some(Seed { refusal: Some(Refusal::SummaryInvalid), ..seed })
        }
        Fault::TextTooLong => too_long(pick(&|site| site.slot.is_text())?, plan),
        Fault::EmptyToolName => match plan.variant % 3 {
            0 => missing(pick(&is_name)?),
            1 => wrong_type(pick(&is_name)?, plan),
            _ => blank(pick(&is_name)?, plan),
        },
        Fault::InvalidToolArguments => {
            let site = pick(&|site| site.slot == Slot::CallArguments)?;
            if plan.variant.is_multiple_of(2) { missing(site) } else { wrong_type(site, plan) }
        }
        Fault::NotInteger => {
            not_integer(pick(&|site| matches!(site.slot, Slot::RecordBoundary | Slot::RecordUnits))?, plan)
        }
        Fault::RecordLength => record_length(built, plan),
        _ => None,
    }
}

/// A fault that breaks this field.
fn breaking(site: Site, value: Option<RawJson>) -> Option<Seed> {
    let refusal = site.slot.refusal();
    let mut position = site.position.clone();
    if site.slot == Slot::MessageRole && value.is_some() {
        // A role is there, but names nothing: refused only once the id is read.
        if let Some(rank) = position.last_mut() {
            *rank = UNKNOWN_ROLE;
        }
    }
    let touches = site.message.into_iter().collect();
    let apply = move |draft: &mut Draft| {
        match (value, site.field) {
            (Some(value), _) => draft.context.set(&site.path(), value),
            (None, Seg::Key(field)) => draft.context.remove(&site.holder, field),
            (None, Seg::At(_)) => {}
        }
        break_fact(draft, &site);
    };
    Some(Seed { position, refusal: Some(refusal), touches, moves: false, apply: Box::new(apply) })
}

fn missing(site: Site) -> Option<Seed> {
    breaking(site, None)
}

fn wrong_type(site: Site, plan: FaultPlan) -> Option<Seed> {
    let first = |value: &str| value.as_bytes().first().copied().unwrap_or_default();
    let right = |value: &str| match site.slot {
        Slot::AssistantContent | Slot::RecordIds => first(value) == b'[',
        Slot::CallArguments => first(value) == b'{',
        Slot::ResultFlag => value == "true",
        // A number of the right kind is another fault.
        Slot::RecordBoundary | Slot::RecordUnits => matches!(value, "0" | "1e999"),
        _ => first(value) == b'"',
    };
    let forms: Vec<&str> = VALUES.into_iter().filter(|value| !right(value)).collect();
    let value = RawJson::token(form(&forms, plan)?);
    breaking(site, Some(value))
}

fn blank(site: Site, plan: FaultPlan) -> Option<Seed> {
    let value = RawJson::text(form(&BLANKS, plan)?);
    breaking(site, Some(value))
}

fn not_integer(site: Site, plan: FaultPlan) -> Option<Seed> {
    let mut forms = NO_INTEGERS.to_vec();
    if site.slot == Slot::RecordBoundary {
        forms.extend(["0", "-0", "0.0"]);
    }
    let value = RawJson::token(form(&forms, plan)?);
    breaking(site, Some(value))
}

/// One code point too long. In messages a blank one would be a fault of shape too, where blank is refused.
fn too_long(site: Site, plan: FaultPlan) -> Option<Seed> {
    let blank_is_fault = site.message.is_some() && site.slot.refuses_blank();
    let forms: Vec<&str> = LONG.into_iter().filter(|letter| *letter != " " || !blank_is_fault).collect();
    let letter = form(&forms, plan)?;
    let position = site.position.clone();
    let touches = site.message.into_iter().collect();
    let apply = move |draft: &mut Draft| {
        let text = Text::from(letter.repeat(Limits::SPEC.text_code_points + 1));
        draft.context.set(&site.path(), RawJson::Text(text.clone()));
        let message = site.message.unwrap_or_default();
        match site.slot {
            // Linkage is not judged by length: the other half is simply another id or name.
            Slot::CallId => draft.edit_call(message, site.block, |call| call.id = Some(text.clone())),
            Slot::CallName => {
                draft.edit_call(message, site.block, |call| call.name = Some(text.clone()));
            }
            Slot::ResultCallId => draft.edit_result(message, |result| result.id = Some(text.clone())),
            Slot::ResultName => draft.edit_result(message, |result| result.name = Some(text.clone())),
            _ => {}
        }
    };
    Some(Seed { position, refusal: Some(Refusal::LimitExceeded), touches, moves: false, apply: Box::new(apply) })
}

/// The ids stay, the boundary says another number.
fn record_length(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let index = choose((0..built.records.len()).collect::<Vec<_>>(), plan)?;
    let length = built.records[index].compacted_message_ids.len();
    let less = if length > 1 { length - 1 } else { length + 2 };
    let other = form(&[length + 1, length + 1_000, less], plan)?;
    let position = vec![RECORDS, index + 1, RECORD_LENGTH];
    Some(super::shape::simple(position, Refusal::InvalidInput, move |draft| {
        let path = [Seg::Key("compactions"), Seg::At(index), Seg::Key("boundary")];
        draft.context.set(&path, RawJson::Token(other.to_string()));
    }))
}

/// What breaking a field makes of the facts.
fn break_fact(draft: &mut Draft, site: &Site) {
    let Some(message) = site.message else { return };
    let block = site.block;
    match site.slot {
        Slot::MessageRole | Slot::MessageId => ignore(draft, message),
        Slot::UserContent => replace(draft, message, MessageFact::User { content: false }),
        Slot::AssistantContent => replace(draft, message, MessageFact::Assistant(None)),
        Slot::BlockType | Slot::BlockText => break_block(draft, message, block),
        Slot::CallId => draft.edit_call(message, block, |call| call.id = None),
        Slot::CallName => draft.edit_call(message, block, |call| call.name = None),
        Slot::CallArguments => draft.edit_call(message, block, |call| call.arguments = false),
        Slot::ResultCallId => draft.edit_result(message, |result| result.id = None),
        Slot::ResultName => draft.edit_result(message, |result| result.name = None),
        Slot::ResultContent => draft.edit_result(message, |result| result.content = false),
        Slot::ResultFlag => draft.edit_result(message, |result| result.flag = false),
        _ => {}
    }
}

fn replace(draft: &mut Draft, message: usize, with: MessageFact) {
    if let Some(fact) = draft.facts.messages.get_mut(message) {
        *fact = with;
    }
}
