//! The certificate as Markdown, for a README or a pull request: the verdict, what it rests on, what does not hold,
//! and every check behind a fold. Whatever an adapter says stands in code spans and blocks, where nothing in it works.

use super::certificate::{Certificate, CheckVerdict};
use super::counterexample::CounterexampleEntry;
use super::expected::ExpectationOutcome;
use super::safe_text::{code_block, code_span, shortened};
use super::terminal::verdict_words;
use super::{counted, tame};
use crate::fault::FaultEntry;
use std::fmt::{self, Write};

/// Counterexamples that are shown.
const SHOWN_COUNTEREXAMPLES: usize = 12;
/// Adapter faults that are shown.
const SHOWN_FAULTS: usize = 5;
/// Lines of one story: a comment of a pull request may have 65,536 characters in all.
const STORY_LINES: usize = 60;
/// Characters of a name.
const NAME_CHARACTERS: usize = 200;

/// The certificate as Markdown.
pub(super) fn markdown(certificate: &Certificate) -> String {
    let mut out = String::new();
    // Writing to a string never fails.
    let _ = write_all(&mut out, certificate);
    out
}

fn write_all(out: &mut String, certificate: &Certificate) -> fmt::Result {
    let title = if certificate.verdict.certified { "Certified by Seamcheck" } else { "Not certified by Seamcheck" };
    writeln!(out, "## {title}\n\n**{}**\n", plain(&certificate.verdict.words))?;
    write_facts(out, certificate)?;
    write_unseen(out, certificate)?;
    for counterexample in certificate.counterexamples.iter().take(SHOWN_COUNTEREXAMPLES) {
        write_counterexample(out, counterexample)?;
    }
    if let Some(more @ 1..) = certificate.counterexamples.len().checked_sub(SHOWN_COUNTEREXAMPLES) {
        writeln!(out, "And the violations of {more} checks more.\n")?;
    }
    write_faults(out, certificate)?;
    write_checks(out, certificate)?;
    writeln!(out, "An adapter that lies cannot be told from outside: this is about what it said.")
}

fn write_facts(out: &mut String, certificate: &Certificate) -> fmt::Result {
    let mut row = |name: &str, value: &str| writeln!(out, "| {name} | {} |", value.replace('|', "\\|"));
    row("what", "value")?;
    row("---", "---")?;
    let Certificate { suite, spec, spec_sha256, protocol, adapter, cases, .. } = certificate;
    row("suite", &format!("seamcheck {suite}, spec {spec}, protocol {protocol}"))?;
    row("spec page", &format!("sha256 `{spec_sha256}`"))?;
    if adapter.name.is_empty() {
        row("adapter", "unknown: it never declared itself")?;
    } else {
        let language = if adapter.language.is_empty() { String::new() } else { format!(" ({})", adapter.language) };
        row(
            "adapter",
            &code_span(&shortened(&format!("{} {}{language}", adapter.name, adapter.version), NAME_CHARACTERS)),
        )?;
    }
    row("started as", &code_span(&adapter.command))?;
    for file in &adapter.files {
        row("file", &format!("{} sha256 `{}`", code_span(&file.file), file.sha256))?;
    }
    row("levels", &certificate.levels.iter().map(|level| level.as_str()).collect::<Vec<_>>().join(", "))?;
    row("seed", &certificate.seed.to_string())?;
    let globs = certificate.selection.globs().map(code_span).collect::<Vec<_>>();
    if !globs.is_empty() {
        row("only", &globs.join(" "))?;
    }
    if let Some(shard) = certificate.shard {
        row("shard", &shard.to_string())?;
    }
    if let Some(expectations) = &certificate.expectations {
        let met = expectations.with(ExpectationOutcome::Met).count();
        let words = format!("{met} of {} met, sha256 `{}`", expectations.entries.len(), expectations.sha256);
        row("expectations", &words)?;
    }
    let counts = format!("{} vectors, {} generated, {} from the corpus", cases.vectors, cases.generated, cases.corpus);
    row("cases", &counts)?;
    let differential = &certificate.differential;
    if differential.compared > 0 {
        row(
            "differential",
            &format!("{} of {} answers differ from the reference's", differential.different, differential.compared),
        )?;
    }
    for verdict in CheckVerdict::ALL {
        let count = certificate.checks.iter().filter(|check| check.verdict == verdict).count() as u64;
        if count > 0 {
            row(verdict.word(), &counted(count, "check"))?;
        }
    }
    writeln!(out)
}

fn write_unseen(out: &mut String, certificate: &Certificate) -> fmt::Result {
    let before = out.len();
    for (reason, count) in &certificate.cases.not_observable {
        writeln!(out, "- not run: {}: {reason}", counted(*count, "case"))?;
    }
    for check in certificate.checks.iter().filter(|check| check.verdict == CheckVerdict::NotObservable) {
        writeln!(out, "- `{}`: {}", check.id, verdict_words(check))?;
    }
    if certificate.partial {
        writeln!(out, "- only a part was run: the clauses or cases that were asked for")?;
    }
    for fault in &certificate.harness_faults {
        writeln!(out, "- HARNESS FAULT during {}", code_span(&tame(fault)))?;
    }
    for answer in &certificate.corpus {
        write!(out, "- {}: {}", code_span(&tame(&answer.source)), counted(answer.messages as u64, "message"))?;
        for (level, words) in [("exact", &answer.exact), ("cut", &answer.cut)] {
            if let Some(words) = words {
                write!(out, "; {level}: {}", code_span(words))?;
            }
        }
        writeln!(out)?;
    }
    if out.len() > before { writeln!(out) } else { Ok(()) }
}

fn write_counterexample(out: &mut String, example: &CounterexampleEntry) -> fmt::Result {
    let CounterexampleEntry { check, must, words, story, case, .. } = example;
    writeln!(out, "### VIOLATION of {check} ({})\n", if *must { "MUST" } else { "SHOULD" })?;
    writeln!(out, "{}; found in {}\n", code_span(words), code_span(case))?;
    let mut lines = story.iter().take(STORY_LINES).cloned().collect::<Vec<_>>();
    if let Some(more @ 1..) = story.len().checked_sub(STORY_LINES) {
        lines.push(format!("({})", counted(more as u64, "line more")));
    }
    writeln!(out, "{}", code_block(&lines.join("\n")))
}

fn write_faults(out: &mut String, certificate: &Certificate) -> fmt::Result {
    for FaultEntry { kind, during, words, stderr, more_like_it, .. } in certificate.faults.iter().take(SHOWN_FAULTS) {
        writeln!(out, "### ADAPTER FAULT {kind}\n\nduring {}: {}\n", code_span(during), code_span(&tame(words)))?;
        if *more_like_it > 0 {
            writeln!(out, "And {more_like_it} more like it.\n")?;
        }
        let lines: Vec<String> = stderr.iter().map(|line| tame(line)).collect();
        if !lines.is_empty() {
            writeln!(out, "{}", code_block(&lines.join("\n")))?;
        }
    }
    Ok(())
}

fn write_checks(out: &mut String, certificate: &Certificate) -> fmt::Result {
    writeln!(out, "<details><summary>Every check that applies</summary>\n")?;
    writeln!(out, "| check | level | reached | holds | verdict |\n| --- | --- | ---: | ---: | --- |")?;
    for check in certificate.checks.iter().filter(|check| check.verdict != CheckVerdict::NotApplicable) {
        let (level, verdict) = (check.level.as_str(), verdict_words(check));
        writeln!(out, "| {} | {level} | {} | {} | {verdict} |", check.id, check.reached, check.holds)?;
    }
    writeln!(out, "\n</details>\n")
}

/// Words of the harness's own, which may quote those of somebody else.
fn plain(words: &str) -> String {
    let mut plain = String::new();
    for c in shortened(words, 1_000).chars() {
        if c.is_ascii_punctuation() && !".,:;()-".contains(c) {
            plain.push('\\');
        }
        plain.push(c);
    }
    plain
}
