//! A certificate of a run that is told by hand, and its reports.

mod reports;

use super::certificate::{About, Certificate, Selection};
use super::tally::Tally;
use crate::command::CommandLine;
use crate::event::{Again, CaseEnded, CaseVerdict, Compared, CorpusAnswer, Counterexample, Event, Family};
use crate::exit_code::Exit;
use crate::fault::{AdapterFault, FaultKind};
use seamcheck_checks::case::{Body, Case};
use seamcheck_checks::check::{Check, Judgement};
use seamcheck_checks::registry;
use seamcheck_checks::scenario::Trim;
use seamcheck_checks::step::{Asked, CancelPlan, CompactStep, Outcome, Reply, Step};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::{Capabilities, CutResult, Declaration, InspectResult, Kept, Level, Status};
use seamcheck_protocol::payload::Payload;

fn checks(clauses: &[&str]) -> Vec<&'static Check> {
    registry::checks().into_iter().filter(|check| clauses.contains(&check.clause)).collect()
}

fn started(levels: &[Level]) -> Event {
    let declaration = Declaration {
        protocol_version: "1".to_owned(),
        name: "toy".to_owned(),
        version: "0.3.1".to_owned(),
        language: "python".to_owned(),
        profiles: vec!["boundary".to_owned()],
        levels: levels.to_vec(),
        capabilities: Capabilities::default(),
        max_in_flight: 1,
    };
    Event::Started { declaration, levels: levels.to_vec() }
}

fn case(name: &str, verdict: CaseVerdict) -> Event {
    Event::CaseEnded(CaseEnded {
        ordinal: 2,
        name: name.to_owned(),
        family: Family::Generated,
        verdict,
        refused: 0,
        compared: Compared::default(),
    })
}

fn judged(check: &'static Check, judgement: Judgement) -> Event {
    case("generated/trim/1/2", CaseVerdict::Judged(vec![(check, judgement)]))
}

fn certificate(events: Vec<Event>, checks: &[&'static Check], partial: bool) -> Certificate {
    let mut tally = Tally::default();
    for event in events {
        tally.take(event);
    }
    let command = CommandLine::new(&["no-such-toy".into(), "--model".into(), "a b".into()]).unwrap();
    let selection = Selection { generated: if partial { 0 } else { 9 }, ..Selection::default() };
    Certificate::new(tally, &About { command: &command, seed: 1, selection, shard: None, expectations: None, checks })
}

fn ended() -> Event {
    Event::Ended { incomplete: None, restarts: 0 }
}

const MESSAGES: &str = r#"[{"id":"u","role":"user","content":"hi"},
    {"id":"a","role":"assistant","content":[{"type":"toolCall","id":"c","name":"read","arguments":{"path":"x"}}]},
    {"id":"r","role":"toolResult","toolCallId":"c","toolName":"read","content":"text","isError":false}]"#;

fn cut_story() -> Vec<Outcome> {
    let kept = Kept { index: 2, id: None, message: None, blocks: None };
    let step = |budget| Step::Cut { messages: Payload::raw(MESSAGES), budget };
    vec![
        Outcome { step: step(1), reply: Reply::Cut(CutResult { kept: vec![] }), asked: vec![] },
        Outcome { step: step(2), reply: Reply::Cut(CutResult { kept: vec![kept] }), asked: vec![] },
    ]
}

fn compact_story() -> Vec<Outcome> {
    let context = Payload::raw(format!("{{\"messages\":{MESSAGES}}}"));
    let same = Payload::raw(format!("{{ \"messages\": {MESSAGES} }}"));
    let options = r#"{"maxUnits":30,"targetUnits":20,"summaryId":"s"}"#;
    let compact = CompactStep {
        slot: 0,
        into: 1,
        options: Payload::raw(options),
        answer: Answer::text("so far"),
        scripted: false,
        cancel: CancelPlan::AtLook(3),
        inspect_while_waiting: vec![],
    };
    let request = format!(r#"{{"boundary":1,"maxSummaryUnits":9,"previousSummary":null,"messages":{MESSAGES}}}"#);
    let asked = vec![Asked { request: Payload::raw(request), inspected: vec![] }];
    let reply = Reply::Compacted { status: Status::Compacted, same_handle: false, record: None, looks: None };
    let inspection = |context| Reply::Inspected(InspectResult { context, native: None });
    vec![
        Outcome { step: Step::Build { context, slot: 0 }, reply: Reply::Built, asked: vec![] },
        Outcome { step: Step::Compact(compact), reply, asked },
        Outcome { step: Step::Inspect { slot: 0 }, reply: inspection(same), asked: vec![] },
        Outcome { step: Step::Inspect { slot: 1 }, reply: inspection(Payload::raw("{}")), asked: vec![] },
    ]
}

/// Everything that a run can show.
fn full_certificate() -> Certificate {
    let checks =
        checks(&["B-TRIM-1", "B-TRIM-3", "B-TRIM-4", "B-TRIM-5", "B-TRIM-6", "B-COMPACT-7", "B-CANCEL-1", "B-UNIT-1"]);
    let find = |clause| *checks.iter().find(|check: &&&Check| check.clause == clause).unwrap();
    let fault = AdapterFault {
        kind: FaultKind::BadJson,
        words: "expected value, in the line \"Loading...\"".to_owned(),
        stderr: vec!["first".to_owned(), "last".to_owned()],
    };
    let example = |clause, words: &str, outcomes| {
        let (check, case, words) = (find(clause), "generated/trim/1/2".to_owned(), words.to_owned());
        Event::Counterexample(Box::new(Counterexample {
            again: Some(Again::Same),
            check,
            ordinal: 2,
            small: Case { name: case.clone(), body: Body::Trim(Trim { messages: vec![], budget: None }) },
            case,
            original_steps: 40,
            tries: 9,
            kept: 4,
            words,
            outcomes,
        }))
    };
    let answer = CorpusAnswer {
        source: "mine/1".to_owned(),
        messages: 3,
        exact: None,
        cut: Some("holds over 12 budgets".to_owned()),
    };
    let lacking =
        CaseVerdict::NotObservable { reason: "the adapter cannot be cancelled", about: Some("B-CANCEL".to_owned()) };
    let events = vec![
        started(&[Level::Cut, Level::Compact]),
        judged(find("B-TRIM-1"), Judgement::Violated("the result 2 is an orphan".to_owned())),
        judged(find("B-TRIM-1"), Judgement::Holds),
        judged(find("B-TRIM-3"), Judgement::Violated("an open call is dropped".to_owned())),
        judged(find("B-TRIM-4"), Judgement::Holds),
        judged(find("B-TRIM-5"), Judgement::NotObservable("the adapter does not give back what it keeps")),
        case("generated/cancelling/1/7", lacking),
        case("generated/trim/1/3", CaseVerdict::Fault(fault)),
        case("generated/trim/1/4", CaseVerdict::Unsupported),
        Event::CorpusAnswered(answer),
        example("B-TRIM-1", "the result 2 is an orphan", cut_story()),
        example("B-COMPACT-7", "the suffix is gone", compact_story()),
        Event::Ended { incomplete: None, restarts: 1 },
    ];
    certificate(events, &checks, false)
}

#[test]
fn everything_that_a_run_can_show_has_its_place_in_the_certificate() {
    let certificate = full_certificate();
    insta::assert_snapshot!(certificate.to_string());
    assert_eq!(certificate.verdict.exit, Exit::Incomplete);
}

#[test]
fn a_should_alone_does_not_deny_the_certificate_and_the_highest_exit_code_wins() {
    let checks = checks(&["B-TRIM-1", "B-TRIM-3"]);
    let holds = || judged(checks[0], Judgement::Holds);
    let should = || judged(checks[1], Judgement::Violated("dropped".to_owned()));
    let harness = || Event::HarnessFault { during: "a case".to_owned(), words: "index out of bounds".to_owned() };
    let verdict = |events: Vec<Event>, partial| certificate(events, &checks, partial).verdict;
    let certified = verdict(vec![started(&[Level::Cut]), holds(), should(), ended()], false);
    assert!(
        certified.certified && certified.words.ends_with("levels cut; 1 clause of a SHOULD violated"),
        "{certified:?}"
    );
    let partial = verdict(vec![started(&[Level::Cut]), holds(), ended()], true);
    assert_eq!((partial.certified, partial.exit), (false, Exit::Conformant));
    let idle = verdict(vec![started(&[Level::Cut]), should(), ended()], false);
    assert_eq!((idle.words.as_str(), idle.exit), ("not certified: 1 clause not exercised", Exit::Incomplete));
    let interrupted = verdict(vec![started(&[Level::Cut]), holds(), should()], false);
    assert_eq!((interrupted.words.as_str(), interrupted.exit), ("not certified: interrupted", Exit::Incomplete));
    let broken = verdict(
        vec![started(&[Level::Cut]), judged(checks[0], Judgement::Violated(String::new())), harness(), ended()],
        false,
    );
    assert_eq!(
        (broken.words.as_str(), broken.exit),
        ("not certified: 1 clause violated; the harness itself failed", Exit::Harness)
    );
    let unseen =
        verdict(vec![started(&[Level::Cut]), case("generated/trim/1/0", CaseVerdict::Unsupported), ended()], true);
    assert_eq!((unseen.words.as_str(), unseen.exit), ("not certified: no clause was seen", Exit::Incomplete));
}
