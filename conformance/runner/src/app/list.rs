//! `seamcheck list`: what a run would consist of, without running it.

use super::certify::embedded_vectors;
use super::select::Selected;
use super::{Failure, print, usage};
use crate::cli::ListArguments;
use crate::exit_code::Exit;
use crate::reach;
use crate::report::counted;
use crate::run::sequence::{self, Listed};
use crate::spec_page;
use seamcheck_protocol::messages::Level;
use seamcheck_reference::SPEC_VERSION;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The version of the form of `--json`.
const FORMAT: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct List {
    format: u32,
    suite: &'static str,
    spec: &'static str,
    /// The levels that are listed.
    levels: Vec<Level>,
    clauses: usize,
    checks: Vec<Row>,
    /// Only when they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    cases: Option<Vec<Listed>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    id: &'static str,
    clause: &'static str,
    title: &'static str,
    level: Level,
    must: bool,
    reached_by: &'static [&'static str],
}

pub(super) fn list(arguments: &ListArguments) -> Result<Exit, Failure> {
    let selected = Selected::new(&arguments.select)?;
    let levels = selected.selectors.judged_levels(&Level::ALL).map_err(usage)?;
    selected.selectors.demand_levels(&selected.checks, &levels, &Level::ALL).map_err(usage)?;
    let checks = selected.checks.iter().filter(|check| levels.contains(&check.level));
    let row = |check: &&&'static seamcheck_checks::check::Check| Row {
        id: check.id,
        clause: check.clause,
        title: spec_page::find(check.clause).map_or("", |clause| clause.title),
        level: check.level,
        must: check.must,
        reached_by: reach::reached_by(check),
    };
    let checks: Vec<Row> = checks.map(|check| row(&check)).collect();
    let clauses = checks.iter().map(|row| row.clause).collect::<BTreeSet<_>>();
    let wants_cases = arguments.cases.is_some() || !selected.selectors.cases.is_empty();
    let cases = wants_cases.then(|| {
        let generated = arguments.cases.unwrap_or(crate::cli::DEFAULT_CASES);
        let vectors = if levels.contains(&Level::Exact) { embedded_vectors() } else { Vec::new() };
        let every = || sequence::list(&vectors, arguments.select.seed, generated, &selected.transcripts, &levels);
        selected.selectors.demand_cases(every().map(|case| case.name)).map_err(usage)?;
        let belongs = |case: &Listed| {
            let reached = case.clause.as_deref().is_none_or(|clause| clauses.contains(clause));
            reached && selected.selectors.select_case(&case.name, case.ordinal)
        };
        Ok(every().filter(belongs).collect::<Vec<_>>())
    });
    let cases = cases.transpose()?;
    let suite = env!("CARGO_PKG_VERSION");
    let list = List { format: FORMAT, suite, spec: SPEC_VERSION, levels, clauses: clauses.len(), checks, cases };
    Ok(print(&if arguments.json { in_json(&list) } else { in_text(&list) }))
}

fn in_json(list: &List) -> String {
    // Texts, numbers and flags alone, none of which can fail.
    serde_json::to_string_pretty(list).unwrap_or_default() + "\n"
}

fn in_text(list: &List) -> String {
    let mut text = format!("{:<28} {:<8} {:<7} reached by\n", "check", "level", "");
    // Writing to a string never fails.
    for row in &list.checks {
        let must = if row.must { "MUST" } else { "SHOULD" };
        let _ = writeln!(text, "{:<28} {:<8} {must:<7} {}", row.id, row.level.as_str(), row.reached_by.join(", "));
    }
    let (clauses, checks) = (counted(list.clauses as u64, "clause"), counted(list.checks.len() as u64, "check"));
    match &list.cases {
        None => {
            let _ = writeln!(text, "\n{clauses}, {checks}; --cases lists the cases");
        }
        Some(cases) => {
            let _ = writeln!(text, "\n{:>7}  case", "ordinal");
            for case in cases {
                let _ = writeln!(text, "{:>7}  {}", case.ordinal, crate::report::tame(&case.name));
            }
            let _ = writeln!(text, "\n{clauses}, {checks}, {}", counted(cases.len() as u64, "case"));
        }
    }
    text
}
