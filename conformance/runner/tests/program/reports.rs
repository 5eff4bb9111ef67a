//! Reports as files of a run, and what happens where they cannot be written.

use crate::{read, scratch, seamcheck, toy};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The arguments of a short run of an adapter that violates a clause.
fn short_run<'a>(toy: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let fixed = ["run", "--cases", "6", "--timeout-seconds", "20"];
    [&fixed, more, &["--", "python3", "-S", toy, "keeps-last-n"]].concat()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn every_report_of_one_run_is_written_and_nothing_else_is_left() {
    let folder = scratch("reports");
    fs::create_dir(&folder).unwrap();
    let places =
        ["c.json", "c.md", "c.xml", "c.html"].map(|name| folder.join(name).into_os_string().into_string().unwrap());
    let toy = toy();
    let options = ["--json", &places[0], "--markdown", &places[1], "--junit", &places[2], "--html", &places[3]];
    let run = seamcheck(&short_run(&toy, &options));
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert_eq!(names(&folder), ["c.html", "c.json", "c.md", "c.xml"]);
    for (place, text) in places.iter().zip(["\"format\": 1", "## Not certified", "<testsuites", "<!doctype html>"]) {
        let report = fs::read_to_string(place).unwrap();
        assert!(report.contains(text) && report.contains("B-TRIM-1"), "{place}");
    }
    // The same run gives the same reports.
    let first = places.clone().map(|place| fs::read(place).unwrap());
    seamcheck(&short_run(&toy, &options));
    assert!(first == places.map(|place| fs::read(place).unwrap()));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_place_that_cannot_be_written_is_known_before_anything_is_run() {
    let place = scratch("no-such-folder").join("report");
    let place = place.to_str().unwrap();
    let toy = toy();
    for option in ["--json", "--markdown", "--junit", "--html"] {
        let run = seamcheck(&short_run(&toy, &[option, place]));
        assert!(run.code == 2 && run.stdout.is_empty(), "{option}: {}", run.stdout);
        assert!(run.stderr.contains(place) && run.stderr.contains(option), "{}", run.stderr);
    }
    let run = seamcheck(&short_run(&toy, &["--html", "same", "--junit", "same"]));
    assert!(run.code == 2 && run.stderr.contains("both name same"), "{}", run.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_makes_the_run_incomplete_and_the_other_reports_are_written() {
    let other = scratch("full.md");
    let toy = toy();
    let run = seamcheck(&short_run(&toy, &["--html", "/dev/full", "--markdown", other.to_str().unwrap()]));
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("/dev/full") && run.stderr.contains("make room"), "{}", run.stderr);
    assert!(run.stdout.contains("not certified: "), "the certificate is printed all the same");
    assert!(fs::read_to_string(&other).unwrap().contains("## Not certified"));
    fs::remove_file(&other).unwrap();
}

#[cfg(unix)]
#[test]
fn a_report_that_cannot_be_finished_leaves_the_old_one_as_it_was() {
    let folder = scratch("limited");
    fs::create_dir(&folder).unwrap();
    let place = folder.join("report.html");
    fs::write(&place, "the old report").unwrap();
    let toy = toy();
    let arguments = short_run(&toy, &["--html", place.to_str().unwrap()]);
    // At most eight blocks of 512 bytes a file; the signal that says so is ignored, so that the write fails.
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
    let mut limited = Command::new("sh");
    limited.args(["-c", script, "sh", env!("CARGO_BIN_EXE_seamcheck")]).args(arguments);
    let run = read(limited.env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap());
    assert!(run.code == 3 && run.stderr.contains("report.html"), "{}: {}", run.code, run.stderr);
    assert_eq!(names(&folder), ["report.html"]);
    assert_eq!(fs::read_to_string(&place).unwrap(), "the old report");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn on_github_the_findings_are_annotations_and_the_certificate_is_added_to_the_summary() {
    let summary = scratch("summary.md");
    fs::write(&summary, "an earlier step\n").unwrap();
    let toy = toy();
    let mut program = Command::new(env!("CARGO_BIN_EXE_seamcheck"));
    program.args(short_run(&toy, &["--github"])).env("GITHUB_STEP_SUMMARY", &summary);
    let run = read(program.output().unwrap());
    assert!(run.stdout.starts_with("::stop-commands::"), "{}", run.stdout);
    assert!(run.stdout.contains("\n::error title=B-TRIM-1.no-orphan (MUST) is violated::"), "{}", run.stdout);
    assert!(run.stdout.ends_with("::error title=seamcheck::not certified: 1 clause violated\n"), "{}", run.stdout);
    let added = fs::read_to_string(&summary).unwrap();
    fs::remove_file(&summary).unwrap();
    assert!(added.starts_with("an earlier step\n") && added.contains("## Not certified by Seamcheck"), "{added}");
    let nowhere = scratch("no-such-folder").join("summary.md");
    let mut program = Command::new(env!("CARGO_BIN_EXE_seamcheck"));
    program.args(short_run(&toy, &["--github"])).env("GITHUB_STEP_SUMMARY", nowhere);
    let run = read(program.output().unwrap());
    assert!(run.code == 2 && run.stderr.contains("GITHUB_STEP_SUMMARY"), "{}", run.stderr);
}

#[test]
fn quiet_prints_the_verdict_alone_and_a_pipe_gets_no_colour_and_no_progress() {
    let toy = toy();
    let run = seamcheck(&short_run(&toy, &["--quiet"]));
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (1, "not certified: 1 clause violated\n", ""));
    let run = seamcheck(&short_run(&toy, &[]));
    assert!(!run.stdout.contains('\u{1b}') && run.stderr.lines().count() == 1, "{}", run.stderr);
}

/// The program at a terminal of util-linux's `script`, where there is one.
#[cfg(target_os = "linux")]
fn at_a_terminal(arguments: &str, no_color: Option<&str>) -> Option<String> {
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_seamcheck"));
    let mut script = Command::new("script");
    script.args(["-q", "-e", "-c", &line, "/dev/null"]).env("TERM", "xterm").env_remove("NO_COLOR");
    script.envs(no_color.map(|value| ("NO_COLOR", value)));
    match script.output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(error) => {
            eprintln!("SKIPPED: no `script` to make a terminal with (Debian: bsdutils): {error}");
            None
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_a_bar_and_colours_unless_it_refuses_them() {
    let arguments = format!("run --cases 40 --timeout-seconds 20 -- python3 -S {} keeps-last-n", toy());
    let Some(shown) = at_a_terminal(&arguments, None) else { return };
    assert!(shown.contains("\u{1b}[1;31mVIOLATION of B-TRIM-1.no-orphan (MUST)\u{1b}[0m"), "{shown:?}");
    assert!(shown.contains("/40 generated cases"), "{shown:?}");
    for no_color in ["1", "never"] {
        let shown = at_a_terminal(&arguments, Some(no_color)).unwrap();
        assert!(!shown.contains("\u{1b}[1;31m") && shown.contains("VIOLATION of B-TRIM-1"), "{shown:?}");
    }
    let quiet = at_a_terminal(&arguments.replace("--cases", "--quiet --cases"), None);
    assert!(!quiet.unwrap().contains("generated cases"));
}
