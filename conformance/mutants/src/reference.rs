//! The reference behind the protocol, by its own stages and nothing else.

use crate::live::{Live, declare, inspect, parse, refuse, render};
use crate::scripted::{Scripted, View};
use crate::trim::{cut, measure, to_result};
use crate::weights::Weights;
use seamcheck_protocol::implementation::{Compacted, Compacting, Host, Implementation, Refusal};
use seamcheck_protocol::messages::{
    BoundaryResult, CutResult, Declaration, DiagnoseResult, GroupsResult, InspectResult, RenderResult,
};
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::{
    BoundaryOptions, CompactOptions, Compaction, Context, Diagnostic, Group, Transcript, compact, diagnose, group,
    select_boundary,
};

/// The executable spec as an implementation of itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reference;

impl Implementation for Reference {
    type State = Live;

    fn declare(&self) -> Declaration {
        declare("seamcheck-reference")
    }

    fn build(&self, context: &Payload) -> Result<Live, Refusal> {
        Ok(Live::new(read_context(context)?, context.text()))
    }

    fn inspect(&self, state: &Live) -> InspectResult {
        inspect(&state.to_json())
    }

    fn render(&self, state: &Live) -> Result<RenderResult, Refusal> {
        Ok(RenderResult { view: render(&state.to_json()) })
    }

    fn units(&self, context: &Payload) -> Result<u64, Refusal> {
        Ok(read_context(context)?.units().get())
    }

    fn groups(&self, messages: &Payload) -> Result<GroupsResult, Refusal> {
        let document = parse(messages.text())?;
        let transcript = Transcript::from_json(document.root()).map_err(refuse)?;
        Ok(groups_result(&group(&transcript)))
    }

    fn diagnose(&self, messages: &Payload) -> Result<DiagnoseResult, Refusal> {
        let document = parse(messages.text())?;
        Ok(DiagnoseResult { diagnostics: diagnose(document.root()).iter().map(finding).collect() })
    }

    fn boundary(&self, context: &Payload, options: &Payload) -> Result<BoundaryResult, Refusal> {
        let context = read_context(context)?;
        let document = parse(options.text())?;
        let options = BoundaryOptions::from_json(document.root()).map_err(refuse)?;
        Ok(BoundaryResult { boundary: select_boundary(&context, &options).map(|boundary| boundary as u64) })
    }

    fn cut(&self, messages: &Payload, budget: u64) -> Result<CutResult, Refusal> {
        Ok(to_result(cut(&Weights::SPEC, group, messages.text(), budget)?))
    }

    fn measure(&self, messages: &Payload) -> Result<u64, Refusal> {
        measure(&Weights::SPEC, messages.text())
    }

    fn compact<'a>(&'a self, state: &'a Live, options: &'a Payload, host: &'a Host) -> Compacting<'a, Live> {
        Box::pin(async move {
            let document = parse(options.text())?;
            let options = CompactOptions::from_json(document.root()).map_err(refuse)?;
            let context = state.context();
            let outcome = compact(&context, &options, &Scripted(host), &View(host.signal())).await;
            Ok(match outcome.map_err(refuse)? {
                Compaction::Unchanged(_) => Compacted::Unchanged,
                Compaction::Compacted { context, record } => {
                    Compacted::New { state: Live::new(context, state.source()), record: record.to_json().into() }
                }
            })
        })
    }
}

pub(crate) fn groups_result(groups: &[Group]) -> GroupsResult {
    let groups = groups.iter().map(|group| (group.kind.as_str().to_owned(), group.start as u64, group.end as u64));
    GroupsResult { groups: groups.collect() }
}

pub(crate) fn finding(diagnostic: &Diagnostic) -> (String, i64) {
    let index = diagnostic.message_index.map_or(-1, |index| i64::try_from(index).unwrap_or(i64::MAX));
    (diagnostic.code.as_str().to_owned(), index)
}

fn read_context(context: &Payload) -> Result<Context, Refusal> {
    let document = parse(context.text())?;
    Context::from_json(document.root()).map_err(refuse)
}
