//! The hostile runner: kits that are right, and one that is wrong in every way that a check is about.

use crate::seamcheck;

fn kit_test(options: &[&str], adapter: &[&str]) -> crate::Run {
    seamcheck(&[&["kit-test"], options, &["--"], adapter].concat())
}

fn broken_kit() -> String {
    format!("{}/tests/adapters/broken_kit.py", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_served_reference_passes_every_check() {
    let run = kit_test(&["--timeout-seconds", "30"], &[env!("CARGO_BIN_EXE_seamcheck"), "serve"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.ends_with("0 faults, 0 not applicable, 1 not observable\n"), "{}", run.stdout);
}

#[test]
fn the_kits_in_python_pass_every_check_that_applies() {
    for adapter in ["example_trimmer.py", "boundary_adapter.py"] {
        let path = format!("{}/../adapters/python/{adapter}", env!("CARGO_MANIFEST_DIR"));
        let run = kit_test(&["--timeout-seconds", "30"], &["python3", &path]);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    }
}

#[test]
fn a_sound_kit_by_hand_passes_and_the_findings_are_printed_as_json() {
    let run = kit_test(&["--json", "--timeout-seconds", "30"], &["python3", "-S", &broken_kit(), "sound"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let not_passed: Vec<_> = findings.iter().filter(|finding| finding["verdict"] != "pass").collect();
    assert!(run.code == 0 && not_passed.is_empty() && findings.len() > 50, "{not_passed:?}");
    assert_eq!(report["adapter"][0], "broken");
}

#[test]
fn each_way_to_be_wrong_is_found_by_its_check() {
    for (mode, check) in [
        ("takes-a-read-for-a-line", "K-SPLIT"),
        ("takes-a-read-for-a-line", "K-PACKED"),
        ("splits-at-separators", "K-SEPARATORS"),
        ("no-limit", "K-OVERLONG"),
        ("dies-of-bad-json", "K-BAD-JSON"),
        ("dies-of-bad-json", "K-DEEP"),
        ("replaces-surrogates", "K-SURROGATES"),
        ("answers-empty-lines", "K-EMPTY"),
        ("answers-empty-lines", "K-CRLF"),
        ("takes-batches", "K-BATCH"),
        ("any-jsonrpc", "K-VERSION"),
        ("odd-ids", "K-ODD-IDS"),
        ("ids-become-strings", "K-IDS"),
        ("refuses-methods", "K-METHOD"),
        ("answers-notifications", "K-NOTIFICATION"),
        ("lax-params", "K-PARAMS"),
        ("eager", "K-INIT-FIRST"),
        ("twice-initialized", "K-INIT-ONCE"),
        ("any-version", "K-INIT-VERSION"),
        ("reuses-handles", "K-HANDLE-NEW"),
        ("one-handle", "K-HANDLE-LIVE"),
        ("keeps-handles", "K-HANDLE-RELEASED"),
        ("refuses-handles", "K-HANDLE-UNKNOWN"),
        ("forgets-the-queue", "K-QUEUE"),
        ("any-answer", "K-ANSWER-STRAY"),
        ("answers-twice", "K-HANDLE-NEW"),
        ("error-is-summary", "K-ANSWER-ERROR"),
        ("guesses-answers", "K-ANSWER-UNREADABLE"),
        ("tells-nothing", "K-SCRIPT"),
        ("any-cancel", "K-CANCEL-OTHER"),
        ("ends-badly", "K-EOF"),
        ("ends-badly", "K-EOF-MID-LINE"),
        ("ignores-the-end", "K-EOF-WAITING"),
        ("outlives-shutdown", "K-SHUTDOWN"),
        ("ends-compactions", "K-SHUTDOWN-WAITING"),
        ("prints", "K-STRAY"),
        ("prints", "K-STDOUT"),
    ] {
        let run = kit_test(&["--timeout-seconds", "1", "--check", check], &["python3", "-S", &broken_kit(), mode]);
        assert_eq!(run.code, 1, "{mode}: {}{}", run.stdout, run.stderr);
        let fault = format!("{check:<20} FAULT\n  must hold: ");
        assert!(run.stdout.contains(&fault), "{mode}: {}", run.stdout);
    }
}

#[test]
fn an_adapter_that_does_not_come_to_the_handshake_is_not_usable_and_the_words_say_why() {
    let banner = kit_test(&["--timeout-seconds", "5"], &["python3", "-S", &broken_kit(), "banner"]);
    assert!(banner.code == 3 && banner.stderr.contains("what is no message"), "{} {}", banner.code, banner.stderr);
    assert_eq!(kit_test(&[], &["no-such-program-here"]).code, 3);
}

#[test]
fn every_check_is_listed_explained_and_named_once() {
    let list = seamcheck(&["kit-test", "--list"]).stdout;
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol/KITS.md")).unwrap();
    let mut names: Vec<&str> = list.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    for name in &names {
        assert!(page.contains(&format!("| `{name}` |")), "KITS.md says nothing about {name}");
    }
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    let unknown = kit_test(&["--check", "K-NONE"], &["true"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("--list"), "{}", unknown.stderr);
    assert_eq!(seamcheck(&["kit-test"]).code, 2);
}
