//! A file of expected failures, so that CI can hold an implementation at what it does today: each with its kind and
//! a reason. What is wrong with the file is known before anything runs; whether its entries are met is settled by
//! the report.
//!
//! ```toml
//! [[expected]]
//! check = "B-TRIM-1.no-orphan"     # or clause, or case
//! kind = "violation"
//! reason = "keeps the last N messages, see our issue 12"
//! ```

mod write;

pub use write::{PLACEHOLDER, write};

use crate::command::sha256_hex;
use crate::fault::FaultKind;
use crate::selector::near;
use seamcheck_checks::check::Check;
use seamcheck_checks::source;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use toml::Spanned;

/// What a clause or a check can be expected to come to.
const CHECK_KINDS: [&str; 3] = ["violation", "not-observable", "not-exercised"];
/// What a case can be expected to come to, beside the kinds of adapter fault.
const CASE_KINDS: [&str; 3] = ["violation", "unsupported", "not-observable"];

/// Expected failures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectations {
    /// Of the file's content, in hexadecimal.
    pub sha256: String,
    /// In the order of the file.
    pub entries: Vec<Expected>,
}

/// One expected failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The line that its entry begins at, from 1.
    pub line: usize,
    /// What its id names.
    pub target: Target,
    /// The id: no glob.
    pub id: String,
    /// How it fails.
    pub kind: String,
    /// Why it does.
    pub reason: String,
}

/// What an expectation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// A clause of the spec: any of its checks fails so.
    Clause,
    /// A check.
    Check,
    /// A case, by its name.
    Case,
}

impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Clause => "clause",
            Self::Check => "check",
            Self::Case => "case",
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    expected: Vec<Spanned<Entry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    clause: Option<String>,
    check: Option<String>,
    case: Option<String>,
    kind: Option<String>,
    reason: Option<String>,
}

/// What ids there are.
#[derive(Debug)]
pub struct Known<'a> {
    /// Every check.
    pub checks: &'a [&'static Check],
    /// The name of every vector.
    pub vectors: &'a BTreeSet<String>,
}

impl Expectations {
    /// Reads a file's text.
    ///
    /// # Errors
    /// Every line that is wrong, what is wrong with it and what to do.
    pub fn read(text: &str, known: &Known<'_>) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| toml_fault(text, &error))?;
        let mut entries: Vec<Expected> = Vec::new();
        let mut faults = Vec::new();
        let mut seen: BTreeMap<(Target, String), usize> = BTreeMap::new();
        for spanned in file.expected {
            let line = line_of(text, spanned.span().start);
            match read_entry(line, spanned.into_inner(), known) {
                Ok(entry) => match twin(&entry, &seen) {
                    Some(other) => {
                        faults.push(format!("line {line}: says the same as line {other}; remove one of them"));
                    }
                    None => {
                        seen.insert((entry.target, entry.id.clone()), line);
                        entries.push(entry);
                    }
                },
                Err(fault) => faults.push(format!("line {line}: {fault}")),
            }
        }
        if !faults.is_empty() {
            return Err(faults.join("\n"));
        }
        Ok(Self { sha256: sha256_hex(text.as_bytes()), entries })
    }

    /// The cases that something is expected of.
    pub fn cases(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter(|entry| entry.target == Target::Case).map(|entry| entry.id.as_str())
    }
}

/// The line of an entry that this one repeats: the same id, or the clause of a check.
fn twin(entry: &Expected, seen: &BTreeMap<(Target, String), usize>) -> Option<usize> {
    let key = |target, id: &str| (target, id.to_owned());
    let same = seen.get(&key(entry.target, &entry.id));
    let wider = match (entry.target, entry.id.split_once('.')) {
        (Target::Check, Some((clause, _))) => seen.get(&key(Target::Clause, clause)),
        _ => None,
    };
    let narrower = || {
        let mut checks = seen.iter().filter(|((target, _), _)| *target == Target::Check);
        let of_clause = |id: &str| id.split_once('.').is_some_and(|(clause, _)| clause == entry.id);
        checks.find(|((_, id), _)| entry.target == Target::Clause && of_clause(id)).map(|(_, line)| line)
    };
    same.or(wider).or_else(narrower).copied()
}

fn read_entry(line: usize, entry: Entry, known: &Known<'_>) -> Result<Expected, String> {
    let Entry { clause, check, case, kind, reason } = entry;
    let (target, id) = match (clause, check, case) {
        (Some(id), None, None) => (Target::Clause, id),
        (None, Some(id), None) => (Target::Check, id),
        (None, None, Some(id)) => (Target::Case, id),
        _ => return Err("exactly one of `clause`, `check` and `case` is needed".to_owned()),
    };
    let kind = kind.ok_or_else(|| format!("`kind` is missing; {}", kinds(target)))?;
    let reason = reason.ok_or("`reason` is missing; say why this is expected")?;
    if reason.trim().is_empty() {
        return Err("`reason` is blank; say why this is expected".to_owned());
    }
    if reason.trim() == PLACEHOLDER {
        return Err("`reason` still is what --write-expectations put there; say why this is expected".to_owned());
    }
    let fits = match target {
        Target::Case => CASE_KINDS.contains(&kind.as_str()) || FaultKind::is_name(&kind),
        Target::Clause | Target::Check => CHECK_KINDS.contains(&kind.as_str()),
    };
    if !fits {
        return Err(format!("a {target} cannot be expected to be `{kind}`; {}", kinds(target)));
    }
    demand_id(target, &id, known)?;
    Ok(Expected { line, target, id, kind, reason })
}

fn kinds(target: Target) -> String {
    match target {
        Target::Case => format!("one of {}, or the kind of an adapter fault, `exited` for one", CASE_KINDS.join(", ")),
        Target::Clause | Target::Check => {
            format!("one of {}; an adapter fault is expected of a case", CHECK_KINDS.join(", "))
        }
    }
}

fn demand_id(target: Target, id: &str, known: &Known<'_>) -> Result<(), String> {
    let (there, hint) = match target {
        Target::Clause => (known.checks.iter().any(|check| check.clause == id), near(id)),
        Target::Check => (known.checks.iter().any(|check| check.id == id), check_hint(id, known)),
        Target::Case => (is_case(id, known), "`seamcheck list --cases` lists the cases".to_owned()),
    };
    if there { Ok(()) } else { Err(format!("no {target} has the id `{id}`; {hint}")) }
}

fn check_hint(id: &str, known: &Known<'_>) -> String {
    let clause = id.split('.').next().unwrap_or(id);
    let siblings = known.checks.iter().filter(|check| check.clause == clause).map(|check| check.id);
    let siblings: Vec<&str> = siblings.collect();
    if siblings.is_empty() { near(id) } else { format!("did you mean {}?", siblings.join(", ")) }
}

/// Generated cases are known by their form; whether they came is seen at the end. Those of a corpus bear names of its
/// own.
fn is_case(name: &str, known: &Known<'_>) -> bool {
    let corpus = || {
        let rest = name.strip_prefix("corpus/").and_then(|rest| rest.rsplit_once('/'));
        rest.is_some_and(|(source, kind)| !source.is_empty() && ["query", "chain", "trim"].contains(&kind))
    };
    known.vectors.contains(name) || source::read_generated_name(name).is_some() || corpus()
}

fn toml_fault(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().map(|span| format!("line {}: ", line_of(text, span.start))).unwrap_or_default();
    format!("{line}{}; an entry has `clause`, `check` or `case`, and `kind` and `reason`", error.message())
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests;
