//! The certificate as plain text; at a terminal its verdicts have colours, which say nothing that the words do not.

use super::certificate::{Certificate, CheckEntry, CheckVerdict, FlakyEntry};
use super::counterexample::CounterexampleEntry;
use super::expected::{ExpectationEntry, ExpectationOutcome};
use super::{counted, tame};
use crate::event::Again;
use crate::fault::FaultEntry;
use seamcheck_protocol::messages::Level;
use std::fmt::{self, Display, Formatter};

/// Lines of a fault's standard error that are shown.
const STDERR_LINES: usize = 8;
/// Counterexamples that are shown; the table names every violation all the same.
const SHOWN_COUNTEREXAMPLES: usize = 12;

/// Whether verdicts have colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// They have none.
    Plain,
    /// They have.
    Colour,
}

impl Paint {
    /// Colours at a terminal, unless `NO_COLOR` is set to anything or the terminal is a dumb one.
    pub fn for_terminal(is_terminal: bool) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        if is_terminal && !refused { Self::Colour } else { Self::Plain }
    }

    fn with(self, colour: &str, words: &str) -> String {
        match self {
            Self::Plain => words.to_owned(),
            Self::Colour => format!("\x1b[{colour}m{words}\x1b[0m"),
        }
    }
}

/// Bold red, green and yellow.
const BAD: &str = "1;31";
const GOOD: &str = "32";
const UNSEEN: &str = "33";

/// A certificate for a terminal.
#[derive(Debug)]
pub struct Painted<'a> {
    certificate: &'a Certificate,
    paint: Paint,
}

impl Certificate {
    /// As text, with or without colours.
    pub fn painted(&self, paint: Paint) -> Painted<'_> {
        Painted { certificate: self, paint }
    }
}

impl Display for Certificate {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.painted(Paint::Plain).fmt(out)
    }
}

impl Display for Painted<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.certificate.write_all(out, self.paint)
    }
}

impl Certificate {
    fn write_all(&self, out: &mut Formatter<'_>, paint: Paint) -> fmt::Result {
        self.write_head(out)?;
        // Nothing is known about an adapter that never declared itself, not even what does not apply.
        if !self.levels.is_empty() {
            self.write_checks(out, paint)?;
            self.write_left_out(out)?;
        }
        for answer in &self.corpus {
            write!(out, "\n{}: {}", tame(&answer.source), counted(answer.messages as u64, "message"))?;
            for (level, words) in [("exact", &answer.exact), ("cut", &answer.cut)] {
                if let Some(words) = words {
                    write!(out, "; {level}: {words}")?;
                }
            }
        }
        if !self.corpus.is_empty() {
            writeln!(out)?;
        }
        for fault in &self.faults {
            write_fault(out, fault, paint)?;
        }
        let told: u64 = self.faults.iter().map(|fault| 1 + fault.more_like_it).sum();
        if let more @ 1.. = self.fault_count.saturating_sub(told) {
            writeln!(out, "\nand {} more", counted(more, "adapter fault"))?;
        }
        for FlakyEntry { case, words, .. } in &self.flaky {
            writeln!(out, "\nFLAKY {case}\n  {words}")?;
        }
        if self.flaky_count > self.flaky.len() as u64 {
            writeln!(out, "\nand {} more", counted(self.flaky_count - self.flaky.len() as u64, "flaky case"))?;
        }
        for fault in &self.harness_faults {
            writeln!(out, "\nHARNESS FAULT during {fault}")?;
        }
        self.write_expectations(out)?;
        for counterexample in self.counterexamples.iter().take(SHOWN_COUNTEREXAMPLES) {
            write_counterexample(out, counterexample, paint)?;
        }
        if let Some(more @ 1..) = self.counterexamples.len().checked_sub(SHOWN_COUNTEREXAMPLES) {
            writeln!(out, "\nand the violations of {more} checks more; --json FILE has them all")?;
        }
        let colour = if self.verdict.exit_code == 0 { GOOD } else { BAD };
        writeln!(out, "\n{}", paint.with(colour, &self.verdict.words))?;
        if self.verdict.certified {
            writeln!(out, "An adapter that lies cannot be told from outside: this is about what it said.")?;
        }
        Ok(())
    }
}

impl Certificate {
    fn write_head(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let line = |out: &mut Formatter<'_>, name: &str, value: &str| writeln!(out, "{name:<12} {value}");
        line(out, "suite", &format!("seamcheck {}, spec {}, protocol {}", self.suite, self.spec, self.protocol))?;
        let adapter = &self.adapter;
        let language = if adapter.language.is_empty() { String::new() } else { format!(" ({})", adapter.language) };
        if adapter.name.is_empty() {
            line(out, "adapter", "unknown: it never declared itself")?;
        } else {
            line(out, "adapter", &tame(&format!("{} {}{language}", adapter.name, adapter.version)))?;
        }
        line(out, "started as", &adapter.command)?;
        for file in &adapter.files {
            line(out, "file", &format!("{} sha256 {}", file.file, &file.sha256))?;
        }
        line(out, "levels", &self.levels.iter().map(|level| level.as_str()).collect::<Vec<_>>().join(", "))?;
        line(out, "seed", &self.seed.to_string())?;
        if let Some(shard) = self.shard {
            line(out, "shard", &shard.to_string())?;
        }
        if let Some(expectations) = &self.expectations {
            let met = expectations.with(ExpectationOutcome::Met).count();
            let words = format!("sha256 {}, {met} of {} met", expectations.sha256, expectations.entries.len());
            line(out, "expectations", &words)?;
        }
        let cases = &self.cases;
        let counts =
            format!("{} vectors, {} generated, {} from the corpus", cases.vectors, cases.generated, cases.corpus);
        line(out, "cases", &counts)?;
        let mut notes = vec![];
        let mut note = |count: u64, noun: &str, words: &str| {
            if count > 0 {
                notes.push(format!("{}{words}", counted(count, noun)));
            }
        };
        note(cases.unsupported, "case", " unsupported");
        note(cases.refused_cuts, "cut", " refused");
        note(cases.faults, "case", " ended in an adapter fault");
        note(self.restarts, "restart", "");
        if !notes.is_empty() {
            line(out, "", &notes.join(", "))?;
        }
        let differential = &self.differential;
        if differential.compared > 0 {
            let words = format!("{} of {} answers", differential.different, differential.compared);
            line(out, "differential", &format!("{words} differ from the reference's"))?;
        }
        if let Some(first) = &differential.first {
            line(out, "", &format!("the first: {first}"))?;
        }
        for (reason, count) in &cases.not_observable {
            line(out, "not run", &format!("{}: {reason}", counted(*count, "case")))?;
        }
        Ok(())
    }

    fn write_checks(&self, out: &mut Formatter<'_>, paint: Paint) -> fmt::Result {
        writeln!(out, "\n{:<13} {:<28} {:>7}  verdict", "clause", "check", "reached")?;
        for check in self.checks.iter().filter(|check| check.verdict != CheckVerdict::NotApplicable) {
            let slug = check.slug();
            writeln!(out, "{:<13} {slug:<28} {:>7}  {}", check.clause, check.reached, painted(check, paint))?;
        }
        Ok(())
    }

    /// What is not in the table, so that its absence is no silence.
    fn write_left_out(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for level in Level::ALL {
            let rows = || self.checks.iter().filter(|check| check.level == level);
            let left_out = rows().filter(|check| check.verdict == CheckVerdict::NotApplicable).count() as u64;
            if left_out > 0 {
                writeln!(out, "not applicable: {} of the level {}", counted(left_out, "check"), level.as_str())?;
            }
        }
        if self.partial {
            writeln!(out, "only a part was run: the clauses or cases that were asked for")?;
        }
        Ok(())
    }

    /// Expectations that fail; those that are met stand in the table.
    fn write_expectations(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for entry in self.expectations.iter().flat_map(|expectations| &expectations.entries) {
            let what = match entry.outcome {
                ExpectationOutcome::Stale => "STALE",
                ExpectationOutcome::OtherKind => "OTHER KIND",
                ExpectationOutcome::Met | ExpectationOutcome::Outside => continue,
            };
            let ExpectationEntry { line, target, id, kind, .. } = entry;
            let found = entry.found.as_deref().unwrap_or("nothing");
            writeln!(out, "\n{what} expectation at line {line}: {target} {} is expected to be {kind}", tame(id))?;
            writeln!(out, "  found {found}; correct the entry or remove it")?;
        }
        Ok(())
    }
}

fn painted(check: &CheckEntry, paint: Paint) -> String {
    let colour = match check.verdict {
        CheckVerdict::Pass => GOOD,
        CheckVerdict::Violation if check.must => BAD,
        _ => UNSEEN,
    };
    paint.with(colour, &verdict_words(check))
}

/// What came of a check, with what a person asks next.
pub(super) fn verdict_words(check: &CheckEntry) -> String {
    let should = if check.must { "" } else { " of a SHOULD" };
    match check.verdict {
        CheckVerdict::Pass => "pass".to_owned(),
        CheckVerdict::Violation => {
            let expected = if check.expected { ", as expected" } else { "" };
            format!("VIOLATION{should} in {}{expected}", counted(check.violated, "case"))
        }
        CheckVerdict::NotObservable => {
            let reasons = check.not_observable.keys().map(AsRef::as_ref).collect::<Vec<&str>>().join("; ");
            format!("not observable ({reasons})")
        }
        CheckVerdict::NotApplicable => "not applicable".to_owned(),
        CheckVerdict::NotExercised => "not exercised".to_owned(),
    }
}

fn write_fault(out: &mut Formatter<'_>, fault: &FaultEntry, paint: Paint) -> fmt::Result {
    let title = paint.with(BAD, &format!("ADAPTER FAULT {}", fault.kind));
    writeln!(out, "\n{title} during {}\n  {}", fault.during, tame(&fault.words))?;
    let skipped = fault.stderr.len().saturating_sub(STDERR_LINES);
    for line in &fault.stderr[skipped..] {
        writeln!(out, "  stderr: {line}")?;
    }
    if fault.more_like_it > 0 {
        writeln!(out, "  and {} more like it", fault.more_like_it)?;
    }
    Ok(())
}

fn write_counterexample(out: &mut Formatter<'_>, counterexample: &CounterexampleEntry, paint: Paint) -> fmt::Result {
    let CounterexampleEntry { check, case, words, original_steps, tries, kept, story, must, again, replay, .. } =
        counterexample;
    let (colour, level) = if *must { (BAD, "MUST") } else { (UNSEEN, "SHOULD") };
    writeln!(out, "\n{}", paint.with(colour, &format!("VIOLATION of {check} ({level})")))?;
    writeln!(out, "  {words}")?;
    let (steps, tries) = (counted(*original_steps as u64, "step"), counted(u64::from(*tries), "smaller case"));
    writeln!(out, "  found in {case} ({steps}); {tries} tried, {kept} kept")?;
    match again {
        Some(Again::Otherwise) => {
            writeln!(out, "  repeated, the case did not show it again: what follows is what was seen once")?;
        }
        Some(Again::OnlyAfterOthers) => {
            writeln!(out, "  in a process of its own the small case does not show it: it takes what came before")?;
        }
        Some(Again::Same) | None => {}
    }
    for line in story {
        writeln!(out, "  {line}")?;
    }
    if let Some(command) = replay {
        writeln!(out, "  replay it: {command}")?;
    }
    Ok(())
}
