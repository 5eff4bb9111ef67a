//! Adapters that are fine, that are wrong, and that are broken in every way the runner tells apart.

use crate::{certify_toy, scratch, seamcheck, toy};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The first fault of a run: kind, words, standard error.
#[track_caller]
fn fault_of(mode: &str) -> (String, String, String) {
    let (run, certificate) = certify_toy(mode, "1", &[]);
    assert_eq!(run.code, 3, "{}", run.stdout);
    let fault = &certificate["faults"][0];
    let text = |field: &str| fault[field].as_str().unwrap().to_owned();
    (text("kind"), text("words"), fault["stderr"].to_string())
}

#[test]
fn every_way_to_break_is_told_apart() {
    for (mode, kind, words) in [
        ("exits-at-once", "exited", "exit status 3 before it had answered `initialize`"),
        ("exits", "exited", "exit status 7"),
        ("killed", "signal", "SIGKILL"),
        ("silent", "idle-timeout", "--timeout-seconds"),
        ("wrong-id", "wrong-id", "which no request has"),
        ("twice", "duplicate-answer", "second answer"),
        ("bad-json", "bad-json", "Loading model"),
        ("bad-utf8", "bad-json", "UTF-8"),
        ("speaks-first", "bad-json", "welcome to toy"),
        ("exits-mid-line", "exited", "exit status 0 in the middle of a line"),
        ("closes-its-input", "idle-timeout", "no answer within"),
        ("leaves-the-pipe-to-a-child", "exited", "exit status 9"),
        ("leaves-the-pipe-to-a-child-apart", "exited", "exit status 9"),
        ("lies", "protocol-error", "no such method"),
        ("batch", "invalid-message", "batches"),
        ("oversized", "oversized-line", "16777216"),
        ("closes", "end-of-file", "lives on"),
        ("bad-result", "bad-result", "missing field `units`"),
        ("uncaught", "protocol-error", "KeyError"),
        ("bad-exit", "exited", "exit status 5; it must be exit status 0"),
    ] {
        let (found, said, _) = fault_of(mode);
        assert!(found == kind && said.contains(words), "{mode}: {found}: {said}");
    }
}

/// Ways to break that a transcript brings about, with the kind of fault that each is. After the last three the
/// process goes on.
const BREAKING: [(&str, &str); 16] = [
    ("exits", "exited"),
    ("exits-mid-line", "exited"),
    ("killed", "signal"),
    ("silent", "idle-timeout"),
    ("closes-its-input", "idle-timeout"),
    ("leaves-the-pipe-to-a-child", "exited"),
    ("leaves-the-pipe-to-a-child-apart", "exited"),
    ("wrong-id", "wrong-id"),
    ("twice", "duplicate-answer"),
    ("bad-json", "bad-json"),
    ("bad-utf8", "bad-json"),
    ("batch", "invalid-message"),
    ("huge", "oversized-line"),
    ("bad-result", "bad-result"),
    ("lies", "protocol-error"),
    ("uncaught", "protocol-error"),
];

/// Of each kind of fault one case, and around them 1,000 that are fine.
#[track_caller]
fn a_thousand_cases_around_every_fault(mode: &str, jobs: &str) {
    let mut lines = String::new();
    for number in 0..1_000 {
        if number % 60 == 30
            && let Some((breaking, _)) = BREAKING.get(number / 60)
        {
            let first = format!(r#"{{"id":"u","role":"user","content":"go wrong: {breaking}"}}"#);
            lines.push_str(&format!("{{\"source\":\"{breaking}\",\"messages\":[{first}]}}\n"));
        }
        let first = format!(r#"{{"id":"u{number}","role":"user","content":"fine"}}"#);
        lines.push_str(&format!("{{\"source\":\"fine {number}\",\"messages\":[{first}]}}\n"));
    }
    let file = scratch(&format!("corpus-{mode}-{jobs}"));
    std::fs::write(&file, lines).unwrap();
    let more = ["--jobs", jobs, "--clause", "B-TRIM-*", "--corpus", file.to_str().unwrap(), "--timeout-seconds", "1"];
    let (run, certificate) = certify_toy(mode, "0", &more);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(run.code, 3, "{}", run.stdout);
    let faults = certificate["faults"].as_array().unwrap();
    // Those that are alike are told of at once.
    let places = |fault: &serde_json::Value| {
        let also = fault["alsoDuring"].as_array().unwrap().iter();
        std::iter::once(&fault["during"]).chain(also).map(|place| text(place).to_owned()).collect::<Vec<_>>()
    };
    let found = faults.iter().flat_map(|fault| places(fault).into_iter().map(|place| (place, text(&fault["kind"]))));
    let expected = BREAKING.map(|(breaking, kind)| (format!("corpus/{breaking}/trim"), kind));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected.into_iter().collect());
    assert_eq!(certificate["cases"]["faults"], BREAKING.len());
    let fine =
        certificate["corpus"].as_array().unwrap().iter().filter(|answer| text(&answer["source"]).starts_with("fine"));
    let fine: Vec<&str> = fine.map(|answer| text(&answer["cut"])).collect();
    assert_eq!(fine.len(), 1_000);
    assert!(fine.iter().all(|cut| cut.starts_with("holds over ")), "{}", run.stdout);
}

#[test]
fn answers_out_of_order_are_no_fault_of_a_case_where_each_case_alone_is_fine() {
    let (run, certificate) = certify_toy("out-of-order", "4", &["--jobs", "4"]);
    assert_eq!(run.code, 3, "{}", run.stdout);
    let fault = &certificate["faults"][0];
    assert_eq!(text(&fault["kind"]), "out-of-order", "{}", run.stdout);
    assert!(text(&fault["during"]).ends_with("run alone, none of them fails so"), "{}", run.stdout);
    assert_eq!(certificate["cases"]["faults"], 0);
}

fn text(value: &serde_json::Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn only_the_case_in_flight_is_blamed() {
    a_thousand_cases_around_every_fault("keeps-all", "1");
}

#[test]
fn of_several_cases_in_flight_only_the_one_that_fails_alone_is_blamed() {
    a_thousand_cases_around_every_fault("several", "4");
}

#[test]
fn a_fault_carries_the_last_words_of_standard_error() {
    assert!(fault_of("exits-at-once").2.contains("no licence found"));
    assert!(fault_of("exits").2.contains("out of luck"));
}

#[test]
fn a_broken_adapter_is_started_again_for_each_case_and_given_up_after_a_few() {
    let (run, certificate) = certify_toy("exits", "6", &[]);
    assert_eq!(certificate["faultCount"], 5);
    assert_eq!(certificate["restarts"], 4);
    assert_eq!(certificate["faults"][0]["alsoDuring"][0], "generated/trim/1/1");
    assert_eq!(certificate["faults"][0]["moreLikeIt"], 4);
    assert!(run.stdout.contains("\n  and 4 more like it\n"), "{}", run.stdout);
    assert!(run.stdout.contains("given up after 5 cases in a row"), "{}", run.stdout);
    // A fault that is one whole answer does not cost the process.
    assert_eq!(certify_toy("uncaught", "2", &[]).1["restarts"], 0);
}

#[test]
fn an_adapter_that_floods_its_standard_error_is_certified_all_the_same() {
    let (run, _) = certify_toy("noisy", "6", &[]);
    assert_eq!(run.code, 0, "{}", run.stdout);
}

#[test]
fn a_trimmer_that_breaks_no_round_is_certified_and_the_run_repeats_to_the_letter() {
    let (run, certificate) = certify_toy("keeps-all", "6", &["--seed", "4"]);
    assert_eq!((run.code, certificate["verdict"]["certified"].as_bool()), (0, Some(true)), "{}", run.stdout);
    assert!(run.stdout.contains("\ncertified: spec 1.0.0-draft, levels cut\n"), "{}", run.stdout);
    assert_eq!(certificate["cases"]["generated"], 6);
    assert_eq!(certificate["adapter"]["files"][1]["file"], "toy.py");
    let (again, same) = certify_toy("keeps-all", "6", &["--seed", "4"]);
    assert_eq!((again.stdout, same), (run.stdout, certificate));
}

#[test]
fn keep_last_n_violates_the_first_clause_of_trimming_and_the_counterexample_is_small() {
    let (run, certificate) = certify_toy("keeps-last-n", "6", &[]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    let examples = certificate["counterexamples"].as_array().unwrap();
    let example = examples.iter().find(|example| example["clause"] == "B-TRIM-1").unwrap();
    let messages = example["steps"][0]["input"].as_array().unwrap();
    assert!(messages.len() <= 3, "{}", run.stdout);
    assert!(run.stdout.contains("VIOLATION of B-TRIM-1.") && run.stdout.contains("-> keeps "), "{}", run.stdout);
    assert!(run.stdout.lines().any(|line| line.starts_with("not certified: ")), "{}", run.stdout);
    let (unshrunk, _) = certify_toy("keeps-last-n", "6", &["--shrink-seconds", "0"]);
    assert!(unshrunk.stdout.contains("; 0 smaller cases tried"), "{}", unshrunk.stdout);
}

#[test]
fn only_the_clauses_asked_for_are_judged_and_then_there_is_no_certificate() {
    let (run, certificate) = certify_toy("keeps-last-n", "6", &["--clause", "B-TRIM-4*", "--clause", "b-trim-7"]);
    assert_eq!((run.code, certificate["partial"].as_bool()), (0, Some(true)), "{}", run.stdout);
    assert!(run.stdout.contains("no certificate: what was run holds"), "{}", run.stdout);
}

#[test]
fn a_level_that_is_not_declared_cannot_be_asked_for_and_without_cases_there_is_nothing_to_run() {
    let toy = toy();
    let run = seamcheck(&["--level", "exact", "--", "python3", &toy, "keeps-all"]);
    assert!(
        run.code == 2 && run.stderr.contains("level exact") && run.stderr.contains("declares: cut"),
        "{}",
        run.stderr
    );
    let run = seamcheck(&["--cases", "0", "--", "python3", &toy, "keeps-all"]);
    assert!(run.code == 2 && run.stderr.contains("--cases"), "{}", run.stderr);
}

#[test]
fn a_program_that_is_missing_is_named() {
    let run = seamcheck(&["--", "no-such-adapter", "--flag"]);
    assert_eq!(run.code, 3);
    assert!(run.stdout.contains("start-failed") && run.stdout.contains("`no-such-adapter`"), "{}", run.stdout);
}

#[cfg(unix)]
#[test]
fn nothing_that_an_adapter_starts_outlives_the_run() {
    let file = scratch("child");
    let toy = toy();
    let run = seamcheck(&["--cases", "1", "--", "python3", &toy, "leaves-a-child", file.to_str().unwrap()]);
    let child: i32 = std::fs::read_to_string(&file).unwrap().parse().unwrap_or_else(|_| panic!("{}", run.stderr));
    std::fs::remove_file(&file).unwrap();
    assert!(is_gone(child), "the adapter's child {child} lives on");
}

#[cfg(unix)]
#[test]
fn a_run_that_is_interrupted_takes_the_adapter_with_it_and_says_how_far_it_came() {
    let file = scratch("interrupted");
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_seamcheck"));
    program.args([
        "--cases",
        "1000000",
        "--timeout-seconds",
        "60",
        "--",
        "python3",
        &toy(),
        "leaves-a-child",
        file.to_str().unwrap(),
    ]);
    let running = program.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    let child = loop {
        if let Some(child) = std::fs::read_to_string(&file).ok().and_then(|text| text.parse::<i32>().ok()) {
            break child;
        }
        assert!(began.elapsed() < Duration::from_secs(10), "the adapter never started");
        std::thread::sleep(Duration::from_millis(10));
    };
    let pid = running.id().to_string();
    assert!(std::process::Command::new("sh").args(["-c", &format!("kill -INT {pid}")]).status().unwrap().success());
    let output = running.wait_with_output().unwrap();
    std::fs::remove_file(&file).unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{stdout}");
    assert!(stdout.contains("interrupted"), "{stdout}");
    assert!(is_gone(child), "the adapter's child {child} lives on");
}

/// Whether a process ends within a moment; one that nobody has waited for yet counts as ended.
#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    let alive = || {
        let state =
            std::process::Command::new("ps").args(["-o", "stat=", "-p", &process.to_string()]).output().unwrap();
        !matches!(String::from_utf8_lossy(&state.stdout).trim().chars().next(), None | Some('Z'))
    };
    let began = Instant::now();
    while alive() {
        if began.elapsed() > Duration::from_secs(2) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}
