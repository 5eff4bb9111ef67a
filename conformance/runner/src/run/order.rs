//! What came of the cases, told in their order, so that a run repeats to the letter however many are in flight.

use super::corpus_answer;
use super::feed::Planned;
use super::judge::Judged;
use crate::corpus::Transcript;
use crate::event::{CaseEnded, CaseVerdict, Compared, CorpusAnswer, Counterexample, Event};
use crate::fault::AdapterFault;
use seamcheck_checks::case::Case;
use seamcheck_checks::check::{Check, Judgement};
use seamcheck_checks::step::Outcome;
use seamcheck_protocol::messages::refusal;
use std::collections::BTreeMap;

/// Faults one after another, after which the adapter is given up.
const FAULTS_IN_A_ROW: u32 = 5;
/// Faults of a run, after which the adapter is given up.
const FAULTS_IN_ALL: u32 = 50;

/// The first violation of a check.
#[derive(Clone)]
pub(super) struct Violation {
    pub(super) check: &'static Check,
    pub(super) words: String,
    pub(super) ordinal: u64,
    pub(super) case: Case,
    pub(super) outcomes: Vec<Outcome>,
}

/// What came of an item.
pub(super) enum Finished {
    Judged(Judged),
    /// It was not run, or not to its end.
    Unjudged {
        planned: Planned,
        verdict: CaseVerdict,
    },
    /// The harness failed on it.
    Broken {
        name: String,
        words: String,
    },
    /// All cases of a transcript are through; whether there were any.
    Transcript {
        transcript: usize,
        judged: bool,
    },
}

/// Tells events in the order of their items.
pub(super) struct Order<'a> {
    tell: &'a mut dyn FnMut(Event),
    corpus: &'a [Transcript],
    /// The place of the next item to be told.
    next: u64,
    waiting: BTreeMap<u64, Finished>,
    /// Faults that belong to no case, by the place that they are told before.
    notes: BTreeMap<u64, (String, AdapterFault)>,
    violations: Vec<Violation>,
    answer: Option<CorpusAnswer>,
    faults: u32,
    /// Faults since the last case without one.
    row: u32,
    given_up: Option<String>,
}

impl<'a> Order<'a> {
    pub(super) fn new(corpus: &'a [Transcript], tell: &'a mut dyn FnMut(Event)) -> Self {
        Self {
            tell,
            corpus,
            next: 0,
            waiting: BTreeMap::new(),
            notes: BTreeMap::new(),
            violations: Vec::new(),
            answer: None,
            faults: 0,
            row: 0,
            given_up: None,
        }
    }

    /// How many items have been told.
    pub(super) fn told(&self) -> u64 {
        self.next
    }

    /// Why the run is to end here, if it is.
    pub(super) fn given_up(&self) -> Option<String> {
        self.given_up.clone()
    }

    /// The first violation of each check, in the order in which they were found.
    pub(super) fn into_violations(self) -> Vec<Violation> {
        self.violations
    }

    /// A fault that no case alone brings about, to be told before the item at this place.
    pub(super) fn note(&mut self, place: u64, during: String, fault: AdapterFault) {
        self.notes.insert(place, (during, fault));
    }

    /// Takes what came of an item, and tells all whose turn it is. After a run has been given up nothing is told.
    pub(super) fn take(&mut self, place: u64, finished: Finished) {
        self.waiting.insert(place, finished);
        while self.given_up.is_none()
            && let Some(finished) = self.waiting.remove(&self.next)
        {
            if let Some((during, fault)) = self.notes.remove(&self.next) {
                (self.tell)(Event::SessionFault { during, fault });
                self.count_fault();
            }
            self.next += 1;
            self.tell_finished(finished);
        }
    }

    fn tell_finished(&mut self, finished: Finished) {
        match finished {
            Finished::Broken { name, words } => (self.tell)(Event::HarnessFault { during: name, words }),
            Finished::Transcript { transcript, judged } => self.tell_transcript(transcript, judged),
            Finished::Unjudged { planned, verdict } => {
                if matches!(verdict, CaseVerdict::Fault(_)) {
                    self.count_fault();
                }
                self.tell_case(&planned, verdict, 0, Compared::default());
            }
            Finished::Judged(judged) => self.tell_judged(judged),
        }
    }

    fn tell_judged(&mut self, judged: Judged) {
        let Judged { planned, outcomes, verdict, compared, broken, .. } = judged;
        self.row = 0;
        for (during, words) in broken {
            (self.tell)(Event::HarnessFault { during, words });
        }
        if let CaseVerdict::Judged(judgements) = &verdict {
            self.keep_violations(&planned, judgements, &outcomes);
        }
        if let Some(transcript) = planned.transcript {
            let judgements = if let CaseVerdict::Judged(judgements) = &verdict { judgements.as_slice() } else { &[] };
            let begin = || corpus_answer::begin(&self.corpus[transcript]);
            corpus_answer::add(self.answer.get_or_insert_with(begin), judgements, &outcomes);
        }
        let refused = outcomes.iter().filter(|one| one.reply.refusal_code() == Some(refusal::REFUSED)).count();
        self.tell_case(&planned, verdict, refused, compared);
    }

    fn tell_case(&mut self, planned: &Planned, verdict: CaseVerdict, refused: usize, compared: Compared) {
        let (name, ordinal, family) = (planned.case.name.clone(), planned.ordinal, planned.family);
        (self.tell)(Event::CaseEnded(CaseEnded { name, ordinal, family, verdict, refused, compared }));
    }

    fn tell_transcript(&mut self, transcript: usize, judged: bool) {
        let begin = || corpus_answer::begin(&self.corpus[transcript]);
        let mut answer = self.answer.take().unwrap_or_else(begin);
        if !judged {
            let reason = "not judged: it nests too deep, or holds a number that is not finite";
            answer.exact = Some(reason.to_owned());
        }
        (self.tell)(Event::CorpusAnswered(answer));
    }

    fn keep_violations(&mut self, planned: &Planned, judgements: &[(&'static Check, Judgement)], outcomes: &[Outcome]) {
        for (check, judgement) in judgements {
            let known = |violation: &Violation| std::ptr::eq(violation.check, *check);
            if let Judgement::Violated(words) = judgement
                && !self.violations.iter().any(known)
            {
                // As it was found, in case the run is stopped before it can be made small.
                let found = Counterexample {
                    check,
                    case: planned.case.name.clone(),
                    ordinal: planned.ordinal,
                    original_steps: outcomes.len(),
                    tries: 0,
                    kept: 0,
                    words: words.clone(),
                    outcomes: outcomes.to_vec(),
                    small: planned.case.clone(),
                    again: None,
                };
                (self.tell)(Event::Counterexample(Box::new(found)));
                let (case, outcomes) = (planned.case.clone(), outcomes.to_vec());
                self.violations.push(Violation {
                    check,
                    words: words.clone(),
                    ordinal: planned.ordinal,
                    case,
                    outcomes,
                });
            }
        }
    }

    fn count_fault(&mut self) {
        self.faults += 1;
        self.row += 1;
        if self.row >= FAULTS_IN_A_ROW {
            let words = format!("given up after {FAULTS_IN_A_ROW} cases in a row that ended in an adapter fault");
            self.given_up = Some(words);
        } else if self.faults >= FAULTS_IN_ALL {
            self.given_up = Some(format!("given up after {FAULTS_IN_ALL} adapter faults"));
        }
    }
}
