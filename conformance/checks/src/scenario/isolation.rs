//! Two contexts in one implementation at the same time, and one of them compacted twice in the same way.

use super::budget::Numbers;
use super::shrink::smaller_at_budgets;
use super::{inspected, must_script, needs_level};
use crate::case::{Body, Scenario, Unmet};
use crate::check::Observed;
use crate::step::{CancelPlan, CompactStep, Outcome, Slot, Step};
use seamcheck_generate::BudgetPlan;
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::{Declaration, InspectResult, Level};
use seamcheck_reference::Json;
use serde::{Deserialize, Serialize};

/// Two contexts and what is done with each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Isolation {
    /// The context that is compacted first, and once more at the end.
    #[serde(with = "crate::case_file::json")]
    pub first: Json,
    /// The context that stands beside it.
    #[serde(with = "crate::case_file::json")]
    pub second: Json,
    /// The options for both.
    pub budget: BudgetPlan,
}

const FIRST: Slot = 0;
const SECOND: Slot = 1;
const FIRST_NEW: Slot = 2;
const SECOND_NEW: Slot = 3;
const AGAIN: Slot = 4;
const AGAIN_NEW: Slot = 5;

impl Scenario for Isolation {
    fn unmet(&self, declaration: &Declaration) -> Option<Unmet> {
        needs_level(declaration, Level::Compact)
    }

    fn next(&self, declaration: &Declaration, outcomes: &[Outcome]) -> Option<Step> {
        let build = |context: &Json, slot| Step::Build { context: context.into(), slot };
        let compact = |context: &Json, summary: &str, slot, into, inspect_while_waiting| {
            Step::Compact(CompactStep {
                slot,
                into,
                options: Numbers::resolve(&self.budget, context).compact_options("summary", "record"),
                answer: Answer::text(summary),
                scripted: must_script(declaration),
                cancel: CancelPlan::Never,
                inspect_while_waiting,
            })
        };
        // The order is read back by `IsolationView`.
        Some(match outcomes.len() {
            0 => build(&self.first, FIRST),
            1 => Step::Inspect { slot: FIRST },
            2 => build(&self.second, SECOND),
            3 => Step::Inspect { slot: FIRST },
            4 => Step::Inspect { slot: SECOND },
            5 => compact(&self.first, "one", FIRST, FIRST_NEW, vec![SECOND]),
            6 => Step::Inspect { slot: SECOND },
            7 => Step::Inspect { slot: FIRST_NEW },
            8 => compact(&self.second, "two", SECOND, SECOND_NEW, vec![FIRST_NEW]),
            9 => Step::Inspect { slot: FIRST_NEW },
            10 => Step::Inspect { slot: SECOND_NEW },
            11 => build(&self.first, AGAIN),
            12 => compact(&self.first, "one", AGAIN, AGAIN_NEW, Vec::new()),
            13 => Step::Inspect { slot: AGAIN_NEW },
            _ => return None,
        })
    }

    fn smaller(&self) -> Vec<Body> {
        let first = smaller_at_budgets(&self.first, &self.budget).into_iter();
        let first = first.map(|(first, budget)| Self { first, budget, ..self.clone() });
        let second = smaller_at_budgets(&self.second, &self.budget).into_iter();
        let second = second.map(|(second, budget)| Self { second, budget, ..self.clone() });
        first.chain(second).map(Body::Isolation).collect()
    }
}

/// What was seen of it.
#[derive(Debug)]
pub(crate) struct IsolationView<'a> {
    /// The first context: before and after the second one was built.
    pub(crate) first: [Option<&'a InspectResult>; 2],
    /// The second context: before, and after the first one was compacted.
    pub(crate) second: [Option<&'a InspectResult>; 2],
    /// The first one's new context: before and after the second one was compacted.
    pub(crate) first_new: [Option<&'a InspectResult>; 2],
    /// The second one's new context.
    pub(crate) second_new: Option<&'a InspectResult>,
    /// The first compaction and its repetition.
    pub(crate) compactions: [&'a Outcome; 2],
    /// The new context of the repetition.
    pub(crate) again_new: Option<&'a InspectResult>,
    /// The compaction of the second context.
    pub(crate) second_compaction: &'a Outcome,
}

impl<'a> IsolationView<'a> {
    pub(crate) fn of(observed: &Observed<'a>) -> Option<Self> {
        let (Body::Isolation(_), outcomes) = (&observed.case.body, observed.outcomes) else { return None };
        let look = |number: usize| inspected(outcomes.get(number));
        Some(Self {
            first: [look(1), look(3)],
            second: [look(4), look(6)],
            first_new: [look(7), look(9)],
            second_new: look(10),
            compactions: [outcomes.get(5)?, outcomes.get(12)?],
            again_new: look(13),
            second_compaction: outcomes.get(8)?,
        })
    }
}
