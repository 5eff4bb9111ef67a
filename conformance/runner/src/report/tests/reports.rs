//! The reports that are files: of the certificate with everything in it, and of hostile text.

use super::*;
use crate::report::terminal::Paint;
use crate::report::{github, html, junit, markdown};

/// Text that would break out of HTML, XML, Markdown and a terminal.
const HOSTILE: &str =
    "</script></title><img src=x onerror=alert(1)>\"'&]]>--><!-- \u{202e}\u{1b}[31m\u{0}\u{fffe}`|\n::error::x @all";

fn hostile_certificate() -> Certificate {
    let checks = checks(&["B-TRIM-1"]);
    let long = "n".repeat(10_000);
    let Event::Started { mut declaration, levels } = started(&[Level::Cut]) else { unreachable!() };
    declaration.name = format!("{HOSTILE}{long}");
    declaration.language = HOSTILE.to_owned();
    let text = format!(r#"[{{"id":"\ud800{}","role":"robot","content":"</svg>\u202e"}}]"#, "i".repeat(10_000));
    let outcomes = vec![Outcome {
        step: Step::Cut { messages: Payload::raw(text), budget: 1 },
        reply: Reply::Cut(CutResult { kept: vec![] }),
        asked: vec![],
    }];
    let example = Counterexample {
        ordinal: 0,
        again: None,
        small: seamcheck_checks::source::generated(1, 0, &Level::ALL).unwrap(),
        check: checks[0],
        case: HOSTILE.to_owned(),
        original_steps: 1,
        tries: 0,
        kept: 0,
        words: HOSTILE.to_owned(),
        outcomes,
    };
    let fault =
        AdapterFault { kind: FaultKind::BadJson, words: HOSTILE.to_owned(), stderr: vec![HOSTILE.to_owned(); 3] };
    let answer = CorpusAnswer { source: HOSTILE.to_owned(), messages: 1, exact: Some(HOSTILE.to_owned()), cut: None };
    let events = vec![
        Event::Started { declaration, levels },
        judged(checks[0], Judgement::Violated(HOSTILE.to_owned())),
        Event::Counterexample(Box::new(example)),
        case(HOSTILE, CaseVerdict::Fault(fault)),
        Event::CorpusAnswered(answer),
        Event::HarnessFault { during: HOSTILE.to_owned(), words: HOSTILE.to_owned() },
        ended(),
    ];
    certificate(events, &checks, false)
}

#[test]
fn markdown_holds_what_the_certificate_holds() {
    let certificate = full_certificate();
    let text = markdown::markdown(&certificate);
    assert!(text.contains(&certificate.spec_sha256));
    // The page may change, and the report may not.
    insta::assert_snapshot!(text.replace(&certificate.spec_sha256, "(of the page)"));
}

#[test]
fn junit_has_a_testcase_for_each_check_and_an_error_for_each_fault() {
    let certificate = full_certificate();
    insta::assert_snapshot!(junit::junit(&certificate).unwrap().replace(&certificate.spec_sha256, "(of the page)"));
}

#[test]
fn annotations_stand_behind_the_certificate_and_no_line_of_it_is_a_command() {
    let certificate = full_certificate();
    let printed = github::annotated(&certificate.to_string(), &certificate, "salt");
    let lines: Vec<&str> = printed.lines().collect();
    let token = lines[0].strip_prefix("::stop-commands::").unwrap();
    let end = lines.iter().position(|line| *line == format!("::{token}::")).unwrap();
    assert!(printed.matches(token).count() == 2 && token.len() > 32, "{token}");
    insta::assert_snapshot!(lines[end + 1..].join("\n"));
}

#[test]
fn there_are_ten_annotations_at_most_and_a_summary_says_how_many_are_left_out() {
    let checks = checks(&["B-TRIM-1", "B-TRIM-2", "B-TRIM-4", "B-TRIM-5", "B-TRIM-6", "B-TRIM-7"]);
    let mut events = vec![started(&[Level::Cut])];
    let kinds = [FaultKind::BadJson, FaultKind::WrongId, FaultKind::BadResult, FaultKind::EndOfFile];
    for kind in kinds.into_iter().chain([FaultKind::IdleTimeout, FaultKind::OversizedLine, FaultKind::StartTimeout]) {
        let fault = AdapterFault { kind, words: "broken".to_owned(), stderr: vec![] };
        events.push(case("generated/trim/1/3", CaseVerdict::Fault(fault)));
    }
    events.extend(checks.iter().map(|check| judged(check, Judgement::Violated("wrong".to_owned()))));
    events.push(ended());
    let certificate = certificate(events, &checks, false);
    let printed = github::annotated("", &certificate, "salt");
    let commands: Vec<&str> = printed.lines().filter(|line| line.starts_with("::error ")).collect();
    assert_eq!(commands.len(), 11, "{printed}");
    // Five violations, since nothing here declares `suffix`, and seven faults.
    assert!(commands[10].contains("2 findings more"), "{}", commands[10]);
}

#[test]
fn nothing_that_is_said_breaks_out_of_the_page() {
    let page = html::page(&hostile_certificate()).unwrap();
    for hostile in ["<script", "</script", "<img", "<!--", "-->", "\u{202e}", "\u{1b}", "\u{0}", "\u{fffe}"] {
        assert!(!page.contains(hostile), "{hostile:?} stands in the page");
    }
    assert_eq!(
        (page.matches("</title>").count() - page.matches("<title").count(), page.matches("</svg>").count()),
        (0, 1)
    );
    assert!(page.contains("\\u{202e}") && page.contains("&lt;img"), "it is shown, by its number or escaped");
    let longest = page.lines().map(str::len).max().unwrap_or_default();
    assert!(longest < 9_000, "{longest} characters in a line");
}

#[test]
fn nothing_that_is_said_breaks_out_of_the_xml() {
    let xml = junit::junit(&hostile_certificate()).unwrap();
    for hostile in ["<img", "]]>", "<!--", "\u{202e}", "\u{1b}", "\u{0}", "\u{fffe}"] {
        assert!(!xml.contains(hostile), "{hostile:?} stands in the report");
    }
    assert_eq!(xml.matches("<testcase").count(), 3);
}

#[test]
fn nothing_that_is_said_works_in_markdown() {
    let text = markdown::markdown(&hostile_certificate());
    // In a block every line is text; outside one, whatever is said stands between the marks of a code span.
    let mut block = None;
    for line in text.lines() {
        let fence = line.chars().take_while(|c| *c == '`').count();
        match block {
            Some(open) if fence == open && line.len() == fence => block = None,
            None if fence >= 3 && line.ends_with("text") => block = Some(fence),
            None => assert!(!outside_code(line).contains("<img"), "{line}"),
            Some(_) => {}
        }
    }
    assert!(block.is_none() && text.contains("<img"), "{text}");
}

/// A line without its code spans.
fn outside_code(line: &str) -> String {
    let mut outside = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        outside.push_str(&rest[..start]);
        let fence = rest[start..].chars().take_while(|c| *c == '`').count();
        let inside = &rest[start + fence..];
        let mark = "`".repeat(fence);
        let Some(end) = inside.find(&mark) else { return outside + inside };
        rest = &inside[end + fence..];
    }
    outside + rest
}

#[test]
fn the_page_draws_an_arc_for_each_pair_a_line_for_each_cut_and_marks_what_is_parted() {
    let page = html::page(&full_certificate()).unwrap();
    let certificate = full_certificate();
    let scenes: Vec<_> = certificate.counterexamples.iter().flat_map(|example| &example.scenes).collect();
    let pairs: usize = scenes.iter().map(|scene| scene.pairs.len()).sum();
    let acts = || scenes.iter().flat_map(|scene| &scene.acts);
    assert_eq!((page.matches("<svg").count(), scenes.len()), (2, 2));
    assert_eq!((page.matches("<g class=\"arc").count(), pairs), (2, 2));
    assert_eq!(page.matches("<g class=\"cut").count(), acts().map(|act| act.cuts.len()).sum::<usize>());
    assert_eq!(page.matches("<g class=\"arc parted\"").count(), acts().map(|act| act.parted.len()).sum::<usize>());
    assert!(page.contains(">should have stayed together<"));
}

#[test]
fn the_page_loads_nothing_and_runs_nothing() {
    let page = html::page(&full_certificate()).unwrap();
    assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline';"));
    for outside in ["http:", "https:", "//", "@import", "<script", "<link", "javascript:", " onclick", " style="] {
        let allowed = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!allowed.contains(outside), "{outside}");
    }
}

/// A compaction that is cancelled in every way, each time as it should be but for the last but one.
fn cancelling_story() -> Vec<Outcome> {
    let [build, compact, inspect, _]: [Outcome; 4] = compact_story().try_into().unwrap();
    let Step::Compact(step) = &compact.step else { unreachable!() };
    let refused = |code: &str| Reply::Refused { code: code.to_owned(), message: "no".into(), looks: None };
    let attempt = |answer: Answer, cancel, reply| {
        let step = Step::Compact(CompactStep { answer, cancel, ..step.clone() });
        [Outcome { step, reply, asked: compact.asked.clone() }, inspect.clone()]
    };
    let throws = Answer::Throw { message: "no".into(), cancel: true };
    let attempts = [
        attempt(Answer::text("so far"), CancelPlan::Before, refused("CONTEXT_CANCELLED")),
        attempt(Answer::text("so far"), CancelPlan::AtLook(0), refused("CONTEXT_CANCELLED")),
        attempt(Answer::text("so far"), CancelPlan::AtLook(1), refused("CONTEXT_CANCELLED")),
        attempt(throws, CancelPlan::Never, refused("CONTEXT_CANCELLED")),
        attempt(Answer::text("so far"), CancelPlan::AtLook(2), compact.reply.clone()),
    ];
    [build, inspect.clone()].into_iter().chain(attempts.into_iter().flatten()).collect()
}

#[test]
fn attempts_that_hold_are_told_at_once_and_the_one_that_does_not_stays_alone() {
    let check = checks(&["B-CANCEL-3"])[0];
    let example = Counterexample {
        ordinal: 0,
        again: None,
        small: seamcheck_checks::source::generated(1, 0, &Level::ALL).unwrap(),
        check,
        case: "generated/cancelling/1/2".to_owned(),
        original_steps: 12,
        tries: 0,
        kept: 0,
        words: "a call that failed at once".to_owned(),
        outcomes: cancelling_story(),
    };
    let events = vec![started(&[Level::Compact]), Event::Counterexample(Box::new(example)), ended()];
    let certificate = certificate(events, &[check], false);
    let story = certificate.counterexamples[0].story.join("\n");
    assert!(story.contains("3-8. 3 attempts to compact context A for maxUnits 30"), "{story}");
    assert!(story.contains("cancelled before it starts; at look 0 up to 1\n"), "{story}");
    assert!(
        story.contains("9. compact context A into B for the same options; the summarizer cancels and throws"),
        "{story}"
    );
    let scene = &certificate.counterexamples[0].scenes[0];
    let steps: Vec<_> = scene.acts.iter().map(|act| (act.first_step, act.last_step, act.cuts.clone())).collect();
    assert_eq!(steps, [(3, 8, vec![1]), (9, 9, vec![1]), (11, 11, vec![1])]);
    assert_eq!((scene.messages.len(), scene.pairs.len()), (3, 1));
}

#[test]
fn colours_say_nothing_that_the_words_do_not() {
    let certificate = full_certificate();
    let coloured = certificate.painted(Paint::Colour).to_string();
    assert!(coloured.contains("\u{1b}[1;31mVIOLATION of B-TRIM-1.no-orphan (MUST)\u{1b}[0m"), "{coloured}");
    let mut plain = coloured.replace("\u{1b}[0m", "");
    for colour in ["1;31", "32", "33"] {
        plain = plain.replace(&format!("\u{1b}[{colour}m"), "");
    }
    assert_eq!(plain, certificate.to_string());
}

#[test]
fn faults_that_are_alike_are_told_once_with_how_many_more_there_are() {
    let fault = |number: u64| AdapterFault {
        kind: FaultKind::ProtocolError { code: -32603 },
        words: format!("request {number} was answered with an error: KeyError"),
        stderr: vec![format!("  File \"a.py\", line {number}"), "KeyError: 'id'".to_owned()],
    };
    let mut events = vec![started(&[Level::Cut])];
    events.extend((0..13).map(|number| case("generated/trim/1/3", CaseVerdict::Fault(fault(number)))));
    events.push(ended());
    let certificate = certificate(events, &checks(&["B-TRIM-1"]), false);
    assert_eq!((certificate.faults.len(), certificate.fault_count), (1, 13));
    let printed = certificate.to_string();
    assert!(printed.contains("\n  and 12 more like it\n"), "{printed}");
}
