//! Faults of `B-UNIT`: every weight once, and how numbers, keys and the whole are counted.

use crate::registry::Mutant;
use crate::stages::Stages;
use crate::weights::Weights;

/// Why more clauses may stop these mutants.
const WHY: &str = "a wrong count shows wherever units are asked for, and cuts elsewhere";

const SPEC: Weights = Weights::SPEC;

const fn weighing(weights: Weights) -> Stages {
    Stages { weights, ..Stages::SPEC }
}

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "units-requirement",
        description: "a requirement costs 2 beside its text",
        must: &["B-UNIT-1"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { requirement: 2, ..SPEC }),
    },
    Mutant {
        name: "units-summary",
        description: "a summary costs 3 beside its text, as a requirement does",
        must: &["B-UNIT-2"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { summary: 3, ..SPEC }),
    },
    Mutant {
        name: "units-user",
        description: "a user message costs 3 beside its text",
        must: &["B-UNIT-3"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { user: 3, ..SPEC }),
    },
    Mutant {
        name: "units-assistant",
        description: "an assistant message costs 5 beside its blocks",
        must: &["B-UNIT-4"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { assistant: 5, ..SPEC }),
    },
    Mutant {
        name: "units-text-block",
        description: "a text block costs its text only",
        must: &["B-UNIT-4"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { text_block: 0, ..SPEC }),
    },
    Mutant {
        name: "units-call",
        description: "a Tool call costs 4 beside its parts",
        must: &["B-UNIT-5"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { call: 4, ..SPEC }),
    },
    Mutant {
        name: "units-result-flag",
        description: "the error flag of a Tool result costs nothing",
        must: &["B-UNIT-6"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { result_flag: 0, ..SPEC }),
    },
    Mutant {
        name: "units-booleans",
        description: "true costs 6 and false 5",
        must: &["B-UNIT-7"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { yes: 6, no: 5, ..SPEC }),
    },
    Mutant {
        name: "units-null",
        description: "null costs what its four letters would",
        must: &["B-UNIT-7"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { null: 5, ..SPEC }),
    },
    Mutant {
        name: "units-json-string",
        description: "a JSON string costs 2 beside its text, one for each quote",
        must: &["B-UNIT-7"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { string: 2, ..SPEC }),
    },
    Mutant {
        name: "units-numbers-in-full",
        description: "numbers are never written with an exponent",
        must: &["B-UNIT-8"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { number: |number| 1 + positive(number).to_string().len() as u64, ..SPEC }),
    },
    Mutant {
        name: "units-negative-zero",
        description: "-0 costs its sign",
        must: &["B-UNIT-8"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights {
            number: |number| (SPEC.number)(number) + u64::from(number == 0.0 && number.is_sign_negative()),
            ..SPEC
        }),
    },
    Mutant {
        name: "units-elements",
        description: "the elements of an array cost nothing beside their values",
        must: &["B-UNIT-9"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { element: 0, ..SPEC }),
    },
    Mutant {
        name: "units-keys",
        description: "the keys of an object cost nothing",
        must: &["B-UNIT-9"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { keys: false, ..SPEC }),
    },
    Mutant {
        name: "units-empty-object",
        description: "an object costs nothing beside its members",
        must: &["B-UNIT-9"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { object: 0, ..SPEC }),
    },
    Mutant {
        name: "units-records",
        description: "every record costs 1",
        must: &["B-UNIT-10"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: weighing(Weights { record: 1, ..SPEC }),
    },
];

/// -0 without its sign, which Rust would write.
fn positive(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number }
}
