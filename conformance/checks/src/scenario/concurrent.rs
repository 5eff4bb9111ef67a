//! Three compactions under way at once, two of one context and one of another, in a given order of everything that
//! happens to them. Each is held to what the same compaction came to when it was alone.

use super::budget::Numbers;
use super::cancelling::{Reached, SECOND};
use super::shrink::{smaller_contexts, with};
use super::{inspected, needs_level};
use crate::case::{Body, Scenario, Unmet};
use crate::check::Observed;
use crate::step::{Asked, CancelPlan, CompactStep, Move, Outcome, Slot, Step};
use crate::wire::{read, same};
use seamcheck_generate::BudgetPlan;
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::{CancelMode, Declaration, InspectResult, Level, Summarize};
use seamcheck_reference::Json;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// Two contexts, and an order of events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Concurrent {
    /// Compactions 0 and 1 are of the first context, compaction 2 is of the second.
    #[serde(with = "crate::case_file::json_pair")]
    pub contexts: [Json; 2],
    /// The options of all.
    pub budget: BudgetPlan,
    /// What happens, in order.
    pub script: Vec<Act>,
}

/// One event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// The compaction, from 0 to 2.
    #[serde(deserialize_with = "one_of_three")]
    pub compaction: usize,
    /// What happens to it.
    pub does: Does,
}

/// What happens to a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Does {
    /// It begins.
    Begin,
    /// Its summary is given; where it has been given already, another one, which does not count.
    Answer,
    /// It is cancelled.
    Cancel,
    /// Its end is waited for. One that nobody has answered or cancelled is answered.
    End,
    /// The context that went in is looked at.
    Look,
    /// The handle of the context that went in is released.
    Release,
}

fn one_of_three<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let compaction = usize::deserialize(deserializer)?;
    let known = (0..COMPACTIONS).contains(&compaction).then_some(compaction);
    known.ok_or_else(|| D::Error::custom(format!("there is no compaction {compaction}, only 0, 1 and 2")))
}

/// How many compactions there are.
pub const COMPACTIONS: usize = 3;
/// The first slot of the compactions that are alone, and of those that are not.
const ALONE: Slot = 2;
const TOGETHER: Slot = 4;
/// Both are built, compacted alone and looked at.
const OPENING: usize = 8;

impl Scenario for Concurrent {
    fn unmet(&self, declaration: &Declaration) -> Option<Unmet> {
        let capabilities = &declaration.capabilities;
        let listens = capabilities.cancel.contains(&CancelMode::Async);
        let lacks = !listens || capabilities.summarize != Summarize::Callback;
        needs_level(declaration, Level::Compact)
            .or(lacks.then_some(Unmet::Capability("the adapter does not read lines while a compaction waits")))
    }

    fn next(&self, _declaration: &Declaration, outcomes: &[Outcome]) -> Option<Step> {
        let number = outcomes.len();
        Some(match number {
            0 | 1 => Step::Build { context: (&self.contexts[number]).into(), slot: number },
            2 | 4 => Step::Compact(self.compact(number / 2 - 1, ALONE + number / 2 - 1, 0)),
            3 | 5 => Step::Inspect { slot: ALONE + number / 2 - 1 },
            6 | 7 => Step::Inspect { slot: number - 6 },
            _ => match self.script.get(number - OPENING) {
                Some(act) => self.act(*act, &self.script[..number - OPENING]),
                None => {
                    let mut slots = [0, 1].into_iter().chain(TOGETHER..TOGETHER + COMPACTIONS);
                    Step::Inspect { slot: slots.nth(number - OPENING - self.script.len())? }
                }
            },
        })
    }

    fn smaller(&self) -> Vec<Body> {
        let with_script = |stays: &dyn Fn(usize, &Act) -> bool| {
            let script = self.script.iter().enumerate().filter(|(index, act)| stays(*index, act));
            Self { script: script.map(|(_, act)| *act).collect(), ..self.clone() }
        };
        let whole = (0..COMPACTIONS).map(|gone| with_script(&|_, act| act.compaction != gone));
        // A beginning and an end belong together.
        let events = (0..self.script.len())
            .map(|gone| with_script(&|index, act| index != gone || matches!(act.does, Does::Begin | Does::End)));
        let scripts = whole.chain(events).filter(|smaller| smaller.script.len() < self.script.len());
        let contexts = (0..2).flat_map(|place| {
            smaller_contexts(&self.contexts[place]).into_iter().map(move |context| {
                let mut contexts = self.contexts.clone();
                contexts[place] = context;
                Self { contexts, ..self.clone() }
            })
        });
        scripts.chain(contexts).map(Body::Concurrent).collect()
    }
}

impl Concurrent {
    /// The compaction of a context, with the answer of this number.
    fn compact(&self, context: usize, into: Slot, answer: usize) -> CompactStep {
        let numbers = Numbers::resolve(&self.budget, &self.contexts[context]);
        CompactStep {
            slot: context,
            into,
            options: numbers.compact_options("summary", "record"),
            answer: Answer::text(words(answer)),
            scripted: false,
            cancel: CancelPlan::Never,
            inspect_while_waiting: Vec::new(),
        }
    }

    fn act(&self, act: Act, before: &[Act]) -> Step {
        let into = TOGETHER + act.compaction;
        let done = |does| before.contains(&Act { does, ..act });
        let answer = |text: &str| vec![Move::Answer(Answer::text(text))];
        match act.does {
            Does::Begin => Step::Begin(self.compact(context_of(act.compaction), into, act.compaction + 1)),
            Does::Answer if done(Does::Answer) => Step::Tell { into, moves: answer(SECOND) },
            Does::Answer => Step::Tell { into, moves: answer(words(act.compaction + 1)) },
            Does::Cancel => Step::Tell { into, moves: vec![Move::Cancel] },
            Does::End if done(Does::Answer) || done(Does::Cancel) => Step::End { into, moves: Vec::new() },
            Does::End => Step::End { into, moves: answer(words(act.compaction + 1)) },
            Does::Look => Step::Inspect { slot: context_of(act.compaction) },
            Does::Release => Step::Release { slot: context_of(act.compaction) },
        }
    }
}

/// The context of a compaction.
fn context_of(compaction: usize) -> Slot {
    compaction / 2
}

/// The answers, all of the same cost.
fn words(number: usize) -> &'static str {
    ["alone", "first", "other", "third"][number]
}

/// Everything that was seen of it, judged for one of the contexts.
pub(crate) fn disturbance(observed: &Observed<'_>, context: usize) -> Option<Result<(), String>> {
    let Body::Concurrent(concurrent) = &observed.case.body else { return None };
    let alone = observed.outcomes.get(ALONE + 2 * context)?;
    let script = observed.outcomes.get(OPENING..OPENING + concurrent.script.len())?;
    let before = inspected(observed.outcomes.get(6 + context))?;
    let mut begun = false;
    for compaction in (0..COMPACTIONS).filter(|compaction| context_of(*compaction) == context) {
        let acts: Vec<(Does, &Outcome)> = concurrent
            .script
            .iter()
            .zip(script)
            .filter(|(act, _)| act.compaction == compaction)
            .map(|(act, outcome)| (act.does, outcome))
            .collect();
        let Some(reached) =
            acts.iter().rev().find(|(does, _)| *does == Does::End).map(|(_, end)| Reached::of(&end.reply))
        else {
            continue;
        };
        begun = true;
        let asked: Vec<&Asked> = acts.iter().flat_map(|(_, outcome)| &outcome.asked).collect();
        if !same_requests(&asked, &alone.asked) {
            return Some(Err(format!("compaction {compaction} asks for another summary than it does alone")));
        }
        if let Err(words) = end_is_right(&acts, &reached, &Reached::of(&alone.reply)) {
            return Some(Err(format!("compaction {compaction} {words}")));
        }
        let new = observed.outcomes.iter().rev().find(|one| one.step == Step::Inspect { slot: TOGETHER + compaction });
        let alone_new = inspected(observed.outcomes.get(ALONE + 2 * context + 1));
        if reached == Reached::Compacted && !is_same_but_summary(inspected(new), alone_new, words(compaction + 1)) {
            return Some(Err(format!("the result of compaction {compaction} is not what it is alone")));
        }
    }
    let looks = observed.outcomes.iter().filter(|outcome| outcome.step == Step::Inspect { slot: context });
    let looks: Vec<&InspectResult> = looks.filter_map(|look| inspected(Some(look))).collect();
    if looks.iter().any(|look| *look != before) {
        return Some(Err("the context that went in looks different".to_owned()));
    }
    begun.then_some(Ok(()))
}

/// Which end the first word that was said to it allows; a cancellation after an answer may still win.
fn end_is_right(acts: &[(Does, &Outcome)], reached: &Reached, alone: &Reached) -> Result<(), String> {
    let asked = acts.iter().any(|(_, outcome)| !outcome.asked.is_empty());
    let mut said = acts.iter().map(|(does, _)| *does).take_while(|does| *does != Does::End);
    let first = said.find(|does| matches!(does, Does::Answer | Does::Cancel));
    let cancelled_later = said.any(|does| does == Does::Cancel);
    let right = match first {
        Some(Does::Cancel) if asked => reached.is_cancelled(),
        _ => reached == alone || cancelled_later && reached.is_cancelled(),
    };
    if right { Ok(()) } else { Err(format!("ended as {reached:?}, and alone as {alone:?}")) }
}

fn same_requests(left: &[&Asked], right: &[Asked]) -> bool {
    let is_same = |(left, right): (&&Asked, &Asked)| match (read(&left.request), read(&right.request)) {
        (Some(left), Some(right)) => same(&left, &right),
        _ => false,
    };
    left.len() == right.len() && left.iter().zip(right).all(is_same)
}

fn is_same_but_summary(found: Option<&InspectResult>, alone: Option<&InspectResult>, words: &str) -> bool {
    let context = |inspection: Option<&InspectResult>| inspection.and_then(|inspection| read(&inspection.context));
    let (Some(found), Some(alone)) = (context(found), context(alone)) else { return false };
    let summary = Json::object([("id", "summary".into()), ("content", words.into())]);
    same(&found, &with(&alone, "summary", Some(summary)))
}
