//! Faults of `B-CANCEL`: each look left out, and what wins against a cancellation.

use super::{asking, compacting, with_member};
use crate::live::Live;
use crate::registry::Mutant;
use crate::stages::{Asking, CompactionStages, Failure};
use seamcheck_reference::{Json, Text};

/// Why more clauses may stop these mutants.
const WHY: &str = "cases of this clause are cancelled at the same moment";

const SPEC: CompactionStages = CompactionStages::SPEC;

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "cancel-before-ignored",
        description: "the cancellation is not looked at before the call",
        must: &["B-CANCEL-1"],
        may: may![WHY; "B-COMPACT-1"],
        stages: compacting(CompactionStages { looks: [false, true, true], ..SPEC }),
    },
    Mutant {
        name: "cancel-waiting-as-failure",
        description: "a cancellation while waiting is reported as a failed summarizer",
        must: &["B-CANCEL-2"],
        may: may![WHY; "B-CANCEL-3" "B-CANCEL-5" "B-STATE-2"],
        stages: asking(Asking {
            interrupted: || Failure::Rejected("interrupted".into()),
            looks_settled: |outcome| !matches!(outcome, Err(Failure::Rejected(words)) if words.as_str() == Some("interrupted")),
            ..Asking::SPEC
        }),
    },
    Mutant {
        name: "cancel-settled-ignored",
        description: "the cancellation is not looked at when the answer has come",
        must: &["B-CANCEL-3"],
        may: may![WHY; "B-CANCEL-4" "B-CANCEL-5"],
        stages: compacting(CompactionStages {
            looks: [true, false, false],
            asking: Asking { looks_settled: |_| false, ..Asking::SPEC },
            ..SPEC
        }),
    },
    Mutant {
        name: "cancel-loses-to-rejection",
        description: "a rejection wins against a cancellation",
        must: &["B-CANCEL-3"],
        may: may![WHY; "B-CANCEL-5"],
        stages: compacting(CompactionStages {
            looks: [true, false, true],
            asking: Asking { looks_settled: |outcome| !matches!(outcome, Err(Failure::Rejected(_))), ..Asking::SPEC },
            ..SPEC
        }),
    },
    Mutant {
        name: "cancel-beats-throw",
        description: "a cancellation wins against a call that throws",
        must: &["B-CANCEL-3"],
        may: &[],
        stages: asking(Asking { cancel_beats_throw: true, ..Asking::SPEC }),
    },
    Mutant {
        name: "cancel-exposure-ignored",
        description: "the cancellation is not looked at before the new context is shown",
        must: &["B-CANCEL-4"],
        may: &[],
        stages: compacting(CompactionStages { looks: [true, true, false], ..SPEC }),
    },
    Mutant {
        name: "cancel-commits-first",
        description: "the old context is replaced before the last look at the cancellation",
        must: &["B-CANCEL-5", "B-STATE-1"],
        may: may![WHY; "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            compose: |attempt, parts| attempt.live.overwrite(parts.to_json()),
            ..SPEC
        }),
    },
    Mutant {
        name: "cancel-undoes-commit",
        description: "a cancellation after the commit takes the summary away again",
        must: &["B-CANCEL-6"],
        may: may![WHY; "B-STATE-3" "B-STATE-5"],
        stages: compacting(CompactionStages {
            succeeded: |attempt, new| {
                let (signal, new) = (attempt.signal.clone(), new.clone());
                tokio::task::spawn_local(async move {
                    signal.cancelled().await;
                    new.overwrite(with_member(&new.to_json(), "summary", Json::Null));
                });
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "cancel-second-answer-lands",
        description: "a second answer becomes the summary of the old context",
        must: &["B-SUMMARY-8"],
        may: may![WHY; "B-CANCEL-5" "B-STATE-3" "B-STATE-5"],
        stages: asking(Asking { second: Some(take_late), ..Asking::SPEC }),
    },
    Mutant {
        name: "cancel-late-answer-lands",
        description: "an answer after the cancellation becomes the summary of the old context",
        must: &["B-CANCEL-5"],
        may: may![WHY; "B-CANCEL-2" "B-CANCEL-3"],
        stages: asking(Asking { late: Some(take_late), ..Asking::SPEC }),
    },
];

/// What came too late becomes the summary.
fn take_late(live: &Live, text: Text) {
    let summary = Json::object([("id", "late".into()), ("content", text.into())]);
    live.overwrite(with_member(&live.to_json(), "summary", summary));
}
