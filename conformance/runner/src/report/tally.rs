//! The score of a run, kept from its events alone.

use super::fold;
use crate::event::{CaseEnded, CaseVerdict, Compared, CorpusAnswer, Counterexample, Event, Family};
use crate::fault::FaultEntry;
use schemars::JsonSchema;
use seamcheck_checks::check::{Check, Judgement};
use seamcheck_protocol::messages::{Declaration, Level};
use serde::Serialize;
use std::collections::BTreeMap;

/// Violations of one check that are kept in words; all are counted.
const KEPT_VIOLATIONS: usize = 3;
/// Adapter faults that are kept in words, of those that are alike the first; all are counted.
const KEPT_FAULTS: usize = 20;
/// Cases that ended in a fault like one that is kept, which are named.
const KEPT_PLACES: usize = 5;

/// What has happened so far.
#[derive(Debug, Default)]
pub struct Tally {
    /// What the adapter declares, once it is ready.
    pub started: Option<(Declaration, Vec<Level>)>,
    /// Cases by what came of them.
    pub cases: CaseCounts,
    /// Scores by the id of the check.
    pub scores: BTreeMap<&'static str, Score>,
    /// Clauses and families of clauses for which the adapter lacks something, with what it lacks.
    pub lacking: BTreeMap<String, &'static str>,
    /// What the adapter said of each transcript of the user's.
    pub corpus: Vec<CorpusAnswer>,
    /// The first adapter faults, those that are alike told once.
    pub faults: Vec<FaultEntry>,
    /// How many there were.
    pub fault_count: u64,
    /// How the answers stand to those of the reference.
    pub differential: Differential,
    /// Cases that went otherwise when they were repeated, with what differs; the first of them.
    pub flaky: Vec<(String, String)>,
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
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
    pub not_observable: BTreeMap<&'static str, u64>,
    /// Cases whose input the implementation cannot express. They were run and not judged.
    pub unsupported: u64,
    /// Cuts that the trimmer refused. They count for nothing.
    pub refused_cuts: u64,
    /// Cases that ended in an adapter fault.
    pub faults: u64,
}

/// How an adapter's answers stand to those of the reference. A difference is shown and is no verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Differential {
    /// Answers that were compared.
    pub compared: u64,
    /// Answers that differ.
    pub different: u64,
    /// The first of them: case and words.
    pub first: Option<String>,
}

impl Differential {
    fn take(&mut self, case: &str, compared: Compared) {
        self.compared += compared.answers;
        self.different += compared.differences.len() as u64;
        if let (None, Some(words)) = (&self.first, compared.differences.into_iter().next()) {
            self.first = Some(format!("{case}: {words}"));
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
    /// The first violations: case, words.
    pub violations: Vec<(String, String)>,
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
            Event::SessionFault { during, fault } => self.take_fault(FaultEntry::new(during, fault)),
            Event::HarnessFault { during, words } => self.harness_faults.push(format!("{during}: {words}")),
            Event::Flaky { case, words } => self.take_flaky(case, words),
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
        let CaseEnded { name, family, verdict, refused, compared, .. } = case;
        self.differential.take(&name, compared);
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
                *counts.not_observable.entry(reason).or_default() += 1;
                if let Some(about) = about {
                    self.lacking.entry(about).or_insert(reason);
                }
            }
            CaseVerdict::Unsupported => counts.unsupported += 1,
            CaseVerdict::Flaky { words } => self.take_flaky(name, words),
            CaseVerdict::Fault(fault) => {
                counts.faults += 1;
                self.take_fault(FaultEntry::new(name, fault));
            }
            CaseVerdict::Judged(judgements) => {
                for (check, judgement) in judgements {
                    self.take_judgement(check, judgement, &name);
                }
            }
        }
    }

    fn take_judgement(&mut self, check: &Check, judgement: Judgement, case: &str) {
        let score = self.scores.entry(check.id).or_default();
        match judgement {
            Judgement::NotReached => {}
            Judgement::Holds => score.holds += 1,
            Judgement::NotObservable(reason) => *score.not_observable.entry(reason).or_default() += 1,
            Judgement::Violated(words) => {
                score.violated += 1;
                if score.violations.len() < KEPT_VIOLATIONS {
                    score.violations.push((case.to_owned(), words));
                }
            }
        }
    }

    fn take_flaky(&mut self, case: String, words: String) {
        self.flaky_count += 1;
        if self.flaky.len() < KEPT_FAULTS {
            self.flaky.push((case, words));
        }
    }

    fn take_fault(&mut self, fault: FaultEntry) {
        self.fault_count += 1;
        if let Some(known) = self.faults.iter_mut().find(|known| fold::are_alike(known, &fault)) {
            known.more_like_it += 1;
            if known.also_during.len() < KEPT_PLACES {
                known.also_during.push(fault.during);
            }
        } else if self.faults.len() < KEPT_FAULTS {
            self.faults.push(fault);
        }
    }
}
