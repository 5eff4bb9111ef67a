//! Failures that are expected: what lets a run pass, and what fails it.

use crate::{Run, certify_toy, row, scratch, seamcheck, toy};
use std::fs;

const ORPHAN: &str = "check = \"B-TRIM-1.no-orphan\"\nkind = \"violation\"";
const OPEN: &str = "check = \"B-TRIM-3.open-calls\"\nkind = \"violation\"";

/// A run of the toy that expects these entries, each given its reason.
fn expecting(name: &str, entries: &[&str], mode: &str, more: &[&str]) -> (Run, serde_json::Value) {
    expecting_over("6", name, entries, mode, more)
}

/// The same over so many cases.
fn expecting_over(cases: &str, name: &str, entries: &[&str], mode: &str, more: &[&str]) -> (Run, serde_json::Value) {
    let file = scratch(&format!("expectations-{name}.toml"));
    let entries = entries.iter().map(|entry| format!("[[expected]]\n{entry}\nreason = \"known\"\n\n"));
    fs::write(&file, entries.collect::<String>()).unwrap();
    let run = certify_toy(mode, cases, &[&["--expectations", file.to_str().unwrap()], more].concat());
    fs::remove_file(&file).unwrap();
    run
}

#[track_caller]
fn outcome(certificate: &serde_json::Value, entry: usize) -> (&str, Option<&str>) {
    let entry = &certificate["expectations"]["entries"][entry];
    (entry["outcome"].as_str().unwrap(), entry["found"].as_str())
}

#[test]
fn an_expected_violation_of_a_must_passes_and_denies_the_certificate() {
    for entry in [ORPHAN, "clause = \"B-TRIM-1\"\nkind = \"violation\""] {
        let (run, certificate) = expecting("met", &[entry, OPEN], "keeps-last-n", &[]);
        assert_eq!((run.code, certificate["verdict"]["certified"].as_bool()), (0, Some(false)), "{}", run.stdout);
        assert!(run.stdout.contains("no certificate: 1 clause violated, as expected"), "{}", run.stdout);
        assert!(run.stdout.contains(", 2 of 2 met"), "{}", run.stdout);
        assert_eq!(outcome(&certificate, 0), ("met", None));
        assert_eq!(certificate["expectations"]["entries"][0]["reason"], "known");
        assert_eq!(certificate["expectations"]["sha256"].as_str().map(str::len), Some(64));
    }
    // The other violation alone is a SHOULD, which denies nothing.
    let (run, certificate) = expecting("should", &[OPEN], "keeps-last-n", &[]);
    assert_eq!((run.code, outcome(&certificate, 0)), (1, ("met", None)), "{}", run.stdout);
}

#[test]
fn violations_can_be_expected_case_by_case_and_one_more_fails() {
    let (_, whole) = certify_toy("keeps-last-n", "2", &[]);
    let check = row(&whole, "B-TRIM-1.no-orphan");
    let cases = check["violations"].as_array().unwrap();
    assert!(cases.len() == 2 && check["violated"] == 2, "all of them must be named for this test: {check}");
    let entries: Vec<String> =
        cases.iter().map(|case| format!("case = {}\nkind = \"violation\"", case["case"])).collect();
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    let (run, _) = expecting_over("2", "cases", &entries, "keeps-last-n", &[]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let (run, _) = expecting_over("2", "cases-less", &entries[1..], "keeps-last-n", &[]);
    assert_eq!(run.code, 1, "{}", run.stdout);
}

#[test]
fn what_holds_or_fails_in_another_way_than_expected_fails_the_run() {
    let (run, certificate) = expecting("stale", &[ORPHAN], "keeps-all", &[]);
    assert_eq!((run.code, outcome(&certificate, 0)), (1, ("stale", Some("pass"))), "{}", run.stdout);
    assert!(run.stdout.contains("STALE expectation at line 1: check B-TRIM-1.no-orphan"), "{}", run.stdout);
    assert!(run.stdout.contains("not certified: 1 expectation stale"), "{}", run.stdout);
    let entry = "clause = \"B-TRIM-1\"\nkind = \"not-observable\"";
    let (run, certificate) = expecting("other", &[entry], "keeps-last-n", &[]);
    assert_eq!((run.code, outcome(&certificate, 0)), (1, ("other-kind", Some("violation"))), "{}", run.stdout);
    let entry = "case = \"generated/trim/1/0\"\nkind = \"timeout\"".replace("timeout", "idle-timeout");
    let (run, certificate) = expecting("case", &[&entry], "keeps-all", &[]);
    assert_eq!((run.code, outcome(&certificate, 0)), (1, ("stale", Some("pass"))), "{}", run.stdout);
    // No such case at this level, where every case is of trimming.
    let (run, certificate) =
        expecting("none", &["case = \"generated/chain/1/0\"\nkind = \"violation\""], "keeps-all", &[]);
    assert_eq!((run.code, outcome(&certificate, 0)), (1, ("stale", Some("not-run"))), "{}", run.stdout);
}

#[test]
fn an_adapter_fault_is_expected_of_its_case_and_another_kind_of_fault_is_not() {
    let entry = |kind: &str| format!("case = \"generated/trim/1/0\"\nkind = \"{kind}\"");
    let one = ["--case", "generated/trim/1/0"];
    let (run, certificate) = expecting("fault", &[&entry("exited")], "exits", &one);
    assert_eq!(outcome(&certificate, 0), ("met", None), "{}", run.stdout);
    assert!(run.stdout.contains("no clause was seen") && !run.stdout.contains("1 adapter fault\n"), "{}", run.stdout);
    let (run, certificate) = expecting("fault-other", &[&entry("signal")], "exits", &one);
    assert_eq!((run.code, outcome(&certificate, 0)), (3, ("other-kind", Some("exited"))), "{}", run.stdout);
}

#[test]
fn what_lies_outside_of_what_was_run_is_neither_met_nor_stale() {
    let entries = [
        ORPHAN,
        "check = \"B-UNIT-1.vectors\"\nkind = \"violation\"",
        "case = \"generated/trim/2/0\"\nkind = \"violation\"",
    ];
    let (run, certificate) = expecting("outside", &entries, "keeps-all", &["--clause", "B-TRIM-4", "--level", "cut"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    for entry in 0..3 {
        assert_eq!(outcome(&certificate, entry), ("outside", None), "{entry}");
    }
    let (run, certificate) = expecting("outside-shard", &[ORPHAN], "keeps-all", &["--shard", "1/2"]);
    assert_eq!((run.code, outcome(&certificate, 0)), (0, ("outside", None)), "{}", run.stdout);
}

#[test]
fn what_a_run_showed_is_written_and_used_once_its_reasons_are_given() {
    let file = scratch("expectations-written.toml");
    let place = file.to_str().unwrap();
    certify_toy("keeps-last-n", "6", &["--write-expectations", place]);
    let written = fs::read_to_string(&file).unwrap();
    assert!(
        written.contains("\ncheck = \"B-TRIM-1.no-orphan\"\nkind = \"violation\"\nreason = \"EDIT ME"),
        "{written}"
    );
    let toy = toy();
    let unedited = seamcheck(&["--expectations", place, "--", "python3", "-S", &toy, "keeps-last-n"]);
    assert!(unedited.code == 2 && unedited.stdout.is_empty(), "{}", unedited.stdout);
    assert!(unedited.stderr.contains("line 3: `reason` still is"), "{}", unedited.stderr);
    fs::write(&file, written.replace("EDIT ME: say why this is expected", "issue \\\"12\\\"")).unwrap();
    // Read and written anew in one run: a reason that was given stays.
    let (run, _) = certify_toy("keeps-last-n", "6", &["--expectations", place, "--write-expectations", place]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let again = fs::read_to_string(&file).unwrap();
    assert!(again.contains("issue \"12\"") && !again.contains("EDIT ME"), "{again}");
    fs::write(&file, "[[expected]]\nwhat = 1\n").unwrap();
    let wrong = seamcheck(&["--expectations", place, "--", "no-such-adapter"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("line 2: unknown field `what`"), "{}", wrong.stderr);
    fs::remove_file(&file).unwrap();
    let missing = seamcheck(&["--expectations", "/no/such/file.toml", "--", "no-such-adapter"]);
    assert!(missing.code == 2 && missing.stderr.contains("/no/such/file.toml"), "{}", missing.stderr);
}

#[test]
fn parts_with_expectations_merge_into_the_whole() {
    let file = scratch("expectations-shards.toml");
    let (_, whole) = certify_toy("keeps-last-n", "20", &[]);
    let cases = row(&whole, "B-TRIM-3.open-calls")["violations"].as_array().unwrap();
    assert!(cases.len() >= 2, "they must lie in several parts: {cases:?}");
    let mut text = format!("[[expected]]\n{ORPHAN}\nreason = \"a\"\n");
    for case in cases {
        text += &format!("[[expected]]\ncase = {}\nkind = \"violation\"\nreason = \"b\"\n", case["case"]);
    }
    text += "[[expected]]\nclause = \"B-TRIM-4\"\nkind = \"violation\"\nreason = \"stale\"\n";
    fs::write(&file, text).unwrap();
    let option = ["--expectations", file.to_str().unwrap()];
    let (whole, expected) = certify_toy("keeps-last-n", "20", &option);
    let parts: Vec<_> = ["1/2", "2/2"]
        .iter()
        .map(|shard| {
            let (_, part) = certify_toy("keeps-last-n", "20", &[&option[..], &["--shard", shard]].concat());
            let file = scratch(&format!("expectations-shard-{}.json", &shard[..1]));
            fs::write(&file, part.to_string()).unwrap();
            file
        })
        .collect();
    let merged = scratch("expectations-merged.json");
    let names = parts.iter().map(|file| file.to_str().unwrap());
    let run = seamcheck(&["merge", "--json", merged.to_str().unwrap()].into_iter().chain(names).collect::<Vec<_>>());
    assert_eq!((run.code, &run.stdout), (whole.code, &whole.stdout), "{}", run.stderr);
    let found: serde_json::Value = serde_json::from_slice(&fs::read(&merged).unwrap()).unwrap();
    assert_eq!(found, expected);
    assert_eq!((whole.code, outcome(&found, 0).0), (1, "met"), "{}", whole.stdout);
    parts.iter().chain([&file, &merged]).for_each(|file| fs::remove_file(file).unwrap());
}
