//! An implementation made of [`Stages`]: what a mutant is served as. Without a fault it answers what the
//! reference answers, which tests hold it to.

mod ask;
mod compaction;

pub(crate) use compaction::{Attempt, Options};

use crate::live::{Live, coded, declare, inspect, render};
use crate::raw::Raw;
use crate::reference::groups_result;
use crate::stages::{Memory, Stages};
use crate::trim::{measure, to_result};
use seamcheck_protocol::implementation::{Compacted, Compacting, Host, Implementation, Refusal};
use seamcheck_protocol::messages::{
    BoundaryResult, CutResult, Declaration, DiagnoseResult, GroupsResult, InspectResult, RenderResult,
};
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::{BoundaryOptions, Code, CompactOptions, Context, Document, Error, Limits, Value};
use std::rc::Rc;

/// A served pipeline, faulty or not.
pub struct Mutated {
    name: &'static str,
    stages: Stages,
    memory: Rc<Memory>,
}

impl Mutated {
    pub(crate) fn new(name: &'static str, stages: Stages) -> Self {
        Self { name, stages, memory: Rc::default() }
    }

    fn read_context(&self, payload: &Payload) -> Result<Context, Refusal> {
        let text = self.edited(&(self.stages.syntax)(payload.text()))?;
        self.refuse_early(&text)?;
        let recode = |error: Error| coded((self.stages.recode)(&text, &error), &error.to_string());
        read(&text, |root| Context::from_json_within(root, self.stages.limits))?.map_err(recode)
    }

    /// Messages alone: a context with nothing else, and no ceiling on the whole.
    fn read_messages(&self, payload: &Payload) -> Result<Context, Refusal> {
        let text = format!("{{\"messages\":{}}}", self.edited_messages(payload)?);
        self.refuse_early(&text)?;
        let ceiling = if self.stages.messages_ceiling { self.stages.limits.context_units } else { u64::MAX };
        let limits = Limits { context_units: ceiling, ..self.stages.limits };
        let recode = |error: Error| coded((self.stages.messages_code)(&error), &error.to_string());
        read(&text, |root| Context::from_json_within(root, limits))?.map_err(recode)
    }

    fn edited_messages(&self, payload: &Payload) -> Result<String, Refusal> {
        let text = (self.stages.syntax)(payload.text());
        self.check_syntax(&text)?;
        let Some((edit, messages)) = self.stages.edit.zip(Raw::parse(&text)) else { return Ok(text.into_owned()) };
        let mut context = Raw::Object(vec![("\"messages\"".to_owned(), messages)]);
        edit(&mut context);
        // An edit may take messages away that are none.
        Ok(context.get("messages").map_or_else(|| "null".to_owned(), Raw::to_string))
    }

    fn edited(&self, text: &str) -> Result<String, Refusal> {
        self.check_syntax(text)?;
        let Some((edit, mut raw)) = self.stages.edit.zip(Raw::parse(text)) else { return Ok(text.to_owned()) };
        edit(&mut raw);
        Ok(raw.to_string())
    }

    fn refuse_early(&self, text: &str) -> Result<(), Refusal> {
        let early = self.stages.refuse.and_then(|refuse| refuse(text));
        early.map_or(Ok(()), |code| Err(coded(code, "refused before it was read")))
    }

    fn check_syntax(&self, text: &str) -> Result<(), Refusal> {
        match Document::parse(text.as_bytes()) {
            Ok(_) => Ok(()),
            Err(error) => Err(Refusal::new(self.stages.syntax_code, error.to_string())),
        }
    }

    fn options_text(&self, payload: &Payload) -> Result<String, Refusal> {
        self.check_syntax(payload.text())?;
        let edited = self.stages.edit_options.zip(Raw::parse(payload.text()));
        Ok(edited.map_or_else(
            || payload.text().to_owned(),
            |(edit, mut raw)| {
                edit(&mut raw);
                raw.to_string()
            },
        ))
    }

    fn recode_options(&self, text: &str, error: &Error) -> Refusal {
        coded((self.stages.recode_options)(text, error), &error.to_string())
    }

    fn read_options(&self, payload: &Payload) -> Result<Options, Refusal> {
        let text = self.options_text(payload)?;
        read(&text, |root| {
            let options = CompactOptions::from_json(root)?;
            // The reader has just seen both ids.
            let id = |name| root.get(name).and_then(Value::as_text).unwrap_or_default();
            Ok(Options {
                boundary: *options.boundary(),
                max_units: options.max_units().get(),
                summary_id: id("summaryId"),
                record_id: id("recordId"),
            })
        })?
        .map_err(|error: Error| self.recode_options(&text, &error))
    }
}

impl Implementation for Mutated {
    type State = Live;

    fn declare(&self) -> Declaration {
        declare(self.name)
    }

    fn build(&self, context: &Payload) -> Result<Live, Refusal> {
        let live = Live::new(self.read_context(context)?, context.text());
        self.memory.last_built.replace(Some(live.to_json()));
        Ok(live)
    }

    fn inspect(&self, state: &Live) -> InspectResult {
        inspect(&(self.stages.show)(state, &self.memory))
    }

    fn render(&self, state: &Live) -> Result<RenderResult, Refusal> {
        Ok(RenderResult { view: (self.stages.view)(render(&(self.stages.show)(state, &self.memory))) })
    }

    fn units(&self, context: &Payload) -> Result<u64, Refusal> {
        Ok(self.stages.weights.context(&self.read_context(context)?.to_json()))
    }

    fn groups(&self, messages: &Payload) -> Result<GroupsResult, Refusal> {
        let context = self.read_messages(messages)?;
        Ok(groups_result(&(self.stages.group)(context.transcript())))
    }

    fn diagnose(&self, messages: &Payload) -> Result<DiagnoseResult, Refusal> {
        let text = self.edited_messages(messages)?;
        Ok(DiagnoseResult { diagnostics: (self.stages.diagnose)(&text)? })
    }

    fn boundary(&self, context: &Payload, options: &Payload) -> Result<BoundaryResult, Refusal> {
        let context = self.read_context(context)?;
        let text = self.options_text(options)?;
        let options = read(&text, BoundaryOptions::from_json)?.map_err(|error| self.recode_options(&text, &error))?;
        let boundary = (self.stages.select)(&self.stages, &context, &options);
        Ok(BoundaryResult { boundary: boundary.map(|boundary| boundary as u64) })
    }

    fn cut(&self, messages: &Payload, budget: u64) -> Result<CutResult, Refusal> {
        Ok(to_result((self.stages.cut)(&self.stages, &self.edited_messages(messages)?, budget)?))
    }

    fn measure(&self, messages: &Payload) -> Result<u64, Refusal> {
        measure(&self.stages.weights, &self.edited_messages(messages)?)
    }

    fn compact<'a>(&'a self, state: &'a Live, options: &'a Payload, host: &'a Host) -> Compacting<'a, Live> {
        Box::pin(async move {
            let options = self.read_options(options)?;
            let attempt = Attempt {
                stages: &self.stages,
                memory: &self.memory,
                live: state,
                context: state.context(),
                options,
                signal: host.signal(),
            };
            let outcome = attempt.run(host).await;
            match &outcome {
                Ok(Compacted::New { state, .. }) => (self.stages.compaction.succeeded)(&attempt, state),
                Ok(Compacted::Unchanged) => {}
                Err(refusal) => (self.stages.compaction.failed)(&attempt, refusal),
            }
            outcome
        })
    }
}

/// Reads a text that has been checked already.
fn read<T>(text: &str, read: impl FnOnce(Value<'_>) -> Result<T, Error>) -> Result<Result<T, Error>, Refusal> {
    crate::stages::with_value(text, read).ok_or_else(|| coded(Code::InvalidInput, "an edit made what is no JSON"))
}
