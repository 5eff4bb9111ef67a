//! What a version of the spec has promised stays promised: `conformance/requirements/<version>.toml` freezes the
//! clauses, their levels, and their checks. Whatever is added stands in a newer file; nothing vanishes or changes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use seamcheck_checks::registry;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../../reference/SPEC/boundary.md");

/// Clauses by their ids.
type Requirements = BTreeMap<String, Clause>;

/// What is frozen of a clause.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Clause {
    /// As the spec page names it.
    level: String,
    /// The checks by the part of their ids behind the clause: `MUST at compact`, `SHOULD at cut`.
    checks: BTreeMap<String, String>,
}

/// Every file, the oldest version first.
fn frozen() -> Vec<(PathBuf, Requirements)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../requirements");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort_by_key(|file| {
        let version = file.file_stem().unwrap().to_string_lossy().into_owned();
        version.split('.').map(|number| number.parse::<u32>().unwrap()).collect::<Vec<_>>()
    });
    let read = |file: PathBuf| {
        let requirements = toml::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        (file, requirements)
    };
    files.into_iter().map(read).collect()
}

/// What the spec page and the registry say now.
fn current() -> Requirements {
    let sections = PAGE.split("\n### ").filter(|section| section.starts_with("B-"));
    let clause = |section: &str| {
        let id = section.split_whitespace().next().unwrap().to_owned();
        let level = section.lines().find_map(|line| line.strip_prefix("Level: ")).unwrap().to_owned();
        (id, Clause { level, checks: BTreeMap::new() })
    };
    let mut requirements: Requirements = sections.map(clause).collect();
    for check in registry::checks() {
        let slug = check.id.strip_prefix(check.clause).and_then(|rest| rest.strip_prefix('.')).unwrap();
        let word = if check.must { "MUST" } else { "SHOULD" };
        let says = format!("{word} at {}", check.level.as_str());
        requirements.get_mut(check.clause).unwrap().checks.insert(slug.to_owned(), says);
    }
    requirements
}

/// What was promised and is no longer so.
fn broken(frozen: &Requirements, now: &Requirements) -> Vec<String> {
    let mut broken = Vec::new();
    for (id, clause) in frozen {
        let Some(found) = now.get(id) else {
            broken.push(format!("{id} is gone"));
            continue;
        };
        if found.level != clause.level {
            broken.push(format!("{id} was frozen at the level {} and is at {}", clause.level, found.level));
        }
        for (slug, says) in &clause.checks {
            match found.checks.get(slug) {
                Some(found) if found == says => {}
                Some(found) => broken.push(format!("{id}.{slug} was frozen as {says} and is {found}")),
                None => broken.push(format!("{id}.{slug} is gone")),
            }
        }
    }
    broken
}

/// As a file holds them.
fn written(requirements: &Requirements) -> String {
    let mut text = String::new();
    for (id, clause) in requirements {
        let checks: Vec<String> = clause.checks.iter().map(|(slug, says)| format!("{slug} = {says:?}")).collect();
        writeln!(text, "[{id}]\nlevel = {:?}\nchecks = {{ {} }}\n", clause.level, checks.join(", ")).unwrap();
    }
    text
}

#[test]
fn what_is_frozen_neither_vanishes_nor_changes() {
    let (now, files) = (current(), frozen());
    assert!(!files.is_empty());
    for (file, requirements) in &files {
        let broken = broken(requirements, &now);
        assert!(broken.is_empty(), "{}:\n{}", file.display(), broken.join("\n"));
    }
    for pair in files.windows(2) {
        let broken = broken(&pair[0].1, &pair[1].1);
        assert!(broken.is_empty(), "{} drops what was frozen:\n{}", pair[1].0.display(), broken.join("\n"));
    }
}

#[test]
fn whatever_is_added_stands_in_the_newest_file() {
    let (now, files) = (current(), frozen());
    let (file, newest) = files.last().unwrap();
    let missing = broken(&now, newest);
    let name = file.display();
    assert!(
        missing.is_empty(),
        "{name} lacks something; write a file for the next minor version that begins with:\n{}\n{}",
        missing.join("\n"),
        written(&now)
    );
}

#[test]
fn a_clause_that_goes_or_moves_and_a_check_that_goes_or_weakens_are_found() {
    let now = current();
    let change = |edit: &dyn Fn(&mut Requirements)| {
        let mut changed = now.clone();
        edit(&mut changed);
        broken(&now, &changed)
    };
    assert_eq!(change(&|_| {}), Vec::<String>::new());
    assert_eq!(change(&|all| drop(all.remove("B-TRIM-1"))), ["B-TRIM-1 is gone"]);
    let level = change(&|all| all.get_mut("B-CANCEL-1").unwrap().level = "exact".to_owned());
    assert_eq!(level, ["B-CANCEL-1 was frozen at the level compact and is at exact"]);
    let slug = change(&|all| drop(all.get_mut("B-CANCEL-1").unwrap().checks.remove("before")));
    assert_eq!(slug, ["B-CANCEL-1.before is gone"]);
    let weak = |all: &mut Requirements| {
        all.get_mut("B-TRIM-1").unwrap().checks.insert("no-orphan".to_owned(), "SHOULD at cut".to_owned());
    };
    assert_eq!(change(&weak), ["B-TRIM-1.no-orphan was frozen as MUST at cut and is SHOULD at cut"]);
    assert_eq!(toml::from_str::<Requirements>(&written(&now)).unwrap(), now);
}
