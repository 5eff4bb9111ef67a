//! What a run tells while it goes on. Reports only listen: nothing flows back.

use crate::fault::AdapterFault;
use schemars::JsonSchema;
use seamcheck_checks::case::Case;
use seamcheck_checks::check::{Check, Judgement};
use seamcheck_checks::step::Outcome;
use seamcheck_protocol::messages::{Declaration, Level};
use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Debug)]
pub enum Event {
    /// The adapter is ready.
    Started {
        /// What it declares.
        declaration: Declaration,
        /// The levels that it is judged at, the least first.
        levels: Vec<Level>,
    },
    /// A case is over.
    CaseEnded(CaseEnded),
    /// A fault outside every case.
    SessionFault {
        /// When it happened: `start`, `shutdown`, or the cases that were in flight.
        during: String,
        /// What happened.
        fault: AdapterFault,
    },
    /// The harness itself failed on a case.
    HarnessFault {
        /// The case and the check.
        during: String,
        /// The words of the panic.
        words: String,
    },
    /// A case went otherwise when it was repeated, beyond those that are told of as they end.
    Flaky {
        /// The place of the case in the whole run.
        ordinal: u64,
        /// The case.
        case: String,
        /// What differs.
        words: String,
    },
    /// A transcript of the user's is through.
    CorpusAnswered(CorpusAnswer),
    /// A violation has been made as small as it gets.
    Counterexample(Box<Counterexample>),
    /// The run is over.
    Ended {
        /// Why it is incomplete, if it is.
        incomplete: Option<String>,
        /// How often the adapter was started again.
        restarts: u64,
    },
}

/// A case that is over.
#[derive(Debug)]
pub struct CaseEnded {
    /// Its place in the run that nothing was left out of: vectors, generated cases, the corpus, from 0.
    pub ordinal: u64,
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub family: Family,
    /// What came of it.
    pub verdict: CaseVerdict,
    /// How many of its steps a trimmer refused.
    pub refused: usize,
    /// What the reference says otherwise, where it can be asked; it is no verdict.
    pub compared: Compared,
}

/// How the answers of one case stand to those of the reference.
#[derive(Debug, Default)]
pub struct Compared {
    /// Answers that were compared.
    pub answers: u64,
    /// Those that differ, in words.
    pub differences: Vec<String>,
}

/// Where a case comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// A golden vector.
    Vector,
    /// The generator.
    Generated,
    /// A transcript of the user's.
    Corpus,
}

/// What came of a case.
#[derive(Debug)]
pub enum CaseVerdict {
    /// It was judged: every check that it reached, with its judgement.
    Judged(Vec<(&'static Check, Judgement)>),
    /// The level is not declared, or not asked for.
    NotApplicable,
    /// The adapter lacks what it takes.
    NotObservable {
        /// What it lacks.
        reason: &'static str,
        /// The clause, or the family of clauses, that it would have shown.
        about: Option<String>,
    },
    /// The implementation cannot express the input.
    Unsupported,
    /// It went otherwise when it was repeated, so that nothing it showed can be relied on.
    Flaky {
        /// What differs.
        words: String,
    },
    /// The adapter failed.
    Fault(AdapterFault),
}

/// What an adapter said of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CorpusAnswer {
    /// Where the transcript comes from.
    pub source: String,
    /// How many messages it has.
    pub messages: usize,
    /// At the level `exact`: how many groups, or why it is refused.
    pub exact: Option<String>,
    /// At the level `cut`: how trimming went.
    pub cut: Option<String>,
}

/// A violation, made small.
#[derive(Debug)]
pub struct Counterexample {
    /// The check that is violated.
    pub check: &'static Check,
    /// The place of the case in which it was found, as in [`CaseEnded::ordinal`].
    pub ordinal: u64,
    /// The case in which it was found.
    pub case: String,
    /// The small case itself.
    pub small: Case,
    /// How many steps the original had.
    pub original_steps: usize,
    /// How many smaller cases were tried.
    pub tries: u32,
    /// How many of them were violations too, each smaller than the one before.
    pub kept: u32,
    /// The violation in words, of the small case.
    pub words: String,
    /// The small case, step by step.
    pub outcomes: Vec<Outcome>,
    /// What its repetition showed; none when it was not repeated.
    pub again: Option<Again>,
}

/// What the repetition of a violation showed. It never changes the verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Again {
    /// The same, as far as it was tried in a process of its own too.
    Same,
    /// The same, but not in a process of its own: it takes what came before.
    OnlyAfterOthers,
    /// No violation.
    Otherwise,
}
