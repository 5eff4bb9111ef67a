//! Compactions of a case: what the summarizer is asked, what it answers, and when a compaction is cancelled.
//! Several may be under way at once. Nothing here waits for a clock: an order of events is an order of lines.

use super::Driver;
use crate::fault::{FaultKind, Trouble};
use crate::session::{Heard, read_outcome};
use seamcheck_checks::step::{Asked, CancelPlan, CompactStep, Move, Reply, Slot};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::envelope::{ErrorObject, Id};
use seamcheck_protocol::messages::{
    CancelMode, CompactParams, CompactResult, Summarize, SummarizeParams, method, refusal,
};
use serde_json::value::RawValue;

/// The code of a reply that never came although the compaction was cancelled. It is none of the spec's, so
/// that whoever asks for `CONTEXT_CANCELLED` sees that this is something else.
pub(super) const NO_ANSWER: &str = "no-answer";

/// Calls of the summarizer in one compaction after which the adapter is taken to be in a loop.
const MAX_CALLS: usize = 64;

/// A compaction that was begun.
#[derive(Debug)]
pub(super) struct Talk {
    id: u64,
    /// The context that went in.
    handle: String,
    into: Slot,
    scripted: bool,
    /// What the summarizer does, unless a move says otherwise.
    answer: Answer,
    /// The first question, once it has been asked.
    ask: Option<Id>,
    /// Whether that question was answered in any way.
    answered: bool,
    /// Calls that no outcome tells yet.
    untold: Vec<Asked>,
    calls: usize,
    reply: Option<Reply>,
}

impl Driver<'_> {
    /// A compaction from its beginning to its end.
    pub(super) async fn compact(&mut self, step: &CompactStep) -> Result<(Reply, Vec<Asked>), Trouble> {
        let (reply, mut asked) = self.begin(step).await?;
        if reply != Reply::Waiting {
            return Ok((reply, asked));
        }
        if let (true, Some(first)) = (self.listens(), asked.first_mut()) {
            for slot in &step.inspect_while_waiting {
                first.inspected.push(self.inspect(*slot).await?);
            }
        }
        let moves = [Move::Answer(step.answer.clone())];
        let (reply, more) = self.end(step.into, &moves).await?;
        asked.extend(more);
        Ok((reply, asked))
    }

    /// Sends a compaction, up to its first question.
    pub(super) async fn begin(&mut self, step: &CompactStep) -> Result<(Reply, Vec<Asked>), Trouble> {
        let Some(handle) = self.handles.by_slot.get(&step.slot).cloned() else {
            return Ok((Reply::Skipped, Vec::new()));
        };
        let scripted = step.scripted || self.session.declaration().capabilities.summarize == Summarize::Scripted;
        let params = CompactParams {
            handle: handle.clone(),
            options: step.options.clone(),
            cancelled: step.cancel == CancelPlan::Before,
            cancel_at_look: if let CancelPlan::AtLook(look) = step.cancel { Some(look) } else { None },
            summarizer: scripted.then(|| step.answer.clone()),
        };
        let id = self.session.send(method::COMPACT, &params);
        self.talks.retain(|talk| talk.into != step.into);
        self.talks.push(Talk {
            id,
            handle,
            into: step.into,
            scripted,
            answer: step.answer.clone(),
            ask: None,
            answered: false,
            untold: Vec::new(),
            calls: 0,
            reply: None,
        });
        loop {
            let talk = self.talk(step.into);
            if let Some(talk) = talk.filter(|talk| talk.reply.is_some() || talk.ask.is_some()) {
                let reply = talk.reply.clone().unwrap_or(Reply::Waiting);
                return Ok((reply, std::mem::take(&mut talk.untold)));
            }
            self.hear(false).await?;
        }
    }

    /// Does something to a compaction.
    pub(super) fn tell(&mut self, into: Slot, moves: &[Move]) -> Reply {
        let Some(talk) = self.talks.iter_mut().find(|talk| talk.into == into) else { return Reply::Skipped };
        for step in moves {
            match (step, &talk.ask) {
                (Move::Cancel, _) => self.session.cancel(talk.id),
                // One that never asked has nothing to be answered.
                (Move::Answer(_) | Move::Fail, None) => {}
                (Move::Answer(answer), Some(ask)) => {
                    self.session.answer_summarize(ask.clone(), answer);
                    talk.answered = true;
                }
                (Move::Fail, Some(ask)) => {
                    self.session.fail_summarize(ask.clone(), "cancelled instead of an answer");
                    talk.answered = true;
                }
            }
        }
        Reply::Told
    }

    /// Does something to a compaction and waits for its end.
    pub(super) async fn end(&mut self, into: Slot, moves: &[Move]) -> Result<(Reply, Vec<Asked>), Trouble> {
        self.tell(into, moves);
        loop {
            let Some(talk) = self.talk(into) else { return Ok((Reply::Skipped, Vec::new())) };
            if let Some(reply) = talk.reply.clone() {
                return Ok((reply, std::mem::take(&mut talk.untold)));
            }
            let owed = talk.ask.is_some() && !talk.answered;
            match self.hear(owed).await {
                Ok(()) => {}
                // An implementation that goes on waiting although it is cancelled has not broken the protocol: it is
                // given the answer after all, so that the session goes on, and what then comes is no reply.
                Err(trouble) if owed && trouble.kind == FaultKind::IdleTimeout => {
                    self.session.note_deaf_to_cancel();
                    self.release_the_hung(into).await?;
                }
                Err(trouble) => return Err(trouble),
            }
        }
    }

    async fn release_the_hung(&mut self, into: Slot) -> Result<(), Trouble> {
        let answer = self.talk(into).map(|talk| talk.answer.clone());
        let moves: Vec<Move> = answer.into_iter().map(Move::Answer).collect();
        self.tell(into, &moves);
        while self.talk(into).is_some_and(|talk| talk.reply.is_none()) {
            self.hear(false).await?;
        }
        if let Some(talk) = self.talk(into) {
            talk.reply = Some(no_answer());
        }
        Ok(())
    }

    /// Brings whatever a case left under way to its end, so that nothing of it is heard in the next one.
    pub(super) async fn end_all(&mut self) -> Result<(), Trouble> {
        while let Some(into) = self.talks.iter().find(|talk| talk.reply.is_none()).map(|talk| talk.into) {
            self.end(into, &[Move::Cancel, Move::Fail]).await?;
        }
        Ok(())
    }

    fn listens(&self) -> bool {
        self.session.declaration().capabilities.cancel.contains(&CancelMode::Async)
    }

    fn talk(&mut self, into: Slot) -> Option<&mut Talk> {
        self.talks.iter_mut().find(|talk| talk.into == into)
    }

    /// The next thing about any of the compactions under way.
    async fn hear(&mut self, owed: bool) -> Result<(), Trouble> {
        match self.session.hear(owed).await? {
            Heard::Answer { id, outcome } => self.take_end(id, outcome),
            Heard::Summarize { ask, params } => self.take_question(ask, params),
        }
    }

    fn take_end(&mut self, id: u64, outcome: Result<Box<RawValue>, ErrorObject>) -> Result<(), Trouble> {
        let Some(place) = self.talks.iter().position(|talk| talk.id == id && talk.reply.is_none()) else {
            return Err(Trouble::invalid_message(format!("an answer to {id}, which is not waited for")));
        };
        let reply = match read_outcome::<CompactResult>(outcome, method::COMPACT)? {
            Ok(CompactResult { status, handle, record, looks }) => {
                let talk = &self.talks[place];
                let (same_handle, into) = (handle == talk.handle, talk.into);
                if same_handle {
                    self.handles.by_slot.insert(into, handle);
                } else {
                    self.keep(handle, into)?;
                }
                Reply::Compacted { status, same_handle, record, looks }
            }
            Err(refused) => refused.into(),
        };
        let counts = self.session.declaration().capabilities.cancel.contains(&CancelMode::AtLook);
        if counts && reply.looks().is_none() && reply.refusal_code() != Some(refusal::UNSUPPORTED) {
            return Err(Trouble::bad_result("`compact` says no `looks`, and the cancel mode `at-look` is declared"));
        }
        self.talks[place].reply = Some(reply);
        Ok(())
    }

    /// One call of the summarizer.
    fn take_question(&mut self, ask: Option<Id>, params: SummarizeParams) -> Result<(), Trouble> {
        let Some(talk) = self.talks.iter_mut().find(|talk| params.compaction == talk.id) else {
            let words = format!("`summarize` for the compaction {}, which is not waited for", params.compaction);
            return Err(Trouble::invalid_message(words));
        };
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
        if talk.calls == MAX_CALLS {
            return Err(Trouble::invalid_message(format!(
                "more than {MAX_CALLS} calls of `summarize` in one compaction"
            )));
        }
        talk.calls += 1;
        talk.untold.push(Asked { request: params.request, inspected: Vec::new() });
        match ask {
            Some(ask) if talk.ask.is_none() => talk.ask = Some(ask),
            // Whoever asks again is given the same answer at once.
            Some(ask) => self.session.answer_summarize(ask, &talk.answer),
            None => {}
        }
        Ok(())
    }
}

fn no_answer() -> Reply {
    let message = "the compaction was cancelled, and went on waiting for its summary";
    Reply::Refused { code: NO_ANSWER.to_owned(), message: message.into(), looks: None }
}
