//! What a run is about: globs over levels, clauses and cases, and the list of what they select.

use crate::{certify_toy, row, scratch, seamcheck, toy};
use std::fs;

#[track_caller]
fn refused(arguments: &[&str], words: &[&str]) {
    let run = seamcheck(arguments);
    assert!(run.code == 2 && run.stdout.is_empty(), "{}{}", run.stdout, run.stderr);
    assert!(words.iter().all(|words| run.stderr.contains(words)), "{}", run.stderr);
}

#[test]
fn one_case_is_run_alone_and_shows_what_it_shows_in_the_whole_run() {
    let (_, whole) = certify_toy("keeps-last-n", "6", &[]);
    let found = row(&whole, "B-TRIM-1.no-orphan");
    let (name, words) = (&whole["counterexamples"][0]["case"], &whole["counterexamples"][0]["words"]);
    assert_eq!(found["violations"][0]["ordinal"], whole["counterexamples"][0]["ordinal"]);
    let (run, alone) = certify_toy("keeps-last-n", "6", &["--case", name.as_str().unwrap()]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert_eq!((&alone["cases"]["generated"], &alone["partial"]), (&1.into(), &true.into()));
    assert_eq!(&alone["counterexamples"][0]["words"], words);
    assert_eq!(alone["selection"]["cases"][0], *name);
}

#[test]
fn a_glob_that_matches_nothing_is_an_error_that_names_it_and_what_would_match() {
    let adapter = ["--cases", "3", "--", "python3", "-S", &toy(), "keeps-all"];
    let with =
        |option: &[&'static str]| -> Vec<String> { option.iter().copied().chain(adapter).map(str::to_owned).collect() };
    for (option, words) in [
        (&["--level", "all"][..], &["--level all", "cut, compact and exact"][..]),
        (&["--level", "e*"], &["e*", "declares: cut"]),
        (&["--clause", "B-TRIN-*"], &["--clause B-TRIN-*", "B-TRIM-1"]),
        (&["--clause", "B-LINK-*"], &["--clause B-LINK-*", "the level exact", "declares: cut"]),
        (&["--clause", "B-TRIM-1", "--clause", "B-LINK-1.valid"], &["B-LINK-1.valid", "the level exact"]),
        (&["--case", "generated/trim/1/3"], &["--case generated/trim/1/3", "list --cases"]),
        (&["--case", "*", "--case", "vector/*"], &["--case vector/*", "list --cases"]),
    ] {
        let arguments = with(option);
        refused(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), words);
    }
    refused(&["list", "--case", "nothing"], &["--case nothing"]);
    refused(&["list", "--level", "exact", "--clause", "B-TRIM-*"], &["B-TRIM-*", "the level cut", "--level exact"]);
    refused(&["explain", "B-NONE-*"], &["no clause matches B-NONE-*"]);
}

#[test]
fn levels_and_clauses_are_globs_in_either_case() {
    let (run, certificate) = certify_toy("keeps-all", "3", &["--level", "C*", "--clause", "b-trim-*"]);
    assert_eq!((run.code, &certificate["levels"]), (0, &serde_json::json!(["cut"])), "{}", run.stdout);
    let explained = seamcheck(&["explain", "b-cancel-*"]);
    let titles = explained.stdout.lines().filter(|line| line.starts_with("B-CANCEL-")).count();
    assert!(explained.code == 0 && titles >= 5, "{}", explained.stdout);
}

#[test]
fn the_list_is_what_a_run_consists_of() {
    let (_, certificate) = certify_toy("keeps-all", "9", &[]);
    let list = seamcheck(&["list", "--level", "cut", "--cases", "9", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&list.stdout).unwrap();
    let ids = |value: &serde_json::Value, field: &str| -> Vec<String> {
        value.as_array().unwrap().iter().map(|row| row[field].as_str().unwrap().to_owned()).collect()
    };
    let judged = certificate["checks"].as_array().unwrap().iter().filter(|row| row["verdict"] != "not-applicable");
    assert_eq!(ids(&list["checks"], "id"), ids(&judged.cloned().collect::<Vec<_>>().into(), "id"));
    let row = &list["checks"][2];
    assert_eq!((row["must"].as_bool(), row["level"].as_str()), (Some(false), Some("cut")), "{row}");
    assert_eq!(row["reachedBy"], serde_json::json!(["trim"]));
    let names = ids(&list["cases"], "name");
    assert_eq!(
        (names.len(), names[8].as_str(), list["cases"][8]["ordinal"].as_u64()),
        (9, "generated/trim/1/8", Some(8))
    );

    let shard = seamcheck(&["list", "--level", "cut", "--cases", "9", "--shard", "2/3"]).stdout;
    let ordinals: Vec<&str> = shard
        .lines()
        .filter(|line| line.contains(" generated/"))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(ordinals, ["1", "4", "7"], "{shard}");
    // A vector speaks for its own clause alone.
    let vectors = seamcheck(&["list", "--clause", "B-UNIT-1", "--cases", "0"]).stdout;
    let listed = vectors.lines().filter(|line| line.contains("vector/")).count();
    let run = seamcheck(&["--clause", "B-UNIT-1", "--cases", "0"]).stdout;
    assert!(listed > 0 && run.contains(&format!("cases        {listed} vectors, 0 generated")), "{vectors}{run}");
}

#[test]
fn a_corpus_is_listed_and_selected_by_its_sources() {
    let file = scratch("selection-corpus");
    let line = |source: &str| format!("{{\"source\":\"{source}\",\"messages\":[]}}\n");
    fs::write(&file, line("one") + &line("two")).unwrap();
    let name = file.to_str().unwrap();
    let list = seamcheck(&["list", "--level", "cut", "--cases", "0", "--corpus", name, "--case", "corpus/t*"]).stdout;
    assert!(list.contains("      1  corpus/two/trim") && !list.contains("corpus/one"), "{list}");
    fs::remove_file(&file).unwrap();
}
