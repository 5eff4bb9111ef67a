//! Faults of `B-JSON`: numbers, duplicate keys, the order of keys, syntax, unknown fields.

use super::{editing, fault_within, recoding, refusing, with_member};
use crate::live::Live;
use crate::raw::{Raw, decode};
use crate::registry::Mutant;
use crate::stages::{Stages, with_value};
use seamcheck_reference::{Code, Json, Limits, Text};
use std::borrow::Cow;
use std::collections::HashMap;

/// Why more clauses may stop these mutants.
const WHY: &str = "what is read otherwise is counted, refused and shown otherwise";

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "json-clamps-infinity",
        description: "a number beyond binary64 is read as the largest one",
        must: &["B-JSON-1"],
        may: may![WHY; "B-JSON-2" "B-JSON-3" "B-LIMIT-4" "B-LIMIT-5" "B-BUILD-2" "B-BUILD-3" "B-LINK-3" "B-LINK-8"],
        stages: editing(|context| {
            visit_numbers(context, |number| {
                number.is_infinite().then(|| format!("{}1.7976931348623157e308", sign(number)))
            });
        }),
    },
    Mutant {
        name: "json-single-precision",
        description: "numbers are read as binary32",
        must: &["B-JSON-1"],
        may: may![WHY;
            "B-LIMIT-8" "B-BUILD-2" "B-BUILD-10" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*"
            "B-STATE-*" "B-TRIM-5"
        ],
        stages: editing(|context| {
            #[expect(clippy::cast_possible_truncation, reason = "the fault itself")]
            visit_numbers(context, |number| {
                let single = f64::from(number as f32);
                (single.is_finite() && single.to_bits() != number.to_bits()).then(|| format!("{single:?}"))
            });
        }),
    },
    Mutant {
        name: "json-first-duplicate-wins",
        description: "of a repeated key the first value is read",
        must: &["B-JSON-2"],
        may: may![WHY; "B-BUILD-2"],
        stages: editing(|context| {
            context.walk(&mut |value| {
                if let Raw::Object(members) = value {
                    let mut seen = HashMap::new();
                    members.retain(|(key, _)| seen.insert(decode(key), ()).is_none());
                }
            });
        }),
    },
    Mutant {
        name: "json-refuses-duplicates",
        description: "a repeated key is a fault",
        must: &["B-JSON-2"],
        may: may![WHY; "B-BUILD-2"],
        stages: refusing(|text| {
            let mut repeated = false;
            Raw::parse(text)?.walk(&mut |value| {
                if let Raw::Object(members) = value {
                    let mut seen = HashMap::new();
                    repeated |= members.iter().any(|(key, _)| seen.insert(decode(key), ()).is_some());
                }
            });
            repeated.then_some(Code::InvalidInput)
        }),
    },
    Mutant {
        name: "json-text-order",
        description: "of several faults in arguments the first in the text wins",
        must: &["B-JSON-3"],
        may: may![WHY; "B-BUILD-2"],
        stages: recoding(|text, error| reordered(text, |_| {}).unwrap_or(error.code())),
    },
    Mutant {
        name: "json-alphabetical-order",
        description: "of several faults in arguments the first by key wins",
        must: &["B-JSON-3"],
        may: may![WHY; "B-JSON-2" "B-BUILD-2"],
        stages: recoding(|text, error| {
            reordered(text, |members| members.sort_by_key(|(key, _)| decode(key))).unwrap_or(error.code())
        }),
    },
    Mutant {
        name: "json-drops-proto",
        description: "the key __proto__ is dropped from arguments",
        must: &["B-JSON-3"],
        may: may![WHY;
            "B-TEXT-1" "B-BUILD-2" "B-BUILD-10" "B-LINK-8" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*" "B-TRIM-5"
        ],
        stages: editing(|context| {
            context.arguments_mut().for_each(|arguments| {
                arguments.walk(&mut |value| {
                    if let Raw::Object(members) = value {
                        members.retain(|(key, _)| decode(key) != Some("__proto__".into()));
                    }
                });
            });
        }),
    },
    Mutant {
        name: "json-lenient-syntax",
        description: "a byte order mark and trailing commas are let through",
        must: &["B-JSON-4"],
        may: &[],
        stages: Stages { syntax: without_trailing_commas, ..Stages::SPEC },
    },
    Mutant {
        name: "json-syntax-as-input",
        description: "text that is no JSON is reported as invalid input",
        must: &["B-JSON-4"],
        may: &[],
        stages: Stages { syntax_code: "CONTEXT_INVALID_INPUT", ..Stages::SPEC },
    },
    Mutant {
        name: "json-limits-unknown-fields",
        description: "strings in unknown fields are held to the limit of one string",
        must: &["B-JSON-5"],
        may: may![WHY; "B-BUILD-2"],
        stages: refusing(|text| {
            let mut context = Raw::parse(text)?;
            let mut too_long = false;
            visit_unknown(&mut context, &mut |value| {
                let length = value.text().map_or(0, |text| text.code_points());
                too_long |= length > Limits::SPEC.text_code_points;
            });
            too_long.then_some(Code::LimitExceeded)
        }),
    },
    Mutant {
        name: "json-limits-whole-depth",
        description: "the depth of the whole text is limited, unknown fields included",
        must: &["B-JSON-5"],
        may: may![WHY; "B-JSON-2" "B-JSON-3" "B-BUILD-2" "B-BUILD-7"],
        stages: refusing(|text| (nesting(text) > Limits::SPEC.argument_depth + 6).then_some(Code::LimitExceeded)),
    },
    Mutant {
        name: "json-keeps-unknown-fields",
        description: "unknown fields of the context and its messages are kept",
        must: &["B-JSON-5"],
        may: &[],
        stages: Stages { show: |live, _| with_unknown(live), ..Stages::SPEC },
    },
];

fn sign(number: f64) -> &'static str {
    if number < 0.0 { "-" } else { "" }
}

/// Changes number tokens inside arguments.
fn visit_numbers(context: &mut Raw, change: fn(f64) -> Option<String>) {
    context.arguments_mut().for_each(|arguments| {
        arguments.walk(&mut |value| {
            if let Some(token) = value.number().and_then(change) {
                *value = Raw::Scalar(token);
            }
        });
    });
}

/// The code of the first fault when the members of arguments stand in another order.
fn reordered(text: &str, order: fn(&mut Vec<(String, Raw)>)) -> Option<Code> {
    let mut context = Raw::parse(text)?;
    context.arguments_mut().for_each(|arguments| {
        arguments.walk(&mut |value| {
            if let Raw::Object(members) = value {
                order(members);
                // Without array indexes among them the keys are visited as they stand.
                for (key, _) in members.iter_mut().filter(|(key, _)| key.starts_with("\"0") || is_index(key)) {
                    *key = format!("\"k{}", &key[1..]);
                }
            }
        });
    });
    fault_within(&context.to_string(), Limits::SPEC).map(|error| error.code())
}

fn is_index(key: &str) -> bool {
    decode(key).is_some_and(|key| key.as_str().is_some_and(|key| key.parse::<u32>().is_ok()))
}

fn without_trailing_commas(text: &str) -> Cow<'_, str> {
    let text = text.trim_start_matches('\u{feff}');
    let mut kept = String::with_capacity(text.len());
    let mut in_string = false;
    let mut escaped = false;
    for character in text.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else {
            in_string = character == '"';
            if matches!(character, ']' | '}') {
                let solid = kept.trim_end().len();
                if kept[..solid].ends_with(',') {
                    kept.truncate(solid - 1);
                }
            }
        }
        kept.push(character);
    }
    Cow::Owned(kept)
}

const KNOWN: &[&str] = &[
    "requirements",
    "summary",
    "messages",
    "compactions",
    "id",
    "content",
    "role",
    "type",
    "text",
    "name",
    "arguments",
    "toolCallId",
    "toolName",
    "isError",
    "summaryId",
    "boundary",
    "compactedMessageIds",
    "unitsBefore",
    "unitsAfter",
];

/// Visits every value in fields that the profile does not know, outside arguments.
fn visit_unknown(value: &mut Raw, visit: &mut impl FnMut(&mut Raw)) {
    value.elements_mut().iter_mut().for_each(|element| visit_unknown(element, visit));
    let Raw::Object(members) = value else { return };
    for (key, member) in members {
        let key = decode(key);
        let known = key.as_ref().and_then(Text::as_str).filter(|key| KNOWN.contains(key));
        match known {
            None => member.walk(visit),
            Some("arguments") => {}
            Some(_) => visit_unknown(member, visit),
        }
    }
}

/// How many containers stand one in another.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text.bytes() {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn with_unknown(live: &Live) -> Json {
    let shown = live.to_json();
    let source = with_value(live.source(), |root| root.to_json(64)).flatten();
    let Some(source) = source else { return shown };
    let mut context = merged(&shown, &source);
    let (Some(Json::Array(messages)), Some(Json::Array(sources))) = (shown.get("messages"), source.get("messages"))
    else {
        return context;
    };
    if messages.len() == sources.len() {
        let merged = messages.iter().zip(sources).map(|(message, source)| merged(message, source)).collect();
        context = with_member(&context, "messages", Json::Array(merged));
    }
    context
}

/// The members of one object, and those of another that it does not have.
fn merged(own: &Json, other: &Json) -> Json {
    let (Json::Object(own), Json::Object(other)) = (own, other) else { return own.clone() };
    let extra = other.members().iter().filter(|(key, _)| !key.as_str().is_some_and(|key| KNOWN.contains(&key)));
    Json::Object(own.members().iter().chain(extra).cloned().collect())
}
