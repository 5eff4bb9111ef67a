//! Thousands of orders of answers and cancellations, in memory and without a sleep: the reference is clean over all of
//! them, and faulty implementations are caught by name.

use crate::drive_with;
use seamcheck_checks::case::{Body, Case};
use seamcheck_checks::check::{Judgement, Observed};
use seamcheck_checks::scenario::{Act, COMPACTIONS, Cancelling, Concurrent, Does};
use seamcheck_checks::step::{Reply, Step};

use seamcheck_checks::{registry, source};
use seamcheck_generate::BudgetPlan;
use seamcheck_mutants::by_name;
use seamcheck_protocol::implementation::Implementation;
use seamcheck_protocol::messages::{Level, Status};
use seamcheck_reference::Json;
use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

/// Silence is not the point here.
const LONG: Duration = Duration::from_secs(60);

/// The clauses that such cases can reach.
const FAMILIES: [&str; 4] = ["B-COMPACT-3.", "B-SUMMARY-8.", "B-CANCEL-", "B-STATE-"];

/// The checks that these cases violate, and in how many orders of lines the cases went.
async fn violated<I: Implementation>(implementation: I, cases: Vec<Case>) -> (BTreeSet<&'static str>, usize) {
    let declaration = implementation.declare();
    let driven = drive_with(implementation, &cases, LONG).await;
    let (mut violated, mut orders) = (BTreeSet::new(), HashSet::new());
    for (case, driven) in cases.iter().zip(&driven) {
        assert_eq!(driven.trouble, None, "{}", case.name);
        let committed = driven.outcomes.iter().any(|outcome| is_committed(&outcome.reply));
        assert!(committed || !case.name.starts_with("enumerated"), "{} commits nothing", case.name);
        let observed = Observed { case, outcomes: &driven.outcomes, declaration: &declaration };
        for check in registry::checks().into_iter().filter(|check| FAMILIES.iter().any(|one| check.id.starts_with(one)))
        {
            if matches!(check.judge(&observed), Judgement::Violated(_)) {
                violated.insert(check.id);
            }
        }
        // Cases of one order differ in their contexts: one of them counts.
        let steps = driven.outcomes.iter().map(|outcome| order(&outcome.step));
        orders.extend(attempts(&case.body, &steps.collect::<Vec<_>>()));
    }
    (violated, orders.len())
}

fn is_committed(reply: &Reply) -> bool {
    matches!(reply, Reply::Compacted { status: Status::Compacted, .. })
}

/// What a step says, without the context that it says it about.
fn order(step: &Step) -> String {
    match step {
        Step::Compact(step) | Step::Begin(step) => {
            format!("{}>{} {:?} {:?} {}", step.slot, step.into, step.cancel, step.answer, step.scripted)
        }
        Step::Tell { .. } | Step::End { .. } | Step::Inspect { .. } | Step::Release { .. } => format!("{step:?}"),
        other => format!("{:?}", std::mem::discriminant(other)),
    }
}

/// One order for each attempt of a case that makes many, one for every other case.
fn attempts(body: &Body, steps: &[String]) -> Vec<String> {
    let Body::Cancelling(cancelling) = body else { return vec![steps.join("\n")] };
    let starts: Vec<usize> = (0..steps.len()).filter(|at| steps[*at].starts_with("0>")).collect();
    let ends = starts.iter().skip(1).copied().chain([steps.len()]);
    let attempts = starts.iter().zip(ends).map(|(start, end)| steps[*start..end].join("\n"));
    attempts.map(|attempt| format!("{:?} {attempt}", cancelling.ending)).collect()
}

fn generated(count: u64, wanted: fn(&Body) -> bool) -> Vec<Case> {
    let cases = (0..count).filter_map(|index| source::generated(1, index, &[Level::Compact]));
    cases.filter(|case| wanted(&case.body)).collect()
}

fn is_cancelling(body: &Body) -> bool {
    matches!(body, Body::Cancelling(Cancelling { .. }))
}

fn is_concurrent(body: &Body) -> bool {
    matches!(body, Body::Concurrent(_))
}

/// Every order in which three such stories can be told together.
fn merged(stories: [&[Does]; COMPACTIONS]) -> Vec<Vec<Act>> {
    let mut complete = Vec::new();
    let mut open = vec![(Vec::new(), [0; COMPACTIONS])];
    while let Some((script, told)) = open.pop() {
        let mut is_complete = true;
        for (compaction, story) in stories.iter().enumerate() {
            if let Some(does) = story.get(told[compaction]) {
                let (mut longer, mut told) = (script.clone(), told);
                longer.push(Act { compaction, does: *does });
                told[compaction] += 1;
                open.push((longer, told));
                is_complete = false;
            }
        }
        if is_complete {
            complete.push(script);
        }
    }
    complete
}

/// All orders of these stories, over two small contexts that are due.
fn enumerated(stories: [&[Does]; COMPACTIONS]) -> Vec<Case> {
    let user = |id: &str, content: &str| {
        Json::object([("id", id.into()), ("role", "user".into()), ("content", content.into())])
    };
    let context = |old: &str| {
        let messages = vec![user("u1", &old.repeat(20)), user("u2", "and now?")];
        Json::object([("messages", Json::Array(messages))])
    };
    let contexts = [context("first "), context("second ")];
    let scripts = merged(stories).into_iter().enumerate();
    let case = |(number, script)| {
        let body = Concurrent { contexts: contexts.clone(), budget: BudgetPlan::default(), script };
        Case { name: format!("enumerated/{number}"), body: Body::Concurrent(body) }
    };
    scripts.map(case).collect()
}

const ANSWERED: &[Does] = &[Does::Begin, Does::Answer, Does::End];
const CANCELLED: &[Does] = &[Does::Begin, Does::Cancel, Does::End];
const LATE: &[Does] = &[Does::Begin, Does::Cancel, Does::End, Does::Answer];

#[tokio::test]
async fn the_reference_is_clean_over_thousands_of_interleavings() {
    let mut cases = enumerated([ANSWERED, CANCELLED, ANSWERED]);
    cases.extend(enumerated([LATE, ANSWERED, &[Does::Begin, Does::End]]));
    cases.extend(generated(240, is_cancelling));
    let count = cases.len();
    let (violated, orders) = violated(seamcheck_mutants::reference(), cases).await;
    assert!(violated.is_empty(), "{violated:?}");
    assert!(orders >= 3_000, "{orders} orders in {count} cases");
}

#[tokio::test]
async fn faulty_implementations_are_caught_by_name() {
    let (cancelling, concurrent) = (generated(110, is_cancelling), generated(300, is_concurrent));
    for (mutant, caught_by) in [
        ("cancel-before-ignored", "B-CANCEL-1.before"),
        ("cancel-waiting-as-failure", "B-CANCEL-2.while-waiting"),
        ("cancel-settled-ignored", "B-CANCEL-3.settled"),
        ("cancel-loses-to-rejection", "B-CANCEL-3.settled"),
        ("cancel-beats-throw", "B-CANCEL-3.settled"),
        ("cancel-exposure-ignored", "B-CANCEL-4.last-look"),
        ("cancel-commits-first", "B-CANCEL-5.silent"),
        ("cancel-late-answer-lands", "B-CANCEL-5.silent"),
        ("cancel-undoes-commit", "B-CANCEL-6.commit-stands"),
        ("cancel-second-answer-lands", "B-SUMMARY-8.first-counts"),
        ("compact-cancel-before-budget", "B-COMPACT-3.untouched"),
        ("compact-duplicate-before-cancel", "B-CANCEL-1.before"),
    ] {
        let (violated, _) = violated(by_name(mutant).unwrap(), cancelling.clone()).await;
        assert!(violated.contains(caught_by), "{mutant}: {violated:?}");
    }
    for (mutant, caught_by) in [
        ("state-one-at-a-time", "B-STATE-5.independent"),
        ("state-answers-shared", "B-STATE-5.independent"),
        ("state-requirements-of-last-asked", "B-STATE-3.isolated"),
    ] {
        let (violated, _) = violated(by_name(mutant).unwrap(), concurrent.clone()).await;
        assert!(violated.contains(caught_by), "{mutant}: {violated:?}");
    }
}
