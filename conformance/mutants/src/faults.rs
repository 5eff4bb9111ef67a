//! The faults, by family. Each mutant swaps one stage of [`Stages::SPEC`], and is a fault that a real
//! implementation has had or could have. Absent on purpose: faults that never answer, since a silent
//! adapter is no verdict about a clause.

/// Clauses and families that may stop a mutant for one reason: `may![WHY; "B-UNIT-1" "B-SELECT-*"]`.
macro_rules! may {
    ($reason:expr; $($clause:literal)+) => { &[$(($clause, $reason)),+] };
}

mod build;
mod cancel;
mod compact;
mod json;
mod limits;
mod link;
mod outcome;
mod pairs;
mod records;
mod rounds;
mod select;
mod state;
mod summary;
mod text;
mod trim;
mod units;
mod view;

use crate::raw::Raw;
use crate::registry::Mutant;
use crate::stages::{Asking, CompactionStages, Stages, with_value};
use seamcheck_reference::{Code, Context, Error, Json, Limits, Text};

/// Every family, in the order of the spec.
pub(crate) const FAMILIES: &[&[Mutant]] = &[
    text::MUTANTS,
    json::MUTANTS,
    limits::MUTANTS,
    limits::IN_UTF16,
    build::MUTANTS,
    records::MUTANTS,
    link::MUTANTS,
    units::MUTANTS,
    rounds::MUTANTS,
    select::MUTANTS,
    compact::MUTANTS,
    outcome::MUTANTS,
    summary::MUTANTS,
    cancel::MUTANTS,
    state::MUTANTS,
    view::MUTANTS,
    pairs::MUTANTS,
    trim::MUTANTS,
];

/// The pipeline that reads something else than what is there.
const fn editing(edit: fn(&mut Raw)) -> Stages {
    Stages { edit: Some(edit), ..Stages::SPEC }
}

/// The pipeline that refuses more.
const fn refusing(refuse: fn(&str) -> Option<Code>) -> Stages {
    Stages { refuse: Some(refuse), ..Stages::SPEC }
}

/// The pipeline that gives faults in a context another code.
const fn recoding(recode: fn(&str, &Error) -> Code) -> Stages {
    Stages { recode, ..Stages::SPEC }
}

/// The pipeline with another compaction.
const fn compacting(compaction: CompactionStages) -> Stages {
    Stages { compaction, ..Stages::SPEC }
}

/// The pipeline that asks the summarizer in another way.
const fn asking(asking: Asking) -> Stages {
    compacting(CompactionStages { asking, ..CompactionStages::SPEC })
}

/// A compaction that shows what it made even where that is no valid transcript.
const UNCHECKED_LINKAGE: CompactionStages =
    CompactionStages { counts: |error| matches!(error.code(), Code::LimitExceeded), ..CompactionStages::SPEC };

/// The fault that this context has under other limits.
fn fault_within(text: &str, limits: Limits) -> Option<Error> {
    with_value(text, |root| Context::from_json_within(root, limits).err()).flatten()
}

/// The object with another value in one place.
fn with_member(object: &Json, name: &str, value: Json) -> Json {
    let Json::Object(object) = object else { return object.clone() };
    Json::Object(object.members().iter().cloned().chain([(Text::from(name), value)]).collect())
}
