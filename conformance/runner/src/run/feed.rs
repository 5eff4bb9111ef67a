//! The cases of a run in their order, made on a thread of their own, so that the adapter need not wait for them.

use super::sequence::Sequence;
use super::{Settings, Vectors};
use crate::event::Family;
use seamcheck_checks::case::{Body, Case};
use seamcheck_checks::case_file::CaseFile;
use seamcheck_checks::check::Check;
use seamcheck_checks::source;
use seamcheck_protocol::messages::Level;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Few, since a case may be as long as a line.
const AHEAD: usize = 16;

/// Something to be done. Places count from 0 without a gap.
#[derive(Debug)]
pub(super) struct Item {
    /// Its place among all items.
    pub(super) place: u64,
    pub(super) work: Work,
}

#[derive(Debug)]
pub(super) enum Work {
    Case(Box<Planned>),
    /// All cases of this transcript have been given out; whether there were any.
    TranscriptEnds {
        transcript: usize,
        judged: bool,
    },
    /// A case could not be made.
    Broken {
        name: String,
        words: String,
    },
}

#[derive(Debug)]
pub(super) struct Planned {
    /// Its place among all cases.
    pub(super) ordinal: u64,
    pub(super) family: Family,
    /// The transcript that it is about.
    pub(super) transcript: Option<usize>,
    pub(super) case: Case,
    /// The case as a file, where it is to be on disk before it is sent.
    pub(super) text: Option<String>,
}

/// Starts making them. The thread ends when nobody takes them any more.
pub(super) fn start(
    settings: &Arc<Settings>,
    levels: &[Level],
    checks: &[&'static Check],
    vectors: Vectors,
) -> mpsc::Receiver<Item> {
    let (out, items) = mpsc::channel(AHEAD);
    let (settings, levels, checks) = (Arc::clone(settings), levels.to_vec(), checks.to_vec());
    std::thread::spawn(move || {
        let sequence = Sequence::new(&settings.select);
        let feed = Feed { settings: &settings, levels: &levels, checks: &checks, out, place: 0, sequence };
        // It says `None` when nobody listens any more.
        let _ = feed.all(vectors);
    });
    items
}

struct Feed<'a> {
    settings: &'a Settings,
    levels: &'a [Level],
    checks: &'a [&'static Check],
    out: mpsc::Sender<Item>,
    place: u64,
    sequence: Sequence<'a>,
}

impl Feed<'_> {
    fn all(mut self, vectors: Vectors) -> Option<()> {
        // Every vector needs this level, and reading them takes its time.
        if self.levels.contains(&Level::Exact) {
            for case in vectors() {
                if let Some(ordinal) = self.sequence.admit(&case.name)
                    && self.may_reach(&case)
                {
                    self.case(ordinal, case, Family::Vector, None)?;
                }
            }
        }
        for index in 0..self.settings.generated {
            let seed = self.settings.seed;
            let Some(name) = source::generated_name(seed, index, self.levels) else { break };
            let Some(ordinal) = self.sequence.admit(&name) else { continue };
            match crate::harness::guard(|| source::generated(seed, index, self.levels)) {
                Ok(Some(case)) => self.case(ordinal, case, Family::Generated, None)?,
                Ok(None) => break,
                Err(words) => self.send(Work::Broken { name, words })?,
            }
        }
        for (index, transcript) in self.settings.corpus.iter().enumerate() {
            let cases = source::corpus(&transcript.source, &transcript.messages, self.levels);
            let judged = !cases.is_empty();
            for case in cases {
                if let Some(ordinal) = self.sequence.admit(&case.name) {
                    self.case(ordinal, case, Family::Corpus, Some(index))?;
                }
            }
            self.send(Work::TranscriptEnds { transcript: index, judged })?;
        }
        Some(())
    }

    fn case(&mut self, ordinal: u64, case: Case, family: Family, transcript: Option<usize>) -> Option<()> {
        // What cannot be written is no case that can be sent either, which its own step says.
        let text = || CaseFile::in_flight(case.clone()).write().ok();
        let text = self.settings.in_flight.as_ref().and_then(|_| text());
        self.send(Work::Case(Box::new(Planned { ordinal, family, transcript, case, text })))
    }

    /// A vector speaks for its own clause alone.
    fn may_reach(&self, case: &Case) -> bool {
        match &case.body {
            Body::Vector(vector) => self.checks.iter().any(|check| check.clause == vector.clause),
            _ => true,
        }
    }

    fn send(&mut self, work: Work) -> Option<()> {
        let place = self.place;
        self.place += 1;
        self.out.blocking_send(Item { place, work }).ok()
    }
}
