//! `B-LIMIT-1` to `B-LIMIT-8`, `B-JSON-1` and `B-JSON-3`: one step over each limit, and numbers that are not finite. Each
//! fault steps over its own limit alone.

use super::facts::{BlockFact, MessageFact};
use super::plant::{Seed, choose, form};
use super::shape::{block_path, in_message, simple};
use super::slot::{ESTIMATE, MESSAGES, Position, RECORDS, REQUIREMENTS};
use super::{Fault, FaultPlan, Refusal};
use crate::built::Built;
use crate::raw::{RawJson, Seg};
use seamcheck_reference::{Limits, Message};

/// The key under which something is planted into arguments.
const KEY: &str = "planted";
const INFINITIES: [&str; 5] = ["1e999", "-1e400", "2E+308", "[0,[1e309]]", "{\"k\":-9999e9999}"];

pub(super) fn seed(built: &Built, plan: FaultPlan) -> Option<Seed> {
    match plan.fault {
        Fault::TooManyRequirements => {
            Some(too_many("requirements", REQUIREMENTS, Limits::SPEC.requirements, requirement))
        }
        Fault::TooManyRecords => {
            Some(too_many("compactions", RECORDS, Limits::SPEC.records, |number| record(number, 1)))
        }
        Fault::TooManyMessages => Some(too_many_messages()),
        Fault::TooManyCompactedIds => too_many_compacted_ids(built, plan),
        Fault::TooManyItems => too_many_items(built, plan),
        Fault::TooManyCodePoints => too_many_code_points(built, plan),
        Fault::TooManyUnits => too_many_units(built),
        Fault::ArgumentsTooDeep => too_deep(built, plan),
        Fault::NotFinite => {
            let value = RawJson::token(form(&INFINITIES, plan)?);
            in_arguments(built, plan, Refusal::InvalidTranscript, vec![(KEY, value)])
        }
        Fault::ArgumentRace => race(built, plan),
        _ => None,
    }
}

/// Plain entries until there is one too many.
fn too_many(key: &'static str, section: usize, limit: usize, entry: impl Fn(usize) -> RawJson + 'static) -> Seed {
    // The length is looked at before any element.
    simple(vec![section, 0], Refusal::LimitExceeded, move |draft| {
        if let Some(RawJson::Array(entries)) = draft.context.at(&[Seg::Key(key)]) {
            let missing = (limit + 1).saturating_sub(entries.len());
            entries.extend((0..missing).map(entry));
        }
    })
}

fn too_many_messages() -> Seed {
    let seed = too_many("messages", MESSAGES, Limits::SPEC.messages, |_| user(""));
    Seed {
        apply: Box::new(|draft| {
            (seed.apply)(draft);
            let count = draft.facts.messages.len().max(Limits::SPEC.messages + 1);
            draft.facts.messages.resize(count, MessageFact::User { content: true });
        }),
        ..seed
    }
}

fn too_many_compacted_ids(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let index = choose((0..built.records.len()).collect(), plan)?;
    let ids = RawJson::Array(vec![RawJson::text("m"); Limits::SPEC.messages + 1]);
    Some(simple(vec![RECORDS, index + 1, 6], Refusal::LimitExceeded, move |draft| {
        draft.context.set(&[Seg::Key("compactions"), Seg::At(index), Seg::Key("compactedMessageIds")], ids);
    }))
}

/// Every call, as (message, block).
fn calls(built: &Built) -> Vec<(usize, usize)> {
    built.rounds.iter().flat_map(|round| round.calls.iter().map(|call| (round.assistant, call.block))).collect()
}

/// Members added to the arguments of a call. The whole of the arguments is one place: two faults in them would
/// race, which is a fault of its own.
fn in_arguments(
    built: &Built,
    plan: FaultPlan,
    refusal: Refusal,
    members: Vec<(&'static str, RawJson)>,
) -> Option<Seed> {
    let infinite = matches!(plan.fault, Fault::NotFinite | Fault::ArgumentRace);
    let replaces = plan.fault == Fault::ArgumentRace;
    let (message, block) = choose(calls(built), plan)?;
    let position: Position = vec![MESSAGES, message + 1, 4, block + 1, 4];
    Some(in_message(position, message, refusal, move |draft| {
        let mut path = block_path(message, block);
        path.push(Seg::Key("arguments"));
        if replaces {
            draft.context.set(&path, RawJson::Object(Vec::new()));
        }
        for (key, value) in members {
            draft.context.push_member(&path, key, value);
        }
        if infinite {
            draft.edit_call(message, block, |call| call.arguments = false);
        }
    }))
}

/// Nulls in the arguments of a call: in one array, in two, or as keys.
fn too_many_items(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let limit = Limits::SPEC.collection_items;
    let nulls = |count: usize| RawJson::Array(vec![RawJson::token("null"); count]);
    let value = match plan.variant % 3 {
        0 => nulls(limit + 1),
        1 => RawJson::Array(vec![nulls(limit / 2), nulls(limit / 2)]),
        _ => RawJson::Object((0..=limit).map(|key| (format!("k{key}").into(), RawJson::token("null"))).collect()),
    };
    in_arguments(built, plan, Refusal::LimitExceeded, vec![(KEY, value)])
}

/// Sixteen of the longest texts are 1,048,576 code points: behind the other requirements, behind the blocks of a
/// message, or as the ids of one more record.
fn too_many_code_points(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let longest = "x".repeat(Limits::SPEC.text_code_points);
    let texts = move || (0..16).map(move |_| RawJson::text(&longest));
    match plan.variant % 3 {
        0 => {
            let assistants =
                built.messages.iter().enumerate().filter(|(_, message)| matches!(message, Message::Assistant(_)));
            let (message, blocks) =
                choose(assistants.map(|(index, message)| (index, block_count(message))).collect(), plan)?;
            Some(in_message(
                vec![MESSAGES, message + 1, 4, blocks + 1],
                message,
                Refusal::LimitExceeded,
                move |draft| {
                    let blocks = texts().map(|text| RawJson::object([("type", RawJson::text("text")), ("text", text)]));
                    draft.context.extend(&[Seg::Key("messages"), Seg::At(message), Seg::Key("content")], blocks);
                    if let Some(MessageFact::Assistant(Some(facts))) = draft.facts.messages.get_mut(message) {
                        facts.extend(std::iter::repeat_n(BlockFact::Text, 16));
                    }
                },
            ))
        }
        1 => Some(simple(vec![REQUIREMENTS, built.requirements.len() + 1], Refusal::LimitExceeded, move |draft| {
            let entries = texts().enumerate().map(|(number, content)| {
                RawJson::object([("id", RawJson::text(&format!("planted{number}"))), ("content", content)])
            });
            draft.context.extend(&[Seg::Key("requirements")], entries);
        })),
        _ => Some(simple(vec![RECORDS, built.records.len() + 1], Refusal::LimitExceeded, move |draft| {
            let mut record = record(0, 16);
            record.set(&[Seg::Key("compactedMessageIds")], RawJson::Array(texts().collect()));
            draft.context.extend(&[Seg::Key("compactions")], [record]);
        })),
    }
}

/// Messages whose texts stay just within their limit, while their other units do not. `None` when records hold so
/// much text that this cannot be.
fn too_many_units(built: &Built) -> Option<Seed> {
    const MESSAGES_ADDED: usize = 100;
    /// Another fault may put a longer text in the place of a shorter one.
    const SLACK: usize = 200;
    let limit = Limits::SPEC.aggregate_code_points;
    let code_points = limit.checked_sub(built.cost.code_points + SLACK)?;
    let units = built.cost.units + code_points + 4 * MESSAGES_ADDED;
    if units <= usize::try_from(Limits::SPEC.context_units).ok()? {
        return None;
    }
    Some(simple(vec![ESTIMATE], Refusal::LimitExceeded, move |draft| {
        let each = code_points / MESSAGES_ADDED;
        let lengths =
            (0..MESSAGES_ADDED).map(|number| if number == 0 { each + code_points % MESSAGES_ADDED } else { each });
        draft.context.extend(&[Seg::Key("messages")], lengths.map(|length| user(&"x".repeat(length - 1))));
        draft.facts.messages.extend(std::iter::repeat_n(MessageFact::User { content: true }, MESSAGES_ADDED));
    }))
}

/// A value at depth 33: a scalar, a text, an empty container; by way of arrays or objects.
fn too_deep(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let depth = Limits::SPEC.argument_depth;
    let leaf = RawJson::token(form(&["null", "0", "\"\"", "[]", "{}"], plan)?);
    let value = (0..depth).fold(leaf, |inner, level| {
        if (level + usize::from(plan.variant)).is_multiple_of(3) {
            RawJson::object([("k", inner)])
        } else {
            RawJson::Array(vec![inner])
        }
    });
    in_arguments(built, plan, Refusal::LimitExceeded, vec![(KEY, value)])
}

/// Two faults in the members of one object: the order in which ECMAScript visits them decides.
fn race(built: &Built, plan: FaultPlan) -> Option<Seed> {
    let deep = || (0..Limits::SPEC.argument_depth).fold(RawJson::token("0"), |inner, _| RawJson::Array(vec![inner]));
    let infinite = || RawJson::token("1e999");
    let zero = || RawJson::token("0");
    let (first, members) = match plan.variant % 6 {
        // An array index comes before any other key.
        0 => (Refusal::InvalidTranscript, vec![("a", deep()), ("7", infinite())]),
        1 => (Refusal::LimitExceeded, vec![("10", infinite()), ("9", deep())]),
        // 2^32 - 1 is no index, 2^32 - 2 is the last.
        2 => (Refusal::InvalidTranscript, vec![("4294967295", deep()), ("4294967294", infinite())]),
        3 => (Refusal::LimitExceeded, vec![("4294967295", deep()), ("a", infinite())]),
        // A repeated key keeps its first place and takes its last value.
        4 => (Refusal::LimitExceeded, vec![("a", zero()), ("b", infinite()), ("a", deep())]),
        // Ordinary keys, whatever they are called.
        _ => (Refusal::InvalidTranscript, vec![("__proto__", infinite()), ("01", deep())]),
    };
    in_arguments(built, plan, first, members)
}

fn block_count(message: &Message) -> usize {
    match message {
        Message::Assistant(message) => message.content.len(),
        Message::User(_) | Message::ToolResult(_) => 0,
    }
}

fn user(content: &str) -> RawJson {
    RawJson::object([("id", RawJson::text("p")), ("role", RawJson::text("user")), ("content", RawJson::text(content))])
}

fn requirement(number: usize) -> RawJson {
    RawJson::object([("id", RawJson::text(&format!("planted{number}"))), ("content", RawJson::text("x"))])
}

fn record(number: usize, ids: usize) -> RawJson {
    RawJson::object([
        ("id", RawJson::text(&format!("planted{number}"))),
        ("summaryId", RawJson::text("s")),
        ("boundary", RawJson::Token(ids.to_string())),
        ("compactedMessageIds", RawJson::Array(vec![RawJson::text("m"); ids])),
        ("unitsBefore", RawJson::token("0")),
        ("unitsAfter", RawJson::token("0")),
    ])
}
