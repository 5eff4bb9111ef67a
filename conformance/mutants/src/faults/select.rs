//! Faults of `B-SELECT`: options, and the boundary itself.

use super::UNCHECKED_LINKAGE;
use crate::raw::Raw;
use crate::registry::Mutant;
use crate::stages::{Stages, ends_that_fit, fixed_units, message_costs, select_earliest, with_value};
use seamcheck_reference::{BoundaryOptions, Code, Context, Error};

/// Why more clauses may stop these mutants.
const WHY: &str = "options and the boundary decide what is compacted, and whether anything is";

type Select = fn(&Stages, &Context, &BoundaryOptions) -> Option<usize>;

const fn selecting(select: Select) -> Stages {
    Stages { select, compaction: UNCHECKED_LINKAGE, ..Stages::SPEC }
}

const fn with_options(edit: fn(&mut Raw)) -> Stages {
    Stages { edit_options: Some(edit), ..Stages::SPEC }
}

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "options-absent-as-budget",
        description: "an option that is absent is reported as an invalid budget",
        must: &["B-SELECT-1"],
        may: may![WHY; "B-COMPACT-2"],
        stages: Stages {
            recode_options: |_, error| {
                let absent = error.to_string().ends_with("is missing") && !error.location().ends_with("Id");
                if absent { Code::InvalidBudget } else { error.code() }
            },
            ..Stages::SPEC
        },
    },
    Mutant {
        name: "options-range-as-input",
        description: "an option out of range is reported as invalid input",
        must: &["B-SELECT-1"],
        may: may![WHY; "B-JSON-1" "B-COMPACT-1" "B-COMPACT-2"],
        stages: Stages {
            recode_options: |_, error| {
                let range = error.to_string().contains("must be an integer");
                if range { Code::InvalidInput } else { error.code() }
            },
            ..Stages::SPEC
        },
    },
    Mutant {
        name: "options-numeric-strings",
        description: "numbers in strings are taken",
        must: &["B-SELECT-1"],
        may: &[],
        stages: with_options(|options| {
            for name in ["targetUnits", "summaryMaxUnits", "retainRecentMessages", "maxUnits"] {
                if let Some(value) = options.get_mut(name)
                    && let Some(number) = value.text().and_then(|text| text.to_string().trim().parse::<u64>().ok())
                {
                    *value = Raw::Scalar(number.to_string());
                }
            }
        }),
    },
    Mutant {
        name: "options-retain-first",
        description: "retainRecentMessages is judged before the others",
        must: &["B-SELECT-1"],
        may: &[],
        stages: Stages { recode_options: retain_first, ..Stages::SPEC },
    },
    Mutant {
        name: "options-summary-over-target",
        description: "the summary's budget may exceed the target",
        must: &["B-SELECT-2"],
        may: may![WHY; "B-COMPACT-2"],
        stages: with_options(|options| lower(options, "summaryMaxUnits", number(options, "targetUnits"))),
    },
    Mutant {
        name: "options-target-unbounded",
        description: "the target may exceed 1,000,000",
        must: &["B-SELECT-2"],
        may: &[],
        stages: with_options(|options| {
            lower(options, "targetUnits", Some(1_000_000.0));
            lower(options, "summaryMaxUnits", Some(1_000_000.0));
        }),
    },
    Mutant {
        name: "options-retain-unbounded",
        description: "more than 4,096 messages may be retained",
        must: &["B-SELECT-2"],
        may: may![WHY; "B-COMPACT-2"],
        stages: with_options(|options| lower(options, "retainRecentMessages", Some(4_096.0))),
    },
    Mutant {
        name: "select-retain-ignored",
        description: "the newest messages are not retained",
        must: &["B-SELECT-3"],
        may: may![WHY; "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: selecting(|stages, context, options| fitting(stages, context, options, 0).first().copied()),
    },
    Mutant {
        name: "select-retains-one-less",
        description: "one message less than asked for is retained",
        must: &["B-SELECT-3"],
        may: may![WHY; "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: selecting(|stages, context, options| {
            fitting(stages, context, options, options.retain_recent_messages().saturating_sub(1)).first().copied()
        }),
    },
    Mutant {
        name: "select-retains-one-more",
        description: "one message more than asked for is retained",
        must: &["B-SELECT-3"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-BUILD-9" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"
        ],
        stages: selecting(|stages, context, options| {
            fitting(stages, context, options, options.retain_recent_messages() + 1).first().copied()
        }),
    },
    Mutant {
        name: "select-greedy",
        description: "the latest boundary that fits is taken",
        must: &["B-SELECT-4"],
        may: may![WHY; "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: selecting(|stages, context, options| ends_that_fit(stages, context, options).pop()),
    },
    Mutant {
        name: "select-summary-not-reserved",
        description: "nothing is reserved for the summary",
        must: &["B-SELECT-4"],
        may: may![WHY; "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: selecting(|stages, context, options| {
            first_within(stages, context, options, fixed_units(stages, context))
        }),
    },
    Mutant {
        name: "select-old-summary-counted",
        description: "the summary that is replaced counts too",
        must: &["B-SELECT-4"],
        may: may![WHY; "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: selecting(|stages, context, options| {
            let old = context.summary().map_or(0, |summary| stages.weights.summary(&summary.to_json()));
            first_within(stages, context, options, old + fixed_with_summary(stages, context, options))
        }),
    },
    Mutant {
        name: "select-strictly-less",
        description: "what stays must cost less than the target",
        must: &["B-SELECT-4"],
        may: may![WHY; "B-BUILD-9" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: selecting(|stages, context, options| {
            first_within(stages, context, options, fixed_with_summary(stages, context, options) + 1)
        }),
    },
    Mutant {
        name: "select-requirements-free",
        description: "requirements do not count",
        must: &["B-SELECT-4"],
        may: may![WHY; "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: selecting(|stages, context, options| {
            first_within(stages, context, options, options.summary_max_units().get())
        }),
    },
    Mutant {
        name: "select-zero",
        description: "what fits as it is has the boundary 0",
        must: &["B-SELECT-4"],
        may: may![WHY; "B-JSON-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: selecting(|stages, context, options| {
            let all: u64 = message_costs(stages, context).iter().sum();
            let fits = all + fixed_with_summary(stages, context, options) <= options.target_units().get();
            let may_cut = context.transcript().messages().len() > options.retain_recent_messages();
            if fits && may_cut { Some(0) } else { select_earliest(stages, context, options) }
        }),
    },
    Mutant {
        name: "select-one-early",
        description: "the boundary stands one message early",
        must: &["B-SELECT-5"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-BUILD-9" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"
        ],
        stages: selecting(|stages, context, options| select_earliest(stages, context, options).map(|end| end - 1)),
    },
    Mutant {
        name: "select-one-late",
        description: "the boundary stands one message late",
        must: &["B-SELECT-5"],
        may: may![WHY; "B-TEXT-1" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: selecting(|stages, context, options| {
            let length = context.transcript().messages().len();
            select_earliest(stages, context, options).map(|end| (end + 1).min(length))
        }),
    },
    Mutant {
        name: "select-ignores-rounds",
        description: "the earliest message that fits is the boundary, whatever it parts",
        must: &["B-SELECT-5", "B-COMPACT-12"],
        may: may![WHY; "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: selecting(|stages, context, options| {
            let costs = message_costs(stages, context);
            let latest = costs.len().saturating_sub(options.retain_recent_messages());
            let fixed = fixed_with_summary(stages, context, options);
            let target = options.target_units().get();
            (1..=latest).find(|end| fixed + costs[*end..].iter().sum::<u64>() <= target)
        }),
    },
    Mutant {
        name: "select-keeps-last",
        description: "a group that crosses the retained messages is cut there",
        must: &["B-SELECT-3"],
        may: may![WHY; "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: selecting(|stages, context, options| {
            let latest = context.transcript().messages().len().checked_sub(options.retain_recent_messages());
            select_earliest(stages, context, options).or(latest.filter(|latest| *latest > 0))
        }),
    },
];

/// Ends of groups that fit when this many messages are retained.
fn fitting(stages: &Stages, context: &Context, options: &BoundaryOptions, retain: usize) -> Vec<usize> {
    let text = format!(
        r#"{{"targetUnits":{},"summaryMaxUnits":{},"retainRecentMessages":{}}}"#,
        options.target_units(),
        options.summary_max_units(),
        retain.min(4_096)
    );
    let options = with_value(&text, |root| BoundaryOptions::from_json(root).ok()).flatten();
    options.map_or_else(Vec::new, |options| ends_that_fit(stages, context, &options))
}

fn fixed_with_summary(stages: &Stages, context: &Context, options: &BoundaryOptions) -> u64 {
    fixed_units(stages, context) + options.summary_max_units().get()
}

/// The earliest end at which this much and the retained messages fit the target.
fn first_within(stages: &Stages, context: &Context, options: &BoundaryOptions, fixed: u64) -> Option<usize> {
    let costs = message_costs(stages, context);
    let latest = costs.len().saturating_sub(options.retain_recent_messages());
    let mut ends =
        (stages.group)(context.transcript()).into_iter().map(|group| group.end).take_while(|end| *end <= latest);
    ends.find(|end| fixed + costs[*end..].iter().sum::<u64>() <= options.target_units().get())
}

fn number(options: &Raw, name: &str) -> Option<f64> {
    options.get(name).and_then(Raw::number)
}

/// Lowers a whole number to a bound, so that it is not refused for it.
fn lower(options: &mut Raw, name: &str, bound: Option<f64>) {
    let Some(bound) = bound.filter(|bound| *bound >= 1.0 && bound.fract() == 0.0) else { return };
    let above = |number: f64| number > bound && number <= 9_007_199_254_740_991.0 && number.fract() == 0.0;
    if let Some(value) = options.get_mut(name).filter(|value| value.number().is_some_and(above)) {
        *value = Raw::Scalar(format!("{bound}"));
    }
}

fn retain_first(text: &str, error: &Error) -> Code {
    let Some(options) = Raw::parse(text) else { return error.code() };
    if !matches!(options, Raw::Object(_)) {
        return error.code();
    }
    match options.get("retainRecentMessages") {
        None => Code::InvalidInput,
        Some(value) if value.number().is_none_or(|number| number.fract() != 0.0 || number < 0.0) => Code::InvalidBudget,
        Some(_) => error.code(),
    }
}
