//! Judging, on threads of its own, so that the adapter need not wait for it.

use super::feed::Planned;
use crate::event::{CaseVerdict, Compared};
use crate::harness::guard;
use seamcheck_checks::check::{Check, Judgement, Observed};
use seamcheck_checks::step::Outcome;
use seamcheck_differential::compare;
use seamcheck_protocol::messages::{Declaration, Level, refusal};
use std::sync::{Arc, Mutex, PoisonError, mpsc as blocking};
use tokio::sync::mpsc;

/// More than this many threads would only take the processor from the adapter.
const MAX_THREADS: usize = 4;

/// A case that was driven to its end, and what came of it.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) place: u64,
    pub(super) planned: Planned,
    pub(super) outcomes: Vec<Outcome>,
    pub(super) verdict: CaseVerdict,
    pub(super) compared: Compared,
    /// Checks that panicked, with their words.
    pub(super) broken: Vec<(String, String)>,
}

/// A case that was driven to its end.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) place: u64,
    pub(super) planned: Planned,
    pub(super) outcomes: Vec<Outcome>,
    /// How a repetition of it went otherwise.
    pub(super) differs: Option<String>,
}

/// The threads that judge.
pub(super) struct Judges {
    work: blocking::Sender<Seen>,
    done: mpsc::UnboundedReceiver<Judged>,
    pending: usize,
}

impl Judges {
    pub(super) fn start(checks: &[&'static Check], declaration: &Arc<Declaration>) -> Self {
        let (work, queue) = blocking::channel::<Seen>();
        let (tell, done) = mpsc::unbounded_channel();
        let queue = Arc::new(Mutex::new(queue));
        let threads = std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).clamp(1, MAX_THREADS));
        for _ in 0..threads {
            let (queue, tell) = (Arc::clone(&queue), tell.clone());
            let (checks, declaration) = (checks.to_vec(), Arc::clone(declaration));
            std::thread::spawn(move || {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    // Either end may be gone when the run has been stopped.
                    let Ok(seen) = next else { return };
                    if tell.send(judge(&checks, &declaration, seen)).is_err() {
                        return;
                    }
                }
            });
        }
        Self { work, done, pending: 0 }
    }

    pub(super) fn submit(&mut self, seen: Seen) {
        self.pending += 1;
        // A thread that is gone has panicked outside of every check, which the lack of an answer would show.
        let _ = self.work.send(seen);
    }

    pub(super) fn is_idle(&self) -> bool {
        self.pending == 0
    }

    pub(super) async fn next(&mut self) -> Option<Judged> {
        let judged = self.done.recv().await;
        self.pending -= usize::from(judged.is_some());
        judged
    }
}

fn judge(checks: &[&'static Check], declaration: &Declaration, seen: Seen) -> Judged {
    let Seen { place, planned, outcomes, differs } = seen;
    let mut broken = Vec::new();
    let verdict = if is_unsupported(&outcomes) {
        CaseVerdict::Unsupported
    } else if let Some(words) = differs {
        CaseVerdict::Flaky { words }
    } else {
        let observed = Observed { case: &planned.case, outcomes: &outcomes, declaration };
        let mut judgements = Vec::new();
        for check in checks {
            match guard(|| check.judge(&observed)) {
                Ok(Judgement::NotReached) => {}
                Ok(judgement) => judgements.push((*check, judgement)),
                Err(words) => broken.push((format!("{}, judged by {}", planned.case.name, check.id), words)),
            }
        }
        CaseVerdict::Judged(judgements)
    };
    let compared = guard(|| compare_all(declaration, &outcomes)).unwrap_or_else(|words| {
        broken.push((format!("{}, compared with the reference", planned.case.name), words));
        Compared::default()
    });
    Judged { place, planned, outcomes, verdict, compared, broken }
}

fn is_unsupported(outcomes: &[Outcome]) -> bool {
    outcomes.iter().any(|outcome| outcome.reply.refusal_code() == Some(refusal::UNSUPPORTED))
}

/// Only an implementation that claims the answers of the spec is compared with the reference.
fn compare_all(declaration: &Declaration, outcomes: &[Outcome]) -> Compared {
    let mut compared = Compared::default();
    if declaration.levels.contains(&Level::Exact) {
        for comparison in outcomes.iter().filter_map(compare) {
            compared.answers += 1;
            compared.differences.extend(comparison.err());
        }
    }
    compared
}
