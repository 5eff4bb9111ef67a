//! Cases with the reference, served in memory, and with adapters that are scripted.

use crate::drive_with;
use seamcheck_checks::case::{Body, Case};
use seamcheck_checks::scenario::{Cancelling, Way};
use seamcheck_checks::source;
use seamcheck_checks::step::{CancelPlan as Plan, Move, Outcome, Reply, Step};
use seamcheck_protocol::implementation::{Asked as Asking, Compacted, Compacting, Host, Implementation, Refusal};
use seamcheck_protocol::messages::{CancelMode, Capabilities, Declaration, InspectResult, Level, Status};
use seamcheck_protocol::payload::Payload;
use std::collections::HashSet;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(20);

fn generated(count: u64) -> Vec<Case> {
    (0..count).filter_map(|index| source::generated(1, index, &Level::ALL)).collect()
}

#[tokio::test]
async fn the_reference_answers_every_step_of_every_scenario() {
    let cases = generated(24);
    let driven = drive_with(seamcheck_mutants::reference(), &cases, LONG).await;
    for (case, driven) in cases.iter().zip(&driven) {
        assert_eq!(driven.trouble, None, "{}", case.name);
        assert!(!driven.outcomes.is_empty(), "{}", case.name);
    }
    let all = || driven.iter().flat_map(|driven| &driven.outcomes);
    // The adapter shows contexts while it waits for the summary, and is asked for them.
    let asked = all().flat_map(|outcome| &outcome.asked);
    assert!(asked.flat_map(|asked| &asked.inspected).any(|reply| matches!(reply, Reply::Inspected(_))));
    assert!(all().any(|outcome| matches!(
        outcome.reply,
        Reply::Compacted { status: Status::Compacted, same_handle: false, .. }
    )));
    assert!(
        all().any(|outcome| matches!(
            outcome.reply,
            Reply::Compacted { status: Status::Unchanged, same_handle: true, .. }
        ))
    );
}

#[tokio::test]
async fn every_point_of_a_cancellation_is_acted_out() {
    let cases: Vec<Case> = generated(400).into_iter().filter(|case| matches!(case.body, Body::Cancelling(_))).collect();
    let driven = drive_with(seamcheck_mutants::reference(), &cases, LONG).await;
    let (mut plans, mut orders) = (HashSet::new(), HashSet::new());
    for outcome in driven.iter().flat_map(|driven| &driven.outcomes) {
        let cancelled = outcome.reply.refusal_code() == Some("CONTEXT_CANCELLED");
        match &outcome.step {
            Step::Compact(step) => drop(plans.insert((step.cancel, cancelled))),
            Step::End { moves, .. } => drop(orders.insert((moves.iter().map(name).collect::<String>(), cancelled))),
            _ => {}
        }
    }
    for plan in [(Plan::Before, true), (Plan::AtLook(0), true), (Plan::AtLook(3), true), (Plan::Never, false)] {
        assert!(plans.contains(&plan), "{plan:?} of {plans:?}");
    }
    for (order, cancelled) in [("C", true), ("CA", true), ("CCA", true), ("CAA", true), ("A", false), ("AA", false)] {
        assert!(orders.contains(&(order.to_owned(), cancelled)), "{order} of {orders:?}");
    }
}

fn name(step: &Move) -> char {
    match step {
        Move::Answer(_) => 'A',
        Move::Fail => 'F',
        Move::Cancel => 'C',
    }
}

/// Compacts anything, and never looks at its cancellation.
struct Deaf;

impl Implementation for Deaf {
    type State = Payload;

    fn declare(&self) -> Declaration {
        let capabilities = Capabilities { cancel: vec![CancelMode::Async], ..Capabilities::default() };
        let reference = seamcheck_mutants::reference().declare();
        Declaration { levels: vec![Level::Compact], capabilities, ..reference }
    }

    fn build(&self, context: &Payload) -> Result<Payload, Refusal> {
        Ok(context.clone())
    }

    fn inspect(&self, state: &Payload) -> InspectResult {
        InspectResult { context: state.clone(), native: None }
    }

    fn compact<'a>(&'a self, state: &'a Payload, _: &'a Payload, host: &'a Host) -> Compacting<'a, Payload> {
        Box::pin(async move {
            if let Asking::Later(answer) = host.ask(Payload::raw("{}")) {
                let _ = answer.await;
            }
            Ok(Compacted::New { state: state.clone(), record: Payload::raw("{}") })
        })
    }
}

#[tokio::test]
async fn an_implementation_that_waits_on_although_cancelled_is_seen_and_the_session_goes_on() {
    let case = (0..400).filter_map(|index| source::generated(1, index, &[Level::Compact]));
    let instead = |case: &Case| match &case.body {
        Body::Cancelling(body) => Some(Case {
            name: case.name.clone(),
            body: Body::Cancelling(Cancelling { ways: Some(vec![Way::Instead, Way::Natural]), ..body.clone() }),
        }),
        _ => None,
    };
    let case = case.into_iter().filter_map(|case| instead(&case)).next().unwrap();
    let driven = drive_with(Deaf, &[case], Duration::from_millis(200)).await.remove(0);
    assert_eq!(driven.trouble, None);
    let is_end = |outcome: &&Outcome| matches!(outcome.step, Step::End { .. });
    let hung = driven.outcomes.iter().find(is_end).unwrap();
    assert_eq!(hung.reply.refusal_code(), Some("no-answer"));
    let later = driven.outcomes.iter().find(|outcome| matches!(outcome.step, Step::Compact(_))).unwrap();
    assert!(matches!(later.reply, Reply::Compacted { .. }), "{later:?}");
}
