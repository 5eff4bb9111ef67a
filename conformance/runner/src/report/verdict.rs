//! From scores to verdicts: of each check, and of the whole run with its exit code.

use super::certificate::{Certificate, CheckEntry, CheckVerdict, Verdict, ViolationEntry};
use super::counted;
use super::expected::{ExpectationOutcome, ExpectationsEntry};
use super::tally::{Score, Tally};
use crate::exit_code::Exit;
use crate::spec_page;
use seamcheck_checks::check::Check;
use seamcheck_reference::SPEC_VERSION;

/// The row of a check, which may not apply to this adapter.
pub(super) fn entry(check: &Check, tally: &Tally, applies: bool) -> CheckEntry {
    let Score { holds, violated, mut not_observable, violations } =
        tally.scores.get(check.id).cloned().unwrap_or_default();
    let reached = holds + violated + not_observable.values().sum::<u64>();
    if reached == 0 {
        let family = spec_page::family(check.clause);
        let lacking = [check.clause, family].into_iter().filter_map(|about| tally.lacking.get(about)).flatten();
        not_observable.extend(lacking.map(|lacking| (*lacking, 0)));
    }
    let violations = violations.into_iter().map(|(ordinal, case, words)| ViolationEntry { ordinal, case, words });
    let Check { id, clause, level, must, .. } = *check;
    let mut entry = CheckEntry {
        id: id.into(),
        clause: clause.into(),
        level,
        must,
        verdict: CheckVerdict::NotApplicable,
        expected: false,
        reached,
        holds,
        violated,
        not_observable: not_observable.into_iter().map(|(reason, count)| (reason.into(), count)).collect(),
        violations: violations.collect(),
    };
    if applies {
        entry.verdict = entry.verdict_by_counts();
    }
    entry
}

impl CheckEntry {
    /// Its name behind the clause.
    pub(crate) fn slug(&self) -> &str {
        self.id.strip_prefix(&*self.clause).unwrap_or(&self.id).trim_start_matches('.')
    }

    /// What came of a check that applies, by its counts.
    pub(crate) fn verdict_by_counts(&self) -> CheckVerdict {
        if self.violated > 0 {
            CheckVerdict::Violation
        } else if self.holds > 0 {
            CheckVerdict::Pass
        } else if !self.not_observable.is_empty() {
            CheckVerdict::NotObservable
        } else {
            CheckVerdict::NotExercised
        }
    }
}

/// The verdict on everything.
pub(super) fn verdict(certificate: &Certificate) -> Verdict {
    let Certificate { checks, partial, shard, incomplete, .. } = certificate;
    let is_violated = |check: &CheckEntry| check.must && check.verdict == CheckVerdict::Violation;
    let violated = clauses(checks, |check| is_violated(check) && !check.expected);
    let excused = clauses(checks, |check| is_violated(check) && check.expected).len();
    let expectations = certificate.expectations.as_ref();
    let excused_faults = expectations.map_or(0, ExpectationsEntry::faults);
    let faults = certificate.fault_count.saturating_sub(excused_faults);
    let failed = |outcome| expectations.map_or(0, |expected| expected.with(outcome).count()) as u64;
    let (stale, other) = (failed(ExpectationOutcome::Stale), failed(ExpectationOutcome::OtherKind));
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
    because(stale > 0, Exit::Violation, format!("{} stale", counted(stale, "expectation")));
    because(other > 0, Exit::Violation, format!("{} of another kind than was found", counted(other, "expectation")));
    let flaky = certificate.flaky_count;
    because(flaky > 0, Exit::Violation, format!("{} flaky", counted(flaky, "case")));
    because(faults > 0, Exit::Incomplete, counted(faults, "adapter fault"));
    because(incomplete.is_some(), Exit::Incomplete, incomplete.clone().unwrap_or_default());
    // What was left out on purpose is not incomplete, and no certificate either.
    because(!partial && !idle.is_empty(), Exit::Incomplete, clauses_that_are(idle.len(), "not exercised"));
    // A part may show nothing; the whole may not.
    let unseen = shown.is_empty() && incomplete.is_none() && shard.is_none();
    because(unseen, Exit::Incomplete, "no clause was seen".to_owned());
    because(!certificate.harness_faults.is_empty(), Exit::Harness, "the harness itself failed".to_owned());
    let is_excused = excused > 0 || excused_faults > 0;
    let words = if !reasons.is_empty() {
        format!("not certified: {}", reasons.join("; "))
    } else if let Some(shard) = shard {
        format!("no certificate: shard {shard} holds; `seamcheck merge` puts the certificates of all shards together")
    } else if is_excused {
        let faults =
            if excused_faults > 0 { format!(", {}", counted(excused_faults, "adapter fault")) } else { String::new() };
        format!(
            "no certificate: {}{faults}, as expected; what is expected passes and denies the certificate",
            clauses_that_are(excused, "violated")
        )
    } else if *partial {
        "no certificate: what was run holds, but only a part was run".to_owned()
    } else {
        let names = certificate.levels.iter().map(|level| level.as_str()).collect::<Vec<_>>().join(", ");
        format!("certified: spec {SPEC_VERSION}, levels {names}{}", notes(checks, &shown))
    };
    Verdict { certified: reasons.is_empty() && !partial && !is_excused, words, exit_code: exit as u8, exit }
}

fn notes(checks: &[CheckEntry], shown: &[&str]) -> String {
    let unseen = clauses(checks, |check| check.verdict == CheckVerdict::NotObservable);
    let unseen = unseen.into_iter().filter(|clause| !shown.contains(clause)).count();
    let advice = clauses(checks, |check| !check.must && check.verdict == CheckVerdict::Violation).len();
    let mut notes = String::new();
    for (count, what) in [(unseen, "not observable"), (advice, "of a SHOULD violated")] {
        if count > 0 {
            notes = format!("{notes}; {}", clauses_that_are(count, what));
        }
    }
    notes
}

fn clauses(checks: &[CheckEntry], which: impl Fn(&CheckEntry) -> bool) -> Vec<&str> {
    let mut clauses: Vec<_> = checks.iter().filter(|check| which(check)).map(|check| check.clause.as_ref()).collect();
    clauses.dedup();
    clauses
}

fn clauses_that_are(count: usize, what: &str) -> String {
    format!("{} {what}", counted(count as u64, "clause"))
}
