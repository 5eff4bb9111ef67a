//! A context with planted faults. What must come of it is known from the planting.

use super::needs_level;
use crate::case::{Body, Scenario, Unmet};
use crate::step::{Outcome, Step};
use seamcheck_generate::{
    AssistantPlan, BlockPlan, CallPlan, FaultPlan, Plan, ResultPlan, Shrink, Step as PlanStep, TextPlan, UserPlan,
    add_decoys, plant,
};
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
    /// What it was made by, where that is known; a file of the case does without.
    #[serde(skip)]
    pub recipe: Option<Recipe>,
}

/// What a planted context is made by: what must come of a smaller one follows from planting anew.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// The context before.
    pub plan: Plan,
    /// What is planted.
    pub faults: Vec<FaultPlan>,
    /// What decides where decoys go, if there are any.
    pub decoys: Option<u64>,
}

impl Recipe {
    /// The case, if the context has a place for each fault.
    pub fn plant(self) -> Option<Fault> {
        let mut planted = plant(&self.plan.build(), &self.faults)?;
        if let Some(selector) = self.decoys {
            add_decoys(&mut planted.context, selector);
        }
        let diagnostics = planted.diagnostics.iter().map(|(code, at)| (code.as_str().to_owned(), *at)).collect();
        Some(Fault {
            planted: format!("{:?}", self.faults.iter().map(|fault| fault.fault).collect::<Vec<_>>()),
            context: Payload::raw(planted.context.to_string()),
            messages: Payload::raw(planted.messages.to_string()),
            code: planted.refusal.as_str().to_owned(),
            diagnostics: Some(diagnostics),
            recipe: Some(self),
        })
    }

    /// The same faults in the contexts of at most two steps, at places all over them: a fault is planted at a share of
    /// its places, so that it moves with every message that goes.
    fn tiny(&self) -> impl Iterator<Item = Self> {
        const STEPS: usize = 2;
        let shares = if self.faults.len() == 1 { 8 } else { 4 };
        let places = (0..shares).map(|share| share * (u16::MAX / shares)).collect::<Vec<_>>();
        let mut planted: Vec<Vec<FaultPlan>> = vec![Vec::new()];
        for fault in &self.faults {
            let extended = planted.iter().flat_map(|before| {
                places.iter().map(|place| [&before[..], &[FaultPlan { place: *place, ..*fault }]].concat())
            });
            planted = extended.collect();
        }
        let plans = if self.plan.steps.len() > STEPS { tiny_plans() } else { Vec::new() };
        plans.into_iter().flat_map(move |plan| {
            let recipe = move |faults| Self { plan: plan.clone(), faults, decoys: None };
            planted.clone().into_iter().map(recipe)
        })
    }

    fn smaller(&self) -> impl Iterator<Item = Self> {
        let fewer = (0..self.faults.len()).filter(|_| self.faults.len() > 1).map(|gone| {
            let mut faults = self.faults.clone();
            faults.remove(gone);
            Self { faults, ..self.clone() }
        });
        let bare = self.decoys.map(|_| Self { decoys: None, ..self.clone() });
        // The boldest come first: what lies behind so many is tried once the plan is smaller.
        const MOST_PLANS: usize = 400;
        let plans = (0..).map_while(|number| self.plan.candidate(number)).filter(|plan| *plan != self.plan);
        let plans = plans.take(MOST_PLANS);
        fewer.chain(bare).chain(self.tiny()).chain(plans.map(|plan| Self { plan, ..self.clone() }))
    }
}

/// Every plan of at most two plain steps, the shortest first.
fn tiny_plans() -> Vec<Plan> {
    let call = || BlockPlan::Call(CallPlan { name: TextPlan::word(0), ..CallPlan::default() });
    let assistant = |blocks| PlanStep::Assistant(AssistantPlan { blocks, ..AssistantPlan::default() });
    let letters = [
        PlanStep::User(UserPlan { content: TextPlan::word(0), ..UserPlan::default() }),
        assistant(vec![BlockPlan::Text(TextPlan::word(0))]),
        assistant(vec![call()]),
        assistant(vec![call(), call()]),
        PlanStep::Result(ResultPlan::default()),
    ];
    let plan = |steps: &[&PlanStep]| Plan { steps: steps.iter().copied().cloned().collect(), ..Plan::default() };
    let mut plans = vec![plan(&[])];
    plans.extend(letters.iter().map(|one| plan(&[one])));
    plans.extend(letters.iter().flat_map(|one| letters.iter().map(move |two| (one, two))).map(|(a, b)| plan(&[a, b])));
    plans
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

    /// What must come of it depends on everything around the faults: each smaller context has a planting of its own.
    fn smaller(&self) -> Vec<Body> {
        self.recipe.iter().flat_map(Recipe::smaller).filter_map(Recipe::plant).map(Body::Fault).collect()
    }
}
