//! Properties of every stage over generated transcripts, against definitions that are stated anew here.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use proptest::prelude::*;
use seamcheck_generate::{Plan, Settings, drawn};
use seamcheck_reference::{
    BoundaryOptions, Context, Document, Json, Message, Text, Transcript, Units, group, select_boundary, units,
};

fn small() -> impl Strategy<Value = Plan> {
    drawn(Settings::SMALL)
}

fn build(json: &Json) -> Context {
    let text = json.to_string();
    let document = Document::parse(text.as_bytes()).unwrap();
    Context::from_json(document.root()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A cut is safe when no call before it has its result at or after it: every pair is looked at.
fn is_safe(transcript: &Transcript, cut: usize) -> bool {
    let messages = transcript.messages();
    messages[..cut].iter().flat_map(|message| message.tool_calls()).all(|call| {
        !messages[cut..]
            .iter()
            .any(|message| matches!(&**message, Message::ToolResult(result) if result.tool_call_id == call.id))
    })
}

fn options(target_units: usize, summary_max_units: usize, retain: usize) -> BoundaryOptions {
    let options = Json::object([
        ("targetUnits", target_units.into()),
        ("summaryMaxUnits", summary_max_units.into()),
        ("retainRecentMessages", retain.into()),
    ]);
    let text = options.to_string();
    BoundaryOptions::from_json(Document::parse(text.as_bytes()).unwrap().root()).unwrap()
}

proptest! {
    #[test]
    fn b_round_groups_tile_and_end_exactly_at_the_safe_cuts(plan in small()) {
        let context = build(&plan.build().context_json());
        let groups = group(context.transcript());
        let mut place = 0;
        for group in &groups {
            prop_assert_eq!(group.start, place);
            prop_assert!(group.end > group.start);
            place = group.end;
        }
        let length = context.transcript().messages().len();
        prop_assert_eq!(place, length);
        let ends: Vec<usize> = groups.iter().map(|group| group.end).collect();
        let safe: Vec<usize> = (1..=length).filter(|cut| is_safe(context.transcript(), *cut)).collect();
        prop_assert_eq!(ends, safe);
    }

    #[test]
    fn b_select_4_the_boundary_is_the_earliest_safe_cut_that_fits(plan in small()) {
        const SUMMARY_UNITS: usize = 7;
        let context = build(&plan.build().context_json());
        let messages = context.transcript().messages();
        let fixed: Units = context.requirements().iter().map(units::of_requirement).sum();
        let cost = |cut: usize| messages[cut..].iter().map(|message| units::of_message(message)).sum::<Units>();
        for cut in 0..=messages.len() {
            for delta in [-1_i64, 0, 1] {
                let exact = i64::try_from((fixed + cost(cut)).get()).unwrap() + 7 + delta;
                let target = usize::try_from(exact.max(7)).unwrap();
                for retain in 0..=messages.len() + 1 {
                    let expected = (1..=messages.len()).find(|cut| {
                        is_safe(context.transcript(), *cut)
                            && cut + retain <= messages.len()
                            && (fixed + cost(*cut)).get() + 7 <= target as u64
                    });
                    let found = select_boundary(&context, &options(target, SUMMARY_UNITS, retain));
                    prop_assert_eq!(found, expected, "target {}, retain {}", target, retain);
                }
            }
        }
    }

    #[test]
    fn b_unit_10_units_are_additive(plan in small()) {
        let context = build(&plan.build().context_json());
        let parts: u64 = context.requirements().iter().map(|part| units::of_requirement(part).get())
            .chain(context.summary().map(|part| units::of_summary(part).get()))
            .chain(context.transcript().messages().iter().map(|part| units::of_message(part).get()))
            .sum();
        prop_assert_eq!(context.units().get(), parts);
    }

    #[test]
    fn b_text_2_code_points_are_the_naive_count(code_units in prop::collection::vec(code_unit(), 0..40)) {
        let text = Text::from_utf16(&code_units);
        let naive = char::decode_utf16(code_units.iter().copied()).count();
        prop_assert_eq!(text.code_points(), naive);
    }

    #[test]
    fn b_text_1_any_text_survives_json(code_units in prop::collection::vec(code_unit(), 0..40)) {
        let text = Text::from_utf16(&code_units);
        prop_assert_eq!(&text.to_utf16(), &code_units);
        let written = Json::from(text.clone()).to_string();
        prop_assert!(written.is_ascii());
        let document = Document::parse(written.as_bytes()).unwrap();
        prop_assert_eq!(document.root().as_text().unwrap(), text);
    }

    #[test]
    fn b_build_10_building_what_was_built_changes_nothing(plan in drawn::<Plan>(Settings::DEFAULT)) {
        let context = build(&plan.build().context_json());
        let again = build(&context.to_json());
        prop_assert_eq!(context.units(), again.units());
        prop_assert_eq!(context, again);
    }

    #[test]
    fn b_build_1_absent_fields_are_empty_ones(plan in small()) {
        let built = plan.build();
        prop_assert_eq!(build(&built.context_json()), build(&built.sparse_context_json()));
    }
}

/// Code units that meet every branch: ASCII, each width of UTF-8, and surrogates of both kinds.
fn code_unit() -> impl Strategy<Value = u16> {
    prop_oneof![0_u16..0x80, 0xD7F0_u16..0xE010, any::<u16>(), Just(0xD83D), Just(0xDE00)]
}
