//! What the page shows, in the order in which it shows it.

use super::figure::Figure;
use crate::fault::FaultEntry;
use crate::report::certificate::{Certificate, CheckEntry, CheckVerdict};
use crate::report::counted;
use crate::report::counterexample::CounterexampleEntry;
use crate::report::expected::ExpectationOutcome;
use crate::report::safe_text::shortened;
use crate::report::terminal::verdict_words;
use crate::spec_page;
use serde::Serialize;

/// Characters of a name.
const NAME_CHARACTERS: usize = 200;
/// Lines of one story.
const STORY_LINES: usize = 400;

/// Everything on the page.
#[derive(Debug, Serialize)]
pub(super) struct Page<'a> {
    style: &'a str,
    adapter: String,
    standing: Standing,
    verdict: &'a str,
    tiles: Vec<Tile>,
    facts: Vec<(&'static str, String)>,
    notes: Vec<String>,
    examples: Vec<Example<'a>>,
    families: Vec<FamilyRows<'a>>,
    faults: Vec<Fault<'a>>,
    harness_faults: &'a [String],
    corpus: Vec<Answer<'a>>,
}

/// The verdict in one word, with a sign for it.
#[derive(Debug, Serialize)]
struct Standing {
    class: &'static str,
    sign: &'static str,
    word: &'static str,
}

#[derive(Debug, Serialize)]
struct Tile {
    class: &'static str,
    count: usize,
    word: &'static str,
}

#[derive(Debug, Serialize)]
struct Example<'a> {
    number: usize,
    check: &'a str,
    title: &'a str,
    level: &'static str,
    words: &'a str,
    origin: String,
    figures: Vec<Figure>,
    story: Vec<&'a str>,
    more_lines: usize,
}

#[derive(Debug, Serialize)]
struct FamilyRows<'a> {
    name: &'a str,
    words: String,
    rows: Vec<Row<'a>>,
}

#[derive(Debug, Serialize)]
struct Row<'a> {
    clause: &'a str,
    slug: &'a str,
    title: &'static str,
    level: &'static str,
    strength: &'static str,
    reached: u64,
    class: &'static str,
    sign: &'static str,
    verdict: String,
    violations: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Fault<'a> {
    kind: &'a str,
    during: &'a str,
    words: &'a str,
    stderr: &'a [String],
    more: u64,
}

#[derive(Debug, Serialize)]
struct Answer<'a> {
    source: &'a str,
    messages: usize,
    exact: &'a str,
    cut: &'a str,
}

impl<'a> Page<'a> {
    pub(super) fn new(certificate: &'a Certificate, style: &'a str) -> Self {
        let count = |verdict| certificate.checks.iter().filter(|check| check.verdict == verdict).count();
        let tile = |verdict: CheckVerdict| Tile { class: class(verdict), count: count(verdict), word: verdict.word() };
        let adapter = &certificate.adapter;
        let name = if adapter.name.is_empty() { "an adapter that never declared itself" } else { &adapter.name };
        let none = || "";
        Self {
            style,
            adapter: shortened(&format!("{name} {}", adapter.version), NAME_CHARACTERS).trim_end().to_owned(),
            standing: standing(certificate),
            verdict: reasons(&certificate.verdict.words),
            tiles: CheckVerdict::ALL.map(tile).into_iter().filter(|tile| tile.count > 0).collect(),
            facts: facts(certificate),
            notes: notes(certificate),
            examples: certificate.counterexamples.iter().zip(1..).map(|(one, number)| example(one, number)).collect(),
            families: families(&certificate.checks),
            faults: certificate.faults.iter().map(fault).collect(),
            harness_faults: &certificate.harness_faults,
            corpus: certificate
                .corpus
                .iter()
                .map(|answer| Answer {
                    source: &answer.source,
                    messages: answer.messages,
                    exact: answer.exact.as_deref().unwrap_or_else(none),
                    cut: answer.cut.as_deref().unwrap_or_else(none),
                })
                .collect(),
        }
    }
}

/// The words behind the verdict, which stands above them.
fn reasons(words: &str) -> &str {
    let known = ["not certified: ", "certified: ", "no certificate: "];
    known.iter().find_map(|verdict| words.strip_prefix(verdict)).unwrap_or(words)
}

fn standing(certificate: &Certificate) -> Standing {
    let violated = |check: &CheckEntry| check.must && check.verdict == CheckVerdict::Violation;
    let (class, sign, word) = if certificate.verdict.certified {
        ("pass", "✓", "Certified")
    } else if certificate.checks.iter().any(violated) {
        ("violation", "✗", "Not certified")
    } else if certificate.verdict.exit_code == 0 {
        ("unseen", "–", "No certificate")
    } else {
        ("violation", "!", "Not certified")
    };
    Standing { class, sign, word }
}

fn facts(certificate: &Certificate) -> Vec<(&'static str, String)> {
    let Certificate { adapter, cases, differential, .. } = certificate;
    let mut facts = vec![("Suite", format!("seamcheck {}", certificate.suite))];
    let mut fact = |name, value: String| facts.push((name, value));
    fact("Spec", format!("{} (page sha256 {})", certificate.spec, certificate.spec_sha256));
    fact("Protocol", certificate.protocol.clone());
    if !adapter.language.is_empty() {
        fact("Language", shortened(&adapter.language, NAME_CHARACTERS));
    }
    fact("Started as", adapter.command.clone());
    for file in &adapter.files {
        fact("File", format!("{} sha256 {}", file.file, file.sha256));
    }
    fact("Levels", certificate.levels.iter().map(|level| level.as_str()).collect::<Vec<_>>().join(", "));
    fact("Seed", certificate.seed.to_string());
    let globs = certificate.selection.globs().collect::<Vec<_>>().join(", ");
    if !globs.is_empty() {
        fact("Only", globs);
    }
    if let Some(shard) = certificate.shard {
        fact("Shard", shard.to_string());
    }
    if let Some(expectations) = &certificate.expectations {
        let met = expectations.with(ExpectationOutcome::Met).count();
        let words = format!("{met} of {} met; sha256 {}", expectations.entries.len(), expectations.sha256);
        fact("Expectations", words);
    }
    fact(
        "Cases",
        format!("{} vectors, {} generated, {} from the corpus", cases.vectors, cases.generated, cases.corpus),
    );
    if differential.compared > 0 {
        let words =
            format!("{} of {} answers differ from the reference's", differential.different, differential.compared);
        fact("Differential", differential.first.as_ref().map_or(words.clone(), |first| format!("{words}; {first}")));
    }
    facts
}

fn notes(certificate: &Certificate) -> Vec<String> {
    let cases = &certificate.cases;
    let mut notes = Vec::new();
    for (count, noun, words) in [
        (cases.unsupported, "case", "that the implementation cannot express"),
        (cases.refused_cuts, "cut", "that it refused"),
        (cases.faults, "case", "that ended in an adapter fault"),
        (certificate.restarts, "restart", "of the adapter"),
    ] {
        if count > 0 {
            notes.push(format!("{} {words}", counted(count, noun)));
        }
    }
    for (reason, count) in &cases.not_observable {
        notes.push(format!("{} not run: {reason}", counted(*count, "case")));
    }
    if certificate.partial {
        notes.push("only a part was run: the clauses or cases that were asked for".to_owned());
    }
    notes
}

fn example(entry: &CounterexampleEntry, number: usize) -> Example<'_> {
    let figure = |(place, scene)| Figure::new(format!("{number}-{place}"), scene);
    let steps = counted(entry.original_steps as u64, "step");
    let tries = counted(u64::from(entry.tries), "smaller case");
    Example {
        number,
        check: &entry.check,
        title: spec_page::find(&entry.clause).map_or("", |clause| clause.title),
        level: if entry.must { "MUST" } else { "SHOULD" },
        words: &entry.words,
        origin: format!("found in {} ({steps}); {tries} tried, {} kept", entry.case, entry.kept),
        figures: (1..).zip(&entry.scenes).map(figure).collect(),
        story: entry.story.iter().take(STORY_LINES).map(String::as_str).collect(),
        more_lines: entry.story.len().saturating_sub(STORY_LINES),
    }
}

/// Checks by the family of their clause, families in the order of the spec.
fn families(checks: &[CheckEntry]) -> Vec<FamilyRows<'_>> {
    let mut families: Vec<FamilyRows<'_>> = Vec::new();
    for check in checks.iter().filter(|check| check.verdict != CheckVerdict::NotApplicable) {
        let name = spec_page::family(&check.clause);
        if families.last().is_none_or(|last| last.name != name) {
            families.push(FamilyRows { name, words: String::new(), rows: Vec::new() });
        }
        if let Some(family) = families.last_mut() {
            family.rows.push(row(check));
        }
    }
    for family in &mut families {
        let passed = family.rows.iter().filter(|row| row.class == class(CheckVerdict::Pass)).count();
        family.words = format!("{passed} of {} pass", family.rows.len());
    }
    families
}

fn row(check: &CheckEntry) -> Row<'_> {
    let slug = check.slug();
    let told = |one: &crate::report::certificate::ViolationEntry| format!("{}: {}", one.case, one.words);
    Row {
        clause: &check.clause,
        slug,
        title: spec_page::find(&check.clause).map_or("", |clause| clause.title),
        level: check.level.as_str(),
        strength: if check.must { "MUST" } else { "SHOULD" },
        reached: check.reached,
        class: class(check.verdict),
        sign: sign(check.verdict),
        verdict: verdict_words(check),
        violations: check.violations.iter().map(told).collect(),
    }
}

fn fault(entry: &FaultEntry) -> Fault<'_> {
    let FaultEntry { kind, during, words, stderr, more_like_it, .. } = entry;
    Fault { kind, during, words, stderr, more: *more_like_it }
}

fn class(verdict: CheckVerdict) -> &'static str {
    match verdict {
        CheckVerdict::Pass => "pass",
        CheckVerdict::Violation => "violation",
        CheckVerdict::NotObservable | CheckVerdict::NotExercised => "unseen",
        CheckVerdict::NotApplicable => "away",
    }
}

fn sign(verdict: CheckVerdict) -> &'static str {
    match verdict {
        CheckVerdict::Pass => "✓",
        CheckVerdict::Violation => "✗",
        CheckVerdict::NotObservable | CheckVerdict::NotExercised => "?",
        CheckVerdict::NotApplicable => "–",
    }
}
