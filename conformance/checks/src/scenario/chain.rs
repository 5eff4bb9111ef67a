//! Compactions one after another, each looked at from all sides: before, while the summary is made, after.

use super::budget::Numbers;
use super::shrink::{smaller_at_budgets, smaller_contexts};
use super::{attempts, inspected, must_script, needs_kind, needs_level, succeeded};
use crate::case::{Body, Scenario, Unmet};
use crate::check::Observed;
use crate::step::{CancelPlan, CompactStep, Outcome, Reply, Slot, Step};
use crate::wire::{list, read, text};
use seamcheck_generate::{AnswerPlan, BudgetPlan};
use seamcheck_protocol::answer::{Answer, AnswerKind};
use seamcheck_protocol::messages::{Declaration, InspectResult, Level, Status};
use seamcheck_reference::Json;
use serde::{Deserialize, Serialize};

/// A context and the compactions it goes through.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Chain {
    /// A context in the IR.
    #[serde(with = "crate::case_file::json")]
    pub context: Json,
    /// One compaction each, from the context of the last that succeeded.
    pub rounds: Vec<Round>,
}

/// One compaction of a chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Round {
    /// Its options, made to measure for the context it meets.
    pub budget: BudgetPlan,
    /// What the summarizer does.
    pub speech: Speech,
    /// Whether its answer is known beforehand.
    #[serde(default)]
    pub scripted: bool,
    /// Whether the record id is one that the context has already.
    #[serde(default)]
    pub repeat_record_id: bool,
}

/// What the summarizer of a round does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Speech {
    /// It answers a text made to measure for its budget.
    Says(AnswerPlan),
    /// It answers such a text after so many deferrals.
    Defers(u32, AnswerPlan),
    /// It does this, whatever its budget is.
    Does(Answer),
}

impl Speech {
    fn kind(&self) -> AnswerKind {
        match self {
            Self::Says(_) => AnswerKind::Text,
            Self::Defers(..) => AnswerKind::Chain,
            Self::Does(answer) => answer.kind(),
        }
    }

    /// The answer for this summary id and budget.
    fn answer(&self, summary_id: &str, numbers: &Numbers) -> Answer {
        // A summary costs 5, its id and its text.
        let room = || {
            let units = numbers.summary_max_units.checked_sub(5 + summary_id.len() as u64);
            units.and_then(|units| usize::try_from(units).ok())
        };
        match self {
            Self::Says(plan) => Answer::text(plan.build(room())),
            Self::Defers(depth, plan) => {
                Answer::Chain { depth: *depth, text: plan.build(room()).into(), cancel: false }
            }
            Self::Does(answer) => answer.clone(),
        }
    }
}

impl Scenario for Chain {
    fn unmet(&self, declaration: &Declaration) -> Option<Unmet> {
        needs_level(declaration, Level::Compact)
            .or_else(|| self.rounds.iter().find_map(|round| needs_kind(declaration, round.speech.kind())))
    }

    fn next(&self, declaration: &Declaration, outcomes: &[Outcome]) -> Option<Step> {
        let Some(done) = outcomes.len().checked_sub(1) else {
            return Some(Step::Build { context: (&self.context).into(), slot: 0 });
        };
        let Some(round) = self.rounds.get(done / attempts::STEPS) else {
            return rendering(done - self.rounds.len() * attempts::STEPS, declaration, outcomes);
        };
        Some(attempts::next(done, outcomes, |slot, into| self.compact(round, into, slot, declaration, outcomes)))
    }

    fn smaller(&self) -> Vec<Body> {
        let fewer = (0..self.rounds.len()).filter(|_| self.rounds.len() > 1).map(|gone| {
            let rounds = self.rounds.iter().enumerate().filter(|(index, _)| *index != gone);
            Self { context: self.context.clone(), rounds: rounds.map(|(_, round)| round.clone()).collect() }
        });
        let contexts = smaller_contexts(&self.context).into_iter();
        let contexts = contexts.map(|context| Self { context, rounds: self.rounds.clone() });
        // A round at a time; the context shrinks with its budget.
        let budgets = self.rounds.iter().enumerate().flat_map(|(place, round)| {
            let smaller = smaller_at_budgets(&self.context, &round.budget).into_iter();
            smaller.filter(|(_, budget)| *budget != round.budget).map(move |(context, budget)| {
                let mut rounds = self.rounds.clone();
                rounds[place].budget = budget;
                Self { context, rounds }
            })
        });
        let plainer = (0..self.rounds.len()).filter_map(|place| {
            let mut rounds = self.rounds.clone();
            let plain = Speech::Does(Answer::text("a summary"));
            let is_text = matches!(rounds[place].speech, Speech::Says(_) | Speech::Defers(..));
            rounds[place].speech = plain;
            is_text.then(|| Self { context: self.context.clone(), rounds })
        });
        fewer.chain(contexts).chain(plainer).chain(budgets).map(Body::Chain).collect()
    }
}

impl Chain {
    fn compact(&self, round: &Round, into: Slot, slot: Slot, declaration: &Declaration, outcomes: &[Outcome]) -> Step {
        // The context that is met, as it was looked at just now; a context that was refused is not met at all.
        let met = inspected(outcomes.last()).and_then(|inspection| read(&inspection.context));
        let met = met.as_ref().unwrap_or(&self.context);
        let recorded = list(met, "compactions").last().and_then(|record| text(record, "id"));
        let repeated = recorded.filter(|_| round.repeat_record_id).and_then(|id| id.as_str());
        let record_id = repeated.map_or_else(|| format!("record-{into}"), str::to_owned);
        let numbers = Numbers::resolve(&round.budget, met);
        let summary_id = format!("summary-{into}");
        Step::Compact(CompactStep {
            slot,
            into,
            options: numbers.compact_options(&summary_id, &record_id),
            answer: round.speech.answer(&summary_id, &numbers),
            scripted: round.scripted || must_script(declaration),
            cancel: CancelPlan::Never,
            inspect_while_waiting: vec![slot],
        })
    }
}

/// At last, what a model would be shown of the first context and of the last one.
fn rendering(number: usize, declaration: &Declaration, outcomes: &[Outcome]) -> Option<Step> {
    let into = |outcome: &Outcome| match &outcome.step {
        Step::Compact(step) if succeeded(outcome) => Some(step.into),
        _ => None,
    };
    let last = outcomes.iter().rev().find_map(into);
    let slots = [Some(0), last].into_iter().flatten().filter(|_| declaration.capabilities.render);
    slots.map(|slot| Step::Render { slot }).nth(number)
}

/// Everything that was seen of one round.
#[derive(Debug)]
pub(crate) struct RoundView<'a> {
    pub(crate) step: &'a CompactStep,
    pub(crate) outcome: &'a Outcome,
    pub(crate) before: &'a InspectResult,
    pub(crate) after: Option<&'a InspectResult>,
    /// The context as it was before, read.
    pub(crate) old: Json,
    /// The context that the round ended with, read.
    pub(crate) new: Option<Json>,
}

impl RoundView<'_> {
    pub(crate) fn compacted(&self) -> bool {
        succeeded(self.outcome)
    }

    pub(crate) fn unchanged(&self) -> bool {
        matches!(self.outcome.reply, Reply::Compacted { status: Status::Unchanged, .. })
    }

    /// An option by its name.
    pub(crate) fn option(&self, name: &str) -> Option<Json> {
        read(&self.step.options)?.get(name).cloned()
    }

    pub(crate) fn number(&self, name: &str) -> u64 {
        read(&self.step.options).and_then(|options| crate::wire::number(&options, name)).unwrap_or_default()
    }

    /// What the summarizer was asked, read; calls that are no JSON object count all the same.
    pub(crate) fn requests(&self) -> Vec<Json> {
        self.outcome.asked.iter().map(|asked| read(&asked.request).unwrap_or(Json::Null)).collect()
    }
}

/// The rounds of a chain that were gone through to the end; none for another body.
pub(crate) fn round_views<'a>(observed: &Observed<'a>) -> Vec<RoundView<'a>> {
    let Body::Chain(_) = &observed.case.body else { return Vec::new() };
    let rounds = observed.outcomes.get(1..).unwrap_or_default().chunks_exact(attempts::STEPS);
    rounds.filter_map(view).collect()
}

fn view(steps: &[Outcome]) -> Option<RoundView<'_>> {
    let [look, compact, old, new] = steps else { return None };
    let Step::Compact(step) = &compact.step else { return None };
    let before = inspected(Some(look))?;
    Some(RoundView {
        step,
        outcome: compact,
        before,
        after: inspected(Some(old)),
        old: read(&before.context)?,
        new: inspected(Some(new)).and_then(|inspection| read(&inspection.context)),
    })
}
