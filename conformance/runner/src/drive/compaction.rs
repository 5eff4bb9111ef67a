//! One compaction, with everything that happens around it: what the summarizer is asked, what it answers,
//! and when the compaction is cancelled.

use super::Driver;
use crate::fault::{FaultKind, Trouble};
use crate::session::{Heard, read_outcome};
use seamcheck_checks::step::{Asked, CancelPlan, CompactStep, Reply, Slot};
use seamcheck_protocol::envelope::Id;
use seamcheck_protocol::messages::{CancelMode, CompactParams, CompactResult, Summarize, SummarizeParams, method};

/// The code of a reply that never came although the compaction was cancelled. It is none of the spec's, so
/// that whoever asks for `CONTEXT_CANCELLED` sees that this is something else.
pub(super) const NO_ANSWER: &str = "no-answer";

/// Calls of the summarizer in one compaction after which the adapter is taken to be in a loop.
const MAX_CALLS: usize = 64;

impl Driver<'_> {
    pub(super) async fn compact(&mut self, step: &CompactStep) -> Result<(Reply, Vec<Asked>), Trouble> {
        let Some(handle) = self.handles.by_slot.get(&step.slot).cloned() else {
            return Ok((Reply::Skipped, Vec::new()));
        };
        let capabilities = &self.session.declaration().capabilities;
        let scripted = step.scripted || capabilities.summarize == Summarize::Scripted;
        let listens = capabilities.cancel.contains(&CancelMode::Async);
        let params = CompactParams {
            handle: handle.clone(),
            options: step.options.clone(),
            cancelled: step.cancel == CancelPlan::Before,
            cancel_at_look: if let CancelPlan::AtLook(look) = step.cancel { Some(look) } else { None },
            summarizer: scripted.then(|| step.answer.clone()),
        };
        let id = self.session.send(method::COMPACT, &params);
        let mut talk = Talk { id, step, scripted, listens, asked: Vec::new(), owed: None, hung: false };
        let reply = loop {
            match self.session.hear(talk.owed.is_some()).await {
                Ok(Heard::Answer { id: answered, outcome }) if answered == id => {
                    let result = read_outcome::<CompactResult>(outcome, method::COMPACT)?;
                    break match result {
                        Ok(result) => self.end(result, &handle, step.into)?,
                        Err(refused) => refused.into(),
                    };
                }
                Ok(Heard::Answer { id, .. }) => {
                    return Err(Trouble::invalid_message(format!("an answer to {id}, which is not waited for")));
                }
                Ok(Heard::Summarize { ask, params }) => self.answer(&mut talk, ask, params).await?,
                Err(trouble) => self.release_the_hung(&mut talk, trouble)?,
            }
        };
        let reply = if talk.hung { no_answer() } else { reply };
        Ok((reply, talk.asked))
    }

    /// One call of the summarizer.
    async fn answer(&mut self, talk: &mut Talk<'_>, ask: Option<Id>, params: SummarizeParams) -> Result<(), Trouble> {
        match (&ask, talk.scripted) {
            (Some(_), true) => {
                return Err(Trouble::invalid_message("`summarize` is asked although the answer came with `compact`"));
            }
            (None, false) => {
                return Err(Trouble::invalid_message(
                    "`summarize` is told, without an id, although its answer is needed",
                ));
            }
            _ => {}
        }
        if talk.asked.len() == MAX_CALLS {
            return Err(Trouble::invalid_message(format!(
                "more than {MAX_CALLS} calls of `summarize` in one compaction"
            )));
        }
        // An adapter that blocks cannot show anything while it waits, and one that was given the answer does not wait.
        let can_look = ask.is_some() && talk.listens;
        let mut inspected = Vec::new();
        for slot in &talk.step.inspect_while_waiting {
            inspected.push(if can_look { self.inspect(*slot).await? } else { Reply::Skipped });
        }
        let first = talk.asked.is_empty();
        talk.asked.push(Asked { request: params.request, inspected });
        let plan = if first { talk.step.cancel } else { CancelPlan::Never };
        if matches!(plan, CancelPlan::BeforeAnswer | CancelPlan::InsteadOfAnswer) {
            self.session.cancel(talk.id);
        }
        match ask {
            Some(ask) if plan != CancelPlan::InsteadOfAnswer => self.session.answer_summarize(ask, &talk.step.answer),
            Some(ask) if talk.listens => talk.owed = Some(ask),
            Some(ask) => self.session.fail_summarize(ask, "cancelled instead of an answer"),
            None => {}
        }
        if plan == CancelPlan::AfterAnswer {
            self.session.cancel(talk.id);
        }
        Ok(())
    }

    /// An implementation that goes on waiting although it is cancelled has not broken the protocol: it is
    /// given the answer after all, so that the session goes on, and what then comes is no reply.
    fn release_the_hung(&mut self, talk: &mut Talk<'_>, trouble: Trouble) -> Result<(), Trouble> {
        match talk.owed.take() {
            Some(ask) if trouble.kind == FaultKind::IdleTimeout => {
                self.session.answer_summarize(ask, &talk.step.answer);
                self.session.note_deaf_to_cancel();
                talk.hung = true;
                Ok(())
            }
            _ => Err(trouble),
        }
    }

    fn end(&mut self, result: CompactResult, old_handle: &str, into: Slot) -> Result<Reply, Trouble> {
        let CompactResult { status, handle, record, looks } = result;
        let same_handle = handle == old_handle;
        if same_handle {
            self.handles.by_slot.insert(into, handle);
        } else {
            self.keep(handle, into)?;
        }
        Ok(Reply::Compacted { status, same_handle, record, looks })
    }
}

/// The state of a compaction.
struct Talk<'a> {
    id: u64,
    step: &'a CompactStep,
    scripted: bool,
    /// Whether the adapter reads lines at any time.
    listens: bool,
    asked: Vec<Asked>,
    /// The call that is not answered, since the compaction was cancelled instead.
    owed: Option<Id>,
    hung: bool,
}

fn no_answer() -> Reply {
    let message = "the compaction was cancelled, and went on waiting for its summary";
    Reply::Refused { code: NO_ANSWER.to_owned(), message: message.into(), looks: None }
}
