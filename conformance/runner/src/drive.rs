//! Goes through one case with an adapter: steps out, outcomes back. Slots become handles here, and every
//! handle that the adapter issued is released when the case ends. Nothing is judged.

mod compaction;

use crate::fault::Trouble;
use crate::session::{Conversation, Refused};
use compaction::Talk;
use seamcheck_checks::case::Case;
use seamcheck_checks::step::{Asked, Outcome, Reply, Slot, Step};
use seamcheck_protocol::messages::{
    BoundaryParams, BoundaryResult, ContextParams, CutParams, CutResult, Declaration, DiagnoseResult, Empty,
    GroupsResult, HandleParams, HandleResult, InspectResult, MessagesParams, RenderResult, UnitsResult, method,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;

/// More steps than any case has: one that goes on asking ends here.
const MAX_STEPS: usize = 4_096;

/// What came of a case.
#[derive(Debug)]
pub struct Driven {
    /// Of the steps that were answered.
    pub outcomes: Vec<Outcome>,
    /// What broke the case off.
    pub trouble: Option<Trouble>,
}

/// Goes through a case. The declaration is the one that the case is judged by.
pub async fn drive(conversation: &mut Conversation, case: &Case, declaration: &Declaration) -> Driven {
    let mut driver = Driver { session: conversation, handles: Handles::default(), talks: Vec::new() };
    let mut outcomes = Vec::new();
    let mut trouble = None;
    while outcomes.len() < MAX_STEPS
        && let Some(step) = case.next(declaration, &outcomes)
    {
        match driver.take(&step).await {
            Ok((reply, asked)) => outcomes.push(Outcome { step, reply, asked }),
            Err(met) => {
                trouble = Some(met);
                break;
            }
        }
    }
    let usable = trouble.as_ref().is_none_or(|trouble| trouble.kind.leaves_session_usable());
    if usable && let Err(met) = driver.clear().await {
        // A session that cannot be used is the graver of two faults.
        if trouble.is_none() || !met.kind.leaves_session_usable() {
            trouble = Some(met);
        }
    }
    Driven { outcomes, trouble }
}

struct Driver<'a> {
    session: &'a mut Conversation,
    handles: Handles,
    /// Compactions that were begun, the last one for each slot that they end in.
    talks: Vec<Talk>,
}

/// Handles of the case.
#[derive(Debug, Default)]
struct Handles {
    by_slot: HashMap<Slot, String>,
    /// All that were issued, in order.
    issued: Vec<String>,
}

impl Driver<'_> {
    async fn take(&mut self, step: &Step) -> Result<(Reply, Vec<Asked>), Trouble> {
        let reply = match step {
            Step::Compact(step) => return self.compact(step).await,
            Step::Begin(step) => return self.begin(step).await,
            Step::End { into, moves } => return self.end(*into, moves).await,
            Step::Tell { into, moves } => self.tell(*into, moves),
            Step::Build { context, slot } => {
                let params = ContextParams { context: context.clone() };
                match self.session.call::<HandleResult>(method::BUILD, &params).await? {
                    Ok(HandleResult { handle }) => {
                        self.keep(handle, *slot)?;
                        Reply::Built
                    }
                    Err(refused) => refused.into(),
                }
            }
            Step::Inspect { slot } => self.inspect(*slot).await?,
            Step::Render { slot } => {
                let Some(handle) = self.handles.by_slot.get(slot) else { return Ok((Reply::Skipped, Vec::new())) };
                let params = HandleParams { handle: handle.clone() };
                self.ask(method::RENDER, &params, |result: RenderResult| Reply::Rendered(result.view)).await?
            }
            Step::Release { slot } => self.release(*slot).await?,
            Step::Units { context } => {
                let params = ContextParams { context: context.clone() };
                self.ask(method::UNITS, &params, |result: UnitsResult| Reply::Units(result.units)).await?
            }
            Step::Groups { messages } => {
                let params = MessagesParams { messages: messages.clone() };
                self.ask(method::GROUPS, &params, |result: GroupsResult| Reply::Groups(result.groups)).await?
            }
            Step::Diagnose { messages } => {
                let params = MessagesParams { messages: messages.clone() };
                let reply = |result: DiagnoseResult| Reply::Diagnostics(result.diagnostics);
                self.ask(method::DIAGNOSE, &params, reply).await?
            }
            Step::Boundary { context, options } => {
                let params = BoundaryParams { context: context.clone(), options: options.clone() };
                let reply = |result: BoundaryResult| Reply::Boundary(result.boundary);
                self.ask(method::BOUNDARY, &params, reply).await?
            }
            Step::Measure { messages } => {
                let params = MessagesParams { messages: messages.clone() };
                self.ask(method::MEASURE, &params, |result: UnitsResult| Reply::Units(result.units)).await?
            }
            Step::Cut { messages, budget } => {
                let params = CutParams { messages: messages.clone(), budget: *budget };
                self.ask(method::CUT, &params, |result: CutResult| Reply::Cut(result)).await?
            }
        };
        Ok((reply, Vec::new()))
    }

    async fn inspect(&mut self, slot: Slot) -> Result<Reply, Trouble> {
        let Some(handle) = self.handles.by_slot.get(&slot) else { return Ok(Reply::Skipped) };
        let params = HandleParams { handle: handle.clone() };
        let reply = self.ask(method::INSPECT, &params, |result: InspectResult| Reply::Inspected(result)).await?;
        let lacks = matches!(&reply, Reply::Inspected(inspection) if inspection.native.is_none());
        if lacks && self.session.declaration().capabilities.native {
            return Err(Trouble::bad_result("`inspect` gives no `native`, and the capability `native` is declared"));
        }
        Ok(reply)
    }

    async fn ask<T: DeserializeOwned>(
        &mut self,
        method: &str,
        params: &impl Serialize,
        reply: impl FnOnce(T) -> Reply,
    ) -> Result<Reply, Trouble> {
        Ok(match self.session.call(method, params).await? {
            Ok(result) => reply(result),
            Err(refused) => refused.into(),
        })
    }

    /// Keeps a new handle in its slot.
    fn keep(&mut self, handle: String, slot: Slot) -> Result<(), Trouble> {
        if !self.session.is_new_handle(&handle) {
            let words = format!("the handle {handle:?} was issued a second time; it must be new in the session");
            return Err(Trouble::bad_result(words));
        }
        self.handles.issued.push(handle.clone());
        self.handles.by_slot.insert(slot, handle);
        Ok(())
    }

    async fn release(&mut self, slot: Slot) -> Result<Reply, Trouble> {
        let Some(handle) = self.handles.by_slot.remove(&slot) else { return Ok(Reply::Skipped) };
        // Other slots may stand for the same context, which is gone for them as well.
        self.handles.by_slot.retain(|_, other| *other != handle);
        self.handles.issued.retain(|issued| *issued != handle);
        self.ask(method::RELEASE, &HandleParams { handle }, |_: Empty| Reply::Released).await
    }

    /// Leaves nothing of the case behind.
    async fn clear(&mut self) -> Result<(), Trouble> {
        self.end_all().await?;
        self.release_all().await
    }

    async fn release_all(&mut self) -> Result<(), Trouble> {
        let handles = std::mem::take(&mut self.handles.issued);
        let params = handles.into_iter().map(|handle| HandleParams { handle });
        let ids: Vec<u64> = params.map(|params| self.session.send(method::RELEASE, &params)).collect();
        for id in ids {
            if let Err(refused) = self.session.answer_to::<Empty>(id, method::RELEASE).await? {
                return Err(Trouble::bad_result(format!("`release` was refused as {}", refused.code)));
            }
        }
        Ok(())
    }
}

impl From<Refused> for Reply {
    fn from(Refused { code, message, looks }: Refused) -> Self {
        Self::Refused { code, message, looks }
    }
}
