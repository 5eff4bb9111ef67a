//! Faults of `B-SUMMARY`: what passes for a summary, and what a failure is taken for.

use super::{asking, compacting};
use crate::live::coded;
use crate::pipeline::Attempt;
use crate::registry::Mutant;
use crate::stages::{Asking, CompactionStages, Failure, accept_length, accept_units, fail};
use seamcheck_protocol::implementation::Refusal;
use seamcheck_reference::{Code, Json, Text};

/// Why more clauses may stop these mutants.
const WHY: &str = "cases of this clause hold such an answer of the summarizer";

const SPEC: CompactionStages = CompactionStages::SPEC;

const fn accepting(accept: fn(&Attempt<'_>, Json) -> Result<Text, Refusal>) -> CompactionStages {
    CompactionStages { accept, ..SPEC }
}

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "summary-coerced",
        description: "an answer that is no text is written as text",
        must: &["B-SUMMARY-1"],
        may: may![WHY; "B-COMPACT-7" "B-SUMMARY-5" "B-STATE-2"],
        stages: compacting(accepting(|attempt, answer| match answer {
            Json::String(_) => (SPEC.accept)(attempt, answer),
            other => (SPEC.accept)(attempt, Json::from(other.to_string().as_str())),
        })),
    },
    Mutant {
        name: "summary-value-as-failure",
        description: "an answer that is no text is reported as a failed summarizer",
        must: &["B-SUMMARY-1"],
        may: may![WHY; "B-SUMMARY-5" "B-STATE-2"],
        stages: compacting(accepting(|attempt, answer| match answer {
            Json::String(_) => (SPEC.accept)(attempt, answer),
            _ => Err(coded(Code::SummarizerFailed, "the summary must be text")),
        })),
    },
    Mutant {
        name: "summary-takes-member",
        description: "of an answer that is an object the member text is taken",
        must: &["B-SUMMARY-1"],
        may: may![WHY; "B-COMPACT-7"],
        stages: compacting(accepting(|attempt, answer| {
            let text = ["text", "content", "summary"].iter().find_map(|name| answer.get(name).cloned());
            (SPEC.accept)(attempt, text.unwrap_or(answer))
        })),
    },
    Mutant {
        name: "summary-length-as-insufficient",
        description: "a summary that is too long is reported as insufficient",
        must: &["B-SUMMARY-2"],
        may: &[],
        stages: compacting(accepting(|attempt, answer| {
            (SPEC.accept)(attempt, answer).map_err(|refusal| {
                let limit = refusal.code == Code::LimitExceeded.as_str();
                if limit { coded(Code::SummaryInsufficient, "the summary is too long") } else { refusal }
            })
        })),
    },
    Mutant {
        name: "summary-length-in-utf16",
        description: "the length of the summary is held in UTF-16 code units",
        must: &["B-SUMMARY-2"],
        may: &[],
        stages: compacting(accepting(|attempt, answer| {
            let limit = attempt.stages.limits.text_code_points;
            match &answer {
                Json::String(text) if text.to_utf16().len() > limit => {
                    Err(coded(Code::LimitExceeded, "the summary is too long"))
                }
                _ => (SPEC.accept)(attempt, answer),
            }
        })),
    },
    Mutant {
        name: "summary-may-be-blank",
        description: "a blank summary is taken",
        must: &["B-SUMMARY-3"],
        may: may![WHY; "B-TEXT-4" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-4" "B-STATE-*"],
        stages: compacting(CompactionStages {
            counts: |error| error.code() != Code::SummaryInvalid,
            ..accepting(|attempt, answer| accept_unless(attempt, answer, |_| false))
        }),
    },
    Mutant {
        name: "summary-blank-as-invalid",
        description: "a blank summary is reported as no summary",
        must: &["B-SUMMARY-3"],
        may: may![WHY; "B-TEXT-4" "B-COMPACT-*" "B-SUMMARY-*" "B-STATE-*"],
        stages: compacting(accepting(|attempt, answer| match &answer {
            Json::String(text) if text.is_blank() && accept_length(attempt, text).is_ok() => {
                Err(coded(Code::SummaryInvalid, "the summary is blank"))
            }
            _ => (SPEC.accept)(attempt, answer),
        })),
    },
    Mutant {
        name: "summary-rust-blank",
        description: "a summary is blank when Rust's trim leaves nothing of it",
        must: &["B-SUMMARY-3"],
        may: may![WHY; "B-TEXT-4" "B-COMPACT-*"],
        stages: compacting(CompactionStages {
            counts: |error| error.code() != Code::SummaryInvalid,
            ..accepting(|attempt, answer| {
                accept_unless(attempt, answer, |text| text.as_str().is_some_and(|text| text.trim().is_empty()))
            })
        }),
    },
    Mutant {
        name: "summary-blank-before-length",
        description: "a summary is found blank before it is found too long",
        must: &["B-SUMMARY-2"],
        may: &[],
        stages: compacting(accepting(|attempt, answer| match &answer {
            Json::String(text) if text.is_blank() => Err(coded(Code::SummaryInsufficient, "the summary is blank")),
            _ => (SPEC.accept)(attempt, answer),
        })),
    },
    Mutant {
        name: "summary-structure-free",
        description: "only the text of a summary is held to its budget",
        must: &["B-SUMMARY-4"],
        may: may![WHY; "B-COMPACT-2" "B-COMPACT-10"],
        stages: compacting(CompactionStages {
            holds_target: false,
            ..accepting(|attempt, answer| within_budget(attempt, answer, |text, budget| text <= budget))
        }),
    },
    Mutant {
        name: "summary-budget-strict",
        description: "a summary that costs exactly its budget is refused",
        must: &["B-SUMMARY-4"],
        may: may![WHY; "B-COMPACT-10"],
        stages: compacting(accepting(|attempt, answer| {
            let text = (SPEC.accept)(attempt, answer)?;
            let overhead = 5 + attempt.options.summary_id.code_points() as u64;
            let cost = overhead + text.code_points() as u64;
            if cost < attempt.options.boundary.summary_max_units().get() { Ok(text) } else { Err(insufficient()) }
        })),
    },
    Mutant {
        name: "summary-cut-to-budget",
        description: "a summary over its budget is cut to fit",
        must: &["B-SUMMARY-4"],
        may: may![WHY; "B-COMPACT-7" "B-SUMMARY-2" "B-STATE-2"],
        stages: compacting(accepting(|attempt, answer| match &answer {
            Json::String(text) if !text.is_blank() && accept_length(attempt, text).is_ok() => {
                let overhead = 5 + attempt.options.summary_id.code_points() as u64;
                let room = attempt.options.boundary.summary_max_units().get().saturating_sub(overhead);
                let room = usize::try_from(room).unwrap_or(usize::MAX);
                let units = text.to_utf16();
                let cut = Text::from_utf16(&units[..units.len().min(room)]);
                (SPEC.accept)(attempt, if text.code_points() > room { cut.into() } else { answer })
            }
            _ => (SPEC.accept)(attempt, answer),
        })),
    },
    Mutant {
        name: "summary-error-text",
        description: "the words of a failure become the summary",
        must: &["B-SUMMARY-5"],
        may: may![WHY; "B-COMPACT-*" "B-CANCEL-3" "B-STATE-2" "B-STATE-4"],
        stages: compacting(CompactionStages {
            failed_call: |failure| match failure {
                Failure::Threw(words) | Failure::Rejected(words) if !words.is_blank() => Ok(Json::String(words)),
                Failure::Threw(_) | Failure::Rejected(_) | Failure::Panicked => Ok("summary unavailable".into()),
                other => fail(other),
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "summary-foreign-code",
        description: "a failure whose words name a code passes for it",
        must: &["B-SUMMARY-5"],
        may: &[],
        stages: compacting(CompactionStages {
            failed_call: |failure| {
                let words = match &failure {
                    Failure::Threw(words) | Failure::Rejected(words) => words.to_string(),
                    _ => String::new(),
                };
                let named = Code::ALL.into_iter().find(|code| words.contains(code.as_str()));
                named.map_or_else(|| fail(failure), |code| Err(coded(code, &words)))
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "summary-throw-as-invalid",
        description: "a summarizer that throws is reported as an invalid summary",
        must: &["B-SUMMARY-5"],
        may: may![WHY; "B-COMPACT-1" "B-CANCEL-3" "B-STATE-2" "B-STATE-4"],
        stages: compacting(CompactionStages {
            failed_call: |failure| match failure {
                Failure::Threw(_) => Err(coded(Code::SummaryInvalid, "the summarizer threw")),
                other => fail(other),
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "summary-depth-63",
        description: "63 deferrals are followed",
        must: &["B-SUMMARY-6"],
        may: may![WHY; "B-SUMMARY-4"],
        stages: asking(Asking { depth: 63, ..Asking::SPEC }),
    },
    Mutant {
        name: "summary-depth-65",
        description: "65 deferrals are followed",
        must: &["B-SUMMARY-6"],
        may: may![WHY; "B-COMPACT-7" "B-STATE-2"],
        stages: asking(Asking { depth: 65, ..Asking::SPEC }),
    },
    Mutant {
        name: "summary-unobservable-as-failure",
        description: "an answer that cannot be observed is reported as a failed summarizer",
        must: &["B-SUMMARY-7"],
        may: may![WHY; "B-STATE-2"],
        stages: compacting(CompactionStages {
            failed_call: |failure| match failure {
                Failure::Unobservable => fail(Failure::Panicked),
                other => fail(other),
            },
            ..SPEC
        }),
    },
];

fn insufficient() -> Refusal {
    coded(Code::SummaryInsufficient, "the summary is over its budget")
}

/// The rules of a summary with another blank.
fn accept_unless(attempt: &Attempt<'_>, answer: Json, is_blank: fn(&Text) -> bool) -> Result<Text, Refusal> {
    let Json::String(text) = answer else { return (SPEC.accept)(attempt, answer) };
    accept_length(attempt, &text)?;
    if is_blank(&text) {
        return Err(coded(Code::SummaryInsufficient, "the summary is blank"));
    }
    accept_units(attempt, &text)?;
    Ok(text)
}

/// The rules of a summary with another budget: the units of its text against those it may cost.
fn within_budget(attempt: &Attempt<'_>, answer: Json, fits: fn(u64, u64) -> bool) -> Result<Text, Refusal> {
    let Json::String(text) = answer else { return (SPEC.accept)(attempt, answer) };
    accept_length(attempt, &text)?;
    if text.is_blank() {
        return Err(coded(Code::SummaryInsufficient, "the summary is blank"));
    }
    let budget = attempt.options.boundary.summary_max_units().get();
    if fits(text.code_points() as u64, budget) { Ok(text) } else { Err(insufficient()) }
}
