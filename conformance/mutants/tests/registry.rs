//! What the kill matrix rests on: every clause is broken by some mutant, and says so in an orderly way.

#![expect(clippy::unwrap_used, reason = "every line of this file is a test")]

use seamcheck_mutants::{CONTROL, Expectation, Mutant, all, by_name};
use std::collections::HashSet;

const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/SPEC/boundary.md");

fn clauses() -> Vec<String> {
    let spec = std::fs::read_to_string(SPEC).unwrap();
    let headings = spec.lines().filter_map(|line| line.strip_prefix("### B-"));
    headings.map(|heading| format!("B-{}", heading.split_whitespace().next().unwrap())).collect()
}

#[test]
fn every_clause_of_the_spec_is_broken_by_some_mutant() {
    let broken: HashSet<&str> = all().iter().flat_map(|mutant| mutant.must).copied().collect();
    let clauses = clauses();
    assert!(clauses.len() > 80, "{clauses:?}");
    let whole: Vec<_> = clauses.iter().filter(|clause| !broken.contains(clause.as_str())).collect();
    assert!(whole.is_empty(), "no mutant breaks {whole:?}");
}

#[test]
fn names_are_unique_and_lead_to_their_mutant() {
    let names: HashSet<&str> = all().iter().map(|mutant| mutant.name).collect();
    assert_eq!(names.len(), all().len());
    assert!(all().iter().all(|mutant| by_name(mutant.name).is_some()));
    assert!(!names.contains(CONTROL) && by_name(CONTROL).is_some() && by_name("").is_none());
}

#[test]
fn clauses_exist_stand_once_and_have_a_reason_where_they_are_only_allowed() {
    let known = clauses();
    for mutant in all() {
        let mut seen = HashSet::new();
        for clause in mutant.must.iter().chain(mutant.may.iter().map(|(clause, _)| clause)) {
            let exists = match clause.strip_suffix('*') {
                Some(family) => family.ends_with('-') && known.iter().any(|known| known.starts_with(family)),
                None => known.iter().any(|known| known == clause),
            };
            assert!(exists, "{}: {clause} is no clause", mutant.name);
            assert!(seen.insert(clause), "{}: {clause} stands twice", mutant.name);
        }
        assert!(!mutant.must.is_empty() && !mutant.description.is_empty(), "{}", mutant.name);
        assert!(mutant.must.iter().all(|clause| !clause.ends_with('*')), "{}", mutant.name);
        assert!(mutant.may.iter().all(|(_, reason)| reason.len() > 10), "{}", mutant.name);
    }
}

#[test]
fn what_must_stop_a_mutant_goes_before_what_may_and_all_else_must_not() {
    let mutant = by("units-user");
    assert_eq!(mutant.expects("B-UNIT-3"), Expectation::Must);
    assert!(matches!(mutant.expects("B-UNIT-10"), Expectation::May(_)));
    assert_eq!(mutant.expects("B-LINK-1"), Expectation::MustNot);
}

fn by(name: &str) -> &'static Mutant {
    all().iter().find(|mutant| mutant.name == name).unwrap()
}
