//! The links that people forget: each clause of the spec has a check, is reached, and has a mutant; each check,
//! vector and mutant has a clause; files stay small.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use seamcheck_checks::case::Body;
use seamcheck_checks::{registry, vectors};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../../reference/SPEC/boundary.md");

fn clauses() -> BTreeSet<&'static str> {
    let headings = PAGE.lines().filter_map(|line| line.strip_prefix("### ")).filter(|title| title.starts_with("B-"));
    headings.map(|title| title.split_whitespace().next().unwrap()).collect()
}

#[test]
fn every_clause_has_a_check_and_every_check_a_clause() {
    let checked: BTreeSet<&str> = registry::checks().iter().map(|check| check.clause).collect();
    assert_eq!(clauses(), checked);
}

#[test]
fn every_clause_but_those_of_trimming_has_a_vector_and_every_vector_a_clause() {
    // A cut is judged over a sweep of budgets in the adapter's own count: no fixed answer exists.
    let expected: BTreeSet<String> =
        clauses().into_iter().filter(|id| !id.starts_with("B-TRIM")).map(str::to_owned).collect();
    let cases = vectors::cases().unwrap();
    let found: BTreeSet<String> = cases
        .into_iter()
        .filter_map(|case| match case.body {
            Body::Vector(vector) => Some(vector.clause),
            _ => None,
        })
        .collect();
    assert_eq!(expected, found);
}

#[test]
fn every_clause_has_a_mutant_and_every_mutant_a_clause() {
    let broken: BTreeSet<&str> = seamcheck_mutants::all().iter().flat_map(|mutant| mutant.must).copied().collect();
    assert_eq!(clauses(), broken);
}

#[test]
fn every_vector_file_is_embedded() {
    let root = root();
    let on_disk = fs::read_dir(root.join("vectors/boundary")).unwrap().count();
    let embedded = registry::checks().iter().filter(|check| check.id.ends_with(".vectors")).count();
    assert_eq!(on_disk, embedded, "a file in vectors/boundary is missing from conformance/checks/src/vectors.rs");
}

#[test]
fn no_source_file_is_longer_than_four_hundred_lines_or_opens_without_a_word() {
    let mut files = Vec::new();
    for folder in ["reference", "conformance", "fuzz", "benches"] {
        collect(&root().join(folder), &mut files);
    }
    assert!(files.len() > 100, "only {} files were found", files.len());
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().count();
        assert!(lines <= 400, "{} has {lines} lines; split it", path.display());
        assert!(text.starts_with("//! "), "{} must open with what it realizes", path.display());
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !["target", ".venv", "node_modules", "corpus", "artifacts"].contains(&name.as_str()) {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
