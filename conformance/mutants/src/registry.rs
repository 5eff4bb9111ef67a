//! Every mutant, and what the suite must say about it.

use crate::faults;
use crate::pipeline::Mutated;
use crate::stages::Stages;
use std::sync::LazyLock;

/// The pipeline without a fault, served under this name: a control that nothing may stop.
pub const CONTROL: &str = "control";

/// A faulty implementation: the pipeline with one stage swapped.
#[derive(Clone, Copy)]
pub struct Mutant {
    /// Unique; `family-fault`.
    pub name: &'static str,
    /// What it does wrong.
    pub description: &'static str,
    /// Clauses whose checks must stop it, at least one.
    pub must: &'static [&'static str],
    /// Further clauses whose checks may stop it, each with the reason: one clause, or a family as `B-UNIT-*`.
    pub may: &'static [(&'static str, &'static str)],
    pub(crate) stages: Stages,
}

/// What a kill of a mutant by the checks of one clause is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expectation {
    /// Its absence is a hole in the suite.
    Must,
    /// It is a consequence of the fault, for this reason.
    May(&'static str),
    /// It is a false alarm, or the fault is not what it is said to be.
    MustNot,
}

impl Mutant {
    /// What a kill by the checks of this clause is.
    pub fn expects(&self, clause: &str) -> Expectation {
        if self.must.contains(&clause) {
            return Expectation::Must;
        }
        let covers = |pattern: &str| match pattern.strip_suffix('*') {
            Some(family) => clause.starts_with(family),
            None => pattern == clause,
        };
        let allowed = self.may.iter().find(|(pattern, _)| covers(pattern));
        allowed.map_or(Expectation::MustNot, |(_, reason)| Expectation::May(reason))
    }

    /// A fresh instance, which remembers nothing of another one.
    pub fn implementation(&self) -> Mutated {
        Mutated::new(self.name, self.stages)
    }
}

/// Every mutant, by family, in the order of the spec.
pub fn all() -> &'static [Mutant] {
    static ALL: LazyLock<Vec<Mutant>> = LazyLock::new(|| faults::FAMILIES.concat());
    &ALL
}

/// A mutant's implementation, or the control's, by its name.
pub fn by_name(name: &str) -> Option<Mutated> {
    if name == CONTROL {
        return Some(Mutated::new(CONTROL, Stages::SPEC));
    }
    all().iter().find(|mutant| mutant.name == name).map(Mutant::implementation)
}
