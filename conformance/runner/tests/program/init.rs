//! Starters: what is written runs as it stands, and nothing is overwritten or left half done.

use crate::{Run, scratch, seamcheck};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder that goes when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        Self(scratch(name))
    }

    fn init(&self, language: &str) -> Run {
        seamcheck(&["init", "--lang", language, self.0.to_str().unwrap()])
    }

    /// Paths below it.
    fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.0.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push(path.strip_prefix(&self.0).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found.sort();
        found
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // It may never have been made.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Whether a language is installed. That a test is skipped is said past the capture of its output.
fn is_there(program: &str, version: &str, where_from: &str) -> bool {
    let there = Command::new(program).arg(version).output().is_ok_and(|output| output.status.success());
    if !there {
        let _ = writeln!(std::io::stderr(), "SKIPPED: no `{program}` here; {where_from}");
    }
    there
}

#[track_caller]
fn certified(command: &[&str]) {
    let run = seamcheck(&[&["run", "--cases", "60", "--timeout-seconds", "20", "--"], command].concat());
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("\ncertified: spec 1.0.0-draft, levels cut\n"), "{}", run.stdout);
}

#[test]
fn the_starter_in_python_is_certified_as_it_stands() {
    let folder = Folder::new("init-python");
    let run = folder.init("python");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("$ seamcheck run -- python3 adapter.py\n"), "{}", run.stdout);
    assert_eq!(folder.files(), ["README.md", "adapter.py", "seamcheck_kit.py"]);
    certified(&["python3", folder.0.join("adapter.py").to_str().unwrap()]);
}

#[test]
fn the_starter_in_javascript_is_certified_as_it_stands() {
    let folder = Folder::new("init-javascript");
    let run = folder.init("javascript");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("$ seamcheck run -- node adapter.mjs\n"), "{}", run.stdout);
    assert_eq!(folder.files(), ["README.md", "adapter.mjs", "seamcheck_kit.d.mts", "seamcheck_kit.mjs"]);
    if is_there("node", "--version", "20 or later is needed; Debian has it as nodejs") {
        certified(&["node", folder.0.join("adapter.mjs").to_str().unwrap()]);
    }
}

#[test]
fn the_starter_in_go_is_certified_as_it_stands() {
    let folder = Folder::new("init-go");
    assert_eq!(folder.init("go").code, 0);
    if !is_there("go", "version", "Debian has it as golang-go") {
        return;
    }
    let built = Command::new("go").args(["build", "-o", "adapter", "."]).current_dir(&folder.0).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    certified(&[folder.0.join("adapter").to_str().unwrap()]);
}

#[test]
fn the_starter_in_rust_finds_the_crates_that_it_needs() {
    let folder = Folder::new("init-rust");
    assert_eq!(folder.init("rust").code, 0);
    assert_eq!(folder.files(), ["Cargo.toml", "README.md", "src/main.rs"]);
    // What the workspace was built with is there, also without a network. That the adapter compiles is known: the
    // workspace builds the same file as an example of the protocol.
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    fs::copy(lock, folder.0.join("Cargo.lock")).unwrap();
    let mut resolve = Command::new(env!("CARGO"));
    let resolved = resolve.args(["tree", "--offline", "--depth", "1"]).current_dir(&folder.0).output().unwrap();
    let tree = String::from_utf8(resolved.stdout).unwrap();
    assert!(tree.contains("seamcheck-protocol v"), "{}", String::from_utf8_lossy(&resolved.stderr));
}

#[test]
fn the_starter_that_is_written_is_the_one_that_the_languages_are_listed_with() {
    let wrong = seamcheck(&["init", "--lang", "cobol", "anywhere"]);
    assert_eq!((wrong.code, wrong.stdout.as_str()), (2, ""));
    for language in ["python", "javascript", "go", "rust"] {
        assert!(wrong.stderr.contains(language), "{}", wrong.stderr);
    }
    assert_eq!(seamcheck(&["init", "anywhere"]).code, 2);
    assert!(!Path::new("anywhere").exists());
}

#[test]
fn a_file_that_is_there_is_named_and_stays_and_nothing_is_put_beside_it() {
    let folder = Folder::new("init-full");
    fs::create_dir(&folder.0).unwrap();
    fs::write(folder.0.join("adapter.py"), "mine").unwrap();
    let run = folder.init("python");
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(run.stderr.contains("adapter.py is there already; choose another folder"), "{}", run.stderr);
    assert_eq!(folder.files(), ["adapter.py"]);
    assert_eq!(fs::read_to_string(folder.0.join("adapter.py")).unwrap(), "mine");
}

#[test]
fn a_folder_that_is_there_takes_a_starter_beside_what_it_holds() {
    let folder = Folder::new("init-beside");
    fs::create_dir(&folder.0).unwrap();
    fs::write(folder.0.join("mine.py"), "").unwrap();
    assert_eq!(folder.init("python").code, 0);
    assert_eq!(folder.files(), ["README.md", "adapter.py", "mine.py", "seamcheck_kit.py"]);
    assert_eq!(folder.init("python").code, 2);
}

#[test]
fn what_was_written_before_a_failure_is_removed() {
    let folder = Folder::new("init-failing");
    fs::create_dir(&folder.0).unwrap();
    // The last files go into a folder of this name, which cannot be made.
    fs::write(folder.0.join("seamcheck"), "mine").unwrap();
    let run = folder.init("go");
    assert_eq!((run.code, run.stdout.as_str()), (3, ""), "{}", run.stderr);
    assert!(run.stderr.contains("seamcheck") && run.stderr.contains("nothing was written"), "{}", run.stderr);
    assert_eq!(folder.files(), ["seamcheck"]);
}

#[test]
fn a_place_that_is_no_folder_is_refused_with_what_to_do() {
    let folder = Folder::new("init-places");
    fs::create_dir(&folder.0).unwrap();
    let file = folder.0.join("file");
    fs::write(&file, "mine").unwrap();
    for (place, words) in [(file, "no folder"), (folder.0.join("none/new"), "make it first")] {
        let run = seamcheck(&["init", "--lang", "rust", place.to_str().unwrap()]);
        assert!(run.code == 2 && run.stderr.contains(words), "{}", run.stderr);
    }
    assert_eq!(folder.files(), ["file"]);
}
