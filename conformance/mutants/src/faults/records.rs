//! Faults of `B-BUILD-8` and `B-BUILD-9`: records and integers.

use super::{editing, recoding, refusing};
use crate::raw::Raw;
use crate::registry::Mutant;
use seamcheck_reference::{Code, Json};
use std::collections::HashSet;

/// Why more clauses may stop these mutants.
const WHY: &str = "cases of this clause hold such records";

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "record-length-unchecked",
        description: "a record's boundary need not be the number of its ids",
        must: &["B-BUILD-8"],
        may: may![WHY; "B-JSON-1" "B-BUILD-2"],
        stages: editing(|context| {
            for record in context.list_mut("compactions") {
                let ids = record.list("compactedMessageIds").len();
                let counted = record.get("boundary").and_then(Raw::number).is_some_and(|boundary| boundary >= 1.0);
                if counted && ids > 0 {
                    record.set("boundary", Raw::Scalar(ids.to_string()));
                }
            }
        }),
    },
    Mutant {
        name: "record-ids-repeat",
        description: "records may share an id",
        must: &["B-BUILD-8"],
        may: may![WHY; "B-LIMIT-3" "B-BUILD-2"],
        stages: editing(|context| {
            let mut seen = HashSet::new();
            for (index, record) in context.list_mut("compactions").iter_mut().enumerate() {
                if record.get("id").and_then(Raw::text).is_some_and(|id| !seen.insert(id)) {
                    record.set("id", Raw::Scalar(format!("\"repeated {index}\"")));
                }
            }
        }),
    },
    Mutant {
        name: "record-compacted-ids-unique",
        description: "a compacted message id must not stand twice in a record",
        must: &["B-BUILD-8"],
        may: may![WHY; "B-JSON-2" "B-LIMIT-5" "B-LIMIT-7" "B-BUILD-2" "B-COMPACT-9"],
        stages: refusing(|text| {
            let context = Raw::parse(text)?;
            let repeats = |record: &Raw| {
                let mut seen = HashSet::new();
                record.list("compactedMessageIds").iter().filter_map(Raw::text).any(|id| !seen.insert(id))
            };
            context.list("compactions").iter().any(repeats).then_some(Code::InvalidInput)
        }),
    },
    Mutant {
        name: "record-fault-as-limit",
        description: "a record of the wrong length is reported as a limit",
        must: &["B-BUILD-8"],
        may: may![WHY; "B-BUILD-2"],
        stages: recoding(|_, error| {
            if error.location().ends_with("compactedMessageIds") { Code::LimitExceeded } else { error.code() }
        }),
    },
    Mutant {
        name: "integer-32-bits",
        description: "integers end at 2^32 - 1",
        must: &["B-BUILD-9"],
        may: may![WHY; "B-BUILD-2" "B-BUILD-10"],
        stages: refusing(|text| {
            let tokens = integer_tokens(&Raw::parse(text)?);
            let large = |token: &String| token.parse().is_ok_and(|number: f64| number > f64::from(u32::MAX));
            tokens.iter().any(large).then_some(Code::InvalidInput)
        }),
    },
    Mutant {
        name: "integer-by-token",
        description: "1.0 is no integer",
        must: &["B-BUILD-9"],
        may: may![WHY; "B-BUILD-2"],
        stages: refusing(|text| {
            let tokens = integer_tokens(&Raw::parse(text)?);
            tokens.iter().any(|token| token.contains(['.', 'e', 'E'])).then_some(Code::InvalidInput)
        }),
    },
    Mutant {
        name: "integer-unsafe",
        description: "integers beyond 2^53 - 1 are taken",
        must: &["B-BUILD-9"],
        may: may![WHY; "B-BUILD-2"],
        stages: editing(|context| {
            for record in context.list_mut("compactions") {
                for name in INTEGERS {
                    let beyond = |number: f64| number.is_finite() && number > 9_007_199_254_740_991.0;
                    if let Some(value) = record.get_mut(name).filter(|value| value.number().is_some_and(beyond)) {
                        *value = Raw::Scalar("9007199254740991".to_owned());
                    }
                }
            }
        }),
    },
];

const INTEGERS: [&str; 3] = ["boundary", "unitsBefore", "unitsAfter"];

fn integer_tokens(context: &Raw) -> Vec<String> {
    let values = context.list("compactions").iter().flat_map(|record| INTEGERS.map(|name| record.get(name)));
    values.flatten().filter(|value| value.number().is_some()).map(Raw::to_string).collect()
}

/// The members of an object that hold something.
pub(super) fn without_empty(json: &Json) -> Json {
    let Json::Object(object) = json else { return json.clone() };
    let filled =
        object.members().iter().filter(|(_, value)| !matches!(value, Json::Null) && *value != Json::Array(Vec::new()));
    Json::Object(filled.cloned().collect())
}
