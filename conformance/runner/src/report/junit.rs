//! The certificate as JUnit XML: one testcase a check, its class the family of the clause. A violation of a MUST is a
//! failure, whatever kept the run from its end is an error, and what was not seen is skipped with the reason.

use super::certificate::{Certificate, CheckEntry, CheckVerdict};
use super::safe_text::{visible, visible_line};
use super::terminal::verdict_words;
use crate::spec_page;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The certificate as JUnit XML.
///
/// # Errors
/// It cannot be written, in words.
pub(super) fn junit(certificate: &Certificate) -> Result<String, String> {
    let adapter = &certificate.adapter;
    let mut suite = TestSuite::new(visible_line(&format!("seamcheck {} {}", adapter.name, adapter.version)));
    for (name, value) in [
        ("suite", certificate.suite.as_str()),
        ("spec", &certificate.spec),
        ("protocol", &certificate.protocol),
        ("command", &adapter.command),
        ("seed", &certificate.seed.to_string()),
        ("verdict", &certificate.verdict.words),
    ] {
        suite.add_property((name, visible_line(value).as_str()));
    }
    for check in &certificate.checks {
        suite.add_test_case(test_case(check, certificate));
    }
    for fault in &certificate.faults {
        let more = fault.more_like_it;
        let like_it = if more > 0 { format!(" (and {more} more like it)") } else { String::new() };
        let mut case = error("adapter-fault", &fault.during, &format!("{}: {}{like_it}", fault.kind, fault.words));
        case.set_system_err(visible(&fault.stderr.join("\n")));
        suite.add_test_case(case);
    }
    for fault in &certificate.harness_faults {
        suite.add_test_case(error("harness-fault", "the harness itself", fault));
    }
    if let Some(reason) = &certificate.incomplete {
        suite.add_test_case(error("run", "the run is complete", reason));
    }
    let mut report = Report::new("seamcheck");
    report.add_test_suite(suite);
    report.to_string().map_err(|error| error.to_string())
}

fn test_case(check: &CheckEntry, certificate: &Certificate) -> TestCase {
    let family = spec_page::family(&check.clause);
    let words = verdict_words(check);
    let example = certificate.counterexamples.iter().find(|example| example.check == check.id);
    let mut status = match check.verdict {
        CheckVerdict::Pass => TestCaseStatus::success(),
        CheckVerdict::Violation if check.must => TestCaseStatus::non_success(NonSuccessKind::Failure),
        // A SHOULD denies nothing, and must not turn a pipeline red.
        CheckVerdict::Violation
        | CheckVerdict::NotObservable
        | CheckVerdict::NotApplicable
        | CheckVerdict::NotExercised => TestCaseStatus::skipped(),
    };
    if check.verdict != CheckVerdict::Pass {
        let said = example.map(|example| example.words.as_str()).or(check.violations.first().map(|one| &*one.words));
        status.set_message(said.map_or_else(|| words.clone(), |said| format!("{words}: {}", visible_line(said))));
        status.set_type(check.verdict.word());
    }
    if let Some(example) = example {
        status.set_description(visible(&example.story.join("\n")));
    }
    let mut case = TestCase::new(&*check.id, status);
    case.set_classname(family).set_assertions(usize::try_from(check.reached).unwrap_or(usize::MAX));
    case
}

fn error(class: &str, name: &str, words: &str) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(visible_line(words)).set_type(class);
    let mut case = TestCase::new(visible_line(name), status);
    case.set_classname(class);
    case
}
