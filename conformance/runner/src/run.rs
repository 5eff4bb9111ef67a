//! A run: cases in flight, judged by every check that applies, and violations made smaller at the end. It
//! tells what happens by events, in the order of the cases whatever the order in which they end, and keeps no score.
//!
//! Cases are made on a thread of their own (`feed`) and judged on others (`judge`), so that the adapter is what a
//! run waits for (`flight`).

mod corpus_answer;
mod feed;
mod flight;
mod judge;
mod order;
mod repeat;
pub mod sequence;
mod shrink;

use crate::adapter::Adapter;
use crate::corpus::Transcript;
use crate::event::{CaseVerdict, Event, Family};
use crate::selector::Selectors;
use feed::{Item, Work};
use flight::{Flight, Landed, Unclaimed};
use judge::Judges;
use order::{Finished, Order};
use seamcheck_checks::case::{Body, Case, Unmet};
use seamcheck_checks::check::Check;
use seamcheck_protocol::messages::{Declaration, Level};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// One generated case in so many is put to the adapter twice, to see whether it answers the same.
const REPEATED_EVERY: u64 = 16;
/// How far cases may have ended before one that has not, beyond those in flight: what is held back is in memory.
const HELD_BACK: u64 = 64;

/// What is run.
#[derive(Debug)]
pub struct Settings {
    /// The levels and the cases asked for; those over clauses have chosen the checks already.
    pub select: Selectors,
    /// What the generated cases are drawn from.
    pub seed: u64,
    /// How many cases are generated.
    pub generated: u64,
    /// Transcripts of the user's.
    pub corpus: Vec<Transcript>,
    /// How long one violation is made smaller for at most; zero for not at all.
    pub shrink: Duration,
    /// How many cases may be in flight at once, if the adapter can hold so many.
    pub jobs: usize,
    /// Where each case is written before it is sent, if anywhere.
    pub in_flight: Option<PathBuf>,
}

/// Why a run could not begin although the adapter is fine: what was asked for does not fit it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch(pub String);

/// Reading them takes its time, and not every run needs them.
type Vectors = Box<dyn FnOnce() -> Vec<Case> + Send>;

/// Runs everything.
///
/// # Errors
/// What was asked for does not fit the adapter, and nothing was run.
pub async fn run(
    adapter: &mut Adapter,
    checks: &[&'static Check],
    vectors: impl FnOnce() -> Vec<Case> + Send + 'static,
    settings: &Arc<Settings>,
    tell: &mut dyn FnMut(Event),
) -> Result<(), Mismatch> {
    let declared = match adapter.declaration().await {
        Ok(declared) => declared,
        Err(fault) => {
            tell(Event::SessionFault { during: "start".to_owned(), fault });
            tell(Event::Ended { incomplete: Some("the adapter is not usable".to_owned()), restarts: 0 });
            return Ok(());
        }
    };
    let levels = settings.select.judged_levels(&declared.levels).map_err(Mismatch)?;
    settings.select.demand_levels(checks, &levels, &declared.levels).map_err(Mismatch)?;
    let vectors: Vectors = if settings.select.cases.is_empty() {
        Box::new(vectors)
    } else {
        // Whether the names that were asked for are any must be known beforehand.
        let vectors = if levels.contains(&Level::Exact) { vectors() } else { Vec::new() };
        sequence::demand_cases(settings, &vectors, &levels).map_err(Mismatch)?;
        Box::new(|| vectors)
    };
    let declaration = Arc::new(Declaration { levels: levels.clone(), ..declared });
    tell(Event::Started { declaration: Declaration::clone(&declaration), levels: levels.clone() });
    let applicable = |check: &&'static Check| levels.contains(&check.level);
    let checks: Vec<&'static Check> = checks.iter().copied().filter(applicable).collect();
    let feed = feed::start(settings, &levels, &checks, vectors);
    let mut order = Order::new(&settings.corpus, tell);
    let mut incomplete = take_all(adapter, &declaration, &checks, settings, feed, &mut order).await;
    let violations = order.into_violations();
    shrink::Shrinker { adapter, declaration: &declaration, tell, fresh: false }
        .all(violations, &checks, settings.shrink)
        .await;
    if let Err(fault) = adapter.shut_down().await {
        tell(Event::SessionFault { during: "shutdown".to_owned(), fault });
        incomplete.get_or_insert_with(|| "the adapter did not end as it should".to_owned());
    }
    tell(Event::Ended { incomplete, restarts: adapter.restarts() });
    Ok(())
}

/// Every case; why it ended early, if it did.
async fn take_all(
    adapter: &mut Adapter,
    declaration: &Arc<Declaration>,
    checks: &[&'static Check],
    settings: &Settings,
    mut feed: tokio::sync::mpsc::Receiver<Item>,
    order: &mut Order<'_>,
) -> Option<String> {
    let held = usize::try_from(declaration.max_in_flight).unwrap_or(usize::MAX);
    let jobs = settings.jobs.min(held).max(1);
    let mut flight = Flight::new(declaration, settings.in_flight.clone());
    let mut judges = Judges::start(checks, declaration);
    let mut started = 0;
    let mut fed = true;
    loop {
        let room = flight.len() < jobs && started < order.told() + HELD_BACK + jobs as u64;
        tokio::select! {
            biased;
            Some(judged) = judges.next(), if !judges.is_idle() => order.take(judged.place, Finished::Judged(judged)),
            Some(flown) = flight.next(), if flight.len() > 0 => {
                let (landed, unclaimed) = flight.land(adapter, flown).await;
                if let Some(Unclaimed { place, during, fault }) = unclaimed {
                    order.note(place, during, fault);
                }
                for landed in landed {
                    take_landed(landed, &mut judges, order);
                }
            }
            item = feed.recv(), if fed && room => match item {
                None => fed = false,
                Some(Item { place, work }) => {
                    started += 1;
                    if let Some(landed) = begin(adapter, declaration, &mut flight, order, place, work).await {
                        take_landed(landed, &mut judges, order);
                    }
                }
            },
            else => return None,
        }
        if let Some(reason) = order.given_up() {
            // Whatever is in flight is dropped with it.
            adapter.forget();
            return Some(reason);
        }
    }
}

fn take_landed(landed: Landed, judges: &mut Judges, order: &mut Order<'_>) {
    match landed {
        Landed::Seen(seen) => judges.submit(seen),
        Landed::Fault { place, planned, fault } => {
            order.take(place, Finished::Unjudged { planned, verdict: CaseVerdict::Fault(fault) });
        }
        Landed::Broken { place, planned, words } => {
            order.take(place, Finished::Broken { name: planned.case.name, words });
        }
    }
}

async fn begin(
    adapter: &mut Adapter,
    declaration: &Declaration,
    flight: &mut Flight,
    order: &mut Order<'_>,
    place: u64,
    work: Work,
) -> Option<Landed> {
    let planned = match work {
        Work::Case(planned) => *planned,
        Work::TranscriptEnds { transcript, judged } => {
            order.take(place, Finished::Transcript { transcript, judged });
            return None;
        }
        Work::Broken { name, words } => {
            order.take(place, Finished::Broken { name, words });
            return None;
        }
    };
    let unmet = planned.case.unmet(declaration).map(|unmet| match unmet {
        Unmet::Level => CaseVerdict::NotApplicable,
        Unmet::Capability(reason) => CaseVerdict::NotObservable { reason, about: about(&planned.case) },
    });
    if let Some(verdict) = unmet {
        order.take(place, Finished::Unjudged { planned, verdict });
        return None;
    }
    let twice = planned.family == Family::Generated && planned.ordinal % REPEATED_EVERY == REPEATED_EVERY / 2;
    flight.start(adapter, place, planned, twice).await
}

/// The clause or the family of clauses that a case is about and that can hardly be seen without it.
fn about(case: &Case) -> Option<String> {
    match &case.body {
        Body::Vector(vector) => Some(vector.clause.clone()),
        Body::Cancelling(_) => Some("B-CANCEL".to_owned()),
        Body::Concurrent(_) => Some("B-STATE-5".to_owned()),
        // What a chain needs beyond a text is an answer of the summarizer.
        Body::Chain(_) => Some("B-SUMMARY".to_owned()),
        _ => None,
    }
}
