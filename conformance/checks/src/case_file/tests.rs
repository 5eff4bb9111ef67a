//! Every case there is survives its file; what is no case file is named and never a panic.

use super::*;
use crate::case::Body;
use crate::scenario::{Chain, Query, Round, Speech, Trim};
use crate::wire::Validity;
use crate::{source, vectors};
use seamcheck_generate::{AnswerPlan, BudgetPlan, Delta, Fit, Fragment, Retain, SummarySize, TextPlan, Threshold};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::Level;
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::{Json, Text};

fn file(case: Case) -> CaseFile {
    CaseFile::new("B-TRIM-1", "B-TRIM-1.no-orphan", "the result 2 is an \"orphan\"\n", case)
}

#[track_caller]
fn survives(mut case: Case) {
    if let Body::Fault(fault) = &mut case.body {
        // What it was made by is no part of what is done.
        fault.recipe = None;
    }
    let file = file(case);
    let text = file.write().unwrap();
    let read = CaseFile::read(text.as_bytes());
    if read.as_ref() != Ok(&file) {
        let (found, expected) = (format!("{read:#?}"), format!("{:#?}", Ok::<_, CaseFileError>(&file)));
        let differs = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
        assert_eq!(differs, None, "{}", file.case.name);
        assert_eq!(read.as_ref(), Ok(&file));
    }
}

fn named(body: Body) -> Case {
    Case { name: "generated/trim/1/2".to_owned(), body }
}

fn words() -> TextPlan {
    let run = Fragment::Run { entry: 3, times: 70_000 };
    TextPlan(vec![Fragment::Word(1), Fragment::Hostile(250), run, Fragment::Unit(0xDC00)])
}

#[test]
fn every_vector_survives_its_file() {
    vectors::cases().unwrap().into_iter().for_each(survives);
}

#[test]
fn every_generated_case_survives_its_file_at_every_set_of_levels() {
    for levels in [&Level::ALL[..], &[Level::Cut], &[Level::Compact]] {
        for index in 0..360 {
            survives(source::generated(7, index, levels).unwrap());
        }
    }
    // As large as the limits allow.
    survives(source::generated(1, 12 * 399, &Level::ALL).unwrap());
}

#[test]
fn every_transcript_of_a_corpus_survives_its_file() {
    let messages = Payload::raw(r#"[{"id":"\ud800","role":"user","content":"\udc00 \u0000","more":[1e300,-0.5]}]"#);
    source::corpus("a b\u{7}/ö", &messages, &Level::ALL).into_iter().for_each(survives);
}

#[test]
fn every_form_that_a_part_of_a_case_can_have_survives() {
    let lone = || Text::from_utf16(&[0xD800, 0x61]);
    let context = Json::object([("messages", Json::Array(vec![])), ("summary", Json::from(lone()))]);
    let answers = [
        Answer::Text { text: lone().into(), cancel: true },
        Answer::Value { value: Payload::raw("{\"a\":1e999,\"a\":-0}") },
        Answer::Value { value: Payload::from(Json::object([("json", "looks raw".into())])) },
        Answer::Value { value: Payload::from(Json::Null) },
        Answer::Throw { message: lone().into(), cancel: false },
        Answer::Reject { message: lone().into(), cancel: true },
        Answer::Panic { message: lone().into() },
        Answer::Chain { depth: u32::MAX, text: lone().into(), cancel: false },
        Answer::Unobservable,
        Answer::Pending { cancel: true },
    ];
    let fits = [Fit::Within, Fit::Full, Fit::OneOver, Fit::Empty, Fit::Blank];
    let speeches = answers.into_iter().map(Speech::Does).chain(fits.into_iter().flat_map(|fit| {
        let plan = AnswerPlan { text: words(), fit };
        [Speech::Says(plan.clone()), Speech::Defers(65, plan)]
    }));
    let retains = [Retain::Nothing, Retain::One, Retain::Share(9), Retain::Suffix, Retain::SuffixAndOne, Retain::All];
    let sizes = [SummarySize::One, SummarySize::Small, SummarySize::Of(u16::MAX), SummarySize::Largest];
    let deltas = [Delta::Below, Delta::Exact, Delta::Above, Delta::Slack(u16::MAX)];
    let thresholds = [Threshold::OneBelow, Threshold::Exact, Threshold::AtTarget];
    let budgets: Vec<BudgetPlan> = (0..12u16)
        .map(|number| BudgetPlan {
            suffix: number * 1_000,
            delta: deltas[usize::from(number) % 4],
            retain: if number == 11 { Retain::More(4_096) } else { retains[usize::from(number) % 6] },
            summary: sizes[usize::from(number) % 4],
            threshold: thresholds[usize::from(number) % 3],
        })
        .collect();
    let round = |(number, speech)| Round {
        budget: budgets[number % budgets.len()],
        speech,
        scripted: number % 2 == 0,
        repeat_record_id: number % 3 == 0,
    };
    let rounds = speeches.enumerate().map(round).collect();
    survives(named(Body::Chain(Chain { context: context.clone(), rounds })));
    for validity in [Validity::Valid, Validity::Unlinked, Validity::Unknown] {
        survives(named(Body::Query(Query { context: context.clone(), budgets: budgets.clone(), validity })));
    }
    survives(named(Body::Trim(Trim { messages: vec![], budget: Some(u64::MAX) })));
}

#[test]
fn a_file_of_this_version_stays_readable() {
    let text = include_str!("../../tests/replay/B-TRIM-1.no-orphan.json");
    let file = CaseFile::read(text.as_bytes()).unwrap();
    assert_eq!((file.check.as_str(), file.case.name.as_str()), ("B-TRIM-1.no-orphan", "generated/trim/1/1"));
    assert_eq!(file.write().unwrap(), text, "the form has changed: raise FORMAT, or keep reading the old one");
}

#[test]
fn what_is_no_case_file_is_refused_with_what_is_wrong_and_what_to_do() {
    let good = file(named(Body::Trim(Trim { messages: vec![Json::Null], budget: Some(5) }))).write().unwrap();
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    for (from, to, words) in [
        ("{", "", "no JSON object"),
        ("\"format\": 1", "\"format\": 2", "`format` is 2, and this seamcheck reads 1"),
        ("\"format\": 1,", "", "missing field `format`"),
        ("\"format\": 1", "\"format\": -1", "integer `-1`"),
        ("\"words\"", "\"sword\"", "unknown field `sword`"),
        ("\"check\": \"B-TRIM-1.no-orphan\",", "", "missing field `check`"),
        ("\"check\"", "\"clause\"", "duplicate field `clause`"),
        ("\"trim\"", "\"trimming\"", "unknown variant `trimming`"),
        ("\"budget\": 5", "\"budget\": 5.5", "floating point `5.5`"),
        ("\"budget\": 5", "\"budget\": 1e99", "u64"),
        ("\"budget\": 5", "\"budget\": 5, \"extra\": {}", "unknown field `extra`"),
        ("[\nnull\n]", "{}", "expected a list of messages"),
        ("null", "1e999", "infinite number"),
        ("null", deep.as_str(), "nests deeper than 256"),
        ("null", "\"\u{1}\"", "control character"),
        ("null", "nul", "line"),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "{from}");
        let error = CaseFile::read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
        assert!(error.contains("is needed") || error.contains("use the version"), "{error}");
    }
}

#[test]
fn no_cut_and_no_changed_byte_of_a_file_panics() {
    let good = file(source::generated(1, 2, &Level::ALL).unwrap()).write().unwrap().into_bytes();
    for end in (0..good.len() - 1).step_by(1 + good.len() / 300) {
        assert!(CaseFile::read(&good[..end]).is_err());
    }
    for place in (0..good.len()).step_by(1 + good.len() / 600) {
        for byte in [0, b'"', b'[', b'9', 0xFF] {
            let mut changed = good.clone();
            changed[place] = byte;
            // Some changes leave a case file, of another case.
            let _ = CaseFile::read(&changed);
        }
    }
    assert!(CaseFile::read(&vec![b' '; MAX_BYTES + 1]).unwrap_err().to_string().contains("longer"));
}
