//! Faults of `B-COMPACT-7` to `-10`: the new context, its record, and whether it is checked.

use super::{compacting, with_member};
use crate::live::coded;
use crate::registry::Mutant;
use crate::stages::CompactionStages;
use crate::weights::role;
use seamcheck_reference::{Code, Json, Text};

/// Why more clauses may stop these mutants.
const WHY: &str = "cases of this clause compare the whole answer to a compaction";

const SPEC: CompactionStages = CompactionStages::SPEC;

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "compact-trims-summary",
        description: "the summary loses the spaces around it",
        must: &["B-COMPACT-7"],
        may: may![WHY; "B-TEXT-4" "B-SUMMARY-3"],
        stages: compacting(CompactionStages {
            accept: |attempt, answer| {
                let text = (SPEC.accept)(attempt, answer)?;
                Ok(text.as_str().map_or(text.clone(), |plain| Text::from(plain.trim())))
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-keeps-summary-id",
        description: "the new summary keeps the id of the old one",
        must: &["B-COMPACT-7"],
        may: may![WHY; "B-COMPACT-*" "B-SUMMARY-5" "B-CANCEL-4"],
        stages: compacting(CompactionStages {
            compose: |attempt, parts| {
                if let Some(old) = attempt.context.summary() {
                    let content = parts.summary.get("content").cloned().unwrap_or(Json::Null);
                    parts.summary = Json::object([("id", old.id.clone().into()), ("content", content)]);
                }
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-renames-kept",
        description: "retained messages get new ids",
        must: &["B-COMPACT-7"],
        may: may![WHY; "B-TEXT-1" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            compose: |_, parts| {
                for (index, message) in parts.messages.iter_mut().enumerate() {
                    *message = with_member(message, "id", Json::from(format!("m{index}").as_str()));
                }
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-shortens-results",
        description: "retained Tool results lose their last character",
        must: &["B-COMPACT-7"],
        may: may![WHY; "B-COMPACT-11"],
        stages: compacting(CompactionStages {
            compose: |_, parts| {
                for message in parts.messages.iter_mut().filter(|message| role(message) == Some("toolResult")) {
                    if let Some(Json::String(content)) = message.get("content") {
                        let mut units = content.to_utf16();
                        units.pop();
                        *message = with_member(message, "content", Text::from_utf16(&units).into());
                    }
                }
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-drops-requirements",
        description: "the new context has no requirements",
        must: &["B-COMPACT-7"],
        may: may![WHY; "B-COMPACT-*" "B-CANCEL-4" "B-STATE-1" "B-STATE-4"],
        stages: compacting(CompactionStages { compose: |_, parts| parts.requirements.clear(), ..SPEC }),
    },
    Mutant {
        name: "compact-drops-records",
        description: "the new context has only the newest record",
        must: &["B-COMPACT-7"],
        may: may![WHY; "B-TEXT-3" "B-COMPACT-*" "B-STATE-3"],
        stages: compacting(CompactionStages { compose: |_, parts| parts.compactions.clear(), ..SPEC }),
    },
    Mutant {
        name: "compact-summary-as-message",
        description: "the summary stands before the retained messages as a user message too",
        must: &["B-COMPACT-7"],
        may: may![WHY; "B-TEXT-*" "B-JSON-5" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            compose: |_, parts| {
                let content = parts.summary.get("content").cloned().unwrap_or(Json::Null);
                let message = Json::object([("id", "summary".into()), ("role", "user".into()), ("content", content)]);
                parts.messages.insert(0, message);
            },
            holds_target: false,
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-records-twice",
        description: "the record is appended twice",
        must: &["B-COMPACT-8"],
        may: may![WHY; "B-TEXT-*" "B-JSON-5" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            append: |records, record| records.extend([record.clone(), record]),
            counts: |error| error.code() == Code::LimitExceeded,
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-records-first",
        description: "the newest record stands before the others",
        must: &["B-COMPACT-8"],
        may: may![WHY; "B-TEXT-3" "B-COMPACT-*" "B-STATE-3"],
        stages: compacting(CompactionStages { append: |records, record| records.insert(0, record), ..SPEC }),
    },
    Mutant {
        name: "compact-no-record",
        description: "the record is shown and not appended",
        must: &["B-COMPACT-8"],
        may: may![WHY; "B-TEXT-*" "B-JSON-5" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages { append: |_, _| {}, ..SPEC }),
    },
    Mutant {
        name: "compact-record-ids-sorted",
        description: "the compacted ids are sorted",
        must: &["B-COMPACT-8"],
        may: &[],
        stages: compacting(CompactionStages { record: |_, record| record.compacted_message_ids.sort(), ..SPEC }),
    },
    Mutant {
        name: "compact-record-units-swapped",
        description: "the units before and after are swapped",
        must: &["B-COMPACT-8"],
        may: may![WHY; "B-TEXT-*" "B-JSON-5" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            record: |_, record| std::mem::swap(&mut record.units_before, &mut record.units_after),
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-record-target-units",
        description: "the record names the target as the units after",
        must: &["B-COMPACT-10"],
        may: may![WHY; "B-TEXT-*" "B-JSON-5" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            record: |attempt, record| record.units_after = attempt.options.boundary.target_units().get(),
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-not-checked",
        description: "the new context is shown without a check of its limits",
        must: &["B-COMPACT-9"],
        may: &[],
        stages: compacting(CompactionStages { counts: |_| false, ..SPEC }),
    },
    Mutant {
        name: "compact-record-limit-early",
        description: "the limit on records is judged before the call",
        must: &["B-COMPACT-9"],
        may: may![WHY; "B-COMPACT-1"],
        stages: compacting(CompactionStages {
            before_call: |attempt, _| {
                let full = attempt.context.records().len() >= attempt.stages.limits.records;
                full.then(|| coded(Code::LimitExceeded, "no room for another record"))
            },
            ..SPEC
        }),
    },
];
