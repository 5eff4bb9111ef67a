//! What a check is: one clause, stated over what was observed.

use crate::case::{Body, Case};
use crate::step::Outcome;
use seamcheck_protocol::messages::{Declaration, Level};

/// One way in which one clause can be seen to hold or not.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// `clause.slug`, the same when it passes and when it fails.
    pub id: &'static str,
    /// The clause of the spec.
    pub clause: &'static str,
    /// The level that an implementation must declare for the clause to apply.
    pub level: Level,
    /// Whether it is a MUST; the others are a SHOULD.
    pub must: bool,
    pub(crate) run: fn(&Observed<'_>) -> Judgement,
}

impl Check {
    /// The clause over one case and what was observed of it.
    pub fn judge(&self, observed: &Observed<'_>) -> Judgement {
        match observed.body() {
            // A vector speaks for its own clause alone.
            Body::Vector(vector) if vector.clause != self.clause => Judgement::NotReached,
            _ => (self.run)(observed),
        }
    }
}

/// Everything a check may look at.
#[derive(Debug, Clone, Copy)]
pub struct Observed<'a> {
    /// What was asked.
    pub case: &'a Case,
    /// What came of it.
    pub outcomes: &'a [Outcome],
    /// What the adapter declares.
    pub declaration: &'a Declaration,
}

impl Observed<'_> {
    /// The body of the case.
    pub fn body(&self) -> &Body {
        &self.case.body
    }

    /// Whether the implementation counts and refuses as the spec says.
    pub fn is_exact(&self) -> bool {
        self.declaration.levels.contains(&Level::Exact)
    }
}

/// What a check says about one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// The case does not reach the clause.
    NotReached,
    /// The clause was reached and holds.
    Holds,
    /// The clause was reached and is violated, in words.
    Violated(String),
    /// The clause was reached, but this adapter does not show what it takes to judge it.
    NotObservable(&'static str),
}

impl Judgement {
    /// Holds, or is violated with these words.
    pub(crate) fn require(holds: bool, words: impl FnOnce() -> String) -> Self {
        if holds { Self::Holds } else { Self::Violated(words()) }
    }

    /// The first violation, else anything that cannot be seen, else whether the clause was reached at all.
    pub(crate) fn all(judgements: impl IntoIterator<Item = Self>) -> Self {
        let mut whole = Self::NotReached;
        for judgement in judgements {
            match (&whole, &judgement) {
                (_, Self::Violated(_)) => return judgement,
                (_, Self::NotReached) | (Self::NotObservable(_), _) => {}
                _ => whole = judgement,
            }
        }
        whole
    }
}
