//! Shrinking: what fails becomes small, whoever asks for it.

#![expect(clippy::unwrap_used, reason = "the helpers of tests may panic")]

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use seamcheck_generate::{Built, CompactionPlan, Feature, IdPlan, Plan, Settings, drawn, from_seed, shrink};

fn shrunk(fails: impl Fn(&Built) -> bool) -> Plan {
    let plan = (0..).map(|index| Plan::from_seed(2, index, &Settings::DEFAULT)).find(|plan| fails(&plan.build()));
    shrink(plan.unwrap(), 20_000, |plan| fails(&plan.build()))
}

#[test]
fn an_interleaved_round_shrinks_to_two_calls_and_their_results() {
    let plan = shrunk(Built::has_interleaved_rounds);
    let built = plan.build();
    assert_eq!(built.messages.len(), 4, "{plan:#?}");
    assert!(built.context_json().to_string().len() < 700, "{}", built.context_json());
    assert!(plan.summary.is_none() && plan.requirements.is_empty() && plan.records.is_empty());
}

#[test]
fn other_features_shrink_to_little_more_than_themselves() {
    for (feature, messages) in [
        (Feature::ParallelCalls, 3),
        (Feature::OutOfOrderResults, 3),
        (Feature::NestedRounds, 4),
        (Feature::ChainedRounds, 6),
        (Feature::AdjacentRounds, 4),
        (Feature::UserInsideRound, 3),
        (Feature::SplitPair, 1),
        (Feature::DeepestArguments, 2),
        (Feature::DuplicateMessageId, 2),
        (Feature::ReversedPair, 2),
    ] {
        let plan = shrunk(|built| built.features().contains(&feature));
        let found = plan.build().messages.len();
        assert!(found <= messages, "{feature:?}: {found} messages\n{plan:#?}");
    }
}

#[test]
fn proptest_shrinks_in_the_same_way() {
    let mut runner = TestRunner::deterministic();
    let strategy = drawn::<Plan>(Settings::DEFAULT);
    let mut trees = std::iter::from_fn(|| strategy.new_tree(&mut runner).ok());
    let mut tree = trees.find(|tree| tree.current().build().has_interleaved_rounds()).unwrap();
    // The loop of proptest's runner.
    let mut going = tree.simplify();
    while going {
        going = if tree.current().build().has_interleaved_rounds() { tree.simplify() } else { tree.complicate() };
    }
    let built = tree.current().build();
    assert!(built.has_interleaved_rounds());
    assert_eq!(built.messages.len(), 4);
}

#[test]
fn a_pair_shrinks_in_both_parts() {
    let start: (Plan, CompactionPlan) = from_seed(4, 17, &Settings::DEFAULT);
    let (plan, compaction) = shrink(start, 20_000, |(plan, _)| !plan.steps.is_empty());
    assert_eq!(plan.steps.len(), 1);
    assert_eq!(compaction.summary_id, IdPlan::Fresh);
    assert_eq!(compaction, CompactionPlan { answer: compaction.answer.clone(), ..CompactionPlan::default() });
}
