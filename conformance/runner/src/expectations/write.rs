//! Writing down what a run showed as an expectations file, for somebody to say why.

use super::{Expectations, Expected, Target};
use crate::report::certificate::{Certificate, CheckVerdict};
use std::fmt::Write;

/// Stands where a reason is needed. A file that still holds it is refused.
pub const PLACEHOLDER: &str = "EDIT ME: say why this is expected";

/// Every failure of a run that an expectation can excuse: violations by check, adapter faults by case. An entry of
/// `known` that was expected already keeps its reason.
pub fn write(certificate: &Certificate, known: Option<&Expectations>) -> String {
    let mut text = format!(
        "# What `seamcheck run` showed of {} {}. Give every entry its reason; run with --expectations FILE.\n",
        one_line(&certificate.adapter.name),
        one_line(&certificate.adapter.version)
    );
    let violated = certificate.checks.iter().filter(|check| check.verdict == CheckVerdict::Violation);
    let faults = certificate.faults.iter().filter(|fault| fault.ordinal.is_some());
    let entries = violated
        .map(|check| (Target::Check, check.id.as_ref(), CheckVerdict::Violation.name()))
        .chain(faults.map(|fault| (Target::Case, fault.during.as_str(), fault.kind.as_str())));
    for (target, id, kind) in entries {
        let clause = id.split('.').next().unwrap_or(id);
        let same = |expected: &&Expected| {
            let named = expected.target == target && expected.id == id;
            let by_clause = expected.target == Target::Clause && target == Target::Check && expected.id == clause;
            (named || by_clause) && expected.kind == kind
        };
        let reason = known.and_then(|known| known.entries.iter().find(same));
        let reason = reason.map_or(PLACEHOLDER, |expected| expected.reason.as_str());
        // Writing to a string never fails.
        let _ = write!(
            text,
            "\n[[expected]]\n{target} = {}\nkind = {}\nreason = {}\n",
            quoted(id),
            quoted(kind),
            quoted(reason)
        );
    }
    if let Some(more @ 1..) = certificate.fault_count.checked_sub(certificate.faults.len() as u64) {
        let _ = writeln!(text, "\n# {more} adapter faults more are not named in the certificate and not written here.");
    }
    text
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// What an adapter says of itself must not end the comment.
fn one_line(text: &str) -> String {
    crate::report::tame(text)
}
