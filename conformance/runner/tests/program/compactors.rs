//! Adapters that compact: what they do with a cancellation, and with their own word.

use crate::{row, scratch, seamcheck};

/// A run of the toy over the clauses of cancelling; its exit code and its certificate.
fn certify_compactor(mode: &str) -> (i32, serde_json::Value) {
    let file = scratch(&format!("compactor-{mode}.json"));
    let toy = format!("{}/tests/adapters/toy_compactor.py", env!("CARGO_MANIFEST_DIR"));
    let only = ["run", "--cases", "40", "--clause", "B-CANCEL-*", "--timeout-seconds", "2", "--shrink-seconds", "3"];
    let rest = ["--json", file.to_str().unwrap(), "--", "python3", "-S", &toy, mode];
    let run = seamcheck(&[&only[..], &rest].concat());
    let certificate = std::fs::read(&file).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    std::fs::remove_file(&file).unwrap();
    (run.code, serde_json::from_slice(&certificate).unwrap())
}

#[track_caller]
fn verdicts(certificate: &serde_json::Value, ids: [&str; 3]) -> [String; 3] {
    ids.map(|id| row(certificate, id)["verdict"].as_str().unwrap().to_owned())
}

const IDS: [&str; 3] = ["B-CANCEL-1.before", "B-CANCEL-2.while-waiting", "B-CANCEL-3.settled"];

#[test]
fn a_compactor_that_heeds_every_cancellation_is_not_blamed_for_anything() {
    let (code, certificate) = certify_compactor("fine");
    assert_eq!((code, verdicts(&certificate, IDS)), (0, ["pass"; 3].map(str::to_owned)), "{certificate}");
    assert_eq!(certificate["faultCount"], 0);
}

#[test]
fn a_compactor_that_ignores_a_cancellation_or_answers_after_it_violates_the_clauses_about_that() {
    for mode in ["ignores-cancel", "answers-after-cancel"] {
        let (code, certificate) = certify_compactor(mode);
        let expected = ["pass", "violation", "violation"].map(str::to_owned);
        assert_eq!((code, verdicts(&certificate, IDS)), (1, expected), "{mode}: {certificate}");
        assert_eq!(certificate["faultCount"], 0, "{mode}");
    }
}

#[test]
fn a_capability_that_is_declared_and_not_there_is_a_fault_of_the_adapter() {
    let (code, certificate) = certify_compactor("lies-about-native");
    assert_eq!((code, certificate["faults"][0]["kind"].as_str()), (3, Some("bad-result")), "{certificate}");
    assert!(certificate["faults"][0]["words"].as_str().unwrap().contains("`native`"), "{certificate}");
}
