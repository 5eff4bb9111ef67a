//! `B-BUILD-1` to `B-BUILD-10`: building a context from JSON. The first fault in reading order decides:
//! requirements, summary, messages, compactions, and last the estimate of the whole.

use crate::error::{Code, Error, Kind};
use crate::json::{Json, Kind as JsonKind, Value};
use crate::limits::Limits;
use crate::message::{CompactionRecord, Requirement, Summary};
use crate::read::{Blank, array, field, integer, invalid, object, string, text};
use crate::tally::Tally;
use crate::text::Text;
use crate::transcript::Transcript;
use crate::units::{self, Units};
use std::collections::HashSet;
use std::sync::Arc;

/// A valid, immutable context (`B-STATE-1`). Cloning it, and compacting it, share what is unchanged.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    requirements: Arc<[Requirement]>,
    summary: Option<Arc<Summary>>,
    transcript: Transcript,
    records: Arc<[Arc<CompactionRecord>]>,
    units: Units,
}

impl Context {
    /// Builds a context from its JSON.
    ///
    /// # Errors
    /// The first fault in reading order (`B-BUILD-2`), as `CONTEXT_INVALID_INPUT`,
    /// `CONTEXT_INVALID_TRANSCRIPT`, `CONTEXT_LIMIT_EXCEEDED` or `CONTEXT_SUMMARY_INVALID`.
    pub fn from_json(value: Value<'_>) -> Result<Self, Error> {
        Self::from_json_within(value, Limits::SPEC)
    }

    /// The same under other limits than those of the spec.
    ///
    /// # Errors
    /// As [`Context::from_json`].
    pub fn from_json_within(value: Value<'_>, limits: Limits) -> Result<Self, Error> {
        let mut tally = Tally::new(limits);
        let record = object(value)?;
        let requirements = read_requirements(record.get("requirements"), &mut tally)?;
        let summary = read_summary(record.get("summary"), &mut tally)?;
        let transcript = Transcript::read(record.get("messages"), &mut tally)?;
        let records = read_records(record.get("compactions"), &mut tally)?;
        Self::assemble(requirements.into(), summary.map(Arc::new), transcript, records.into(), limits)
    }

    /// Puts valid parts together; only the ceiling on the whole can still refuse them (`B-LIMIT-8`).
    fn assemble(
        requirements: Arc<[Requirement]>,
        summary: Option<Arc<Summary>>,
        transcript: Transcript,
        records: Arc<[Arc<CompactionRecord>]>,
        limits: Limits,
    ) -> Result<Self, Error> {
        let units = units::of_parts(&requirements, summary.as_deref(), transcript.messages());
        let (found, limit) = (units.get(), limits.context_units);
        if found > limit {
            return Err(Error::new(Code::LimitExceeded, Kind::TooMany { what: "units in the context", found, limit }));
        }
        Ok(Self { requirements, summary, transcript, records, units })
    }

    /// This context with another summary and the messages from `start` on, every rule and limit checked
    /// again (`B-COMPACT-9`).
    pub(crate) fn replace_prefix(&self, summary: Arc<Summary>, start: usize) -> Result<Self, Error> {
        let transcript = self.transcript.suffix(start)?;
        let next = Self::assemble(
            Arc::clone(&self.requirements),
            Some(summary),
            transcript,
            Arc::clone(&self.records),
            Limits::SPEC,
        )?;
        next.recount()
    }

    /// This context with one record more, every limit checked again.
    pub(crate) fn append_record(&self, record: Arc<CompactionRecord>) -> Result<Self, Error> {
        let records = self.records.iter().cloned().chain([record]).collect();
        Self { records, ..self.clone() }.recount()
    }

    fn recount(self) -> Result<Self, Error> {
        Tally::new(Limits::SPEC).add_context(&self)?;
        Ok(self)
    }

    /// The requirements in order.
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// The summary of what was compacted, if any.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_deref()
    }

    /// The live messages.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The compaction records, oldest first.
    pub fn records(&self) -> &[Arc<CompactionRecord>] {
        &self.records
    }

    /// The estimate of the whole (`B-UNIT-10`).
    pub fn units(&self) -> Units {
        self.units
    }

    /// The context as JSON, every field present.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("requirements", Json::Array(self.requirements.iter().map(Requirement::to_json).collect())),
            ("summary", self.summary().map_or(Json::Null, Summary::to_json)),
            ("messages", Json::Array(self.transcript.messages().iter().map(|message| message.to_json()).collect())),
            ("compactions", Json::Array(self.records.iter().map(|record| record.to_json()).collect())),
        ])
    }

    pub(crate) fn shared_requirements(&self) -> Arc<[Requirement]> {
        Arc::clone(&self.requirements)
    }

    pub(crate) fn shared_summary(&self) -> Option<Arc<Summary>> {
        self.summary.clone()
    }
}

fn read_requirements(value: Option<Value<'_>>, tally: &mut Tally) -> Result<Vec<Requirement>, Error> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let read = |tally: &mut Tally| {
        let entries = array(value, "requirements", tally.limits.requirements, tally)?;
        let mut ids = HashSet::new();
        let mut requirements = Vec::with_capacity(entries.len());
        for (index, entry) in entries.into_iter().enumerate() {
            let requirement = read_requirement(entry, tally).map_err(|error| error.within(format!("[{index}]")))?;
            claim(&mut ids, &requirement.id).map_err(|error| error.within(format!("[{index}]")))?;
            requirements.push(requirement);
        }
        Ok(requirements)
    };
    read(tally).map_err(|error: Error| error.within("requirements"))
}

fn read_requirement(value: Value<'_>, tally: &mut Tally) -> Result<Requirement, Error> {
    let record = object(value)?;
    let id = text(record, "id", Blank::Refused, tally)?;
    let content = text(record, "content", Blank::Refused, tally)?;
    Ok(Requirement { id, content })
}

fn read_summary(value: Option<Value<'_>>, tally: &mut Tally) -> Result<Option<Summary>, Error> {
    let Some(value) = value.filter(|value| value.kind() != JsonKind::Null) else { return Ok(None) };
    let read = |tally: &mut Tally| {
        let record = object(value)?;
        let id = text(record, "id", Blank::Refused, tally)?;
        let content = text(record, "content", Blank::Allowed, tally)?;
        if content.is_blank() {
            return Err(Error::new(Code::SummaryInvalid, Kind::Blank).within("content"));
        }
        Ok(Some(Summary { id, content }))
    };
    read(tally).map_err(|error| error.within("summary"))
}

fn read_records(value: Option<Value<'_>>, tally: &mut Tally) -> Result<Vec<Arc<CompactionRecord>>, Error> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let read = |tally: &mut Tally| {
        let entries = array(value, "compaction records", tally.limits.records, tally)?;
        let mut ids = HashSet::new();
        let mut records = Vec::with_capacity(entries.len());
        for (index, entry) in entries.into_iter().enumerate() {
            let record = read_record(entry, tally).map_err(|error| error.within(format!("[{index}]")))?;
            claim(&mut ids, &record.id).map_err(|error| error.within(format!("[{index}]")))?;
            records.push(Arc::new(record));
        }
        Ok(records)
    };
    read(tally).map_err(|error: Error| error.within("compactions"))
}

fn read_record(value: Value<'_>, tally: &mut Tally) -> Result<CompactionRecord, Error> {
    let record = object(value)?;
    let id = text(record, "id", Blank::Refused, tally)?;
    let summary_id = text(record, "summaryId", Blank::Refused, tally)?;
    let boundary = read_integer(record, "boundary", 1)?;
    let units_before = read_integer(record, "unitsBefore", 0)?;
    let units_after = read_integer(record, "unitsAfter", 0)?;
    let compacted_message_ids = read_ids(field(record, "compactedMessageIds")?, boundary, tally)
        .map_err(|error| error.within("compactedMessageIds"))?;
    Ok(CompactionRecord { id, summary_id, boundary, compacted_message_ids, units_before, units_after })
}

fn read_ids(value: Value<'_>, boundary: u64, tally: &mut Tally) -> Result<Vec<Text>, Error> {
    let entries = array(value, "message ids", tally.limits.messages, tally)?;
    if entries.len() as u64 != boundary {
        return Err(invalid(Kind::RecordLength { boundary, ids: entries.len() }));
    }
    let mut ids = Vec::with_capacity(entries.len());
    for (index, entry) in entries.into_iter().enumerate() {
        ids.push(string(entry, Blank::Refused, tally).map_err(|error| error.within(format!("[{index}]")))?);
    }
    Ok(ids)
}

fn read_integer(record: Value<'_>, name: &'static str, minimum: u64) -> Result<u64, Error> {
    integer(field(record, name)?, minimum).map_err(|error| error.within(name))
}

/// Refuses an id that was there before.
fn claim(ids: &mut HashSet<Text>, id: &Text) -> Result<(), Error> {
    if ids.insert(id.clone()) { Ok(()) } else { Err(invalid(Kind::Duplicate(id.clone())).within("id")) }
}
