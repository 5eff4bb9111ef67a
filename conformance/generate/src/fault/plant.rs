//! `B-BUILD-2`: planting one fault or several, and which of them decides.

use super::facts::{CallFact, Facts, ResultFact};
use super::slot::{LINKAGE, MESSAGES, Position};
use super::{Fault, FaultPlan, Finding, Refusal, field, limit, linkage, shape};
use crate::built::Built;
use crate::raw::{RawJson, Seg};
use seamcheck_reference::Limits;

/// A faulty context, and what must be said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Planted {
    /// The context.
    pub context: RawJson,
    /// Its messages alone, as they stood in it.
    pub messages: RawJson,
    /// The code that building it must give.
    pub refusal: Refusal,
    /// The code that its messages alone must give, `None` when they are in order.
    pub messages_refusal: Option<Refusal>,
    /// The diagnostics of its messages in order: code and message index, -1 for the whole. Limits have none.
    pub diagnostics: Vec<(Finding, i64)>,
}

/// Plants faults into a context. `None` when the context has no place for one of them, is not valid, or has no
/// room left for what a fault adds; when two of them meet in one place; or when they cancel each other out.
pub fn plant(built: &Built, faults: &[FaultPlan]) -> Option<Planted> {
    if faults.is_empty() || !built.is_valid() || !has_room(built) {
        return None;
    }
    let mut seeds: Vec<Seed> = faults.iter().map(|fault| seed(built, *fault)).collect::<Option<_>>()?;
    // The one that is read last is planted first: what breaks a whole then takes its parts with it.
    seeds.sort_by(|left, right| right.position.cmp(&left.position));
    if seeds.iter().enumerate().any(|(place, seed)| seeds[..place].iter().any(|other| seed.meets(other))) {
        return None;
    }
    let mut draft = Draft { context: (&built.context_json()).into(), facts: Facts::of(built), messages: None };
    let mut verdicts: Vec<(Position, Refusal)> = Vec::new();
    for seed in seeds {
        (seed.apply)(&mut draft);
        verdicts.extend(seed.refusal.map(|refusal| (seed.position, refusal)));
    }
    let diagnostics = draft.facts.findings();
    if !diagnostics.is_empty() {
        // Only where no shape fault of a message comes before.
        verdicts.push((vec![LINKAGE], Refusal::InvalidTranscript));
    }
    let refusal = verdicts.iter().min()?.1;
    let in_messages = verdicts.iter().filter(|(position, _)| matches!(position.first(), Some(&MESSAGES | &LINKAGE)));
    let messages_refusal = in_messages.min().map(|(_, refusal)| *refusal);
    let messages = draft.take_messages();
    Some(Planted { context: draft.context, messages, refusal, messages_refusal, diagnostics })
}

/// Room for two faults that add to a context on the way to what they break.
fn has_room(built: &Built) -> bool {
    let limits = Limits::SPEC;
    built.cost.items + 100 <= limits.collection_items
        && built.cost.code_points + 4 * limits.text_code_points <= limits.aggregate_code_points
        && built.messages.len() + 10 <= limits.messages
        && built.requirements.len() + 20 <= limits.requirements
        && built.records.len() + 2 <= limits.records
}

/// A fault with its place.
pub(super) struct Seed {
    pub(super) position: Position,
    /// `None` for linkage, which is judged once everything is planted.
    pub(super) refusal: Option<Refusal>,
    /// Messages that it changes.
    pub(super) touches: Vec<usize>,
    /// Whether it puts other messages in their place: nothing else may touch them then.
    pub(super) moves: bool,
    pub(super) apply: Box<dyn FnOnce(&mut Draft)>,
}

impl Seed {
    /// Whether two faults cannot be planted together.
    fn meets(&self, other: &Self) -> bool {
        let shared = self.touches.iter().any(|message| other.touches.contains(message));
        self.position == other.position || (self.moves || other.moves) && shared
    }
}

fn seed(built: &Built, plan: FaultPlan) -> Option<Seed> {
    if plan.fault.is_linkage() || plan.fault == Fault::BrokenResultBeforeCall {
        return linkage::seed(built, plan);
    }
    shape::seed(built, plan).or_else(|| field::seed(built, plan)).or_else(|| limit::seed(built, plan))
}

/// The second fault, moved as near to the first as it can stand without meeting it: into the same block, the same
/// message or the same section. That is where the order of reading is easily got wrong.
pub fn near(built: &Built, first: FaultPlan, second: FaultPlan) -> FaultPlan {
    const PLACES: u16 = 32;
    let Some(standing) = seed(built, first) else { return second };
    let places = (0..PLACES).map(|step| second.place.wrapping_add(step * (u16::MAX / PLACES)));
    let candidates = places.map(|place| FaultPlan { place, ..second });
    let shared = |candidate: &FaultPlan| {
        let other = seed(built, *candidate).filter(|other| !standing.meets(other));
        other.map(|other| {
            standing.position.iter().zip(&other.position).take_while(|(left, right)| left == right).count()
        })
    };
    // Of several that are equally near the first, so that the share of the plan still decides among them.
    candidates.rev().max_by_key(shared).unwrap_or(second)
}

/// One of these, by the share of the plan.
pub(super) fn choose<T>(places: Vec<T>, plan: FaultPlan) -> Option<T> {
    let place = (places.len() * usize::from(plan.place)) >> 16;
    places.into_iter().nth(place)
}

/// The form of a fault.
pub(super) fn form<T: Clone>(forms: &[T], plan: FaultPlan) -> Option<T> {
    forms.get(usize::from(plan.variant) % forms.len().max(1)).cloned()
}

/// A context under planting.
pub(super) struct Draft {
    pub(super) context: RawJson,
    pub(super) facts: Facts,
    /// The messages, once the context is no object any more.
    messages: Option<RawJson>,
}

impl Draft {
    /// Puts another value in the place of the whole context.
    pub(super) fn replace(&mut self, value: RawJson) {
        self.messages = Some(self.take_messages());
        self.context = value;
    }

    /// Changes what is known of a call, if there still is one.
    pub(super) fn edit_call(&mut self, message: usize, block: usize, edit: impl FnOnce(&mut CallFact)) {
        if let Some(call) = self.facts.call(message, block) {
            edit(call);
        }
    }

    /// Changes what is known of a result, if there still is one.
    pub(super) fn edit_result(&mut self, message: usize, edit: impl FnOnce(&mut ResultFact)) {
        if let Some(result) = self.facts.result(message) {
            edit(result);
        }
    }

    fn take_messages(&mut self) -> RawJson {
        let standing = self.context.at(&[Seg::Key("messages")]).cloned();
        self.messages.take().or(standing).unwrap_or(RawJson::Array(Vec::new()))
    }
}
