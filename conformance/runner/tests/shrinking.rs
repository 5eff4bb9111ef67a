//! How small violations become, over seeded faults of every shape: nothing can be taken out of the result, and an
//! exhaustive search says whether it could be smaller. `SHRINKING.md` has the table that this prints.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod smallest;

use seamcheck::adapter::Adapter;
use seamcheck::command::CommandLine;
use seamcheck::session::Timeouts;
use seamcheck_checks::case::{Body, Case};
use seamcheck_checks::case_file::CaseFile;
use seamcheck_checks::check::{Check, Judgement, Observed};
use seamcheck_checks::{registry, source};
use seamcheck_protocol::messages::{Declaration, Level};
use smallest::cases::{size, unchanged, with_one_less};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

/// Faults of every shape that the shrinker was made on: the adapter's fault, and the check that must see it.
const KNOWN: [(&str, &str, &str); 10] = [
    ("toy keeps-last-n", "B-TRIM-1.no-orphan", "trim"),
    ("trim-drops-results", "B-TRIM-2.no-unanswered", "trim"),
    ("trim-hole", "B-TRIM-6.suffix", "trim"),
    ("round-not-merged", "B-ROUND-2.finest", "query"),
    ("round-user-splits", "B-ROUND-1.together", "query"),
    ("compact-shortens-results", "B-COMPACT-7.verbatim", "chain"),
    ("compact-loses-oldest", "B-COMPACT-11.coverage", "chain"),
    ("build-messages-first", "B-BUILD-2.first-fault", "fault"),
    ("link-sorted", "B-LINK-8.planted", "fault"),
    ("cancel-before-ignored", "B-CANCEL-1.before", "cancelling"),
];

/// Faults that were chosen by a rule before any of them was run; `SHRINKING.md` has the rule. The list was 237
/// mutants long then.
const BY_RULE: [(&str, &str, &str); 10] = [
    ("text-normalizes", "B-TEXT-1.round-trip", "query"),
    ("round-merged-once", "B-ROUND-2.finest", "query"),
    ("select-ignores-rounds", "B-SELECT-5.no-split", "query"),
    ("compact-trims-summary", "B-COMPACT-7.verbatim", "chain"),
    ("state-contexts-mix", "B-STATE-3.isolated", "isolation"),
    ("trim-invents", "B-TRIM-4.order", "trim"),
    ("cancel-late-answer-lands", "B-CANCEL-5.silent", "cancelling"),
    ("state-contexts-mix", "B-STATE-4.deterministic", "isolation"),
    ("state-one-at-a-time", "B-STATE-5.independent", "concurrent"),
    ("state-answers-shared", "B-STATE-5.independent", "concurrent"),
];

/// Enough for each fault to be found.
const CASES: &str = "110";
/// The story of one cancellation takes fewer steps.
const LONG_STORY: usize = 15;
const TIMEOUTS: Timeouts = Timeouts { start: Duration::from_secs(30), idle: Duration::from_secs(20) };

/// One fault under trial.
struct Trial {
    adapter: Adapter,
    declaration: Declaration,
    check: &'static Check,
}

impl Trial {
    async fn new(words: &[OsString], check: &str) -> Self {
        let mut adapter = Adapter::new(CommandLine::new(words).unwrap(), TIMEOUTS);
        let mut declaration = adapter.declaration().await.unwrap();
        if declaration.levels.contains(&Level::Exact) && !declaration.levels.contains(&Level::Compact) {
            declaration.levels.push(Level::Compact);
        }
        let check = registry::checks().into_iter().find(|known| known.id == check).unwrap();
        Self { adapter, declaration, check }
    }

    /// Whether a case shows the violation, and does so in a process that has seen no other.
    async fn is_violated(&mut self, body: Body) -> bool {
        let found = self.steps_to_violation(body.clone()).await.is_some();
        if found {
            self.adapter.renew().await;
        }
        found && self.steps_to_violation(body).await.is_some()
    }

    /// How many steps a case takes that shows the violation.
    async fn steps_to_violation(&mut self, body: Body) -> Option<usize> {
        let case = Case { name: "trial".to_owned(), body };
        if case.unmet(&self.declaration).is_some() {
            return None;
        }
        let outcomes = self.adapter.drive(&case, &self.declaration).await.ok()?;
        let observed = Observed { case: &case, outcomes: &outcomes, declaration: &self.declaration };
        matches!(self.check.judge(&observed), Judgement::Violated(_)).then_some(outcomes.len())
    }
}

fn adapter(fault: &str) -> Vec<OsString> {
    match fault.strip_prefix("toy ") {
        Some(mode) => {
            let toy = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adapters/toy.py");
            vec!["python3".into(), "-S".into(), toy.into(), mode.into()]
        }
        None => [env!("CARGO_BIN_EXE_seamcheck"), "serve", "--mutant", fault].map(OsString::from).to_vec(),
    }
}

/// The counterexample that the program finds and makes small.
fn shrunk(fault: &str, check: &str, scenario: &str) -> CaseFile {
    let folder: PathBuf =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("shrinking-{fault}-{check}-{}", std::process::id()));
    let mut program = Command::new(env!("CARGO_BIN_EXE_seamcheck"));
    let scenario = format!("generated/{scenario}/*");
    program.args(["run", "--case", &scenario, "--shrink-seconds", "300", "--timeout-seconds", "20"]);
    program.args(["--cases", CASES, "--clause", check, "--replay-dir"]).arg(&folder).arg("--").args(adapter(fault));
    let output = program.output().unwrap();
    let file = std::fs::read(folder.join(format!("{check}.json")));
    let file = file.unwrap_or_else(|error| panic!("{fault}: {error}: {}", String::from_utf8_lossy(&output.stdout)));
    std::fs::remove_dir_all(&folder).unwrap();
    CaseFile::read(&file).unwrap()
}

struct Row {
    fault: &'static str,
    check: &'static str,
    before: usize,
    after: usize,
    smallest: Option<usize>,
    /// Cases with one message or block less that still show the violation.
    left: usize,
    /// The steps of its story.
    steps: usize,
    /// How often its compaction is gone through, where it is gone through in several ways.
    ways: Option<usize>,
}

fn found_in(name: &str) -> Body {
    let (seed, index) = source::read_generated_name(name).unwrap();
    let levels = [&Level::ALL[..], &[Level::Cut]];
    let cases = levels.into_iter().filter_map(|levels| source::generated(seed, index, levels));
    cases.into_iter().find(|case| case.name == name).unwrap().body
}

async fn trial((fault, check, scenario): (&'static str, &'static str, &'static str)) -> Row {
    let file = shrunk(fault, check, scenario);
    let body = &file.case.body;
    let mut trial = Trial::new(&adapter(fault), check).await;
    let steps = trial.steps_to_violation(body.clone()).await;
    let steps = steps.unwrap_or_else(|| panic!("{fault} {check}: what was made small shows nothing any more"));
    assert!(trial.is_violated(unchanged(body)).await, "{fault}: what it shows depends on how its messages are written");
    let mut left = 0;
    for less in with_one_less(body) {
        left += usize::from(trial.is_violated(less).await);
    }
    let after = size(body);
    let smallest = smallest::search(&mut trial, body, after).await;
    trial.adapter.forget();
    let before = size(&found_in(&file.case.name));
    Row { fault, check, before, after, smallest, left, steps, ways: ways(body) }
}

/// How often a compaction is gone through, in a case of that.
fn ways(body: &Body) -> Option<usize> {
    let Body::Cancelling(cancelling) = body else { return None };
    Some(cancelling.ways.as_ref().map_or(usize::MAX, Vec::len))
}

#[test]
fn nothing_can_be_taken_out_of_a_counterexample_and_none_is_smaller() {
    let queue = Mutex::new(KNOWN.into_iter().chain(BY_RULE).enumerate());
    let rows = Mutex::new(BTreeMap::new());
    let work = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        loop {
            let next = queue.lock().unwrap().next();
            let Some((place, fault)) = next else { return };
            let row = runtime.block_on(trial(fault));
            rows.lock().unwrap().insert(place, row);
        }
    };
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    println!("| fault | check | messages before | after | smallest possible | steps |\n|---|---|---|---|---|---|");
    let rows = rows.into_inner().unwrap();
    for row in rows.values() {
        let smallest = row.smallest.map_or_else(|| "more than 4".to_owned(), |size| size.to_string());
        let Row { fault, check, before, after, steps, .. } = row;
        println!("| {fault} | {check} | {before} | {after} | {smallest} | {steps} |");
    }
    for row in rows.values() {
        assert_eq!(row.left, 0, "{}: a message or block can go", row.fault);
        assert!(row.ways.is_none_or(|ways| ways == 1), "{}: it is cancelled in several ways", row.fault);
        let is_long = row.ways.is_some() && row.steps >= LONG_STORY;
        assert!(!is_long, "{}: its story has {} steps", row.fault, row.steps);
        assert!(row.smallest.is_none_or(|smallest| smallest == row.after), "{}: it can be smaller", row.fault);
    }
}
