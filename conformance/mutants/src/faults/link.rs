//! Faults of `B-LINK`: what is diagnosed, and in which order. Only the method `diagnose` is swapped.

use crate::live::coded;
use crate::raw::{Raw, has_role};
use crate::registry::Mutant;
use crate::stages::{Finding, Stages, findings};
use seamcheck_protocol::implementation::Refusal;
use seamcheck_reference::{Code, Text};
use std::collections::HashSet;

/// Why more clauses may stop these mutants.
const WHY: &str = "a finding is part of a list, and the whole list is compared";

const fn diagnosing(diagnose: fn(&str) -> Result<Vec<Finding>, Refusal>) -> Stages {
    Stages { diagnose, ..Stages::SPEC }
}

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "link-results-must-follow",
        description: "a result that does not stand right after its call's results is called an orphan",
        must: &["B-LINK-1"],
        may: may![WHY; "B-LINK-*"],
        stages: diagnosing(|text| {
            let mut found = findings(text);
            let Some(messages) = Raw::parse(text) else { return Ok(found) };
            let pairs = messages.elements().windows(2).zip(1_i64..);
            let steered = pairs.filter(|(pair, _)| has_role(&pair[0], "user") && has_role(&pair[1], "toolResult"));
            found.extend(steered.map(|(_, index)| ("ORPHAN_TOOL_RESULT".to_owned(), index)));
            Ok(found)
        }),
    },
    Mutant {
        name: "link-blank-message-ids",
        description: "a message with a blank id is taken as sound",
        must: &["B-LINK-2"],
        may: may![WHY; "B-LINK-8"],
        stages: diagnosing(|text| {
            Ok(edited(text, |messages| {
                for message in messages.elements_mut() {
                    if message.get("id").and_then(Raw::text).is_some_and(|id| id.is_blank()) {
                        message.set("id", Raw::string(&"x".into()));
                    }
                }
            }))
        }),
    },
    Mutant {
        name: "link-unknown-roles",
        description: "a message of an unknown role is passed over",
        must: &["B-LINK-2"],
        may: may![WHY; "B-LINK-8"],
        stages: diagnosing(|text| {
            Ok(edited(text, |messages| {
                for message in messages.elements_mut() {
                    let known = ["user", "assistant", "toolResult"].iter().any(|role| has_role(message, role));
                    if !known && message.get("role").and_then(Raw::text).is_some() {
                        message.set("role", Raw::string(&"user".into()));
                        message.set("content", Raw::string(&"".into()));
                    }
                }
            }))
        }),
    },
    Mutant {
        name: "link-one-fault-a-message",
        description: "only the first shape fault of a message is reported",
        must: &["B-LINK-3"],
        may: may![WHY; "B-LINK-7" "B-LINK-8"],
        stages: diagnosing(|text| {
            let mut seen = HashSet::new();
            Ok(kept(text, |(code, index)| !is_shape(code) || seen.insert(*index)))
        }),
    },
    Mutant {
        name: "link-empty-name-as-message",
        description: "an empty Tool name is reported as an invalid message",
        must: &["B-LINK-3"],
        may: may![WHY; "B-TEXT-4" "B-LINK-*"],
        stages: diagnosing(|text| Ok(renamed(text, "EMPTY_TOOL_NAME", "INVALID_MESSAGE"))),
    },
    Mutant {
        name: "link-arguments-as-message",
        description: "invalid arguments are reported as an invalid message",
        must: &["B-LINK-3"],
        may: may![WHY; "B-JSON-1" "B-LINK-7" "B-LINK-8"],
        stages: diagnosing(|text| Ok(renamed(text, "INVALID_TOOL_ARGUMENTS", "INVALID_MESSAGE"))),
    },
    Mutant {
        name: "link-last-call-wins",
        description: "of several calls with one id the last replaces the others",
        must: &["B-LINK-4"],
        may: may![WHY; "B-LINK-*"],
        stages: diagnosing(|text| {
            Ok(edited(text, |messages| {
                let mut seen = HashSet::new();
                for message in messages.elements_mut().iter_mut().rev() {
                    retain_calls(message, true, |id, sound| !sound || seen.insert(id.clone()));
                }
            }))
        }),
    },
    Mutant {
        name: "link-first-call-wins",
        description: "of several calls with one id the first is linked all the same",
        must: &["B-LINK-4"],
        may: may![WHY; "B-LINK-2" "B-LINK-8"],
        stages: diagnosing(|text| {
            Ok(relinked(text, |messages| {
                let mut seen = HashSet::new();
                for message in messages.elements_mut() {
                    retain_calls(message, false, |id, sound| !sound || seen.insert(id.clone()));
                }
            }))
        }),
    },
    Mutant {
        name: "link-results-repeat",
        description: "a further result for a call is no fault",
        must: &["B-LINK-4"],
        may: may![WHY; "B-LINK-*"],
        stages: diagnosing(|text| Ok(kept(text, |(code, _)| code != "DUPLICATE_TOOL_RESULT"))),
    },
    Mutant {
        name: "link-results-by-id-set",
        description: "a result may stand before its call",
        must: &["B-LINK-5"],
        may: may![WHY; "B-LINK-*"],
        stages: diagnosing(|text| Ok(kept(text, |(code, _)| code != "TOOL_RESULT_BEFORE_CALL"))),
    },
    Mutant {
        name: "link-names-not-compared",
        description: "a result may have another name than its call",
        must: &["B-LINK-5"],
        may: may![WHY; "B-TEXT-3" "B-LINK-8"],
        stages: diagnosing(|text| Ok(kept(text, |(code, _)| code != "TOOL_NAME_MISMATCH"))),
    },
    Mutant {
        name: "link-orphans-pass",
        description: "a result without a call is no fault",
        must: &["B-LINK-5"],
        may: may![WHY; "B-TEXT-3" "B-LINK-*"],
        stages: diagnosing(|text| Ok(kept(text, |(code, _)| code != "ORPHAN_TOOL_RESULT"))),
    },
    Mutant {
        name: "link-open-calls-pass",
        description: "a call without a result is no fault",
        must: &["B-LINK-6"],
        may: may![WHY; "B-TEXT-3" "B-LINK-*"],
        stages: diagnosing(|text| Ok(kept(text, |(code, _)| code != "MISSING_TOOL_RESULT"))),
    },
    Mutant {
        name: "link-early-result-answers",
        description: "a result before its call answers it",
        must: &["B-LINK-6"],
        may: may![WHY; "B-LINK-5" "B-LINK-8"],
        stages: diagnosing(|text| {
            let early = findings(text).iter().any(|(code, _)| code == "TOOL_RESULT_BEFORE_CALL");
            Ok(kept(text, |(code, _)| !early || code != "MISSING_TOOL_RESULT"))
        }),
    },
    Mutant {
        name: "link-malformed-calls-vanish",
        description: "a malformed call suppresses nothing",
        must: &["B-LINK-7"],
        may: may![WHY; "B-JSON-1" "B-LINK-*"],
        stages: diagnosing(|text| {
            Ok(relinked(text, |messages| {
                messages.elements_mut().iter_mut().for_each(|message| retain_calls(message, false, |_, sound| sound));
            }))
        }),
    },
    Mutant {
        name: "link-malformed-results-vanish",
        description: "a malformed result suppresses nothing",
        must: &["B-LINK-7"],
        may: may![WHY; "B-LINK-3" "B-LINK-8"],
        stages: diagnosing(|text| {
            Ok(relinked(text, |messages| {
                for message in messages.elements_mut().iter_mut().filter(|message| has_role(message, "toolResult")) {
                    if !is_sound_result(message) {
                        message.set("toolCallId", Raw::string(&"".into()));
                    }
                }
            }))
        }),
    },
    Mutant {
        name: "link-sorted",
        description: "the reports are sorted by message",
        must: &["B-LINK-8"],
        may: may![WHY; "B-TEXT-3" "B-LINK-*"],
        stages: diagnosing(|text| {
            let mut found = findings(text);
            found.sort_by_key(|(_, index)| *index);
            Ok(found)
        }),
    },
    Mutant {
        name: "link-nothing-is-valid",
        description: "messages that are no array have nothing to report",
        must: &["B-LINK-8"],
        may: &[],
        stages: diagnosing(|text| Ok(kept(text, |(code, _)| code != "INVALID_TRANSCRIPT"))),
    },
    Mutant {
        name: "link-limits-apply",
        description: "more messages than a context may hold are refused",
        must: &["B-LINK-8"],
        may: may![WHY; "B-LIMIT-1"],
        stages: diagnosing(|text| {
            let messages = Raw::parse(text).map_or(0, |messages| messages.elements().len());
            if messages > seamcheck_reference::Limits::SPEC.messages {
                return Err(coded(Code::LimitExceeded, "too many messages to inspect"));
            }
            Ok(findings(text))
        }),
    },
];

fn is_shape(code: &str) -> bool {
    matches!(code, "INVALID_MESSAGE" | "EMPTY_TOOL_NAME" | "INVALID_TOOL_ARGUMENTS")
}

fn kept(text: &str, keep: impl FnMut(&Finding) -> bool) -> Vec<Finding> {
    let mut found = findings(text);
    let mut keep = keep;
    found.retain(|finding| keep(finding));
    found
}

fn renamed(text: &str, code: &str, other: &str) -> Vec<Finding> {
    let rename = |(own, index): Finding| (if own == code { other.to_owned() } else { own }, index);
    findings(text).into_iter().map(rename).collect()
}

/// The findings about other messages.
fn edited(text: &str, edit: impl FnOnce(&mut Raw)) -> Vec<Finding> {
    let Some(mut messages) = Raw::parse(text) else { return findings(text) };
    edit(&mut messages);
    findings(&messages.to_string())
}

/// Shapes and duplicates of these messages, linkage of others.
fn relinked(text: &str, edit: impl FnOnce(&mut Raw)) -> Vec<Finding> {
    let is_early =
        |(code, _): &Finding| is_shape(code) || code.starts_with("DUPLICATE") || code == "INVALID_TRANSCRIPT";
    let mut found = kept(text, is_early);
    found.extend(edited(text, edit).into_iter().filter(|finding| !is_early(finding)));
    found
}

/// Keeps the Tool calls that pass, by id and by whether they are well formed.
fn retain_calls(message: &mut Raw, backwards: bool, mut keep: impl FnMut(&Text, bool) -> bool) {
    if !has_role(message, "assistant") {
        return;
    }
    let Some(Raw::Array(blocks)) = message.get_mut("content") else { return };
    let verdict = |block: &Raw| {
        let call = block.get("type").is_some_and(|kind| kind.is_str("toolCall"));
        match block.get("id").and_then(Raw::text).filter(|_| call) {
            Some(id) => keep(&id, is_sound_call(block)),
            None => true,
        }
    };
    let mut kept: Vec<bool> =
        if backwards { blocks.iter().rev().map(verdict).collect() } else { blocks.iter().map(verdict).collect() };
    if backwards {
        kept.reverse();
    }
    let mut kept = kept.into_iter();
    blocks.retain(|_| kept.next().unwrap_or(true));
}

fn is_solid(record: &Raw, name: &str) -> bool {
    record.get(name).and_then(Raw::text).is_some_and(|text| !text.is_blank())
}

fn is_sound_call(block: &Raw) -> bool {
    let mut finite = true;
    let arguments = block.get("arguments").filter(|arguments| matches!(arguments, Raw::Object(_)));
    if let Some(arguments) = arguments {
        arguments.clone().walk(&mut |value| finite &= value.number().is_none_or(f64::is_finite));
    }
    is_solid(block, "id") && is_solid(block, "name") && arguments.is_some() && finite
}

fn is_sound_result(message: &Raw) -> bool {
    let flag = message.get("isError").map(Raw::to_string);
    is_solid(message, "toolCallId")
        && is_solid(message, "toolName")
        && message.get("content").and_then(Raw::text).is_some()
        && matches!(flag.as_deref(), Some("true" | "false"))
}
