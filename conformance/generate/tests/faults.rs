//! What is said of a planted fault is what the reference finds: the one place where the two are compared.

#![expect(clippy::unwrap_used, reason = "the helpers of tests may panic")]

use proptest::prelude::*;
use seamcheck_generate::{
    Fault, FaultPlan, Plan, Planted, Refusal, Settings, add_decoys, drawn, from_seed, near, plant,
};
use seamcheck_reference::{Context, Document, Transcript, diagnose};

#[track_caller]
fn assert_confirmed(planted: &Planted, what: &impl std::fmt::Debug) {
    let text = planted.context.to_string();
    let document = Document::parse(text.as_bytes()).unwrap();
    let found = Context::from_json(document.root()).map_err(|error| error.code().as_str());
    assert_eq!(found.err(), Some(planted.refusal.as_str()), "{what:?}\n{}", shown(&text));

    let text = planted.messages.to_string();
    let document = Document::parse(text.as_bytes()).unwrap();
    let found = Transcript::from_json(document.root()).map_err(|error| error.code().as_str());
    assert_eq!(found.err(), planted.messages_refusal.map(Refusal::as_str), "{what:?}\n{}", shown(&text));
    let found: Vec<(&str, i64)> = diagnose(document.root())
        .into_iter()
        .map(|found| (found.code.as_str(), found.message_index.map_or(-1, |index| i64::try_from(index).unwrap())))
        .collect();
    let expected: Vec<(&str, i64)> =
        planted.diagnostics.iter().map(|(finding, index)| (finding.as_str(), *index)).collect();
    assert_eq!(found, expected, "{what:?}\n{}", shown(&text));
}

fn shown(text: &str) -> &str {
    &text[..text.len().min(6_000)]
}

#[test]
fn every_fault_in_every_form_is_judged_as_it_was_planted() {
    for fault in Fault::ALL {
        let mut planted_count = 0;
        for index in 0..144 {
            let plan = Plan::from_seed(21, index, &Settings::DEFAULT);
            let variant = u8::try_from(index % 24).unwrap();
            let place = u16::try_from(index * 455).unwrap();
            let fault = FaultPlan { fault, place, variant };
            if let Some(planted) = plant(&plan.build(), &[fault]) {
                assert_confirmed(&planted, &fault);
                planted_count += 1;
            }
        }
        assert!(planted_count >= 24, "{fault:?} had a place in {planted_count} of 144 contexts");
    }
}

#[test]
fn of_two_faults_the_earlier_decides() {
    let mut planted_count = 0;
    let mut both = 0;
    for index in 0..3_000 {
        let (plan, faults): (Plan, (FaultPlan, FaultPlan)) = from_seed(22, index, &Settings::DEFAULT);
        let (first, second) = faults;
        if let Some(planted) = plant(&plan.build(), &[first, second]) {
            assert_confirmed(&planted, &faults);
            planted_count += 1;
            both += usize::from(first.fault.is_linkage() && second.fault.is_linkage());
        }
    }
    assert!(planted_count > 800 && both > 15, "{planted_count}, {both}");
}

#[test]
fn of_two_faults_in_one_place_the_one_that_is_read_first_decides() {
    let mut planted_count = 0;
    for fault in Fault::ALL {
        for index in 0..60 {
            let (plan, faults): (Plan, (FaultPlan, FaultPlan)) = from_seed(25, index, &Settings::SMALL);
            let built = plan.build();
            let first = FaultPlan { fault, ..faults.0 };
            // A limit beside a fault that is none: the code tells which was read first.
            let second = near(&built, first, FaultPlan { fault: Fault::TextTooLong, ..faults.1 });
            if let Some(planted) = plant(&built, &[first, second]) {
                assert_confirmed(&planted, &(first, second));
                planted_count += 1;
            }
            if index % 5 == 0 {
                let second = near(&built, first, faults.1);
                let planted = plant(&built, &[first, second]);
                planted.into_iter().for_each(|planted| assert_confirmed(&planted, &(first, second)));
            }
        }
    }
    assert!(planted_count > 600, "{planted_count}");
}

#[test]
fn two_faults_of_messages_are_both_reported() {
    let of_messages: Vec<Fault> = Fault::ALL
        .into_iter()
        .filter(|fault| {
            fault.is_linkage()
                || matches!(
                    fault,
                    Fault::MissingField
                        | Fault::WrongType
                        | Fault::EmptyToolName
                        | Fault::InvalidToolArguments
                        | Fault::BlankText
                )
        })
        .collect();
    let mut longest = 0;
    for index in 0..4_000 {
        let (plan, faults): (Plan, (FaultPlan, FaultPlan)) = from_seed(23, index, &Settings::SMALL);
        let kind = |plan: FaultPlan| FaultPlan {
            fault: of_messages[usize::from(plan.variant / 7) % of_messages.len()],
            ..plan
        };
        let faults = [kind(faults.0), kind(faults.1)];
        if let Some(planted) = plant(&plan.build(), &faults) {
            assert_confirmed(&planted, &faults);
            longest = longest.max(planted.diagnostics.len());
        }
    }
    assert!(longest >= 4, "{longest}");
}

#[test]
fn decoys_beside_a_fault_change_nothing() {
    for index in 0..400 {
        let (plan, fault): (Plan, FaultPlan) = from_seed(24, index, &Settings::DEFAULT);
        if let Some(mut planted) = plant(&plan.build(), &[fault]) {
            add_decoys(&mut planted.context, index);
            add_decoys(&mut planted.messages, index);
            assert_confirmed(&planted, &fault);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn three_faults_are_judged_together((plan, faults) in drawn::<(Plan, (FaultPlan, FaultPlan))>(Settings::SMALL), third in 0..Fault::ALL.len()) {
        let third = FaultPlan { fault: Fault::ALL[third], place: 30_000, variant: 1 };
        if let Some(planted) = plant(&plan.build(), &[faults.0, faults.1, third]) {
            assert_confirmed(&planted, &(faults, third));
        }
    }
}
