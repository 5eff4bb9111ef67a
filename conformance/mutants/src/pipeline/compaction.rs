//! One compaction, stage by stage, in the order of `B-COMPACT-1`.

use super::ask::{Question, ask};
use crate::live::{Live, coded};
use crate::scripted::Scripted;
use crate::stages::{Failure, Memory, Next, Parts, Stages, fail};
use seamcheck_protocol::implementation::{Compacted, Host, Refusal};
use seamcheck_protocol::signal::Signal;
use seamcheck_reference::{
    BoundaryOptions, Code, CompactionRecord, Context, Document, Json, Requirement, SummaryRequest, Text,
};
use std::sync::Arc;

/// What a compaction is held to.
pub(crate) struct Options {
    pub(crate) boundary: BoundaryOptions,
    pub(crate) max_units: u64,
    pub(crate) summary_id: Text,
    pub(crate) record_id: Text,
}

/// One compaction under way.
pub(crate) struct Attempt<'a> {
    pub(crate) stages: &'a Stages,
    pub(crate) memory: &'a Memory,
    pub(crate) live: &'a Live,
    /// A snapshot of the live context.
    pub(crate) context: Context,
    pub(crate) options: Options,
    pub(crate) signal: &'a Signal,
}

impl Attempt<'_> {
    /// Units of the context that went in.
    pub(crate) fn units(&self) -> u64 {
        self.stages.weights.context(&self.context.to_json())
    }

    pub(super) async fn run(&self, host: &Host) -> Result<Compacted<Live>, Refusal> {
        let stages = &self.stages.compaction;
        if let Some(refusal) = (stages.begin)(self) {
            return Err(refusal);
        }
        if (stages.within)(self) {
            return Ok(self.unchanged());
        }
        self.look(0)?;
        if (stages.is_duplicate)(self) {
            return Err(coded(Code::InvalidInput, "recordId: it stands here a second time"));
        }
        let selected = (self.stages.select)(self.stages, &self.context, &self.options.boundary);
        let boundary = match selected.map_or_else(|| (stages.no_boundary)(self), Next::GoOn) {
            Next::GoOn(boundary) => boundary,
            Next::Unchanged => return Ok(self.unchanged()),
            Next::Refuse(refusal) => return Err(refusal),
        };
        if let Some(refusal) = (stages.before_call)(self, boundary) {
            return Err(refusal);
        }
        let answer = self.ask(host, boundary).await?;
        let summary = (stages.accept)(self, answer)?;
        let (state, record) = self.compose(&summary, boundary)?;
        self.look(2)?;
        Ok(Compacted::New { state, record: record.to_json().into() })
    }

    fn unchanged(&self) -> Compacted<Live> {
        if !self.stages.compaction.copies_unchanged {
            return Compacted::Unchanged;
        }
        Compacted::New { state: Live::new(self.context.clone(), self.live.source()), record: Json::Null.into() }
    }

    fn look(&self, number: usize) -> Result<(), Refusal> {
        if self.stages.compaction.looks[number] && self.signal.is_cancelled() {
            return fail(Failure::Cancelled).map(|_| ());
        }
        Ok(())
    }

    /// Calls the summarizer, as often as the stages say; the last answer counts.
    async fn ask(&self, host: &Host, boundary: usize) -> Result<Json, Refusal> {
        let asking = &self.stages.compaction.asking;
        let question = Question {
            asking,
            looks_after_call: self.stages.compaction.looks[1],
            summarizer: &Scripted(host),
            signal: self.signal,
            live: self.live,
        };
        let mut outcome = ask(&question, &self.request(boundary)).await;
        for _ in 0..asking.extra_calls {
            outcome = ask(&question, &self.request(boundary)).await;
        }
        for _ in 0..asking.retries {
            if matches!(outcome, Err(Failure::Threw(_) | Failure::Rejected(_) | Failure::Panicked)) {
                outcome = ask(&question, &self.request(boundary)).await;
            }
        }
        outcome.or_else(self.stages.compaction.failed_call)
    }

    fn request(&self, boundary: usize) -> SummaryRequest {
        let mut request = SummaryRequest {
            requirements: self.context.requirements().into(),
            previous_summary: self.context.summary().cloned().map(Arc::new),
            messages: self.prefix(boundary).into(),
            boundary,
            max_summary_units: self.options.boundary.summary_max_units(),
        };
        (self.stages.compaction.request)(self, &mut request);
        request
    }

    fn prefix(&self, boundary: usize) -> &[Arc<seamcheck_reference::Message>] {
        let messages = self.context.transcript().messages();
        &messages[..boundary.min(messages.len())]
    }

    /// The new live context and its record.
    fn compose(&self, summary: &Text, boundary: usize) -> Result<(Live, CompactionRecord), Refusal> {
        let stages = &self.stages.compaction;
        let kept = self.context.transcript().messages().iter().skip(boundary);
        let mut parts = Parts {
            requirements: self.context.requirements().iter().map(Requirement::to_json).collect(),
            summary: Json::object([
                ("id", self.options.summary_id.clone().into()),
                ("content", summary.clone().into()),
            ]),
            messages: kept.map(|message| message.to_json()).collect(),
            compactions: self.context.records().iter().map(|record| record.to_json()).collect(),
        };
        (stages.compose)(self, &mut parts);
        let units_after = self.stages.weights.context(&parts.to_json());
        if stages.holds_target && units_after > self.options.boundary.target_units().get() {
            return Err(coded(Code::SummaryInsufficient, "the new context is over its target"));
        }
        let mut record = CompactionRecord {
            id: self.options.record_id.clone(),
            summary_id: self.options.summary_id.clone(),
            boundary: boundary as u64,
            compacted_message_ids: self.prefix(boundary).iter().map(|message| message.id().clone()).collect(),
            units_before: self.units(),
            units_after,
        };
        (stages.record)(self, &mut record);
        (stages.append)(&mut parts.compactions, record.to_json());
        Ok((self.expose(&parts.to_json())?, record))
    }

    /// Checks the new context as one that was read.
    fn expose(&self, json: &Json) -> Result<Live, Refusal> {
        let text = json.to_string();
        let document = Document::parse(text.as_bytes()).expect("what the reference writes is JSON");
        let checked = Context::from_json_within(document.root(), self.stages.limits);
        if let Err(error) = &checked
            && (self.stages.compaction.counts)(error)
        {
            return Err(coded(error.code(), &error.to_string()));
        }
        match checked {
            Ok(context) => Ok(Live::new(context, self.live.source())),
            Err(_) => {
                let live = Live::new(self.context.clone(), self.live.source());
                live.overwrite(json.clone());
                Ok(live)
            }
        }
    }
}
