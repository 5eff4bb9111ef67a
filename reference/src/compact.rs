//! `B-COMPACT-1` to `B-COMPACT-11` and `B-SUMMARY-1` to `B-SUMMARY-4`: one compaction, from the budget to
//! the record. The old context is only ever read; the new one is shown when everything has been checked.

use crate::boundary::{BoundaryOptions, check_ceiling, read_budget, select_boundary};
use crate::cancellation::Cancellation;
use crate::context::Context;
use crate::error::{Code, Error, Kind};
use crate::json::{Json, Value};
use crate::limits::Limits;
use crate::message::{CompactionRecord, Summary};
use crate::read::{Blank, invalid, text};
use crate::summarizer::{Summarizer, SummaryRequest, ask, cancelled};
use crate::tally::{Tally, exceeds};
use crate::text::Text;
use crate::units::{self, Units};
use std::sync::Arc;

/// What a compaction is held to. It exists only with budgets and ids that are valid.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactOptions {
    boundary: BoundaryOptions,
    max_units: Units,
    summary_id: Text,
    record_id: Text,
}

impl CompactOptions {
    /// Reads the options: those of [`BoundaryOptions`], then maxUnits, summaryId and recordId.
    ///
    /// # Errors
    /// The first fault in that order (`B-COMPACT-2`): `CONTEXT_INVALID_INPUT`, `CONTEXT_INVALID_BUDGET`,
    /// or `CONTEXT_LIMIT_EXCEEDED` for an id that is too long.
    pub fn from_json(options: Value<'_>) -> Result<Self, Error> {
        let boundary = BoundaryOptions::from_json(options)?;
        let max_units = read_budget(options, "maxUnits", 1)?;
        check_ceiling(max_units, "the limit", Limits::SPEC.context_units).map_err(|error| error.within("maxUnits"))?;
        check_ceiling(boundary.target_units().get(), "maxUnits", max_units)
            .map_err(|error| error.within("targetUnits"))?;
        // Each id is held to the limit of one string only.
        let id = |name| text(options, name, Blank::Refused, &mut Tally::new(Limits::SPEC));
        let summary_id = id("summaryId")?;
        let record_id = id("recordId")?;
        Ok(Self { boundary, max_units: Units::new(max_units), summary_id, record_id })
    }

    /// The options of selecting the boundary.
    pub fn boundary(&self) -> &BoundaryOptions {
        &self.boundary
    }

    /// A context up to this cost is left alone.
    pub fn max_units(&self) -> Units {
        self.max_units
    }
}

/// How a compaction ended well.
#[derive(Debug, Clone, PartialEq)]
pub enum Compaction {
    /// The context was within its budget: here it is again.
    Unchanged(Context),
    /// The context was compacted.
    Compacted {
        /// The new context.
        context: Context,
        /// Its newest record.
        record: Arc<CompactionRecord>,
    },
}

/// Compacts a context that is over its budget.
///
/// # Errors
/// The first that applies, in the order of `B-COMPACT-1`. On every error the context is as before, which
/// its type guarantees, and no record exists.
pub async fn compact(
    context: &Context,
    options: &CompactOptions,
    summarizer: &impl Summarizer,
    cancellation: &impl Cancellation,
) -> Result<Compaction, Error> {
    if context.units() <= options.max_units {
        return Ok(Compaction::Unchanged(context.clone()));
    }
    check_cancelled(cancellation)?;
    if context.records().iter().any(|record| record.id == options.record_id) {
        return Err(invalid(Kind::Duplicate(options.record_id.clone())).within("recordId"));
    }
    let target_units = options.boundary.target_units().get();
    let boundary = select_boundary(context, &options.boundary)
        .ok_or_else(|| Error::new(Code::BoundaryUnavailable, Kind::NoBoundary { target_units }))?;

    let prefix = &context.transcript().messages()[..boundary];
    let request = SummaryRequest {
        requirements: context.shared_requirements(),
        previous_summary: context.shared_summary(),
        messages: prefix.into(),
        boundary,
        max_summary_units: options.boundary.summary_max_units(),
    };
    let answer = ask(summarizer, request, cancellation).await?;
    let summary = accept_summary(answer, options)?;

    let compacted = context.replace_prefix(Arc::new(summary), boundary)?;
    check_units("units after the compaction", compacted.units(), options.boundary.target_units())?;
    let record = Arc::new(CompactionRecord {
        id: options.record_id.clone(),
        summary_id: options.summary_id.clone(),
        boundary: boundary as u64,
        compacted_message_ids: prefix.iter().map(|message| message.id().clone()).collect(),
        units_before: context.units().get(),
        units_after: compacted.units().get(),
    });
    let context = compacted.append_record(Arc::clone(&record))?;
    check_cancelled(cancellation)?;
    Ok(Compaction::Compacted { context, record })
}

/// Text, not too long, not blank, within its own budget (`B-SUMMARY-1` to `B-SUMMARY-4`, in this order).
fn accept_summary(answer: Json, options: &CompactOptions) -> Result<Summary, Error> {
    let content = match answer {
        Json::String(content) => content,
        other => return Err(Error::new(Code::SummaryInvalid, Kind::NotText { found: describe(&other) })),
    };
    exceeds("code points of the summary", content.code_points(), Limits::SPEC.text_code_points)?;
    if content.is_blank() {
        return Err(Error::new(Code::SummaryInsufficient, Kind::Blank).within("summary"));
    }
    let summary = Summary { id: options.summary_id.clone(), content };
    check_units("units of the summary", units::of_summary(&summary), options.boundary.summary_max_units())?;
    Ok(summary)
}

fn check_units(what: &'static str, found: Units, limit: Units) -> Result<(), Error> {
    if found <= limit {
        return Ok(());
    }
    Err(Error::new(Code::SummaryInsufficient, Kind::TooMany { what, found: found.get(), limit: limit.get() }))
}

fn check_cancelled(cancellation: &impl Cancellation) -> Result<(), Error> {
    if cancellation.is_cancelled() { Err(cancelled()) } else { Ok(()) }
}

fn describe(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "a boolean",
        Json::Number(_) => "a number",
        Json::String(_) => "a string",
        Json::Array(_) => "an array",
        Json::Object(_) => "an object",
    }
}
