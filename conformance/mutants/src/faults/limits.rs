//! Faults of `B-LIMIT`: every bound one off, both ways, and the length of a string in another unit.

use super::refusing;
use crate::raw::Raw;
use crate::registry::Mutant;
use crate::stages::Stages;
use seamcheck_reference::{Code, Limits};

const SPEC: Limits = Limits::SPEC;

const fn limited(limits: Limits) -> Stages {
    Stages { limits, ..Stages::SPEC }
}

/// Why more clauses may stop these mutants.
const WHY: &str = "cases of this clause stand right at the limit";

macro_rules! one_off {
    ($field:ident, $clause:literal, $low:literal, $high:literal, $what:literal, [$($may:literal)*]) => {
        [
            Mutant {
                name: $low,
                description: concat!("the limit on ", $what, " is one too low"),
                must: &[$clause],
                may: &[$(($may, WHY)),*],
                stages: limited(Limits { $field: SPEC.$field - 1, ..SPEC }),
            },
            Mutant {
                name: $high,
                description: concat!("the limit on ", $what, " is one too high"),
                must: &[$clause],
                may: &[$(($may, WHY)),*],
                stages: limited(Limits { $field: SPEC.$field + 1, ..SPEC }),
            },
        ]
    };
}

pub(super) const MUTANTS: &[Mutant] = BOUNDS.as_flattened();

const BOUNDS: [[Mutant; 2]; 8] = [
    one_off!(messages, "B-LIMIT-1", "limit-messages-low", "limit-messages-high", "messages",
        ["B-LIMIT-5" "B-BUILD-2" "B-BUILD-8" "B-COMPACT-9"]),
    one_off!(requirements, "B-LIMIT-2", "limit-requirements-low", "limit-requirements-high", "requirements",
        ["B-BUILD-2" "B-BUILD-3"]),
    one_off!(records, "B-LIMIT-3", "limit-records-low", "limit-records-high", "records",
        ["B-BUILD-2" "B-BUILD-3" "B-COMPACT-1" "B-COMPACT-9"]),
    one_off!(argument_depth, "B-LIMIT-4", "limit-depth-low", "limit-depth-high", "the depth of arguments",
        ["B-JSON-3" "B-BUILD-10" "B-BUILD-2" "B-ROUND-4"]),
    one_off!(collection_items, "B-LIMIT-5", "limit-items-low", "limit-items-high", "collection items",
        ["B-JSON-2" "B-BUILD-3" "B-ROUND-4" "B-COMPACT-9"]),
    one_off!(text_code_points, "B-LIMIT-6", "limit-text-low", "limit-text-high", "one string",
        ["B-JSON-2" "B-LIMIT-7" "B-LIMIT-8" "B-BUILD-*" "B-ROUND-4" "B-COMPACT-9" "B-SUMMARY-2"]),
    one_off!(aggregate_code_points, "B-LIMIT-7", "limit-aggregate-low", "limit-aggregate-high", "all strings",
        ["B-JSON-2" "B-ROUND-4" "B-COMPACT-9"]),
    one_off!(context_units, "B-LIMIT-8", "limit-units-low", "limit-units-high", "the whole estimate", []),
];

pub(super) const IN_UTF16: &[Mutant] = &[Mutant {
    name: "limit-text-in-utf16",
    description: "the limit of one string is held in UTF-16 code units",
    must: &["B-LIMIT-6"],
    may: may![WHY; "B-LIMIT-7" "B-BUILD-*"],
    stages: refusing(|text| {
        let mut too_long = false;
        Raw::parse(text)?.visit_texts(&mut |value| {
            too_long |= value.text().is_some_and(|text| text.to_utf16().len() > SPEC.text_code_points);
        });
        too_long.then_some(Code::LimitExceeded)
    }),
}];
