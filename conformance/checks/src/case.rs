//! A case: concrete input, what is done with it, and how it can be made smaller.

use crate::scenario::{Cancelling, Chain, Concurrent, Fault, Isolation, Query, Trim, Vector};
use crate::step::{Outcome, Step};
use seamcheck_protocol::messages::Declaration;
use serde::{Deserialize, Serialize};

/// One case, complete in itself: nothing about it is drawn again from a seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Case {
    /// A name that is the same on every run: `vector/NAME`, `generated/SCENARIO/INDEX`, `corpus/SOURCE`.
    pub name: String,
    /// What is done.
    pub body: Body,
}

/// What is done with the input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Body {
    /// One golden vector.
    Vector(Vector),
    /// Questions about one valid context.
    Query(Query),
    /// A context with planted faults.
    Fault(Fault),
    /// Compactions one after another.
    Chain(Chain),
    /// A compaction that is answered and cancelled in every way.
    Cancelling(Cancelling),
    /// Several compactions at once.
    Concurrent(Concurrent),
    /// Two contexts at once, and the same thing twice.
    Isolation(Isolation),
    /// Trimming over a sweep of budgets.
    Trim(Trim),
}

/// One way to go through a case. Pure: the next step depends on the outcomes so far and nothing else.
pub trait Scenario {
    /// Why this adapter cannot be asked this, if it cannot.
    fn unmet(&self, declaration: &Declaration) -> Option<Unmet>;
    /// The next step, or `None` when the case is complete.
    fn next(&self, declaration: &Declaration, outcomes: &[Outcome]) -> Option<Step>;
    /// Cases that are a little smaller, the most promising first.
    fn smaller(&self) -> Vec<Body>;
}

/// Why a case is not run on an adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unmet {
    /// The adapter does not claim the level: its clauses are not applicable.
    Level,
    /// The adapter lacks this capability: what the case would show is not observable.
    Capability(&'static str),
}

impl Case {
    /// See [`Scenario::unmet`].
    pub fn unmet(&self, declaration: &Declaration) -> Option<Unmet> {
        self.body.scenario().unmet(declaration)
    }

    /// See [`Scenario::next`].
    pub fn next(&self, declaration: &Declaration, outcomes: &[Outcome]) -> Option<Step> {
        self.body.scenario().next(declaration, outcomes)
    }

    /// Smaller cases of the same name.
    pub fn smaller(&self) -> impl Iterator<Item = Case> {
        self.body.scenario().smaller().into_iter().map(|body| Case { name: self.name.clone(), body })
    }
}

impl Body {
    fn scenario(&self) -> &dyn Scenario {
        match self {
            Self::Vector(scenario) => scenario,
            Self::Query(scenario) => scenario,
            Self::Fault(scenario) => scenario,
            Self::Chain(scenario) => scenario,
            Self::Cancelling(scenario) => scenario,
            Self::Concurrent(scenario) => scenario,
            Self::Isolation(scenario) => scenario,
            Self::Trim(scenario) => scenario,
        }
    }
}
