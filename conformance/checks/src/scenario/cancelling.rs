//! One compaction, cancelled at every point that the adapter offers, and at last not cancelled at all.
//!
//! Looks are enumerated: cancel at look 0, 1, 2 and so on, until a run ends without reaching the look.

use super::budget::Numbers;
use super::shrink::smaller_at_budgets;
use super::{must_script, needs_answer, needs_level};
use crate::case::{Body, Scenario, Unmet};
use crate::step::{CancelPlan, CompactStep, Outcome, Step};
use crate::wire::{context_units, summary_units};
use seamcheck_generate::BudgetPlan;
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::{CancelMode, Declaration, Level, Summarize};
use seamcheck_reference::Json;
use serde::{Deserialize, Serialize};

/// A context over its threshold, and a summary that would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cancelling {
    /// A context in the IR.
    #[serde(with = "crate::case_file::json")]
    pub context: Json,
    /// Its options.
    pub budget: BudgetPlan,
    /// The summary.
    pub summary: String,
}

/// A look that no compaction reaches: the signal never turns, and the looks are counted.
pub(crate) const NO_LOOK: u32 = u32::MAX;

/// Steps of one probe: compact, look at the old context.
const PROBE_STEPS: usize = 2;

/// One attempt.
#[derive(Debug, Clone, PartialEq)]
struct Probe {
    answer: Answer,
    scripted: bool,
    cancel: CancelPlan,
}

impl Scenario for Cancelling {
    fn unmet(&self, declaration: &Declaration) -> Option<Unmet> {
        let none = declaration.capabilities.cancel.is_empty();
        needs_level(declaration, Level::Compact)
            .or(none.then_some(Unmet::Capability("the adapter cannot be cancelled")))
    }

    fn next(&self, declaration: &Declaration, outcomes: &[Outcome]) -> Option<Step> {
        let Some(done) = outcomes.len().checked_sub(2) else {
            return Some(match outcomes.len() {
                0 => Step::Build { context: (&self.context).into(), slot: 0 },
                _ => Step::Inspect { slot: 0 },
            });
        };
        if done % PROBE_STEPS == 1 {
            return Some(Step::Inspect { slot: 0 });
        }
        let number = done / PROBE_STEPS;
        let probe = self.probe(number, declaration, outcomes)?;
        Some(Step::Compact(CompactStep {
            slot: 0,
            into: 1 + number,
            options: Numbers::resolve(&self.budget, &self.context).compact_options("summary", "record"),
            answer: probe.answer,
            scripted: probe.scripted || must_script(declaration),
            cancel: probe.cancel,
            inspect_while_waiting: Vec::new(),
        }))
    }

    fn smaller(&self) -> Vec<Body> {
        let smaller = smaller_at_budgets(&self.context, &self.budget).into_iter();
        smaller.map(|(context, budget)| Body::Cancelling(Self { context, budget, ..self.clone() })).collect()
    }
}

impl Cancelling {
    /// Whether this compaction would come to an end if nobody cancelled it, by the formulas of the spec.
    pub(crate) fn would_compact(&self) -> bool {
        let numbers = Numbers::resolve(&self.budget, &self.context);
        let summary = Json::object([("id", "summary".into()), ("content", self.summary.as_str().into())]);
        context_units(&self.context) > numbers.max_units
            && summary_units(&summary) <= numbers.summary_max_units
            && numbers.fits(&self.context).is_some()
    }

    fn probe(&self, number: usize, declaration: &Declaration, outcomes: &[Outcome]) -> Option<Probe> {
        let fixed = self.fixed_probes(declaration);
        if let Some(probe) = fixed.get(number) {
            return Some(probe.clone());
        }
        let good = |cancel| Some(Probe { answer: Answer::text(self.summary.as_str()), scripted: false, cancel });
        let last = &outcomes[outcomes.len() - PROBE_STEPS];
        let Step::Compact(step) = &last.step else { return None };
        match (step.cancel, last.reply.looks()) {
            (CancelPlan::AtLook(NO_LOOK), Some(_)) => good(CancelPlan::AtLook(0)),
            (CancelPlan::AtLook(look), Some(looks)) if look < looks => good(CancelPlan::AtLook(look + 1)),
            // The last probe is the only one behind the fixed ones that is not cancelled.
            (CancelPlan::Never, _) if number > fixed.len() => None,
            _ => good(CancelPlan::Never),
        }
    }

    /// The points that are known beforehand, as far as the adapter offers them.
    fn fixed_probes(&self, declaration: &Declaration) -> Vec<Probe> {
        let modes = &declaration.capabilities.cancel;
        let heard = modes.contains(&CancelMode::InCallback) || modes.contains(&CancelMode::Async);
        let good = || Answer::text(self.summary.as_str());
        let text = || self.summary.as_str().into();
        let message = || "an error of the summarizer".into();
        let mut probes = vec![Probe { answer: good(), scripted: false, cancel: CancelPlan::Before }];
        if heard && declaration.capabilities.summarize == Summarize::Callback {
            let answer = |answer, cancel| Probe { answer, scripted: false, cancel };
            probes.push(answer(good(), CancelPlan::InsteadOfAnswer));
            probes.push(answer(good(), CancelPlan::BeforeAnswer));
            probes.push(answer(Answer::Reject { message: message(), cancel: false }, CancelPlan::BeforeAnswer));
            probes.push(answer(good(), CancelPlan::AfterAnswer));
        }
        let scripts = [
            Answer::Throw { message: message(), cancel: true },
            Answer::Reject { message: message(), cancel: true },
            Answer::Chain { depth: 1, text: text(), cancel: true },
            Answer::Text { text: text(), cancel: true },
            Answer::Pending { cancel: true },
        ];
        let known = scripts.into_iter().filter(|answer| needs_answer(declaration, answer).is_none());
        probes.extend(known.map(|answer| Probe { answer, scripted: true, cancel: CancelPlan::Never }));
        if modes.contains(&CancelMode::AtLook) {
            // A blank summary ends before the last look, so that the difference shows that there is one.
            probes.push(Probe { answer: Answer::text(" "), scripted: false, cancel: CancelPlan::AtLook(NO_LOOK) });
        }
        probes
    }
}
