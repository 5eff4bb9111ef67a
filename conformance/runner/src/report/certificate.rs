//! The certificate: everything that a verdict rests on, and the verdict.
//!
//! It holds no time and no path, so that the same run gives the same certificate. Absent on purpose: any proof
//! that the adapter told the truth, which cannot be seen from outside a process.

use super::counterexample::CounterexampleEntry;
use super::expected::{self, ExpectationsEntry, Scope};
use super::schema::{CapabilitiesForm, LevelForm};
use super::tally::{CaseCounts, Differential, Tally};
use super::verdict::entry;
use crate::command::{CommandLine, FileDigest, sha256_hex};
use crate::event::CorpusAnswer;
use crate::exit_code::Exit;
use crate::expectations::Expectations;
use crate::fault::FaultEntry;
use crate::shard::Shard;
use crate::spec_page;
use schemars::JsonSchema;
use seamcheck_checks::check::Check;
use seamcheck_protocol::messages::{Capabilities, Keeps, Level, PROTOCOL_VERSION};
use seamcheck_reference::SPEC_VERSION;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The version of the certificate's own form.
pub(crate) const FORMAT: u32 = 1;
/// The clause that is about adapters that declare `suffix` alone.
const SUFFIX_CLAUSE: &str = "B-TRIM-6";

/// A certificate.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Certificate {
    /// The version of this form.
    pub format: u32,
    /// The version of the suite.
    pub suite: String,
    /// The version of the spec.
    pub spec: String,
    /// A digest of the spec's page.
    pub spec_sha256: String,
    /// The version of the protocol.
    pub protocol: String,
    /// Who is certified.
    pub adapter: AdapterEntry,
    /// The levels it was judged at.
    #[schemars(with = "Vec<LevelForm>")]
    pub levels: Vec<Level>,
    /// What the generated cases were drawn from.
    pub seed: u64,
    /// What was asked for.
    pub selection: Selection,
    /// The part of the cases that was run, if not all.
    pub shard: Option<Shard>,
    /// Whether some clauses or cases were left out, or nothing was generated.
    pub partial: bool,
    /// What was expected to fail, and whether it did.
    pub expectations: Option<ExpectationsEntry>,
    /// Cases by what came of them.
    pub cases: CaseCounts,
    /// How the answers stand to those of the reference.
    pub differential: Differential,
    /// How often the adapter was started again.
    pub restarts: u64,
    /// Every check that was asked for, in the order of the spec.
    pub checks: Vec<CheckEntry>,
    /// The user's transcripts.
    pub corpus: Vec<CorpusAnswer>,
    /// The first adapter faults, those that are alike told once.
    pub faults: Vec<FaultEntry>,
    /// How many there were in all.
    pub fault_count: u64,
    /// The first cases that went otherwise when they were repeated.
    pub flaky: Vec<FlakyEntry>,
    /// How many there were.
    pub flaky_count: u64,
    /// Failures of the harness itself.
    pub harness_faults: Vec<String>,
    /// Violations made small.
    pub counterexamples: Vec<CounterexampleEntry>,
    /// Why the run is incomplete, if it is.
    pub incomplete: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Who is certified.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AdapterEntry {
    /// As declared; empty when it never was.
    pub name: String,
    /// As declared.
    pub version: String,
    /// As declared.
    pub language: String,
    /// How it is started.
    pub command: String,
    /// The files that the command names.
    pub files: Vec<FileDigest>,
    /// As declared.
    #[schemars(with = "Option<CapabilitiesForm>")]
    pub capabilities: Option<Capabilities>,
}

/// What was asked for, as it was given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Selection {
    /// Globs over levels.
    pub levels: Vec<String>,
    /// Globs over clauses and checks.
    pub clauses: Vec<String>,
    /// Globs over cases.
    pub cases: Vec<String>,
    /// How many cases were to be generated.
    pub generated: u64,
    /// Over the sources and messages of the user's transcripts, if there are any.
    pub corpus_sha256: Option<String>,
}

impl Selection {
    /// Every glob over clauses, checks and cases.
    pub fn globs(&self) -> impl Iterator<Item = &str> {
        self.clauses.iter().chain(&self.cases).map(String::as_str)
    }

    /// Whether a certificate can come of it.
    pub fn is_partial(&self) -> bool {
        !self.clauses.is_empty() || !self.cases.is_empty() || self.generated == 0
    }
}

/// The row of one check.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckEntry {
    /// Its id.
    pub id: Cow<'static, str>,
    /// Its clause.
    pub clause: Cow<'static, str>,
    /// The level of its clause.
    #[schemars(with = "LevelForm")]
    pub level: Level,
    /// Whether it is a MUST.
    pub must: bool,
    /// What came of it.
    pub verdict: CheckVerdict,
    /// Whether all its violations were expected.
    pub expected: bool,
    /// Cases that reached it.
    pub reached: u64,
    /// Cases in which it holds.
    pub holds: u64,
    /// Cases in which it is violated.
    pub violated: u64,
    /// Why it could not be seen, with how often; 0 for what the adapter lacks.
    pub not_observable: BTreeMap<Cow<'static, str>, u64>,
    /// The first violations.
    pub violations: Vec<ViolationEntry>,
}

/// What came of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CheckVerdict {
    /// It holds in every case that showed it.
    Pass,
    /// It is violated.
    Violation,
    /// No case showed it, since this adapter cannot.
    NotObservable,
    /// Its level is not judged.
    NotApplicable,
    /// No case reached it.
    NotExercised,
}

impl CheckVerdict {
    /// Every verdict, what matters most first.
    pub const ALL: [Self; 5] =
        [Self::Violation, Self::NotExercised, Self::NotObservable, Self::Pass, Self::NotApplicable];

    /// For a person.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Violation => "violation",
            Self::NotObservable => "not observable",
            Self::NotApplicable => "not applicable",
            Self::NotExercised => "not exercised",
        }
    }

    /// Its name, as it stands in the certificate.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Violation => "violation",
            Self::NotObservable => "not-observable",
            Self::NotApplicable => "not-applicable",
            Self::NotExercised => "not-exercised",
        }
    }
}

/// One violation in words.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ViolationEntry {
    /// The place of the case in the whole run.
    pub ordinal: u64,
    /// The case.
    pub case: String,
    /// What is wrong.
    pub words: String,
}

/// A case that went otherwise when it was repeated.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct FlakyEntry {
    /// The place of the case in the whole run.
    pub ordinal: u64,
    /// The case.
    pub case: String,
    /// What differs.
    pub words: String,
}

/// The verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// Whether this is a certificate.
    pub certified: bool,
    /// In words.
    pub words: String,
    /// The exit code of the program.
    pub exit_code: u8,
    /// The exit code, typed.
    #[serde(skip)]
    pub exit: Exit,
}

/// What a certificate is about, beyond what happened.
#[derive(Debug)]
pub struct About<'a> {
    /// How the adapter is started.
    pub command: &'a CommandLine,
    /// What the generated cases were drawn from.
    pub seed: u64,
    /// What was asked for.
    pub selection: Selection,
    /// The part of the cases that was run, if not all.
    pub shard: Option<Shard>,
    /// What was expected to fail.
    pub expectations: Option<&'a Expectations>,
    /// Every check that was asked for, in the order of the spec.
    pub checks: &'a [&'static Check],
}

impl Certificate {
    /// Writes down what happened.
    pub fn new(tally: Tally, about: &About<'_>) -> Self {
        let mut tally = tally;
        if !tally.ended {
            tally.incomplete.get_or_insert_with(|| "interrupted".to_owned());
        }
        let (declaration, levels) = tally.started.take().unzip();
        let levels = levels.unwrap_or_default();
        let keeps = declaration.as_ref().map(|declaration| declaration.capabilities.keeps);
        let applies = |check: &Check| {
            levels.contains(&check.level) && (check.clause != SUFFIX_CLAUSE || keeps == Some(Keeps::Suffix))
        };
        let checks: Vec<CheckEntry> = about.checks.iter().map(|check| entry(check, &tally, applies(check))).collect();
        let complete = about.shard.is_none() && tally.incomplete.is_none();
        let scope = Scope { selection: &about.selection, seed: about.seed, levels: &levels, complete };
        let expectations = about.expectations.map(|expected| expected::begin(expected, &tally.watched, scope));
        let declared = |field: fn(&seamcheck_protocol::messages::Declaration) -> &String| {
            declaration.as_ref().map(field).cloned().unwrap_or_default()
        };
        let certificate = Self {
            format: FORMAT,
            suite: env!("CARGO_PKG_VERSION").to_owned(),
            spec: SPEC_VERSION.to_owned(),
            spec_sha256: sha256_hex(spec_page::bytes()),
            protocol: PROTOCOL_VERSION.to_owned(),
            adapter: AdapterEntry {
                name: declared(|declaration| &declaration.name),
                version: declared(|declaration| &declaration.version),
                language: declared(|declaration| &declaration.language),
                command: about.command.display(),
                files: about.command.digests(),
                capabilities: declaration.as_ref().map(|declaration| declaration.capabilities.clone()),
            },
            levels,
            seed: about.seed,
            selection: about.selection.clone(),
            shard: about.shard,
            partial: about.selection.is_partial() || about.shard.is_some(),
            expectations,
            cases: tally.cases,
            differential: tally.differential,
            restarts: tally.restarts,
            checks,
            corpus: tally.corpus,
            faults: tally.faults,
            fault_count: tally.fault_count,
            flaky: tally.flaky,
            flaky_count: tally.flaky_count,
            harness_faults: tally.harness_faults,
            counterexamples: tally.counterexamples.iter().map(CounterexampleEntry::new).collect(),
            incomplete: tally.incomplete,
            verdict: Verdict::default(),
        };
        certificate.settled()
    }

    /// The same rows with what was expected settled and the verdict on them.
    pub(crate) fn settled(mut self) -> Self {
        let complete = self.shard.is_none() && self.incomplete.is_none();
        let scope = Scope { selection: &self.selection, seed: self.seed, levels: &self.levels, complete };
        if let Some(expectations) = &mut self.expectations {
            expected::settle(expectations, &mut self.checks, scope);
        }
        self.verdict = super::verdict::verdict(&self);
        self
    }
}
