//! Parts of a run put together are the run.

use crate::{Run, scratch, seamcheck, toy};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A run of this adapter into a certificate.
fn certify(file: &Path, options: &[&str], adapter: &[&str]) -> Run {
    let fixed = ["run", "--timeout-seconds", "20", "--json", file.to_str().unwrap()];
    seamcheck(&[&fixed, options, &["--"], adapter].concat())
}

/// Three parts, merged, against the whole: exit code, report and certificate.
#[track_caller]
fn merges(name: &str, options: &[&str], adapter: &[&str]) -> String {
    let folder = scratch(name);
    fs::create_dir_all(&folder).unwrap();
    let place = |name: &str| folder.join(format!("{name}.json"));
    let whole = certify(&place("whole"), options, adapter);
    let parts: Vec<PathBuf> = ["3/3", "1/3", "2/3"]
        .iter()
        .map(|shard| {
            let file = place(&shard.replace('/', "-"));
            let run = certify(&file, &[options, &["--shard", shard]].concat(), adapter);
            assert!(run.code <= whole.code, "{}{}", run.stdout, run.stderr);
            assert!(run.stdout.contains(&format!("shard        {shard}\n")), "{}", run.stdout);
            file
        })
        .collect();
    let merged = place("merged");
    let files: Vec<&str> = parts.iter().map(|file| file.to_str().unwrap()).collect();
    let merge = seamcheck(&[&["merge", "--json", merged.to_str().unwrap()], &files[..]].concat());
    assert_eq!((merge.code, &merge.stdout), (whole.code, &whole.stdout), "{}", merge.stderr);
    let text = fs::read_to_string(place("whole")).unwrap();
    assert_eq!(fs::read_to_string(&merged).unwrap(), text);
    fs::remove_dir_all(&folder).unwrap();
    whole.stdout
}

#[test]
fn three_parts_of_a_clean_adapter_merge_into_the_certificate_of_the_whole_to_the_letter() {
    let text = merges("shards-clean", &["--cases", "20"], &["python3", "-S", &toy(), "keeps-all"]);
    assert!(text.contains("\ncertified: "), "{text}");
}

#[test]
fn three_parts_of_a_faulty_adapter_merge_into_the_certificate_of_the_whole_to_the_letter() {
    let text = merges("shards-faulty", &["--cases", "20"], &["python3", "-S", &toy(), "keeps-last-n"]);
    assert!(text.contains("VIOLATION of B-TRIM-1.no-orphan"), "{text}");
}

#[test]
fn vectors_compactions_and_a_corpus_are_merged_as_well() {
    let corpus = scratch("shards-corpus");
    let messages = r#"[{"id":"u","role":"user","content":"hi"},{"id":"v","role":"user","content":"\ud800"}]"#;
    fs::write(&corpus, format!("{{\"messages\":{messages}}}\n{{\"source\":\"s\",\"messages\":{messages}}}\n")).unwrap();
    let program = env!("CARGO_BIN_EXE_seamcheck");
    let globs = ["--clause", "B-UNIT-*", "--clause", "B-COMPACT-7", "--clause", "B-ROUND-*", "--shrink-seconds", "60"];
    let options = [&["--cases", "50", "--corpus", corpus.to_str().unwrap()], &globs[..]].concat();
    for mutant in [&["serve", "--mutant", "compact-shortens-results"][..], &["serve"]] {
        let text = merges("shards-exact", &options, &[&[program], mutant].concat());
        assert!(text.contains("6 from the corpus") && text.contains("\ns: 2 messages; exact: "), "{text}");
    }
    fs::remove_file(&corpus).unwrap();
}

/// Takes out of a certificate what a merged one may have otherwise, and returns it: for each kind of fault how many
/// there were, and during what.
fn take_faults(certificate: &mut Value) -> BTreeMap<String, (u64, BTreeSet<String>)> {
    let members = certificate.as_object_mut().unwrap();
    members.remove("restarts").unwrap();
    let Some(Value::Array(faults)) = members.remove("faults") else { panic!("a list of faults") };
    let fault = |fault: &Value| {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let places = fault["alsoDuring"].as_array().unwrap().iter().chain([&fault["during"]]).map(text).collect();
        (text(&fault["kind"]), (1 + fault["moreLikeIt"].as_u64().unwrap(), places))
    };
    faults.iter().map(fault).collect()
}

#[test]
fn parts_of_an_adapter_that_fails_in_some_cases_merge_into_the_whole_but_for_what_is_told_of_its_faults() {
    let folder = scratch("shards-failing");
    fs::create_dir_all(&folder).unwrap();
    let corpus = folder.join("corpus");
    let wrong = [(1, "exits"), (4, "bad-result"), (6, "exits"), (9, "killed"), (11, "exits"), (14, "bad-result")];
    let line = |number: usize| {
        let mode = wrong.iter().find(|(place, _)| *place == number).map_or("nothing", |(_, mode)| mode);
        let message = format!(r#"{{"id":"u","role":"user","content":"go wrong: {mode}"}}"#);
        format!("{{\"source\":\"s{number}\",\"messages\":[{message}]}}\n")
    };
    fs::write(&corpus, (0..16).map(line).collect::<String>()).unwrap();
    let toy = toy();
    let certificate = |name: &str, shard: &[&str]| {
        let file = folder.join(name);
        let options = [&["--cases", "6", "--corpus", corpus.to_str().unwrap()], shard].concat();
        let run = certify(&file, &options, &["python3", "-S", &toy, "keeps-last-n"]);
        assert_eq!(run.code, 3, "{}", run.stdout);
        file.to_str().unwrap().to_owned()
    };
    let whole = certificate("whole", &[]);
    let parts = ["1/3", "2/3", "3/3"].map(|shard| certificate(&shard[..1], &["--shard", shard]));
    let merged = folder.join("merged");
    let merge = ["merge", "--json", merged.to_str().unwrap()].into_iter().chain(parts.iter().map(String::as_str));
    assert_eq!(seamcheck(&merge.collect::<Vec<_>>()).code, 3);
    let read = |file: &Path| -> Value { serde_json::from_slice(&fs::read(file).unwrap()).unwrap() };
    let (mut merged, mut whole) = (read(&merged), read(Path::new(&whole)));
    let (found, expected) = (take_faults(&mut merged), take_faults(&mut whole));
    assert_eq!(found, expected);
    let counts: Vec<u64> = expected.values().map(|(count, _)| *count).collect();
    assert_eq!((counts, whole["faultCount"].as_u64()), (vec![2, 3, 1], Some(6)), "{expected:?}");
    assert_eq!(merged, whole);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn parts_that_are_not_of_one_run_are_refused_with_what_differs() {
    let folder = scratch("shards-wrong");
    fs::create_dir_all(&folder).unwrap();
    let toy = toy();
    let part = |name: &str, options: &[&str], mode: &str| {
        let file = folder.join(name);
        certify(&file, options, &["python3", "-S", &toy, mode]);
        file.to_str().unwrap().to_owned()
    };
    let first = part("1.json", &["--cases", "4", "--shard", "1/2"], "keeps-all");
    let second = ["--cases", "4", "--shard", "2/2"];
    let whole = part("whole.json", &["--cases", "4"], "keeps-all");
    let seed = part("seed.json", &[&second[..], &["--seed", "2"]].concat(), "keeps-all");
    let clauses = part("clauses.json", &[&second[..], &["--clause", "B-TRIM-4"]].concat(), "keeps-all");
    let cases = part("cases.json", &["--cases", "5", "--shard", "2/2"], "keeps-all");
    let adapter = part("adapter.json", &second, "keeps-last-n");
    let third = part("third.json", &["--cases", "4", "--shard", "2/3"], "keeps-all");
    let text = folder.join("text");
    fs::write(&text, "[1]").unwrap();
    for (files, words) in [
        (vec![&first], "missing: part 2/2"),
        (vec![&first, &first], "both part 1/2"),
        (vec![&first, &whole], "of a whole run"),
        (vec![&first, &seed], "the seed is 1 and 2"),
        (vec![&first, &clauses], "B-TRIM-4"),
        (vec![&first, &cases], "\"generated\":5"),
        (vec![&first, &adapter], "the adapter is"),
        (vec![&first, &third], "is part 2/3, and others are of 2"),
        (vec![&first, &text.to_str().unwrap().to_owned()], "is no certificate"),
    ] {
        let files: Vec<&str> = files.into_iter().map(String::as_str).collect();
        let run = seamcheck(&[&["merge"], &files[..]].concat());
        assert!(run.code == 2 && run.stdout.is_empty() && run.stderr.contains(words), "{words}: {}", run.stderr);
    }
    let missing = seamcheck(&["merge", "/no/such/certificate.json"]);
    assert!(missing.code == 2 && missing.stderr.contains("/no/such/certificate.json"), "{}", missing.stderr);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_part_that_shows_nothing_is_no_error_and_a_part_that_there_is_not_is() {
    let toy = toy();
    let empty = seamcheck(&["--cases", "2", "--shard", "3/3", "--", "python3", "-S", &toy, "keeps-all"]);
    assert!(empty.code == 0 && empty.stdout.contains("shard 3/3"), "{}{}", empty.stdout, empty.stderr);
    let wrong = seamcheck(&["--shard", "4/3"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("2/3"), "{}", wrong.stderr);
}
