//! The golden vectors and the recorded answers of the original program, answered by the reference.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use seamcheck_reference::{Document, Value};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use support::{answer, request_text, same};

mod support;

/// Deeper than any answer in the vectors.
const ANSWER_DEPTH: usize = 200;

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors")
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

/// What disagrees, in words, if anything does.
fn disagreement(name: &str, request: &str, expected: Value<'_>) -> Option<String> {
    let found = answer(request);
    let expected = expected.to_json(ANSWER_DEPTH).unwrap();
    let shown: String = request.chars().take(2_000).collect();
    (!same(&found, &expected)).then(|| format!("{name}\n  request  {shown}\n  expected {expected}\n  found    {found}"))
}

#[test]
fn the_reference_agrees_with_every_golden_vector() {
    let mut count = 0;
    let mut names = HashSet::new();
    let mut disagreements = Vec::new();
    for path in files(&vectors().join("boundary"), "json") {
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.is_ascii(), "{} must be ASCII", path.display());
        let document = Document::parse(text.as_bytes()).unwrap();
        let clause = document.root().get("clause").unwrap().as_text().unwrap().to_string();
        assert_eq!(path.file_stem().unwrap().to_str(), Some(clause.as_str()), "a file is named after its clause");
        for vector in document.root().get("vectors").unwrap().elements() {
            let name = vector.get("name").unwrap().as_text().unwrap().to_string();
            let comment = vector.get("comment").and_then(Value::as_text).unwrap_or_default();
            assert!(!comment.is_blank(), "{name} needs a comment that says why it exists");
            let expected = vector.get("response").unwrap();
            disagreements.extend(disagreement(&name, &request_text(vector), expected));
            assert!(names.insert(name.clone()), "the name {name} stands twice");
            count += 1;
        }
    }
    assert!(disagreements.is_empty(), "{} of {count} disagree:\n{}", disagreements.len(), disagreements.join("\n"));
    assert!(count >= 400, "only {count} vectors were found");
}

#[test]
fn the_reference_agrees_with_every_recorded_answer() {
    let recorded = files(&vectors().join("recorded"), "ndjson");
    assert_eq!(recorded.len(), 6, "one file for each operation");
    // Further recordings in the same format may be named by a folder.
    let further = std::env::var_os("SEAMCHECK_RECORDED").map(|folder| files(Path::new(&folder), "ndjson"));
    let mut disagreements = Vec::new();
    let mut count = 0;
    for path in recorded.into_iter().chain(further.into_iter().flatten()) {
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in text.split('\n').filter(|line| !line.is_empty()).enumerate() {
            let document = Document::parse(line.as_bytes()).unwrap();
            let request = document.root().get("request").unwrap().source();
            let name = format!("{}:{}", path.file_name().unwrap().display(), number + 1);
            disagreements.extend(disagreement(&name, request, document.root().get("response").unwrap()));
            count += 1;
        }
    }
    assert!(disagreements.is_empty(), "{} of {count} disagree:\n{}", disagreements.len(), disagreements.join("\n"));
    assert!(count >= 360, "only {count} recorded answers were found");
}
