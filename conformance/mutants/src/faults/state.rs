//! Faults of `B-STATE`: old contexts that change, failures that leave traces, contexts that mix, chance.

use super::{compacting, with_member};
use crate::live::{Live, coded};
use crate::pipeline::Attempt;
use crate::registry::Mutant;
use crate::stages::{CompactionStages, Stages};
use crate::weights::elements;
use seamcheck_reference::{Code, Json, Requirement};
use std::sync::Arc;

/// Why more clauses may stop these mutants.
const WHY: &str = "cases of this clause look at contexts that the fault has changed";

const SPEC: CompactionStages = CompactionStages::SPEC;

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "state-prefix-removed",
        description: "a compaction takes the prefix away from the old context too",
        must: &["B-STATE-1"],
        may: may![WHY; "B-CANCEL-*"],
        stages: compacting(CompactionStages {
            succeeded: |attempt, new| {
                let messages = new.to_json().get("messages").cloned().unwrap_or(Json::Null);
                attempt.live.overwrite(with_member(&attempt.live.to_json(), "messages", messages));
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "state-record-shared",
        description: "old and new context share their list of records",
        must: &["B-STATE-1"],
        may: may![WHY; "B-CANCEL-*"],
        stages: compacting(CompactionStages {
            succeeded: |attempt, new| {
                let records = new.to_json().get("compactions").cloned().unwrap_or(Json::Null);
                attempt.live.overwrite(with_member(&attempt.live.to_json(), "compactions", records));
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "state-arguments-shared",
        description: "a compaction adds a key to the arguments of the old context's calls",
        must: &["B-STATE-1"],
        may: may![WHY; "B-CANCEL-5"],
        stages: compacting(CompactionStages { succeeded: |attempt, _| mark_arguments(attempt.live), ..SPEC }),
    },
    Mutant {
        name: "state-emptied-meanwhile",
        description: "while the summarizer runs the context has no messages",
        must: &["B-STATE-1"],
        may: &[],
        stages: compacting(CompactionStages {
            before_call: |attempt, _| {
                let empty = Json::Array(Vec::new());
                attempt.live.overwrite(with_member(&attempt.live.to_json(), "messages", empty));
                None
            },
            failed: |attempt, _| attempt.live.overwrite(attempt.context.to_json()),
            succeeded: |attempt, _| attempt.live.overwrite(attempt.context.to_json()),
            ..SPEC
        }),
    },
    Mutant {
        name: "state-record-on-failure",
        description: "a failure appends a record to the context",
        must: &["B-STATE-2"],
        may: may![WHY; "B-TEXT-4" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            failed: |attempt, _| {
                let before = attempt.live.to_json();
                let Some(first) = elements(before.get("messages")).next().and_then(|message| message.get("id")) else {
                    return;
                };
                let record = Json::object([
                    ("id", attempt.options.record_id.clone().into()),
                    ("summaryId", attempt.options.summary_id.clone().into()),
                    ("boundary", Json::Number(1.0)),
                    ("compactedMessageIds", Json::Array(vec![first.clone()])),
                    ("unitsBefore", Json::Number(0.0)),
                    ("unitsAfter", Json::Number(0.0)),
                ]);
                let records = elements(before.get("compactions")).cloned().chain([record]).collect();
                attempt.live.overwrite(with_member(&before, "compactions", Json::Array(records)));
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "state-words-on-failure",
        description: "a failure leaves its words as the summary of the context",
        must: &["B-STATE-2"],
        may: may![WHY; "B-TEXT-4" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            failed: |attempt, refusal| {
                let id = Json::from(attempt.options.summary_id.clone());
                let summary = Json::object([("id", id), ("content", refusal.message.0.clone().into())]);
                attempt.live.overwrite(with_member(&attempt.live.to_json(), "summary", summary));
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "state-summaries-mix",
        description: "the previous summary is the last one made, of whichever context",
        must: &["B-STATE-3"],
        may: may![WHY;
            "B-TEXT-3" "B-TEXT-4" "B-JSON-5" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-1" "B-STATE-4"
        ],
        stages: compacting(CompactionStages {
            request: |attempt, request| {
                let last = attempt.memory.previous_summary.borrow().clone();
                request.previous_summary = last.or(request.previous_summary.take());
            },
            succeeded: remember_summary,
            ..SPEC
        }),
    },
    Mutant {
        name: "state-contexts-mix",
        description: "every context is shown with the requirements of the one built last",
        must: &["B-STATE-3", "B-STATE-4"],
        may: may![WHY; "B-CANCEL-5"],
        stages: Stages {
            show: |live, memory| {
                let shown = live.to_json();
                let last = memory.last_built.borrow();
                let requirements = last.as_ref().and_then(|last| last.get("requirements")).cloned();
                requirements.map_or(shown.clone(), |requirements| with_member(&shown, "requirements", requirements))
            },
            ..Stages::SPEC
        },
    },
    Mutant {
        name: "state-summary-everywhere",
        description: "every context is shown with the summary made last",
        must: &["B-STATE-3"],
        may: may![WHY;
            "B-TEXT-1" "B-JSON-*" "B-BUILD-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-2" "B-CANCEL-5" "B-STATE-*"
        ],
        stages: Stages {
            show: |live, memory| {
                let shown = live.to_json();
                let last = memory.previous_summary.borrow().as_ref().map(|summary| summary.to_json());
                last.map_or(shown.clone(), |summary| with_member(&shown, "summary", summary))
            },
            ..compacting(CompactionStages { succeeded: remember_summary, ..SPEC })
        },
    },
    Mutant {
        name: "state-one-at-a-time",
        description: "a compaction is refused while another waits for its answer",
        must: &["B-STATE-5"],
        may: may![WHY; "B-STATE-3"],
        stages: compacting(CompactionStages {
            before_call: |attempt, _| {
                let busy = attempt.memory.waiting.get() > 0;
                attempt.memory.waiting.set(1);
                busy.then(|| coded(Code::InvalidInput, BUSY))
            },
            failed: |attempt, refusal| {
                if refusal.message.0.as_str() != Some(BUSY) {
                    attempt.memory.waiting.set(0);
                }
            },
            succeeded: |attempt, _| attempt.memory.waiting.set(0),
            ..SPEC
        }),
    },
    Mutant {
        name: "state-answers-shared",
        description: "while several compactions wait, the first answer is taken for all of them",
        must: &["B-STATE-5"],
        may: may![WHY; "B-STATE-3" "B-COMPACT-7" "B-CANCEL-6"],
        stages: compacting(CompactionStages {
            before_call: |attempt, _| {
                attempt.memory.waiting.set(attempt.memory.waiting.get() + 1);
                None
            },
            accept: |attempt, answer| {
                let text = (SPEC.accept)(attempt, answer)?;
                Ok(attempt.memory.last_answer.borrow_mut().get_or_insert(text).clone())
            },
            failed: |attempt, _| stop_waiting(attempt),
            succeeded: |attempt, _| stop_waiting(attempt),
            ..SPEC
        }),
    },
    Mutant {
        name: "state-requirements-of-last-asked",
        description: "the new context gets the requirements of the context that was asked about last",
        must: &["B-STATE-3"],
        may: may![WHY; "B-STATE-5"],
        stages: compacting(CompactionStages {
            request: |attempt, _| drop(attempt.memory.last_asked.replace(Some(attempt.context.clone()))),
            compose: |attempt, parts| {
                if let Some(last) = attempt.memory.last_asked.borrow().as_ref() {
                    parts.requirements = last.requirements().iter().map(Requirement::to_json).collect();
                }
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "state-chance",
        description: "every second record counts one unit too many before the compaction",
        must: &["B-STATE-4"],
        may: may![WHY; "B-TEXT-3" "B-JSON-5" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-1" "B-STATE-3"],
        stages: compacting(CompactionStages {
            record: |attempt, record| {
                let calls = attempt.memory.calls.get();
                attempt.memory.calls.set(calls + 1);
                record.units_before += u64::from(calls % 2);
            },
            ..SPEC
        }),
    },
];

const BUSY: &str = "another compaction is under way";

/// One of the compactions that wait has ended. Refused ones that never waited count as well, which a mutant may.
fn stop_waiting(attempt: &Attempt<'_>) {
    attempt.memory.waiting.set(attempt.memory.waiting.get().saturating_sub(1));
    if attempt.memory.waiting.get() == 0 {
        attempt.memory.last_answer.take();
    }
}

fn remember_summary(attempt: &Attempt<'_>, new: &Live) {
    attempt.memory.previous_summary.replace(new.context().summary().cloned().map(Arc::new));
}

/// Adds a key to the arguments of every call.
fn mark_arguments(live: &Live) {
    let context = live.to_json();
    let mark_block = |block: &Json| match block.get("arguments") {
        Some(arguments) => with_member(block, "arguments", with_member(arguments, "compacted", Json::Bool(true))),
        None => block.clone(),
    };
    let mark_message = |message: &Json| match message.get("content") {
        Some(Json::Array(blocks)) => {
            with_member(message, "content", Json::Array(blocks.iter().map(mark_block).collect()))
        }
        _ => message.clone(),
    };
    let messages = elements(context.get("messages")).map(mark_message).collect();
    live.overwrite(with_member(&context, "messages", Json::Array(messages)));
}
