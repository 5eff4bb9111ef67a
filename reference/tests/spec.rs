//! The spec page: every clause has its parts, and every example is executed.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use seamcheck_reference::{Document, Value};
use std::collections::HashSet;
use support::{answer, request_text, same};

mod support;

const PAGE: &str = include_str!("../SPEC/boundary.md");

/// The clauses: id and body.
fn clauses() -> Vec<(&'static str, &'static str)> {
    let sections = PAGE.split("\n### ").filter(|section| section.starts_with("B-"));
    sections.map(|section| (section.split_whitespace().next().unwrap(), section)).collect()
}

fn examples(body: &str) -> impl Iterator<Item = &str> {
    body.split("```json\n").skip(1).map(|block| block.split("\n```").next().unwrap())
}

#[test]
fn every_clause_has_a_level_a_reason_and_an_example() {
    let mut ids = HashSet::new();
    for (id, body) in clauses() {
        assert!(ids.insert(id), "{id} stands twice");
        for part in ["\nLevel: ", "\nReason:", "\nExample", "```json"] {
            assert!(body.contains(part), "{id} has no {part:?}");
        }
        assert!(["MUST", "SHOULD", "MAY"].iter().any(|word| body.contains(word)), "{id} is not normative");
    }
    assert!(ids.len() >= 80, "only {} clauses were found", ids.len());
}

#[test]
fn every_example_of_the_spec_is_what_the_reference_answers() {
    let mut disagreements = Vec::new();
    let mut count = 0;
    for (id, body) in clauses().into_iter().filter(|(id, _)| !id.starts_with("B-TRIM")) {
        for example in examples(body) {
            let document =
                Document::parse(example.as_bytes()).unwrap_or_else(|error| panic!("{id}: {error}\n{example}"));
            let found = answer(&request_text(document.root()));
            let expected = document.root().get("response").and_then(|value: Value<'_>| value.to_json(200)).unwrap();
            count += 1;
            if !same(&found, &expected) {
                disagreements.push(format!("{id}\n{example}\nexpected {expected}\nfound    {found}"));
            }
        }
    }
    assert!(disagreements.is_empty(), "{} of {count} disagree:\n{}", disagreements.len(), disagreements.join("\n"));
    assert!(count >= 80, "only {count} examples were found");
}
