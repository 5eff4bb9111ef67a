//! The certificates of all parts of a run put together: the same certificate as that of the whole run.
//!
//! What can differ from one run that was never split: how often an adapter that failed was started again, and a run
//! that would have been given up after too many adapter faults.

use crate::event::CorpusAnswer;
use crate::report::certificate::{Certificate, CheckEntry, CheckVerdict, FORMAT};
use crate::report::expected::{ExpectationOutcome, ExpectationsEntry};
use crate::report::fold;
use crate::report::tally::{KEPT_FLAKY, KEPT_VIOLATIONS};
use serde::Serialize;

/// Puts parts together; each with the name of its file.
///
/// # Errors
/// They are not all the parts of one run, each once: what differs, is missing or stands twice.
pub fn merge(parts: Vec<(String, Certificate)>) -> Result<Certificate, String> {
    let mut parts = parts;
    demand_all(&parts)?;
    parts.sort_by_key(|(_, part)| part.shard.map(|shard| shard.index));
    let mut parts = parts.into_iter();
    let Some((first, mut whole)) = parts.next() else { return Err("there is nothing to merge".to_owned()) };
    for (name, part) in parts {
        if let Some((what, left, right)) = difference(&whole, &part) {
            return Err(format!("{first} and {name} are not parts of one run: {what} is {left} and {right}"));
        }
        add(&mut whole, part);
    }
    whole.shard = None;
    whole.partial = whole.selection.is_partial();
    finish(&mut whole);
    Ok(whole.settled())
}

/// Every part there is, each once, of the same number.
fn demand_all(parts: &[(String, Certificate)]) -> Result<(), String> {
    let mut seen: Vec<(u64, &str)> = Vec::new();
    let mut count = None;
    for (name, part) in parts {
        if part.format != FORMAT {
            return Err(format!("{name}: `format` is {}, and this seamcheck reads {FORMAT}", part.format));
        }
        let Some(shard) = part.shard else {
            return Err(format!("{name} is the certificate of a whole run, not of a part (--shard K/N)"));
        };
        if *count.get_or_insert(shard.count) != shard.count {
            return Err(format!("{name} is part {shard}, and others are of {}", count.unwrap_or_default()));
        }
        if let Some((_, other)) = seen.iter().find(|(index, _)| *index == shard.index) {
            return Err(format!("{other} and {name} are both part {shard}; leave one of them out"));
        }
        seen.push((shard.index, name));
    }
    let count = count.unwrap_or_default();
    let missing: Vec<String> = (1..=count)
        .filter(|index| !seen.iter().any(|(seen, _)| seen == index))
        .map(|index| format!("{index}/{count}"))
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("missing: part {}", missing.join(", part "))) }
}

/// The first thing in which two parts of one run may not differ, and how it stands in each.
fn difference(left: &Certificate, right: &Certificate) -> Option<(&'static str, String, String)> {
    fn text(value: &impl Serialize) -> String {
        serde_json::to_string(value).unwrap_or_default()
    }
    let digest = |part: &Certificate| part.expectations.as_ref().map(|expectations| expectations.sha256.clone());
    let rows = |part: &Certificate| part.checks.iter().map(|check| check.id.clone()).collect::<Vec<_>>();
    let pairs = [
        ("the version of the suite", text(&left.suite), text(&right.suite)),
        ("the version of the spec", text(&left.spec), text(&right.spec)),
        ("the digest of the spec", text(&left.spec_sha256), text(&right.spec_sha256)),
        ("the version of the protocol", text(&left.protocol), text(&right.protocol)),
        ("the adapter", text(&left.adapter), text(&right.adapter)),
        ("the levels", text(&left.levels), text(&right.levels)),
        ("the seed", text(&left.seed), text(&right.seed)),
        ("what was asked for", text(&left.selection), text(&right.selection)),
        ("the digest of the expectations", text(&digest(left)), text(&digest(right))),
        ("the list of checks", text(&rows(left)), text(&rows(right))),
        ("the number of transcripts", text(&left.corpus.len()), text(&right.corpus.len())),
    ];
    pairs.into_iter().find(|(_, left, right)| left != right)
}

fn add(whole: &mut Certificate, part: Certificate) {
    let (cases, more) = (&mut whole.cases, part.cases);
    cases.vectors += more.vectors;
    cases.generated += more.generated;
    cases.corpus += more.corpus;
    cases.not_applicable += more.not_applicable;
    cases.unsupported += more.unsupported;
    cases.refused_cuts += more.refused_cuts;
    cases.faults += more.faults;
    for (reason, count) in more.not_observable {
        *cases.not_observable.entry(reason).or_default() += count;
    }
    let (differential, more) = (&mut whole.differential, part.differential);
    differential.compared += more.compared;
    differential.different += more.different;
    // None stands behind every place.
    let place = |ordinal: Option<u64>| ordinal.unwrap_or(u64::MAX);
    if place(more.first_ordinal) < place(differential.first_ordinal) {
        (differential.first, differential.first_ordinal) = (more.first, more.first_ordinal);
    }
    whole.restarts += part.restarts;
    whole.fault_count += part.fault_count;
    whole.faults.extend(part.faults);
    whole.flaky.extend(part.flaky);
    whole.flaky_count += part.flaky_count;
    whole.harness_faults.extend(part.harness_faults);
    whole.counterexamples.extend(part.counterexamples);
    whole.checks.iter_mut().zip(part.checks).for_each(|(check, more)| add_check(check, more));
    whole.corpus.iter_mut().zip(part.corpus).for_each(|(answer, more)| add_answer(answer, more));
    if let (Some(expectations), Some(more)) = (&mut whole.expectations, part.expectations) {
        add_expectations(expectations, more);
    }
    if let Some(reason) = part.incomplete {
        let reasons = whole.incomplete.get_or_insert_default();
        if !reasons.split("; ").any(|known| known == reason) {
            *reasons =
                [reasons.as_str(), &reason].into_iter().filter(|one| !one.is_empty()).collect::<Vec<_>>().join("; ");
        }
    }
}

fn add_check(check: &mut CheckEntry, more: CheckEntry) {
    check.reached += more.reached;
    check.holds += more.holds;
    check.violated += more.violated;
    check.violations.extend(more.violations);
    for (reason, count) in more.not_observable {
        *check.not_observable.entry(reason).or_default() += count;
    }
}

fn add_answer(answer: &mut CorpusAnswer, more: CorpusAnswer) {
    answer.exact = answer.exact.take().or(more.exact);
    answer.cut = answer.cut.take().or(more.cut);
}

/// A case was run in one of the parts at most.
fn add_expectations(expectations: &mut ExpectationsEntry, more: ExpectationsEntry) {
    for (entry, more) in expectations.entries.iter_mut().zip(more.entries) {
        if entry.outcome == ExpectationOutcome::Outside {
            *entry = more;
        }
    }
}

/// Orders what was found as one run would have found it, and keeps as much of it.
fn finish(whole: &mut Certificate) {
    for check in &mut whole.checks {
        check.violations.sort_by_key(|violation| violation.ordinal);
        check.violations.truncate(KEPT_VIOLATIONS);
        if check.reached > 0 {
            // What was lacking where a part showed nothing.
            check.not_observable.retain(|_, count| *count > 0);
        }
        if check.verdict != CheckVerdict::NotApplicable {
            check.verdict = check.verdict_by_counts();
        }
    }
    whole.flaky.sort_by_key(|flaky| flaky.ordinal);
    whole.flaky.truncate(KEPT_FLAKY);
    // Faults of the session have no place: before the first case as it starts, else behind the last.
    whole.faults.sort_by_key(|fault| match fault.ordinal {
        Some(ordinal) => (1, ordinal),
        None => (if fault.during == "start" { 0 } else { 2 }, 0),
    });
    for fault in std::mem::take(&mut whole.faults) {
        fold::add(&mut whole.faults, fault);
    }
    // One a check, of the case that came first, in the order of the spec.
    let place = |id: &str| whole.checks.iter().position(|check| check.id == id);
    whole.counterexamples.sort_by_key(|example| (place(&example.check), example.ordinal));
    whole.counterexamples.dedup_by(|later, first| later.check == first.check);
}
