//! Faults of `B-BUILD-1` to `B-BUILD-7`: shapes, and which fault wins. Records are in `records.rs`.

use super::{editing, fault_within, recoding, refusing};
use crate::raw::{Raw, has_role};
use crate::registry::Mutant;
use crate::stages::{Stages, findings};
use seamcheck_reference::{Code, Error, Limits};
use std::collections::HashSet;

/// Why more clauses may stop these mutants.
const WHY: &str = "cases of this clause hold the same fault, or what is taken for one";

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "build-null-is-absent",
        description: "requirements, messages and compactions may be null",
        must: &["B-BUILD-1"],
        may: may![WHY; "B-JSON-2" "B-LIMIT-8" "B-BUILD-2" "B-LINK-8" "B-ROUND-4"],
        stages: editing(|context| {
            for name in ["requirements", "messages", "compactions"] {
                if let Some(value) = context.get_mut(name).filter(|value| value.is_null()) {
                    *value = Raw::Array(Vec::new());
                }
            }
        }),
    },
    Mutant {
        name: "build-null-summary-refused",
        description: "a summary of null is a fault",
        must: &["B-BUILD-1"],
        may: may![WHY; "B-JSON-2" "B-BUILD-2" "B-BUILD-10" "B-UNIT-2"],
        stages: refusing(|text| Raw::parse(text)?.get("summary")?.is_null().then_some(Code::InvalidInput)),
    },
    Mutant {
        name: "build-array-context",
        description: "an array passes for an empty context",
        must: &["B-BUILD-1"],
        may: may![WHY; "B-BUILD-2"],
        stages: editing(|context| {
            if matches!(context, Raw::Array(_)) {
                *context = Raw::Object(Vec::new());
            }
        }),
    },
    Mutant {
        name: "build-messages-first",
        description: "messages are judged before requirements and the summary",
        must: &["B-BUILD-2"],
        may: may![WHY; "B-LIMIT-8"],
        stages: recoding(|text, error| only(text, &["messages"]).unwrap_or(error.code())),
    },
    Mutant {
        name: "build-estimate-before-records",
        description: "the estimate of the whole is judged before the records",
        must: &["B-BUILD-2"],
        may: may![WHY; "B-LIMIT-8"],
        stages: recoding(|text, error| only(text, &["requirements", "summary", "messages"]).unwrap_or(error.code())),
    },
    Mutant {
        name: "build-array-limit-last",
        description: "the limit of an array is judged after its elements",
        must: &["B-BUILD-3"],
        may: may![WHY; "B-LIMIT-*" "B-BUILD-2" "B-BUILD-8"],
        stages: recoding(|text, error| {
            let more = usize::MAX;
            let lists =
                Limits { messages: more, requirements: more, records: more, collection_items: more, ..Limits::SPEC };
            unless_limit(text, error, lists)
        }),
    },
    Mutant {
        name: "build-item-total-last",
        description: "the total of collection items is judged when everything has been read",
        must: &["B-BUILD-3"],
        may: may![WHY; "B-LIMIT-5" "B-BUILD-2"],
        stages: recoding(|text, error| {
            unless_limit(text, error, Limits { collection_items: usize::MAX, ..Limits::SPEC })
        }),
    },
    Mutant {
        name: "build-blank-before-length",
        description: "a string is found blank before it is found too long",
        must: &["B-BUILD-4"],
        may: may![WHY; "B-LIMIT-7" "B-BUILD-2"],
        stages: recoding(|text, error| {
            let strings = Limits { text_code_points: usize::MAX, aggregate_code_points: usize::MAX, ..Limits::SPEC };
            let blank = fault_within(text, strings).filter(|fault| fault.to_string().ends_with("must not be blank"));
            blank.filter(|fault| fault.location() == error.location()).map_or(error.code(), |fault| fault.code())
        }),
    },
    Mutant {
        name: "build-aggregate-last",
        description: "the total of all strings is judged when everything has been read",
        must: &["B-LIMIT-7"],
        may: may![WHY; "B-BUILD-2"],
        stages: recoding(|text, error| {
            unless_limit(text, error, Limits { aggregate_code_points: usize::MAX, ..Limits::SPEC })
        }),
    },
    Mutant {
        name: "build-requirement-ids-repeat",
        description: "requirements may share an id",
        must: &["B-BUILD-5"],
        may: may![WHY; "B-TEXT-3" "B-LIMIT-2" "B-BUILD-2"],
        stages: editing(|context| {
            let mut seen = HashSet::new();
            for (index, entry) in context.list_mut("requirements").iter_mut().enumerate() {
                if entry.get("id").and_then(Raw::text).is_some_and(|id| !seen.insert(id)) {
                    entry.set("id", Raw::Scalar(format!("\"repeated {index}\"")));
                }
            }
        }),
    },
    Mutant {
        name: "build-requirement-blank-content",
        description: "the content of a requirement may be blank",
        must: &["B-BUILD-5"],
        may: may![WHY; "B-TEXT-4" "B-BUILD-2"],
        stages: editing(|context| {
            for entry in context.list_mut("requirements") {
                fill_blank(entry.get_mut("content"));
            }
        }),
    },
    Mutant {
        name: "build-summary-blank-as-input",
        description: "a blank summary is reported as invalid input",
        must: &["B-BUILD-6"],
        may: may![WHY; "B-BUILD-2" "B-BUILD-4" "B-COMPACT-1"],
        stages: recoding(
            |_, error| {
                if error.code() == Code::SummaryInvalid { Code::InvalidInput } else { error.code() }
            },
        ),
    },
    Mutant {
        name: "build-summary-may-be-blank",
        description: "the content of the summary may be blank",
        must: &["B-BUILD-6"],
        may: may![WHY; "B-BUILD-2" "B-BUILD-4" "B-COMPACT-1"],
        stages: editing(|context| {
            fill_blank(context.get_mut("summary").and_then(|summary| summary.get_mut("content")));
        }),
    },
    Mutant {
        name: "build-message-fault-as-input",
        description: "faults in messages are reported as invalid input",
        must: &["B-BUILD-7"],
        may: may![WHY; "B-TEXT-4" "B-JSON-*" "B-LIMIT-4" "B-LIMIT-5" "B-BUILD-*" "B-SELECT-1" "B-COMPACT-1"],
        stages: recoding(
            |_, error| {
                if error.code() == Code::InvalidTranscript { Code::InvalidInput } else { error.code() }
            },
        ),
    },
    Mutant {
        name: "build-empty-content-refused",
        description: "a message must have some content",
        must: &["B-BUILD-7"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-ROUND-*" "B-SELECT-*" "B-COMPACT-*" "B-STATE-*"
        ],
        stages: refusing(|text| {
            let context = Raw::parse(text)?;
            let mut contents = context.list("messages").iter().filter_map(|message| message.get("content"));
            contents
                .any(|content| content.is_str("") || *content == Raw::Array(Vec::new()))
                .then_some(Code::InvalidTranscript)
        }),
    },
    Mutant {
        name: "build-message-ids-unique",
        description: "a repeated message id is a fault",
        must: &["B-BUILD-7"],
        may: may![WHY; "B-LIMIT-*" "B-BUILD-2" "B-BUILD-10" "B-ROUND-3" "B-ROUND-4" "B-COMPACT-8" "B-COMPACT-9"],
        stages: refusing(|text| {
            let context = Raw::parse(text)?;
            let mut ids = context.list("messages").iter().filter_map(|message| message.get("id")?.text());
            let mut seen = HashSet::new();
            ids.any(|id| !seen.insert(id)).then_some(Code::InvalidTranscript)
        }),
    },
    Mutant {
        name: "build-linkage-first",
        description: "linkage is judged before the limits of the messages",
        must: &["B-BUILD-7"],
        may: may![WHY; "B-JSON-2" "B-JSON-3" "B-LIMIT-*" "B-BUILD-*"],
        stages: recoding(|text, error| {
            let unlinked =
                Raw::parse(text).and_then(|context| Some(!findings(&context.get("messages")?.to_string()).is_empty()));
            let limit = error.code() == Code::LimitExceeded && error.location().starts_with("messages");
            if limit && unlinked == Some(true) { Code::InvalidTranscript } else { error.code() }
        }),
    },
    Mutant {
        name: "build-drops-empty-texts",
        description: "text blocks without text are dropped",
        must: &["B-BUILD-10"],
        may: may![WHY;
            "B-LIMIT-5" "B-BUILD-2" "B-BUILD-3" "B-BUILD-7" "B-UNIT-*" "B-ROUND-4" "B-SELECT-*" "B-COMPACT-*"
            "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*" "B-TRIM-5"
        ],
        stages: editing(|context| {
            for message in context.list_mut("messages").iter_mut().filter(|message| has_role(message, "assistant")) {
                if let Some(Raw::Array(blocks)) = message.get_mut("content") {
                    blocks.retain(|block| !block.get("text").is_some_and(|text| text.is_str("")));
                }
            }
        }),
    },
    Mutant {
        name: "build-forgets-errors",
        description: "every Tool result is kept as a success",
        must: &["B-BUILD-10"],
        may: may![WHY; "B-TRIM-5"],
        stages: editing(|context| {
            for message in context.list_mut("messages") {
                if let Some(flag) = message.get_mut("isError").filter(|flag| **flag == Raw::Scalar("true".to_owned())) {
                    *flag = Raw::Scalar("false".to_owned());
                }
            }
        }),
    },
    Mutant {
        name: "build-omits-defaults",
        description: "channels that are empty are not shown",
        must: &["B-BUILD-10"],
        may: may![WHY; "B-TEXT-*" "B-JSON-*" "B-BUILD-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: Stages { show: |live, _| super::records::without_empty(&live.to_json()), ..Stages::SPEC },
    },
];

/// The code of the fault in these fields alone, if they have one.
fn only(text: &str, names: &[&str]) -> Option<Code> {
    let mut context = Raw::parse(text)?;
    let Raw::Object(members) = &mut context else { return None };
    members.retain(|(key, _)| names.iter().any(|name| *key == format!("\"{name}\"")));
    fault_within(&context.to_string(), Limits::SPEC).map(|error| error.code())
}

/// A limit gives way to whatever else is found under these limits.
fn unless_limit(text: &str, error: &Error, limits: Limits) -> Code {
    if error.code() != Code::LimitExceeded {
        return error.code();
    }
    fault_within(text, limits).map_or(Code::LimitExceeded, |fault| fault.code())
}

fn fill_blank(content: Option<&mut Raw>) {
    if let Some(content) = content
        && content.text().is_some_and(|text| text.is_blank() && text.code_points() <= Limits::SPEC.text_code_points)
    {
        *content = Raw::string(&"x".into());
    }
}
