//! What was found, for a person and as JSON.

use super::KitCheck;
use crate::command::CommandLine;
use crate::exit_code::Exit;
use seamcheck_protocol::messages::{Declaration, Level};
use serde::Serialize;
use std::fmt;

/// Lines of standard error that stand beside a fault.
const LOG_LINES: usize = 5;

/// What became of one check.
#[derive(Debug)]
pub enum Verdict {
    /// The kit does it.
    Pass,
    /// It does not.
    Fault {
        /// What came instead.
        words: String,
        /// The last lines of standard error.
        log: Vec<String>,
    },
    /// The adapter does not declare what this is about.
    NotApplicable(String),
    /// The implementation does not show it.
    NotObservable(String),
}

/// One check and what became of it.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// The check.
    pub id: &'static str,
    /// What must hold.
    pub title: &'static str,
    /// `pass`, `fault`, `not applicable` or `not observable`.
    pub verdict: &'static str,
    /// Why, unless it passed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// The last lines of standard error, beside a fault.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

impl Finding {
    pub(super) fn new(check: &KitCheck, verdict: Verdict) -> Self {
        let (verdict, words, mut stderr) = match verdict {
            Verdict::Pass => ("pass", String::new(), Vec::new()),
            Verdict::Fault { words, log } => ("fault", words, log),
            Verdict::NotApplicable(words) => ("not applicable", words, Vec::new()),
            Verdict::NotObservable(words) => ("not observable", words, Vec::new()),
        };
        stderr.drain(..stderr.len().saturating_sub(LOG_LINES));
        Self { id: check.id, title: check.title, verdict, words, stderr }
    }
}

/// The findings of one adapter.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// What served: the implementation's name, version and language.
    pub adapter: [String; 3],
    /// How it was started.
    pub command: String,
    /// The levels that it declares.
    pub levels: Vec<Level>,
    /// In the order in which they were made.
    pub findings: Vec<Finding>,
}

impl Report {
    pub(super) fn new(command: &CommandLine, declaration: &Declaration, findings: Vec<Finding>) -> Self {
        let Declaration { name, version, language, levels, .. } = declaration.clone();
        Self { adapter: [name, version, language], command: command.display(), levels, findings }
    }

    /// The exit code: a fault is what a violation is elsewhere, and nothing found at all is no pass.
    pub fn exit(&self) -> Exit {
        match (self.count("fault"), self.count("pass")) {
            (1.., _) => Exit::Violation,
            (0, 0) => Exit::Incomplete,
            (0, _) => Exit::Conformant,
        }
    }

    fn count(&self, verdict: &str) -> usize {
        self.findings.iter().filter(|finding| finding.verdict == verdict).count()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [name, version, language] = &self.adapter;
        let levels: Vec<&str> = self.levels.iter().map(|level| level.as_str()).collect();
        writeln!(out, "adapter      {name} {version} ({language})")?;
        writeln!(out, "started as   {}", self.command)?;
        writeln!(out, "levels       {}\n", levels.join(", "))?;
        for finding in &self.findings {
            let verdict = if finding.verdict == "fault" { "FAULT" } else { finding.verdict };
            writeln!(out, "{:<20} {verdict}", finding.id)?;
            if finding.verdict == "fault" {
                writeln!(out, "  must hold: {}\n  {}", finding.title, finding.words)?;
                for line in &finding.stderr {
                    writeln!(out, "  stderr: {line}")?;
                }
            } else if finding.verdict == "not observable" {
                writeln!(out, "  {}", finding.words)?;
            }
        }
        let count = |verdict| self.count(verdict);
        let (faults, passed) = (count("fault"), count("pass"));
        writeln!(
            out,
            "\n{passed} of {} checks passed, {faults} faults, {} not applicable, {} not observable",
            self.findings.len(),
            count("not applicable"),
            count("not observable")
        )
    }
}
