//! The single list of all checks.

use crate::check::Check;
use crate::{clause, vectors};

/// Every check, in the order of the spec: for each clause its golden vectors, then what generated cases show.
pub fn checks() -> Vec<&'static Check> {
    let mut checks: Vec<&'static Check> = vectors::CHECKS.iter().chain(clause::CHECKS).collect();
    checks.sort_by_key(|check| place(check.clause));
    checks
}

/// The families of clauses, in the order of the spec.
const FAMILIES: [&str; 14] = [
    "B-TEXT",
    "B-JSON",
    "B-LIMIT",
    "B-BUILD",
    "B-LINK",
    "B-UNIT",
    "B-ROUND",
    "B-SELECT",
    "B-COMPACT",
    "B-SUMMARY",
    "B-CANCEL",
    "B-STATE",
    "B-VIEW",
    "B-TRIM",
];

/// Where a clause stands in the spec.
fn place(clause: &str) -> (usize, u32) {
    let (family, number) = clause.rsplit_once('-').unwrap_or((clause, "0"));
    let family = FAMILIES.iter().position(|known| *known == family).unwrap_or(FAMILIES.len());
    (family, number.parse().unwrap_or(u32::MAX))
}
