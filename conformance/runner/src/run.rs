//! A run: cases one after another, each judged by every check that applies, and violations made smaller at
//! the end. It tells what happens by events and keeps no score.

mod corpus_answer;
mod shrink;

use crate::adapter::Adapter;
use crate::corpus::Transcript;
use crate::event::{CaseEnded, CaseVerdict, Compared, Counterexample, Event, Family};
use crate::harness::{guard, guard_future};
use seamcheck_checks::case::{Body, Case, Unmet};
use seamcheck_checks::check::{Check, Judgement, Observed};
use seamcheck_checks::source;
use seamcheck_checks::step::Outcome;
use seamcheck_differential::compare;
use seamcheck_protocol::messages::{Declaration, Level, refusal};
use std::time::Duration;

/// Faults one after another, after which the adapter is given up.
const FAULTS_IN_A_ROW: u32 = 5;
/// Faults of a run, after which the adapter is given up.
const FAULTS_IN_ALL: u32 = 50;

/// What is run.
#[derive(Debug)]
pub struct Settings {
    /// The levels asked for; none asks for all that are declared.
    pub levels: Vec<Level>,
    /// What the generated cases are drawn from.
    pub seed: u64,
    /// How many cases are generated.
    pub generated: u64,
    /// Transcripts of the user's.
    pub corpus: Vec<Transcript>,
    /// How long one violation is made smaller for at most; zero for not at all.
    pub shrink: Duration,
}

/// Why a run could not begin although the adapter is fine: what was asked for does not fit it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch(pub String);

/// Runs everything.
///
/// # Errors
/// What was asked for does not fit the adapter, and nothing was run.
pub async fn run(
    adapter: &mut Adapter,
    checks: &[&'static Check],
    vectors: impl FnOnce() -> Vec<Case>,
    settings: &Settings,
    tell: &mut dyn FnMut(Event),
) -> Result<(), Mismatch> {
    let declared = match adapter.declaration().await {
        Ok(declared) => declared,
        Err(fault) => {
            tell(Event::SessionFault { during: "start", fault });
            tell(Event::Ended { incomplete: Some("the adapter is not usable".to_owned()), restarts: 0 });
            return Ok(());
        }
    };
    let levels = judged_levels(&declared, &settings.levels)?;
    let declaration = Declaration { levels: levels.clone(), ..declared };
    tell(Event::Started { declaration: declaration.clone(), levels });
    let applicable = |check: &&'static Check| declaration.levels.contains(&check.level);
    let checks: Vec<&'static Check> = checks.iter().copied().filter(applicable).collect();
    let mut runner =
        Runner { adapter, declaration: &declaration, checks, violations: Vec::new(), faults: 0, row: 0, tell };
    // Every vector needs this level, and reading them takes its time.
    let vectors = if declaration.levels.contains(&Level::Exact) { vectors() } else { Vec::new() };
    let mut incomplete = runner.take_all(settings, vectors).await;
    runner.shrink_all(settings.shrink).await;
    let Runner { adapter, tell, .. } = runner;
    if let Err(fault) = adapter.shut_down().await {
        tell(Event::SessionFault { during: "shutdown", fault });
        incomplete.get_or_insert_with(|| "the adapter did not end as it should".to_owned());
    }
    tell(Event::Ended { incomplete, restarts: adapter.restarts() });
    Ok(())
}

/// `exact` promises `compact` as well.
fn judged_levels(declaration: &Declaration, asked: &[Level]) -> Result<Vec<Level>, Mismatch> {
    let implied = |levels: &[Level], level| {
        levels.contains(&level) || (level == Level::Compact && levels.contains(&Level::Exact))
    };
    let judged = |level: &Level| implied(&declaration.levels, *level) && (asked.is_empty() || implied(asked, *level));
    let levels: Vec<Level> = Level::ALL.into_iter().filter(judged).collect();
    let missing = asked.iter().find(|level| !levels.contains(level));
    if missing.is_some() || levels.is_empty() {
        let names = |levels: &[Level]| levels.iter().map(|level| level.as_str()).collect::<Vec<_>>().join(", ");
        let asked = missing.map_or_else(|| "any level".to_owned(), |level| format!("the level {}", level.as_str()));
        let words = format!("{asked} is asked for, and the adapter declares: {}", names(&declaration.levels));
        return Err(Mismatch(words));
    }
    Ok(levels)
}

struct Runner<'a> {
    adapter: &'a mut Adapter,
    declaration: &'a Declaration,
    checks: Vec<&'static Check>,
    /// The first violation of each check.
    violations: Vec<Violation>,
    faults: u32,
    /// Faults since the last case without one.
    row: u32,
    tell: &'a mut dyn FnMut(Event),
}

type Judgements = Vec<(&'static Check, Judgement)>;

struct Violation {
    check: &'static Check,
    words: String,
    case: Case,
    outcomes: Vec<Outcome>,
}

impl Runner<'_> {
    /// Every case; why it ended early, if it did.
    async fn take_all(&mut self, settings: &Settings, vectors: Vec<Case>) -> Option<String> {
        let levels = &self.declaration.levels;
        let generated = (0..settings.generated).map_while(|index| source::generated(settings.seed, index, levels));
        let vectors = vectors.into_iter().map(|case| (case, Family::Vector));
        for (case, family) in vectors.chain(generated.map(|case| (case, Family::Generated))) {
            if self.may_reach(&case) {
                self.take(case, family).await;
                if let Some(reason) = self.given_up() {
                    return Some(reason);
                }
            }
        }
        for transcript in &settings.corpus {
            let mut answer = corpus_answer::begin(transcript);
            let cases = source::corpus(&transcript.source, &transcript.messages, levels);
            if cases.is_empty() {
                let reason = "not judged: it nests too deep, or holds a number that is not finite";
                answer.exact = Some(reason.to_owned());
            }
            for case in cases {
                if let Some((judgements, outcomes)) = self.take(case, Family::Corpus).await {
                    corpus_answer::add(&mut answer, &judgements, &outcomes);
                }
                if let Some(reason) = self.given_up() {
                    return Some(reason);
                }
            }
            (self.tell)(Event::CorpusAnswered(answer));
        }
        None
    }

    /// A vector speaks for its own clause alone.
    fn may_reach(&self, case: &Case) -> bool {
        match &case.body {
            Body::Vector(vector) => self.checks.iter().any(|check| check.clause == vector.clause),
            _ => true,
        }
    }

    /// One case; its outcomes, if it came to its end.
    async fn take(&mut self, case: Case, family: Family) -> Option<(Judgements, Vec<Outcome>)> {
        let name = case.name.clone();
        let mut outcomes = None;
        let verdict = match case.unmet(self.declaration) {
            Some(Unmet::Level) => CaseVerdict::NotApplicable,
            Some(Unmet::Capability(reason)) => CaseVerdict::NotObservable { reason, about: about(&case) },
            None => match guard_future(self.adapter.drive(&case, self.declaration)).await {
                Ok(Ok(seen)) => {
                    self.row = 0;
                    let verdict = self.judge(&case, &seen);
                    outcomes = Some(seen);
                    verdict
                }
                Ok(Err(fault)) => {
                    self.faults += 1;
                    self.row += 1;
                    CaseVerdict::Fault(fault)
                }
                Err(words) => {
                    self.adapter.forget();
                    (self.tell)(Event::HarnessFault { during: name, words });
                    return None;
                }
            },
        };
        let judgements = match (&verdict, family) {
            (CaseVerdict::Judged(judgements), Family::Corpus) => judgements.clone(),
            _ => Vec::new(),
        };
        let refused = outcomes.iter().flatten().filter(|one| one.reply.refusal_code() == Some(refusal::REFUSED));
        let refused = refused.count();
        let compared = self.compare(outcomes.as_deref().unwrap_or_default());
        (self.tell)(Event::CaseEnded(CaseEnded { name, family, verdict, refused, compared }));
        outcomes.map(|outcomes| (judgements, outcomes))
    }

    /// Only an implementation that claims the answers of the spec is compared with the reference.
    fn compare(&self, outcomes: &[Outcome]) -> Compared {
        let mut compared = Compared::default();
        if self.declaration.levels.contains(&Level::Exact) {
            for comparison in outcomes.iter().filter_map(compare) {
                compared.answers += 1;
                compared.differences.extend(comparison.err());
            }
        }
        compared
    }

    fn judge(&mut self, case: &Case, outcomes: &[Outcome]) -> CaseVerdict {
        if outcomes.iter().any(|outcome| outcome.reply.refusal_code() == Some(refusal::UNSUPPORTED)) {
            return CaseVerdict::Unsupported;
        }
        let mut judgements = Judgements::new();
        for check in &self.checks {
            let observed = Observed { case, outcomes, declaration: self.declaration };
            match guard(|| check.judge(&observed)) {
                Ok(Judgement::NotReached) => {}
                Ok(judgement) => judgements.push((*check, judgement)),
                Err(words) => {
                    let during = format!("{}, judged by {}", case.name, check.id);
                    (self.tell)(Event::HarnessFault { during, words });
                }
            }
        }
        for (check, judgement) in &judgements {
            let known = |violation: &Violation| std::ptr::eq(violation.check, *check);
            if let Judgement::Violated(words) = judgement
                && !self.violations.iter().any(known)
            {
                let (case, outcomes) = (case.clone(), outcomes.to_vec());
                // As it was found, in case the run is stopped before it can be made small.
                let found = Counterexample {
                    check,
                    case: case.name.clone(),
                    original_steps: outcomes.len(),
                    tries: 0,
                    kept: 0,
                    words: words.clone(),
                    outcomes: outcomes.clone(),
                };
                (self.tell)(Event::Counterexample(Box::new(found)));
                self.violations.push(Violation { check, words: words.clone(), case, outcomes });
            }
        }
        CaseVerdict::Judged(judgements)
    }

    fn given_up(&self) -> Option<String> {
        if self.row >= FAULTS_IN_A_ROW {
            return Some(format!("given up after {FAULTS_IN_A_ROW} cases in a row that ended in an adapter fault"));
        }
        (self.faults >= FAULTS_IN_ALL).then(|| format!("given up after {FAULTS_IN_ALL} adapter faults"))
    }
}

/// The clause or the family of clauses that a case is about and that can hardly be seen without it.
fn about(case: &Case) -> Option<String> {
    match &case.body {
        Body::Vector(vector) => Some(vector.clause.clone()),
        Body::Cancelling(_) => Some("B-CANCEL".to_owned()),
        // What a chain needs beyond a text is an answer of the summarizer.
        Body::Chain(_) => Some("B-SUMMARY".to_owned()),
        _ => None,
    }
}
