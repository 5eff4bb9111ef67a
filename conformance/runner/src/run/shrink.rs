//! Makes a violation small: greedily over the smaller cases that a case offers, on the adapter that is
//! running, for as long as the same check is violated.

use super::{Runner, Violation};
use crate::event::{Counterexample, Event};
use crate::harness::{guard, guard_future};
use seamcheck_checks::case::Case;
use seamcheck_checks::check::{Check, Judgement, Observed};
use seamcheck_checks::step::Outcome;
use std::time::Duration;
use tokio::time::Instant;

/// Smaller cases that are tried for one violation.
const MAX_TRIES: u32 = 2_000;
/// Adapter faults on the way after which a violation is small enough.
const MAX_FAULTS: u32 = 3;

impl Runner<'_> {
    /// Makes the first violation of every check small, in the order of the spec.
    pub(super) async fn shrink_all(&mut self, limit: Duration) {
        let mut violations = std::mem::take(&mut self.violations);
        for check in self.checks.clone() {
            let Some(place) = violations.iter().position(|violation| std::ptr::eq(violation.check, check)) else {
                continue;
            };
            let violation = violations.swap_remove(place);
            let counterexample = self.shrink(violation, limit).await;
            (self.tell)(Event::Counterexample(Box::new(counterexample)));
        }
    }

    async fn shrink(&mut self, violation: Violation, limit: Duration) -> Counterexample {
        let Violation { check, mut words, mut case, mut outcomes } = violation;
        let original_steps = outcomes.len();
        let deadline = Instant::now() + limit;
        let (mut tries, mut kept, mut faults) = (0, 0, 0);
        'smaller: loop {
            for smaller in guard(|| case.smaller().collect::<Vec<_>>()).unwrap_or_default() {
                if tries == MAX_TRIES || faults == MAX_FAULTS || Instant::now() >= deadline {
                    break 'smaller;
                }
                tries += 1;
                match self.try_smaller(check, &smaller).await {
                    Tried::Violated(smaller_words, smaller_outcomes) => {
                        (words, outcomes, case) = (smaller_words, smaller_outcomes, smaller);
                        kept += 1;
                        continue 'smaller;
                    }
                    Tried::Other => {}
                    Tried::Fault => faults += 1,
                }
            }
            break;
        }
        Counterexample { check, case: case.name, original_steps, tries, kept, words, outcomes }
    }

    async fn try_smaller(&mut self, check: &'static Check, case: &Case) -> Tried {
        if case.unmet(self.declaration).is_some() {
            return Tried::Other;
        }
        let outcomes = match guard_future(self.adapter.drive(case, self.declaration)).await {
            Ok(Ok(outcomes)) => outcomes,
            Ok(Err(_)) => return Tried::Fault,
            Err(_) => {
                self.adapter.forget();
                return Tried::Fault;
            }
        };
        let observed = Observed { case, outcomes: &outcomes, declaration: self.declaration };
        match guard(|| check.judge(&observed)) {
            Ok(Judgement::Violated(words)) => Tried::Violated(words, outcomes),
            _ => Tried::Other,
        }
    }
}

enum Tried {
    Violated(String, Vec<Outcome>),
    Other,
    Fault,
}
