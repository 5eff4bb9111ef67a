//! From scores to verdicts: of each check, and of the whole run with its exit code.

use super::certificate::{CheckEntry, CheckVerdict, Verdict, ViolationEntry};
use super::counted;
use super::tally::{Score, Tally};
use crate::exit_code::Exit;
use seamcheck_checks::check::Check;
use seamcheck_protocol::messages::Level;
use seamcheck_reference::SPEC_VERSION;

/// The row of a check, which may not apply to this adapter.
pub(super) fn entry(check: &Check, tally: &Tally, applies: bool) -> CheckEntry {
    let Score { holds, violated, mut not_observable, violations } =
        tally.scores.get(check.id).cloned().unwrap_or_default();
    let reached = holds + violated + not_observable.values().sum::<u64>();
    if reached == 0 {
        let family = check.clause.rsplit_once('-').map_or("", |(family, _)| family);
        let lacking = tally.lacking.get(check.clause).or_else(|| tally.lacking.get(family));
        not_observable.extend(lacking.map(|lacking| (*lacking, 0)));
    }
    let verdict = if !applies {
        CheckVerdict::NotApplicable
    } else if violated > 0 {
        CheckVerdict::Violation
    } else if holds > 0 {
        CheckVerdict::Pass
    } else if !not_observable.is_empty() {
        CheckVerdict::NotObservable
    } else {
        CheckVerdict::NotExercised
    };
    let violations = violations.into_iter().map(|(case, words)| ViolationEntry { case, words }).collect();
    let Check { id, clause, level, must, .. } = *check;
    CheckEntry { id, clause, level, must, verdict, reached, holds, violated, not_observable, violations }
}

/// The verdict on everything.
pub(super) fn verdict(checks: &[CheckEntry], tally: &Tally, partial: bool, levels: &[Level]) -> Verdict {
    let violated = clauses(checks, |check| check.must && check.verdict == CheckVerdict::Violation);
    // A clause with several checks is exercised when one of them is.
    let counts = |verdict| !matches!(verdict, CheckVerdict::NotExercised | CheckVerdict::NotApplicable);
    let exercised = clauses(checks, |check| counts(check.verdict));
    let mut idle = clauses(checks, |check| check.must && check.verdict == CheckVerdict::NotExercised);
    idle.retain(|clause| !exercised.contains(clause));
    let shown = clauses(checks, |check| matches!(check.verdict, CheckVerdict::Pass | CheckVerdict::Violation));
    let mut reasons = Vec::new();
    let mut exit = Exit::Conformant;
    let mut because = |holds: bool, worst: Exit, words: String| {
        if holds {
            reasons.push(words);
            exit = exit.max(worst);
        }
    };
    because(!violated.is_empty(), Exit::Violation, clauses_that_are(violated.len(), "violated"));
    because(tally.flaky_count > 0, Exit::Violation, format!("{} flaky", counted(tally.flaky_count, "case")));
    because(tally.fault_count > 0, Exit::Incomplete, counted(tally.fault_count, "adapter fault"));
    because(tally.incomplete.is_some(), Exit::Incomplete, tally.incomplete.clone().unwrap_or_default());
    // What was left out on purpose is not incomplete, and no certificate either.
    because(!partial && !idle.is_empty(), Exit::Incomplete, clauses_that_are(idle.len(), "not exercised"));
    because(shown.is_empty() && tally.incomplete.is_none(), Exit::Incomplete, "no clause was seen".to_owned());
    because(!tally.harness_faults.is_empty(), Exit::Harness, "the harness itself failed".to_owned());
    let names = levels.iter().map(|level| level.as_str()).collect::<Vec<_>>().join(", ");
    let unseen = clauses(checks, |check| check.verdict == CheckVerdict::NotObservable);
    let unseen = unseen.into_iter().filter(|clause| !shown.contains(clause)).count();
    let advice = clauses(checks, |check| !check.must && check.verdict == CheckVerdict::Violation).len();
    let mut notes = String::new();
    for (count, what) in [(unseen, "not observable"), (advice, "of a SHOULD violated")] {
        if count > 0 {
            notes = format!("{notes}; {}", clauses_that_are(count, what));
        }
    }
    let words = if !reasons.is_empty() {
        format!("not certified: {}", reasons.join("; "))
    } else if partial {
        "no certificate: what was run holds, but only a part was run".to_owned()
    } else {
        format!("certified: spec {SPEC_VERSION}, levels {names}{notes}")
    };
    Verdict { certified: reasons.is_empty() && !partial, words, exit_code: exit as u8, exit }
}

fn clauses(checks: &[CheckEntry], which: impl Fn(&CheckEntry) -> bool) -> Vec<&'static str> {
    let mut clauses: Vec<_> = checks.iter().filter(|check| which(check)).map(|check| check.clause).collect();
    clauses.dedup();
    clauses
}

fn clauses_that_are(count: usize, what: &str) -> String {
    format!("{} {what}", counted(count as u64, "clause"))
}
