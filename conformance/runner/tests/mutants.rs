//! Every mutant is served as a child process and is caught, by the name of each clause that it must violate.
//!
//! A mutant is put to the checks of those clauses only, and until each has caught it. Absent: what the checks of
//! other clauses say about it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use seamcheck::adapter::Adapter;
use seamcheck::command::CommandLine;
use seamcheck::session::Timeouts;
use seamcheck_checks::case::{Body, Case};
use seamcheck_checks::check::{Check, Judgement, Observed};
use seamcheck_checks::{registry, source, vectors};
use seamcheck_mutants::Mutant;
use std::collections::BTreeSet;
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

/// Enough for the rarest scenario to come up several times.
const GENERATED_CASES: u64 = 480;
const SEED: u64 = 1;

/// Some mutants never answer; there is no use in waiting long for them.
const TIMEOUTS: Timeouts = Timeouts { start: Duration::from_secs(30), idle: Duration::from_secs(2) };

static VECTORS: LazyLock<Vec<Case>> = LazyLock::new(|| vectors::cases().unwrap());

/// The clauses of `wanted` that no check has seen violated.
async fn not_caught(name: &str, wanted: &[&str]) -> BTreeSet<String> {
    let program = env!("CARGO_BIN_EXE_seamcheck").into();
    let words = [program, "serve".into(), "--mutant".into(), name.into()];
    let mut adapter = Adapter::new(CommandLine::new(&words).unwrap(), TIMEOUTS);
    let declaration = adapter.declaration().await.unwrap();
    let mut left: BTreeSet<String> = wanted.iter().map(|clause| (*clause).to_owned()).collect();
    let checks: Vec<&Check> = registry::checks().into_iter().filter(|check| wanted.contains(&check.clause)).collect();
    let vectors = VECTORS.iter().filter(|case| speaks_for(case, wanted)).cloned();
    let generated = (0..GENERATED_CASES).filter_map(|index| source::generated(SEED, index, &declaration.levels));
    for case in vectors.chain(generated) {
        if left.is_empty() {
            break;
        }
        if case.unmet(&declaration).is_some() {
            continue;
        }
        // A mutant may fail to answer at all; that is a fault of the adapter and catches no clause.
        let Ok(outcomes) = adapter.drive(&case, &declaration).await else { continue };
        let observed = Observed { case: &case, outcomes: &outcomes, declaration: &declaration };
        let violated = checks.iter().filter(|check| matches!(check.judge(&observed), Judgement::Violated(_)));
        for check in violated {
            left.remove(check.clause);
        }
    }
    left
}

fn speaks_for(case: &Case, clauses: &[&str]) -> bool {
    matches!(&case.body, Body::Vector(vector) if clauses.contains(&vector.clause.as_str()))
}

#[test]
fn every_mutant_is_caught_by_each_clause_that_it_must_violate() {
    let queue = Mutex::new(seamcheck_mutants::all().iter());
    let survivors = Mutex::new(Vec::new());
    let work = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        loop {
            let next: Option<&Mutant> = queue.lock().unwrap().next();
            let Some(mutant) = next else { return };
            let left = runtime.block_on(not_caught(mutant.name, mutant.must));
            if !left.is_empty() {
                survivors.lock().unwrap().push(format!("{} ({}) survives {left:?}", mutant.name, mutant.description));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    assert!(seamcheck_mutants::all().len() >= 80);
    let survivors = survivors.into_inner().unwrap();
    assert!(survivors.is_empty(), "{} mutants survive:\n{}", survivors.len(), survivors.join("\n"));
}

#[test]
fn the_control_violates_nothing() {
    let clauses: Vec<&str> = registry::checks().iter().map(|check| check.clause).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let left = runtime.block_on(not_caught(seamcheck_mutants::CONTROL, &clauses));
    assert_eq!(left.len(), clauses.iter().collect::<BTreeSet<_>>().len());
}
