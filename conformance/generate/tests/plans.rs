//! What holds for every plan: it builds, the context is valid and within the limits, and a seed is a seed. The
//! reference's stages are called here only to confirm the generator.

#![expect(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests may panic")]

use proptest::prelude::*;
use seamcheck_generate::{
    AnswerPlan, Built, CompactionPlan, Counted, Fill, Fit, Fragment, Plan, Settings, Step, TextPlan, UserPlan,
    add_decoys, drawn, from_seed,
};
use seamcheck_reference::{Context, Document, Json, Limits, Message, Transcript, diagnose};

fn context(text: &str) -> Context {
    let document = Document::parse(text.as_bytes()).unwrap();
    Context::from_json(document.root()).unwrap_or_else(|error| panic!("{}: {error}", error.location()))
}

/// The members of every object sorted: a context is built with the members of arguments in the order of
/// ECMAScript, while a plan gives them in any.
fn sorted(value: &Json) -> Json {
    match value {
        Json::Array(elements) => Json::Array(elements.iter().map(sorted).collect()),
        Json::Object(object) => {
            let mut members: Vec<_> =
                object.members().iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            members.sort_by(|left, right| left.0.cmp(&right.0));
            Json::Object(members.into_iter().collect())
        }
        other => other.clone(),
    }
}

#[track_caller]
fn assert_valid(built: &Built) -> Context {
    let json = built.context_json();
    let context = context(&json.to_string());
    assert_eq!(sorted(&context.to_json()), sorted(&json));
    assert!(built.is_valid());
    let sparse = Document::parse(built.sparse_context_json().to_string().as_bytes())
        .map(|document| Context::from_json(document.root()).unwrap());
    assert_eq!(sparse.unwrap(), context);
    context
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_default_plan_builds_a_valid_context(plan in drawn::<Plan>(Settings::DEFAULT)) {
        assert_valid(&plan.build());
    }

    #[test]
    fn every_small_plan_builds_a_valid_context(plan in drawn::<Plan>(Settings::SMALL)) {
        assert_valid(&plan.build());
    }

    #[test]
    fn a_loose_plan_is_valid_exactly_when_nothing_finds_a_fault(plan in drawn::<Plan>(Settings::CUT)) {
        let built = plan.build();
        let text = built.messages_json().to_string();
        let document = Document::parse(text.as_bytes()).unwrap();
        prop_assert_eq!(diagnose(document.root()).is_empty(), built.is_valid());
    }

    #[test]
    fn a_loose_plan_without_its_freedom_is_valid(plan in drawn::<Plan>(Settings::CUT)) {
        assert_valid(&Plan { loose: None, ..plan }.build());
    }

    #[test]
    fn bytes_of_any_kind_give_a_plan(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        use arbitrary::{Arbitrary, Unstructured};
        let plan = Plan::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
        assert_valid(&plan.build());
        CompactionPlan::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
    }

    #[test]
    fn decoys_change_nothing(plan in drawn::<Plan>(Settings::DEFAULT), selector in any::<u64>()) {
        let json = plan.build().context_json();
        let mut raw = (&json).into();
        add_decoys(&mut raw, selector);
        prop_assert_eq!(sorted(&context(&raw.to_string()).to_json()), sorted(&json));
    }

    #[test]
    fn planted_rounds_are_where_the_messages_say(plan in drawn::<Plan>(Settings::DEFAULT)) {
        let built = plan.build();
        let mut calls = 0;
        for round in &built.rounds {
            for (planted, call) in round.calls.iter().zip(built.messages[round.assistant].tool_calls()) {
                prop_assert_eq!((&planted.id, &planted.name), (&call.id, &call.name));
                let Message::ToolResult(result) = &built.messages[planted.result.unwrap()] else {
                    panic!("no result at {planted:?}");
                };
                prop_assert_eq!(&result.tool_call_id, &planted.id);
                calls += 1;
            }
        }
        prop_assert_eq!(calls, built.messages.iter().flat_map(Message::tool_calls).count());
    }

    #[test]
    fn budgets_keep_their_order(compaction in drawn::<CompactionPlan>(Settings::DEFAULT), units in 1..40_000_u64) {
        let suffixes = [(0, units), (2, units / 2), (4, 0)];
        let counted = Counted { requirement_units: 7, suffixes: &suffixes, messages: 4, context_units: units + 7 };
        let budget = compaction.budget.resolve(counted);
        prop_assert!(1 <= budget.summary_max_units && budget.summary_max_units <= budget.target_units);
        prop_assert!(budget.target_units <= budget.max_units && budget.max_units <= 1_000_000);
        prop_assert!(budget.retain_recent_messages <= 4_096);
    }

    #[test]
    fn an_answer_is_as_long_as_it_is_said_to_be(compaction in drawn::<CompactionPlan>(Settings::DEFAULT), room in 1..3_000_usize) {
        let length = |fit| AnswerPlan { fit, ..compaction.answer.clone() }.build(Some(room)).code_points();
        prop_assert_eq!(length(Fit::Full), room);
        prop_assert_eq!(length(Fit::OneOver), room + 1);
        prop_assert!(length(Fit::Within) <= room);
    }
}

#[test]
fn a_seed_gives_the_same_plan_again_and_another_index_another() {
    let plan = |seed, index| Plan::from_seed(seed, index, &Settings::DEFAULT);
    for index in 0..50 {
        assert_eq!(plan(7, index), plan(7, index));
        assert_ne!(plan(7, index).build().context_json(), plan(7, index + 1_000).build().context_json());
        assert_ne!(plan(7, index), plan(8, index));
    }
}

#[test]
fn a_seed_gives_what_it_gave_when_it_was_recorded() {
    // A change here makes every seed in a report worthless: make one only on purpose.
    let text = Plan::from_seed(1, 12, &Settings::SMALL).build().context_json().to_string();
    let hash = text
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
    assert_eq!(hash, 12_206_205_560_192_736_929, "{text}");
}

#[test]
fn large_plans_are_valid_and_reach_every_limit() {
    let limits = Limits::SPEC;
    let mut most = [0; 4];
    let (mut at_items, mut at_texts) = (false, false);
    for index in 0..60 {
        let built = Plan::from_seed(3, index, &Settings::LARGE).build();
        let context = assert_valid(&built);
        let units = usize::try_from(context.units().get()).unwrap();
        let sizes = [built.messages.len(), built.requirements.len(), built.records.len(), units];
        most.iter_mut().zip(sizes).for_each(|(most, size)| *most = size.max(*most));
        at_items |= refuses(&built, Limits { collection_items: limits.collection_items - 1, ..limits });
        at_texts |= refuses(&built, Limits { text_code_points: limits.text_code_points - 1, ..limits });
    }
    assert_eq!(most, [limits.messages, limits.requirements, limits.records, 1_000_000]);
    assert!(at_items && at_texts);
}

/// Whether the context is refused under other limits.
fn refuses(built: &Built, limits: Limits) -> bool {
    let text = built.context_json().to_string();
    let document = Document::parse(text.as_bytes()).unwrap();
    Context::from_json_within(document.root(), limits).is_err()
}

#[test]
fn each_fill_stands_exactly_at_its_limit_and_one_more_is_refused() {
    for (fills, over) in [
        (vec![Fill::Items], "items"),
        (vec![Fill::Messages], "messages"),
        (vec![Fill::Units], "units"),
        (vec![Fill::Texts], "texts"),
        (vec![Fill::Requirements], "requirements"),
        (vec![Fill::Records], "records"),
        (Fill::ALL.to_vec(), "all"),
    ] {
        let steps = Plan::from_seed(5, 1, &Settings::SMALL).steps;
        let plan = Plan { fills: fills.clone(), steps, ..Plan::default() };
        let built = plan.build();
        let context = assert_valid(&built);
        let limits = Limits::SPEC;
        for fill in &fills {
            let (found, limit) = match fill {
                Fill::Messages => (built.messages.len(), limits.messages),
                Fill::Requirements => (built.requirements.len(), limits.requirements),
                Fill::Records if fills.len() == 1 => (built.records.len(), limits.records),
                Fill::Units => (usize::try_from(context.units().get()).unwrap(), 1_000_000),
                _ => continue,
            };
            assert_eq!(found, limit, "{over}");
        }
        if fills.contains(&Fill::Items) {
            assert!(refuses(&built, Limits { collection_items: limits.collection_items - 1, ..limits }), "{over}");
        }
        if fills == [Fill::Texts] {
            assert!(
                refuses(&built, Limits { aggregate_code_points: limits.aggregate_code_points - 1, ..limits }),
                "{over}"
            );
        }
    }
}

#[test]
fn a_plan_far_over_every_limit_still_builds_a_valid_context() {
    let text = TextPlan(vec![Fragment::Run { entry: 9, times: u32::MAX }]);
    let user = Step::User(UserPlan { content: text, ..UserPlan::default() });
    let seeded = Plan::from_seed(1, 3, &Settings::LARGE);
    let steps = seeded.steps.into_iter().chain(vec![user; 20]).cycle().take(9_000).collect();
    let built = Plan { steps, ..seeded_parts() }.build();
    let context = assert_valid(&built);
    assert!(context.units().get() > 990_000);
}

fn seeded_parts() -> Plan {
    Plan { steps: Vec::new(), fills: Vec::new(), ..Plan::from_seed(1, 3, &Settings::LARGE) }
}

#[test]
fn messages_alone_are_a_valid_transcript_too() {
    for index in 0..50 {
        let (plan, _): (Plan, CompactionPlan) = from_seed(9, index, &Settings::DEFAULT);
        let text = plan.build().messages_json().to_string();
        let document = Document::parse(text.as_bytes()).unwrap();
        assert!(Transcript::from_json(document.root()).is_ok());
    }
}
