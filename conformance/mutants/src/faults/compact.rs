//! Faults of `B-COMPACT-1` to `-6`, `-10` and `-11`: the order of checks, and what the summarizer is told. What
//! comes of it is in `outcome.rs`.

use super::compacting;
use crate::live::coded;
use crate::pipeline::Attempt;
use crate::raw::Raw;
use crate::registry::Mutant;
use crate::stages::{Asking, CompactionStages, Next, Stages};
use seamcheck_protocol::implementation::Refusal;
use seamcheck_reference::Code;

/// Why more clauses may stop these mutants.
const WHY: &str = "cases of this clause compare the whole answer to a compaction, or meet the same check";

const SPEC: CompactionStages = CompactionStages::SPEC;

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "compact-duplicate-before-cancel",
        description: "a used record id is found before the cancellation",
        must: &["B-COMPACT-1"],
        may: may![WHY; "B-CANCEL-1"],
        stages: compacting(CompactionStages {
            begin: |attempt| if over(attempt) { duplicate(attempt) } else { None },
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-boundary-before-duplicate",
        description: "a missing boundary is found before a used record id",
        must: &["B-COMPACT-1"],
        may: may![WHY; "B-COMPACT-4"],
        stages: compacting(CompactionStages {
            is_duplicate: |_| false,
            before_call: |attempt, _| duplicate(attempt),
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-max-below-target",
        description: "maxUnits may be below the target",
        must: &["B-COMPACT-2"],
        may: &[],
        stages: Stages { edit_options: Some(raise_max), ..Stages::SPEC },
    },
    Mutant {
        name: "compact-blank-ids",
        description: "summaryId and recordId may be blank",
        must: &["B-COMPACT-2"],
        may: may![WHY; "B-COMPACT-1" "B-STATE-1"],
        stages: Stages {
            edit_options: Some(|options| {
                for name in ["summaryId", "recordId"] {
                    if let Some(id) = options.get_mut(name).filter(|id| id.text().is_some_and(|id| id.is_blank())) {
                        *id = Raw::string(&"x".into());
                    }
                }
            }),
            ..Stages::SPEC
        },
    },
    Mutant {
        name: "compact-long-id-as-input",
        description: "an id that is too long is reported as invalid input",
        must: &["B-COMPACT-2"],
        may: &[],
        stages: Stages {
            recode_options: |_, error| {
                if error.code() == Code::LimitExceeded { Code::InvalidInput } else { error.code() }
            },
            ..Stages::SPEC
        },
    },
    Mutant {
        name: "compact-threshold-strict",
        description: "a context that costs exactly maxUnits is compacted",
        must: &["B-COMPACT-3"],
        may: may![WHY; "B-COMPACT-1" "B-SUMMARY-7" "B-CANCEL-2" "B-CANCEL-5"],
        stages: compacting(CompactionStages { within: |attempt| attempt.units() < attempt.options.max_units, ..SPEC }),
    },
    Mutant {
        name: "compact-cancel-before-budget",
        description: "the cancellation is looked at before the budget",
        must: &["B-COMPACT-3"],
        may: may![WHY; "B-COMPACT-1"],
        stages: compacting(CompactionStages {
            begin: |attempt| attempt.signal.is_cancelled().then(|| coded(Code::Cancelled, "cancelled")),
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-duplicate-before-budget",
        description: "a used record id is refused even within the budget",
        must: &["B-COMPACT-3"],
        may: may![WHY; "B-COMPACT-1" "B-CANCEL-1"],
        stages: compacting(CompactionStages { begin: duplicate, ..SPEC }),
    },
    Mutant {
        name: "compact-copies-unchanged",
        description: "a context within its budget comes back as another one",
        must: &["B-COMPACT-3"],
        may: may![WHY; "B-COMPACT-*" "B-SUMMARY-7" "B-CANCEL-2" "B-CANCEL-5" "B-STATE-*"],
        stages: compacting(CompactionStages { copies_unchanged: true, ..SPEC }),
    },
    Mutant {
        name: "compact-always",
        description: "a context within its budget is compacted too",
        must: &["B-COMPACT-3"],
        may: may![WHY; "B-COMPACT-*" "B-SUMMARY-7" "B-CANCEL-2" "B-CANCEL-5" "B-STATE-*"],
        stages: compacting(CompactionStages { within: |_| false, ..SPEC }),
    },
    Mutant {
        name: "compact-duplicate-after-call",
        description: "a used record id is found after the summarizer was called",
        must: &["B-COMPACT-4"],
        may: may![WHY; "B-COMPACT-1" "B-COMPACT-11"],
        stages: compacting(CompactionStages { is_duplicate: |_| false, ..SPEC }),
    },
    Mutant {
        name: "compact-duplicate-replaces",
        description: "a used record id replaces the old record",
        must: &["B-COMPACT-4"],
        may: may![WHY; "B-COMPACT-*"],
        stages: compacting(CompactionStages {
            is_duplicate: |_| false,
            append: |records, record| {
                records.retain(|old| old.get("id") != record.get("id"));
                records.push(record);
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-no-boundary-unchanged",
        description: "without a boundary the context is called unchanged",
        must: &["B-COMPACT-5"],
        may: may![WHY; "B-COMPACT-*"],
        stages: compacting(CompactionStages { no_boundary: |_| Next::Unchanged, ..SPEC }),
    },
    Mutant {
        name: "compact-no-boundary-calls",
        description: "without a boundary the summarizer is asked about everything first",
        must: &["B-COMPACT-5"],
        may: may![WHY; "B-COMPACT-*"],
        stages: compacting(CompactionStages {
            no_boundary: |attempt| Next::GoOn(attempt.context.transcript().messages().len() + 1),
            accept: |attempt, answer| {
                let selected = (attempt.stages.select)(attempt.stages, &attempt.context, &attempt.options.boundary);
                match selected {
                    Some(_) => (SPEC.accept)(attempt, answer),
                    None => Err(coded(Code::BoundaryUnavailable, "no boundary, as it turns out")),
                }
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-drops-from-newest",
        description: "where the newest round is too large, only its newest message stays",
        must: &["B-COMPACT-13"],
        may: may![WHY; "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            no_boundary: |attempt| Next::GoOn(attempt.context.transcript().messages().len().saturating_sub(1)),
            holds_target: false,
            counts: |error| error.code() == Code::LimitExceeded,
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-no-progress",
        description: "without a boundary only the summary is made anew",
        must: &["B-COMPACT-10"],
        may: may![WHY; "B-COMPACT-*" "B-SUMMARY-*"],
        stages: compacting(CompactionStages {
            no_boundary: |_| Next::GoOn(0),
            holds_target: false,
            counts: |error| error.code() == Code::LimitExceeded,
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-calls-twice",
        description: "the summarizer is called a second time to be sure",
        must: &["B-COMPACT-6"],
        may: may![WHY; "B-TEXT-*" "B-JSON-5" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages { asking: Asking { extra_calls: 1, ..Asking::SPEC }, ..SPEC }),
    },
    Mutant {
        name: "compact-retries",
        description: "a summarizer that fails is called once more",
        must: &["B-COMPACT-6"],
        may: may![WHY; "B-COMPACT-1" "B-COMPACT-11" "B-SUMMARY-5" "B-CANCEL-3" "B-STATE-2" "B-STATE-4"],
        stages: compacting(CompactionStages { asking: Asking { retries: 1, ..Asking::SPEC }, ..SPEC }),
    },
    Mutant {
        name: "compact-request-whole",
        description: "the summarizer is told every message, the retained ones too",
        must: &["B-COMPACT-6"],
        may: may![WHY; "B-TEXT-1" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            request: |attempt, request| request.messages = attempt.context.transcript().messages().into(),
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-request-bare",
        description: "the summarizer is not told the requirements",
        must: &["B-COMPACT-6"],
        may: may![WHY; "B-COMPACT-*" "B-CANCEL-4" "B-STATE-1" "B-STATE-4"],
        stages: compacting(CompactionStages { request: |_, request| request.requirements = [].into(), ..SPEC }),
    },
    Mutant {
        name: "compact-request-target",
        description: "the summarizer is told the target as its own budget",
        must: &["B-COMPACT-6"],
        may: may![WHY; "B-TEXT-*" "B-JSON-5" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            request: |attempt, request| request.max_summary_units = attempt.options.boundary.target_units(),
            ..SPEC
        }),
    },
    Mutant {
        name: "compact-forgets-summary",
        description: "the summarizer is not told the previous summary",
        must: &["B-COMPACT-11"],
        may: may![WHY; "B-COMPACT-*" "B-SUMMARY-5" "B-CANCEL-4"],
        stages: compacting(CompactionStages { request: |_, request| request.previous_summary = None, ..SPEC }),
    },
    Mutant {
        name: "compact-loses-oldest",
        description: "after the first compaction the oldest message of the prefix is in no request",
        must: &["B-COMPACT-11"],
        may: may![WHY; "B-TEXT-3" "B-COMPACT-*" "B-STATE-3"],
        stages: compacting(CompactionStages {
            request: |attempt, request| {
                if !attempt.context.records().is_empty() {
                    request.messages = request.messages.iter().skip(1).cloned().collect();
                }
            },
            ..SPEC
        }),
    },
];

fn over(attempt: &Attempt<'_>) -> bool {
    attempt.units() > attempt.options.max_units
}

fn duplicate(attempt: &Attempt<'_>) -> Option<Refusal> {
    (SPEC.is_duplicate)(attempt).then(|| coded(Code::InvalidInput, "recordId: it stands here a second time"))
}

fn raise_max(options: &mut Raw) {
    let (target, max) = (options.get("targetUnits").cloned(), options.get("maxUnits"));
    let number =
        |value: Option<&Raw>| value.and_then(Raw::number).filter(|number| number.fract() == 0.0 && *number >= 1.0);
    if let (Some(target), Some(wanted), Some(max)) = (&target, number(target.as_ref()), number(max))
        && max < wanted
    {
        options.set("maxUnits", target.clone());
    }
}
