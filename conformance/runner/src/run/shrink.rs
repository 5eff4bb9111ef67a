//! Makes a violation small: greedily over the smaller cases that a case offers, on the adapter that is
//! running, for as long as the same check is violated. Before, the case is repeated; after, the small one is run in
//! a process of its own: neither changes the verdict, both say whether the counterexample stands by itself.

use super::order::Violation;
use super::repeat;
use crate::adapter::Adapter;
use crate::event::{Again, Counterexample, Event};
use crate::harness::{guard, guard_future};
use seamcheck_checks::case::Case;
use seamcheck_checks::check::{Check, Judgement, Observed};
use seamcheck_checks::step::Outcome;
use seamcheck_protocol::messages::Declaration;
use std::time::Duration;
use tokio::time::Instant;

/// Smaller cases that are tried for one violation.
const MAX_TRIES: u32 = 2_000;
/// Adapter faults on the way after which a violation is small enough.
const MAX_FAULTS: u32 = 3;
/// Counterexamples that are run in a process of their own; starting one may take a while.
const RUN_ALONE: usize = 12;

/// Makes violations small.
pub(super) struct Shrinker<'a> {
    pub(super) adapter: &'a mut Adapter,
    pub(super) declaration: &'a Declaration,
    pub(super) tell: &'a mut dyn FnMut(Event),
    /// Whether each case is tried in a process of its own.
    pub(super) fresh: bool,
}

impl Shrinker<'_> {
    /// Makes the first violation of every check small, in the order of the spec.
    pub(super) async fn all(mut self, mut violations: Vec<Violation>, checks: &[&'static Check], limit: Duration) {
        let mut counterexamples = Vec::new();
        for check in checks {
            let Some(place) = violations.iter().position(|violation| std::ptr::eq(violation.check, *check)) else {
                continue;
            };
            let violation = violations.swap_remove(place);
            let counterexample = self.shrink(violation.clone(), limit).await;
            counterexamples.push((violation, counterexample));
        }
        for (number, (violation, mut counterexample)) in counterexamples.into_iter().enumerate() {
            if number < RUN_ALONE && counterexample.again.is_some() && !limit.is_zero() {
                counterexample = self.alone(violation, counterexample, limit).await;
            }
            (self.tell)(Event::Counterexample(Box::new(counterexample)));
        }
    }

    /// Makes sure that a small case stands by itself. One that does not, since it rests on what other cases have left
    /// in the adapter, is made small anew, each try in a process of its own, if what was found stands by itself.
    async fn alone(&mut self, violation: Violation, small: Counterexample, limit: Duration) -> Counterexample {
        self.fresh = true;
        let is_small = small.again == Some(Again::Same);
        let counterexample = if is_small && !matches!(self.try_case(small.check, &small.small).await, Tried::Other) {
            small
        } else if let Tried::Violated(..) = self.try_case(violation.check, &violation.case).await {
            self.shrink(violation, limit).await
        } else {
            let again = if is_small { Some(Again::OnlyAfterOthers) } else { small.again };
            Counterexample { again, ..small }
        };
        self.fresh = false;
        counterexample
    }

    async fn shrink(&mut self, violation: Violation, limit: Duration) -> Counterexample {
        let Violation { check, mut words, ordinal, mut case, mut outcomes } = violation;
        let original_steps = outcomes.len();
        let deadline = Instant::now() + limit;
        let (mut tries, mut kept, mut faults) = (0, 0, 0);
        let again = match self.fresh {
            // It has been repeated before.
            true => Some(Again::Same),
            false if limit.is_zero() => None,
            false => self.repeat(check, ordinal, &case, &outcomes).await,
        };
        'smaller: loop {
            if again == Some(Again::Otherwise) {
                break;
            }
            for smaller in guard(|| case.smaller().collect::<Vec<_>>()).unwrap_or_default() {
                if tries == MAX_TRIES || faults == MAX_FAULTS || Instant::now() >= deadline {
                    break 'smaller;
                }
                tries += 1;
                match self.try_case(check, &smaller).await {
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
        let (name, small) = (case.name.clone(), case);
        Counterexample { check, ordinal, case: name, small, original_steps, tries, kept, words, outcomes, again }
    }

    /// Whether the case goes the same way again. One that does not is flaky.
    async fn repeat(
        &mut self,
        check: &'static Check,
        ordinal: u64,
        case: &Case,
        outcomes: &[Outcome],
    ) -> Option<Again> {
        match self.try_case(check, case).await {
            Tried::Violated(_, again) => {
                if let Some(words) = repeat::difference(outcomes, &again) {
                    (self.tell)(Event::Flaky { ordinal, case: case.name.clone(), words });
                }
                Some(Again::Same)
            }
            Tried::Other => {
                let words = format!("{} is violated, and was not when the case was repeated", check.id);
                (self.tell)(Event::Flaky { ordinal, case: case.name.clone(), words });
                Some(Again::Otherwise)
            }
            Tried::Fault => None,
        }
    }

    async fn try_case(&mut self, check: &'static Check, case: &Case) -> Tried {
        if case.unmet(self.declaration).is_some() {
            return Tried::Other;
        }
        if self.fresh {
            self.adapter.renew().await;
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
