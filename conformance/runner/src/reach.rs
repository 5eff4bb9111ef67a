//! What reaches a check: golden vectors, or scenarios of the generator by the name they have in a case's name. A test
//! holds this against a run of the built-in reference.

use seamcheck_checks::check::Check;

/// The scenarios that reach a check; `vector` for golden vectors, none for one that nothing is known of.
pub fn reached_by(check: &Check) -> &'static [&'static str] {
    if check.id.ends_with(".vectors") {
        return &["vector"];
    }
    // A clause stands before its family.
    let known = SCENARIOS.iter().find(|(prefix, _)| check.clause == *prefix || check.clause.starts_with(prefix));
    known.map_or(&[], |(_, scenarios)| scenarios)
}

/// By clause, or by family with the `-` behind it.
const SCENARIOS: &[(&str, &[&str])] = &[
    ("B-TEXT-", &["query"]),
    ("B-BUILD-2", &["fault"]),
    ("B-BUILD-", &["query"]),
    ("B-LINK-8", &["fault"]),
    ("B-LINK-", &["query"]),
    ("B-UNIT-", &["query"]),
    ("B-ROUND-", &["query"]),
    ("B-SELECT-", &["query"]),
    ("B-COMPACT-3", &["cancelling", "chain"]),
    ("B-COMPACT-", &["chain"]),
    ("B-SUMMARY-8", &["cancelling"]),
    ("B-SUMMARY-", &["chain"]),
    ("B-CANCEL-", &["cancelling"]),
    ("B-STATE-3", &["concurrent", "isolation"]),
    ("B-STATE-4", &["isolation"]),
    ("B-STATE-5", &["concurrent"]),
    ("B-STATE-", &["chain"]),
    ("B-VIEW-", &["chain"]),
    ("B-TRIM-", &["trim"]),
];
