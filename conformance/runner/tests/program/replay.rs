//! Counterexamples written to files, and gone through again.

use crate::{Run, scratch, seamcheck, toy};
use std::fs;
use std::path::PathBuf;

const NAME: &str = "B-TRIM-1.no-orphan.json";

/// The replay files of a trimmer that keeps the last messages, in a folder of their own.
fn replay_folder(name: &str) -> (Run, PathBuf) {
    let folder = scratch(name).join("made");
    let (toy, place) = (toy(), folder.to_str().unwrap().to_owned());
    let run = seamcheck(&["run", "--cases", "6", "--replay-dir", &place, "--", "python3", "-S", &toy, "keeps-last-n"]);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    (run, folder)
}

fn replay(file: &str, mode: &str) -> Run {
    seamcheck(&["replay", file, "--timeout-seconds", "20", "--", "python3", "-S", &toy(), mode])
}

#[test]
fn a_counterexample_is_written_and_reproduced_by_the_command_that_the_report_names() {
    let (run, folder) = replay_folder("replay");
    let file = folder.join(NAME);
    let command = format!("replay it: seamcheck replay {} -- python3 -S ", file.display());
    assert!(run.stdout.contains(&command), "{}", run.stdout);
    let found: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(found.len(), run.stdout.matches("replay it: ").count(), "nothing else is left behind: {found:?}");

    let file = file.to_str().unwrap();
    let again = replay(file, "keeps-last-n");
    assert_eq!(again.code, 1, "{}{}", again.stdout, again.stderr);
    let first = again.stdout.lines().find(|line| line.starts_with("B-")).unwrap();
    assert!(first.starts_with("B-TRIM-1.no-orphan ") && first.contains("VIOLATION: "), "{}", again.stdout);
    assert!(again.stdout.contains("B-TRIM-4.order ") && again.stdout.contains("-> keeps "), "{}", again.stdout);
    assert!(again.stdout.lines().any(|line| line == "reproduced"), "{}", again.stdout);

    let fixed = replay(file, "keeps-all");
    assert_eq!(fixed.code, 0, "{}{}", fixed.stdout, fixed.stderr);
    assert!(fixed.stdout.lines().any(|line| line == "not reproduced"), "{}", fixed.stdout);
    let reference = seamcheck(&["replay", file]);
    assert_eq!(reference.code, 0, "{}{}", reference.stdout, reference.stderr);
    let broken = replay(file, "exits");
    assert!(broken.code == 3 && broken.stdout.contains("ADAPTER FAULT exited"), "{}", broken.stdout);
    let both = seamcheck(&["replay", file, file, "--", "python3", "-S", &toy(), "keeps-last-n"]);
    assert_eq!((both.code, both.stdout.matches("\nreproduced\n").count()), (1, 2), "{}", both.stdout);
    fs::remove_dir_all(folder.parent().unwrap()).unwrap();
}

#[test]
fn a_violation_of_another_check_than_the_recorded_one_counts_and_reproduces_nothing() {
    let (_, folder) = replay_folder("replay-other");
    let text = fs::read_to_string(folder.join(NAME)).unwrap();
    let other = text.replace("B-TRIM-1.no-orphan", "B-TRIM-4.order").replace("B-TRIM-1", "B-TRIM-4");
    let file = folder.join("other.json");
    fs::write(&file, &other).unwrap();
    let run = replay(file.to_str().unwrap(), "keeps-last-n");
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    let first = run.stdout.lines().find(|line| line.starts_with("B-")).unwrap();
    assert!(first.starts_with("B-TRIM-4.order ") && first.ends_with(" holds"), "{}", run.stdout);
    assert!(run.stdout.contains("\nB-TRIM-1.no-orphan ") && run.stdout.contains("VIOLATION: "), "{}", run.stdout);
    assert!(run.stdout.contains("\nnot reproduced\n"), "{}", run.stdout);
    // The worst of several files counts, not the last.
    let mut harmless: serde_json::Value = serde_json::from_str(&text).unwrap();
    *harmless.pointer_mut("/case/body/trim/messages").unwrap() = serde_json::json!([]);
    let last = folder.join("harmless.json");
    fs::write(&last, harmless.to_string()).unwrap();
    let files = [file.to_str().unwrap(), last.to_str().unwrap()];
    let both = seamcheck(&["replay", files[0], files[1], "--", "python3", "-S", &toy(), "keeps-last-n"]);
    assert_eq!((both.code, both.stdout.matches("\nnot reproduced\n").count()), (1, 2), "{}", both.stdout);
    fs::remove_dir_all(folder.parent().unwrap()).unwrap();
}

#[test]
fn a_mutant_s_counterexample_of_a_compaction_is_reproduced_and_the_reference_holds_in_it() {
    let folder = scratch("replay-mutant");
    let program = env!("CARGO_BIN_EXE_seamcheck");
    let mutant = ["--", program, "serve", "--mutant", "compact-shortens-results"];
    let place = folder.to_str().unwrap();
    let run = ["run", "--cases", "60", "--clause", "B-COMPACT-7", "--case", "generated/*", "--replay-dir", place];
    let run = seamcheck(&[&run[..], &mutant].concat());
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    let file = folder.join("B-COMPACT-7.verbatim.json");
    let file = file.to_str().unwrap();
    let again = seamcheck(&[&["replay", file], &mutant[..]].concat());
    assert!(again.code == 1 && again.stdout.contains("\nreproduced\n"), "{}{}", again.stdout, again.stderr);
    assert_eq!(seamcheck(&["replay", file]).code, 0);
    // It needs a level that a trimmer does not declare.
    let trimmer = replay(file, "keeps-all");
    assert!(trimmer.code == 2 && trimmer.stdout.contains("does not declare the level"), "{}", trimmer.stdout);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_file_that_cannot_be_replayed_is_named_and_nothing_is_run() {
    let (_, folder) = replay_folder("replay-garbled");
    let good = folder.join(NAME);
    let text = fs::read_to_string(&good).unwrap();
    for (wrong, words) in [
        (text.replace("\"format\": 1", "\"format\": 99"), "`format` is 99"),
        (text.replace("\"trim\"", "\"trimmed\""), "unknown variant `trimmed`"),
        (text.replace("B-TRIM-1.no-orphan", "B-TRIM-1.no-orphans"), "no check B-TRIM-1.no-orphans"),
        (text[..text.len() / 2].to_owned(), "line "),
        (String::new(), "no JSON object"),
    ] {
        let file = folder.join("wrong.json");
        fs::write(&file, wrong).unwrap();
        let run = seamcheck(&["replay", good.to_str().unwrap(), file.to_str().unwrap(), "--", "no-such-adapter"]);
        assert!(run.code == 2 && run.stdout.is_empty(), "{}", run.stdout);
        assert!(run.stderr.contains("wrong.json") && run.stderr.contains(words), "{words}: {}", run.stderr);
    }
    let missing = seamcheck(&["replay", "/no/such/file.json"]);
    assert!(missing.code == 2 && missing.stderr.contains("/no/such/file.json"), "{}", missing.stderr);
    assert_eq!(seamcheck(&["replay"]).code, 2);
    fs::remove_dir_all(folder.parent().unwrap()).unwrap();
}

#[test]
fn a_replay_folder_that_cannot_be_written_is_known_before_the_run() {
    let file = scratch("replay-is-a-file");
    fs::write(&file, "").unwrap();
    for place in [file.clone(), file.join("below")] {
        let run = seamcheck(&["run", "--replay-dir", place.to_str().unwrap(), "--", "no-such-adapter"]);
        assert!(run.code == 2 && run.stderr.contains("--replay-dir"), "{}", run.stderr);
    }
    fs::remove_file(&file).unwrap();
}

#[cfg(unix)]
#[test]
fn what_was_in_flight_when_the_runner_was_killed_can_be_replayed() {
    let folder = scratch("in-flight");
    let (toy, place) = (toy(), folder.to_str().unwrap().to_owned());
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_seamcheck"));
    program.args(["--cases", "1000000", "--in-flight-dir", &place, "--", "python3", "-S", &toy, "keeps-all"]);
    let mut running = program.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let file = folder.join("in-flight-0.json");
    let began = std::time::Instant::now();
    while fs::metadata(&file).map_or(0, |file| file.len()) == 0 {
        assert!(began.elapsed().as_secs() < 20, "no case was ever written");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let again = replay(file.to_str().unwrap(), "keeps-all");
    assert_eq!(again.code, 0, "{}{}", again.stdout, again.stderr);
    assert!(again.stdout.contains("\nrecorded     nothing: it was in flight when its run ended\n"), "{}", again.stdout);
    assert!(again.stdout.lines().any(|line| line == "every MUST holds"), "{}", again.stdout);
    let wrong = replay(file.to_str().unwrap(), "keeps-last-n");
    assert!(wrong.code == 1 && wrong.stdout.contains("a MUST is violated"), "{}", wrong.stdout);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_run_that_ends_leaves_nothing_in_flight_behind() {
    let folder = scratch("in-flight-ended");
    let run = seamcheck(&[
        "--cases",
        "3",
        "--in-flight-dir",
        folder.to_str().unwrap(),
        "--",
        "python3",
        "-S",
        &toy(),
        "keeps-all",
    ]);
    assert!(run.code == 0 && !folder.exists(), "{}{}", run.stdout, run.stderr);
    let run = seamcheck(&["--in-flight-dir", "/dev/null/x"]);
    assert!(run.code == 2 && run.stderr.contains("--in-flight-dir"), "{}", run.stderr);
}
