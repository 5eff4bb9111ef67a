//! What was expected beside what was found: which entries of an expectations file were met, and which fail.
//!
//! Works on the rows of a certificate alone, so that a merged certificate is settled as that of one run.

use super::certificate::{CheckEntry, CheckVerdict, Selection};
use super::tally::Seen;
use crate::expectations::{Expectations, Expected, Target};
use crate::fault::FaultKind;
use schemars::JsonSchema;
use seamcheck_checks::source;
use seamcheck_protocol::messages::Level;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The expectations of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExpectationsEntry {
    /// Of the file's content, in hexadecimal.
    pub sha256: String,
    /// Its entries in order.
    pub entries: Vec<ExpectationEntry>,
}

/// One expectation and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExpectationEntry {
    /// The line of the file it stands at.
    pub line: usize,
    /// What its id names.
    pub target: Target,
    /// The clause, check or case.
    pub id: String,
    /// What was expected.
    pub kind: String,
    /// Why.
    pub reason: String,
    /// What came of it.
    pub outcome: ExpectationOutcome,
    /// What was found, where that was something else.
    pub found: Option<String>,
    /// The checks that an expected case violates.
    pub violated: Vec<String>,
}

/// What came of an expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExpectationOutcome {
    /// As expected.
    Met,
    /// What was expected to fail holds, or was not there.
    Stale,
    /// It fails in another way.
    OtherKind,
    /// It lies outside what was run.
    Outside,
}

/// How much of a run the rows show.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) selection: &'a Selection,
    pub(super) seed: u64,
    pub(super) levels: &'a [Level],
    /// Whether all that was selected has been run: no shard, and to the end.
    pub(super) complete: bool,
}

/// The entries of a file, those about cases settled by what came of these.
pub(super) fn begin(
    expectations: &Expectations,
    watched: &BTreeMap<String, Option<Seen>>,
    scope: Scope<'_>,
) -> ExpectationsEntry {
    let entry = |expected: &Expected| {
        let Expected { line, target, id, kind, reason } = expected.clone();
        let (outcome, found, violated) = (ExpectationOutcome::Outside, None, Vec::new());
        let mut entry = ExpectationEntry { line, target, id, kind, reason, outcome, found, violated };
        if let (Target::Case, Some(Some(seen))) = (entry.target, watched.get(&entry.id)) {
            entry.violated = seen.violated.iter().map(|check| (*check).to_owned()).collect();
            if seen.kind != "not-applicable" || scope.selection.levels.is_empty() {
                entry.settle(&[seen.kind]);
            }
        }
        entry
    };
    ExpectationsEntry { sha256: expectations.sha256.clone(), entries: expectations.entries.iter().map(entry).collect() }
}

/// Settles the entries about checks and clauses and the cases that never came, and marks the rows whose violations
/// are all expected.
pub(super) fn settle(expectations: &mut ExpectationsEntry, checks: &mut [CheckEntry], scope: Scope<'_>) {
    for entry in &mut expectations.entries {
        let rows = checks.iter().filter(|check| match entry.target {
            Target::Clause => check.clause == entry.id,
            Target::Check => check.id == entry.id,
            Target::Case => false,
        });
        let found: Vec<&str> = rows.map(|check| check.verdict.name()).collect();
        if entry.target == Target::Case {
            if entry.outcome == ExpectationOutcome::Outside && scope.had_case(&entry.id) {
                entry.settle(&["not-run"]);
            }
            continue;
        }
        let left_out = !scope.selection.levels.is_empty() && found.iter().all(|found| *found == "not-applicable");
        let undecided = !scope.complete || !scope.selection.cases.is_empty();
        if found.contains(&entry.kind.as_str()) || !(found.is_empty() || left_out || undecided) {
            entry.settle(&found);
        }
    }
    for check in checks {
        check.expected = check.verdict == CheckVerdict::Violation && expectations.excuse(check);
    }
}

impl Scope<'_> {
    /// Whether a case that never came should have come.
    fn had_case(&self, name: &str) -> bool {
        let everything = self.selection.levels.is_empty() && self.selection.cases.is_empty() && self.complete;
        let vector =
            name.starts_with("vector/") && self.selection.clauses.is_empty() && self.levels.contains(&Level::Exact);
        let generated = source::read_generated_name(name)
            .is_some_and(|(seed, index)| seed == self.seed && index < self.selection.generated);
        everything && (vector || generated)
    }
}

impl ExpectationsEntry {
    /// Entries with this outcome.
    pub fn with(&self, outcome: ExpectationOutcome) -> impl Iterator<Item = &ExpectationEntry> {
        self.entries.iter().filter(move |entry| entry.outcome == outcome)
    }

    /// Adapter faults that were expected and came.
    pub(super) fn faults(&self) -> u64 {
        let fault = |entry: &&ExpectationEntry| entry.target == Target::Case && FaultKind::is_name(&entry.kind);
        self.with(ExpectationOutcome::Met).filter(fault).count() as u64
    }

    /// Whether every violation of this check is expected: by its id, by its clause's, or case by case.
    fn excuse(&self, check: &CheckEntry) -> bool {
        let met = || self.with(ExpectationOutcome::Met).filter(|entry| entry.kind == CheckVerdict::Violation.name());
        let named = |entry: &ExpectationEntry| match entry.target {
            Target::Clause => check.clause == entry.id,
            Target::Check => check.id == entry.id,
            Target::Case => false,
        };
        let cases = met().filter(|entry| entry.violated.iter().any(|violated| check.id == *violated)).count() as u64;
        met().any(named) || cases == check.violated
    }
}

impl ExpectationEntry {
    /// Compares with what was found, one or several things.
    fn settle(&mut self, found: &[&str]) {
        const FINE: [&str; 4] = ["pass", "not-run", "not-applicable", "not-exercised"];
        if found.contains(&self.kind.as_str()) {
            (self.outcome, self.found) = (ExpectationOutcome::Met, None);
            return;
        }
        let worst = found.iter().find(|found| !FINE.contains(found)).or(found.first());
        let fine = worst.is_none_or(|worst| FINE.contains(worst));
        self.outcome = if fine { ExpectationOutcome::Stale } else { ExpectationOutcome::OtherKind };
        self.found = worst.map(|worst| (*worst).to_owned());
    }
}
