//! The whole program, with adapters that are processes.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

#[cfg(unix)]
mod action;
mod adapters;
mod commands;
mod compactors;
mod corpus;
mod evolution;
mod expectations;
mod init;
mod kit_test;
mod replay;
mod reports;
mod schema;
mod selection;
mod shards;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What a run of the program gave.
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

fn seamcheck(arguments: &[&str]) -> Run {
    read(Command::new(env!("CARGO_BIN_EXE_seamcheck")).args(arguments).output().unwrap())
}

fn read(output: Output) -> Run {
    Run {
        code: output.status.code().expect("the program ends by itself"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A file or folder of this test's own.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()))
}

fn toy() -> String {
    format!("{}/tests/adapters/toy.py", env!("CARGO_MANIFEST_DIR"))
}

/// The row of a check in a certificate.
fn row<'a>(certificate: &'a serde_json::Value, id: &str) -> &'a serde_json::Value {
    certificate["checks"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap()
}

/// A run of a toy adapter over so many cases, and its certificate.
fn certify_toy(mode: &str, cases: &str, more: &[&str]) -> (Run, serde_json::Value) {
    let file = scratch(&format!("{mode}-{}.json", more.len()));
    let toy = toy();
    // Long enough for a busy machine, but where silence is the point.
    let timeout = if matches!(mode, "silent" | "closes-its-input") { "0.4" } else { "20" };
    let own = if more.contains(&"--timeout-seconds") { [].as_slice() } else { &["--timeout-seconds", timeout] };
    let fixed = ["run", "--cases", cases, "--json", file.to_str().unwrap()];
    let adapter = ["--", "python3", "-S", &toy, mode];
    let run = seamcheck(&[&fixed, own, more, &adapter].concat());
    let certificate = std::fs::read(&file).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    std::fs::remove_file(&file).unwrap();
    (run, serde_json::from_slice(&certificate).unwrap())
}
