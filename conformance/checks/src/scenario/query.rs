//! Questions about one valid context: what it looks like once built, its units, groups, diagnostics and
//! boundaries.

use super::budget::Numbers;
use super::needs_level;
use super::shrink::{smaller_contexts, with};
use crate::case::{Body, Scenario, Unmet};
use crate::step::{Outcome, Step};
use crate::wire::{Validity, validity};
use seamcheck_generate::BudgetPlan;
use seamcheck_protocol::messages::{Declaration, Level};
use seamcheck_reference::Json;
use serde::{Deserialize, Serialize};

/// A valid context and the budgets it is asked about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Query {
    /// A context in the IR.
    #[serde(with = "crate::case_file::json")]
    pub context: Json,
    /// One `boundary` question each.
    pub budgets: Vec<BudgetPlan>,
    /// What building it must come to.
    pub validity: Validity,
}

impl Query {
    /// Questions about a context of unknown origin.
    pub(crate) fn about(context: Json, budgets: Vec<BudgetPlan>) -> Self {
        Self { validity: validity(&context), context, budgets }
    }
}

impl Scenario for Query {
    fn unmet(&self, declaration: &Declaration) -> Option<Unmet> {
        needs_level(declaration, Level::Exact)
    }

    fn next(&self, _declaration: &Declaration, outcomes: &[Outcome]) -> Option<Step> {
        let context = || (&self.context).into();
        let messages = || self.context.get("messages").unwrap_or(&Json::Array(Vec::new())).into();
        Some(match outcomes.len() {
            0 => Step::Build { context: context(), slot: 0 },
            1 => Step::Inspect { slot: 0 },
            2 => Step::Units { context: context() },
            3 => Step::Groups { messages: messages() },
            4 => Step::Diagnose { messages: messages() },
            number => {
                let options = Numbers::resolve(self.budgets.get(number - 5)?, &self.context).boundary_options();
                Step::Boundary { context: context(), options }
            }
        })
    }

    fn smaller(&self) -> Vec<Body> {
        let fewer = (self.budgets.len() > 1)
            .then(|| self.budgets.iter().map(|budget| Self { budgets: vec![*budget], ..self.clone() }));
        let contexts = smaller_contexts(&self.context).into_iter();
        // Absent messages are an empty list, written out so that every question can be asked.
        let contexts = contexts.map(|context| match context.get("messages") {
            Some(_) => context,
            None => with(&context, "messages", Some(Json::Array(Vec::new()))),
        });
        let contexts = contexts.map(|context| Self::about(context, self.budgets.clone()));
        fewer.into_iter().flatten().chain(contexts).map(Body::Query).collect()
    }
}
