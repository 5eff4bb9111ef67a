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
use seamcheck_checks::scenario::Query;
use seamcheck_checks::wire::Validity;
use seamcheck_checks::{registry, source};
use seamcheck_protocol::messages::{Declaration, Level};
use seamcheck_reference::{Document, Json};
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
const BY_RULE: [(&str, &str, &str); 13] = [
    ("text-normalizes", "B-TEXT-1.round-trip", "query"),
    ("round-merged-once", "B-ROUND-2.finest", "query"),
    ("select-ignores-rounds", "B-SELECT-5.no-split", "query"),
    ("compact-trims-summary", "B-COMPACT-7.verbatim", "chain"),
    ("summary-budget-strict", "B-SUMMARY-4.budget", "chain"),
    ("state-contexts-mix", "B-STATE-3.isolated", "concurrent"),
    ("trim-invents", "B-TRIM-4.order", "trim"),
    ("link-limits-apply", "B-LINK-8.planted", "fault"),
    ("cancel-late-answer-lands", "B-CANCEL-5.silent", "cancelling"),
    ("state-contexts-mix", "B-STATE-4.deterministic", "isolation"),
    ("state-chance", "B-STATE-4.deterministic", "isolation"),
    ("state-one-at-a-time", "B-STATE-5.independent", "concurrent"),
    ("state-answers-shared", "B-STATE-5.independent", "concurrent"),
];

/// Enough for each fault to be found.
const CASES: &str = "110";
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

    async fn is_violated(&mut self, body: Body) -> bool {
        let case = Case { name: "trial".to_owned(), body };
        if case.unmet(&self.declaration).is_some() {
            return false;
        }
        let Ok(outcomes) = self.adapter.drive(&case, &self.declaration).await else { return false };
        let observed = Observed { case: &case, outcomes: &outcomes, declaration: &self.declaration };
        matches!(self.check.judge(&observed), Judgement::Violated(_))
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

/// The messages of every context of a case.
fn contexts(body: &Body) -> Vec<Vec<Json>> {
    let of = |context: &Json| match context.get("messages") {
        Some(Json::Array(messages)) => messages.clone(),
        _ => Vec::new(),
    };
    match body {
        Body::Query(query) => vec![of(&query.context)],
        Body::Chain(chain) => vec![of(&chain.context)],
        Body::Cancelling(cancelling) => vec![of(&cancelling.context)],
        Body::Isolation(isolation) => vec![of(&isolation.first), of(&isolation.second)],
        Body::Concurrent(concurrent) => concurrent.contexts.iter().map(of).collect(),
        Body::Trim(trim) => vec![trim.messages.clone()],
        Body::Fault(fault) => {
            let document = Document::parse(fault.messages.text().as_bytes()).unwrap();
            vec![document.root().elements().map(|message| message.to_json(300).unwrap_or(Json::Null)).collect()]
        }
        Body::Vector(_) => Vec::new(),
    }
}

fn size(body: &Body) -> usize {
    contexts(body).iter().map(Vec::len).sum()
}

/// The same case about these messages; `None` for planted faults, whose messages cannot be put in their place.
fn with_messages(body: &Body, messages: &[Vec<Json>]) -> Option<Body> {
    let put = |context: &Json, messages: &[Json]| {
        let Json::Object(members) = context else { return context.clone() };
        let rest = members.members().iter().filter(|(key, _)| key.as_str() != Some("messages")).cloned();
        Json::Object(rest.chain([("messages".into(), Json::Array(messages.to_vec()))]).collect())
    };
    let mut body = body.clone();
    match &mut body {
        Body::Query(query) => {
            let context = put(&query.context, &messages[0]);
            *query = Query { validity: validity(&messages[0]), context, budgets: query.budgets.clone() };
        }
        Body::Chain(chain) => chain.context = put(&chain.context, &messages[0]),
        Body::Cancelling(cancelling) => cancelling.context = put(&cancelling.context, &messages[0]),
        Body::Isolation(isolation) => {
            isolation.first = put(&isolation.first, &messages[0]);
            isolation.second = put(&isolation.second, &messages[1]);
        }
        Body::Concurrent(concurrent) => {
            for (context, messages) in concurrent.contexts.iter_mut().zip(messages) {
                *context = put(context, messages);
            }
        }
        Body::Trim(trim) => (trim.messages, trim.budget) = (messages[0].clone(), None),
        Body::Fault(_) | Body::Vector(_) => return None,
    }
    Some(body)
}

/// Whether what is expected of a query holds for these messages, by the reference's own reader: the trial is no check.
fn validity(messages: &[Json]) -> Validity {
    let text = Json::Array(messages.to_vec()).to_string();
    let document = Document::parse(text.as_bytes()).unwrap();
    if seamcheck_reference::diagnose(document.root()).is_empty() { Validity::Valid } else { Validity::Unlinked }
}

/// Every case with one message or one block less.
fn with_one_less(body: &Body) -> Vec<Body> {
    let contexts = contexts(body);
    let mut less = Vec::new();
    for (which, messages) in contexts.iter().enumerate() {
        for (index, message) in messages.iter().enumerate() {
            let mut change = |change: &dyn Fn(&mut Vec<Json>)| {
                let mut changed = contexts.clone();
                change(&mut changed[which]);
                less.extend(with_messages(body, &changed));
            };
            change(&|messages| drop(messages.remove(index)));
            let Some(Json::Array(blocks)) = message.get("content") else { continue };
            for block in 0..blocks.len() {
                change(&|messages| {
                    let mut blocks = blocks.clone();
                    blocks.remove(block);
                    let Json::Object(members) = message else { return };
                    let members = members.members().iter().map(|(key, value)| match key.as_str() {
                        Some("content") => (key.clone(), Json::Array(blocks.clone())),
                        _ => (key.clone(), value.clone()),
                    });
                    messages[index] = Json::Object(members.collect());
                });
            }
        }
    }
    less
}

struct Row {
    fault: &'static str,
    check: &'static str,
    before: usize,
    after: usize,
    smallest: Option<usize>,
    /// Cases with one message or block less that still show the violation.
    left: usize,
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
    assert!(trial.is_violated(body.clone()).await, "{fault}: what was made small shows nothing any more");
    let mut left = 0;
    for less in with_one_less(body) {
        left += usize::from(trial.is_violated(less).await);
    }
    let after = size(body);
    let smallest = smallest::search(&mut trial, body, after).await;
    trial.adapter.forget();
    Row { fault, check, before: size(&found_in(&file.case.name)), after, smallest, left }
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
    println!("| fault | check | messages before | after | smallest possible |\n|---|---|---|---|---|");
    let rows = rows.into_inner().unwrap();
    for row in rows.values() {
        let smallest = row.smallest.map_or_else(|| "more than 4".to_owned(), |size| size.to_string());
        println!("| {} | {} | {} | {} | {smallest} |", row.fault, row.check, row.before, row.after);
    }
    for row in rows.values() {
        assert_eq!(row.left, 0, "{}: a message or block can go", row.fault);
        assert!(row.smallest.is_none_or(|smallest| smallest == row.after), "{}: it can be smaller", row.fault);
    }
}
