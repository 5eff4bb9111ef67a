//! A context with planted faults. What must come of it is known from the planting.

use super::needs_level;
use crate::case::{Body, Scenario, Unmet};
use crate::step::{Outcome, Step};
use seamcheck_protocol::messages::{Declaration, Level};
use seamcheck_protocol::payload::Payload;
use serde::{Deserialize, Serialize};

/// A faulty context, and what the planting says about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fault {
    /// What was planted, in words.
    pub planted: String,
    /// The context, raw where it must be.
    pub context: Payload,
    /// Its messages.
    pub messages: Payload,
    /// The code of the fault that is read first.
    pub code: String,
    /// What the diagnostics must be, where the planting knows them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<Vec<(String, i64)>>,
}

impl Scenario for Fault {
    fn unmet(&self, declaration: &Declaration) -> Option<Unmet> {
        let raw = (self.context.is_raw() || self.messages.is_raw()) && !declaration.capabilities.raw_json;
        needs_level(declaration, Level::Exact).or(raw.then_some(Unmet::Capability("the adapter takes no raw JSON")))
    }

    fn next(&self, _declaration: &Declaration, outcomes: &[Outcome]) -> Option<Step> {
        match outcomes.len() {
            0 => Some(Step::Build { context: self.context.clone(), slot: 0 }),
            1 => Some(Step::Diagnose { messages: self.messages.clone() }),
            _ => None,
        }
    }

    /// What is planted depends on everything around it: a smaller context would need a planting of its own.
    fn smaller(&self) -> Vec<Body> {
        Vec::new()
    }
}
