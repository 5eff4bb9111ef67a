//! The score of a run, kept from its events alone.

use super::certificate::FlakyEntry;
use super::fold;
use crate::event::{CaseEnded, CaseVerdict, Compared, CorpusAnswer, Counterexample, Event, Family};
use crate::fault::FaultEntry;
use schemars::JsonSchema;
use seamcheck_checks::check::{Check, Judgement};
use seamcheck_protocol::messages::{Declaration, Level};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Violations of one check that are kept in words; all are counted.
pub(crate) const KEPT_VIOLATIONS: usize = 3;
/// Flaky cases that are kept in words; all are counted.
pub(crate) const KEPT_FLAKY: usize = 20;

/// What has happened so far.
#[derive(Debug, Default)]
pub struct Tally {
    /// What the adapter declares, once it is ready.
    pub started: Option<(Declaration, Vec<Level>)>,
    /// Cases by what came of them.
    pub cases: CaseCounts,
    /// Scores by the id of the check.
    pub scores: BTreeMap<&'static str, Score>,
    /// Clauses and families of clauses for which the adapter lacks something, with all that it lacks.
    pub lacking: BTreeMap<String, BTreeSet<&'static str>>,
    /// Cases that something is expected of, and what came of them.
    pub watched: BTreeMap<String, Option<Seen>>,
    /// What the adapter said of each transcript of the user's.
    pub corpus: Vec<CorpusAnswer>,
    /// The first adapter faults, those that are alike told once.
    pub faults: Vec<FaultEntry>,
    /// How many there were.
    pub fault_count: u64,
    /// How the answers stand to those of the reference.
    pub differential: Differential,
    /// The first cases that went otherwise when they were repeated.
    pub flaky: Vec<FlakyEntry>,
    /// How many there were.
    pub flaky_count: u64,
    /// Failures of the harness itself.
    pub harness_faults: Vec<String>,
    /// Violations made small.
    pub counterexamples: Vec<Counterexample>,
    /// Why the run is incomplete; it is until it says that it has ended.
    pub incomplete: Option<String>,
    /// Whether the run said that it has ended.
    pub ended: bool,
    /// How often the adapter was started again.
    pub restarts: u64,
}

/// Cases by what came of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseCounts {
    /// Golden vectors that were run.
    pub vectors: u64,
    /// Generated cases that were run.
    pub generated: u64,
    /// Cases made of the user's transcripts that were run.
    pub corpus: u64,
    /// Cases that were not run, since their level is not judged.
    pub not_applicable: u64,
    /// Cases that were not run, by what the adapter lacks.
    pub not_observable: BTreeMap<Cow<'static, str>, u64>,
    /// Cases whose input the implementation cannot express. They were run and not judged.
    pub unsupported: u64,
    /// Cuts that the trimmer refused. They count for nothing.
    pub refused_cuts: u64,
    /// Cases that ended in an adapter fault.
    pub faults: u64,
}

/// How an adapter's answers stand to those of the reference. A difference is shown and is no verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Differential {
    /// Answers that were compared.
    pub compared: u64,
    /// Answers that differ.
    pub different: u64,
    /// The first of them: case and words.
    pub first: Option<String>,
    /// The place of that case in the whole run.
    pub first_ordinal: Option<u64>,
}

/// What came of one case, by the name of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// `pass`, `violation`, `unsupported`, `not-observable`, `not-applicable`, `flaky` or the name of an adapter fault.
    pub kind: &'static str,
    /// The checks that it violates.
    pub violated: Vec<&'static str>,
}

impl Seen {
    fn of(verdict: &CaseVerdict) -> Self {
        let kind = match verdict {
            CaseVerdict::NotApplicable => "not-applicable",
            CaseVerdict::NotObservable { .. } => "not-observable",
            CaseVerdict::Unsupported => "unsupported",
            CaseVerdict::Fault(fault) => fault.kind.name(),
            CaseVerdict::Flaky { .. } => "flaky",
            CaseVerdict::Judged(judgements) => {
                let violated = judgements.iter().filter(|(_, judgement)| matches!(judgement, Judgement::Violated(_)));
                let violated: Vec<&'static str> = violated.map(|(check, _)| check.id).collect();
                return Self { kind: if violated.is_empty() { "pass" } else { "violation" }, violated };
            }
        };
        Self { kind, violated: Vec::new() }
    }
}

impl Differential {
    fn take(&mut self, ordinal: u64, case: &str, compared: Compared) {
        self.compared += compared.answers;
        self.different += compared.differences.len() as u64;
        if let (None, Some(words)) = (&self.first, compared.differences.into_iter().next()) {
            self.first = Some(format!("{case}: {words}"));
            self.first_ordinal = Some(ordinal);
        }
    }
}

impl CaseCounts {
    /// How many were run.
    pub fn run(&self) -> u64 {
        self.vectors + self.generated + self.corpus
    }
}

/// The score of one check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Score {
    /// Cases in which it holds.
    pub holds: u64,
    /// Cases in which it is violated.
    pub violated: u64,
    /// Cases that reached it and did not show it, by the reason.
    pub not_observable: BTreeMap<&'static str, u64>,
    /// The first violations: place in the whole run, case, words.
    pub violations: Vec<(u64, String, String)>,
}

impl Score {
    /// Cases that reached it.
    pub fn reached(&self) -> u64 {
        self.holds + self.violated + self.not_observable.values().sum::<u64>()
    }
}

impl Tally {
    /// Takes the next event.
    pub fn take(&mut self, event: Event) {
        match event {
            Event::Started { declaration, levels } => self.started = Some((declaration, levels)),
            Event::CaseEnded(case) => self.take_case(case),
            Event::CorpusAnswered(answer) => self.corpus.push(answer),
            Event::SessionFault { during, fault } => self.take_fault(FaultEntry::new(during, None, fault)),
            Event::HarnessFault { during, words } => self.harness_faults.push(format!("{during}: {words}")),
            Event::Flaky { ordinal, case, words } => self.take_flaky(FlakyEntry { ordinal, case, words }),
            Event::Counterexample(counterexample) => self.take_counterexample(*counterexample),
            Event::Ended { incomplete, restarts } => {
                (self.incomplete, self.restarts, self.ended) = (incomplete, restarts, true);
            }
        }
    }

    /// A smaller one takes the place of the one that was found.
    fn take_counterexample(&mut self, counterexample: Counterexample) {
        self.counterexamples.retain(|known| !std::ptr::eq(known.check, counterexample.check));
        self.counterexamples.push(counterexample);
    }

    fn take_case(&mut self, case: CaseEnded) {
        let CaseEnded { ordinal, name, family, verdict, refused, compared } = case;
        self.differential.take(ordinal, &name, compared);
        if let Some(watched) = self.watched.get_mut(&name) {
            *watched = Some(Seen::of(&verdict));
        }
        let counts = &mut self.cases;
        counts.refused_cuts += refused as u64;
        if !matches!(verdict, CaseVerdict::NotApplicable | CaseVerdict::NotObservable { .. }) {
            *match family {
                Family::Vector => &mut counts.vectors,
                Family::Generated => &mut counts.generated,
                Family::Corpus => &mut counts.corpus,
            } += 1;
        }
        match verdict {
            CaseVerdict::NotApplicable => counts.not_applicable += 1,
            CaseVerdict::NotObservable { reason, about } => {
                *counts.not_observable.entry(reason.into()).or_default() += 1;
                if let Some(about) = about {
                    self.lacking.entry(about).or_default().insert(reason);
                }
            }
            CaseVerdict::Unsupported => counts.unsupported += 1,
            CaseVerdict::Flaky { words } => self.take_flaky(FlakyEntry { ordinal, case: name, words }),
            CaseVerdict::Fault(fault) => {
                counts.faults += 1;
                self.take_fault(FaultEntry::new(name, Some(ordinal), fault));
            }
            CaseVerdict::Judged(judgements) => {
                for (check, judgement) in judgements {
                    self.take_judgement(check, judgement, ordinal, &name);
                }
            }
        }
    }

    fn take_judgement(&mut self, check: &Check, judgement: Judgement, ordinal: u64, case: &str) {
        let score = self.scores.entry(check.id).or_default();
        match judgement {
            Judgement::NotReached => {}
            Judgement::Holds => score.holds += 1,
            Judgement::NotObservable(reason) => *score.not_observable.entry(reason).or_default() += 1,
            Judgement::Violated(words) => {
                score.violated += 1;
                if score.violations.len() < KEPT_VIOLATIONS {
                    score.violations.push((ordinal, case.to_owned(), words));
                }
            }
        }
    }

    fn take_flaky(&mut self, flaky: FlakyEntry) {
        self.flaky_count += 1;
        if self.flaky.len() < KEPT_FLAKY {
            self.flaky.push(flaky);
        }
    }

    fn take_fault(&mut self, fault: FaultEntry) {
        self.fault_count += 1;
        fold::add(&mut self.faults, fault);
    }
}
