//! Compactions of a session while they run: what they ask, what is answered, and what cancels them.

use super::{Outbox, Session, panicked};
use crate::answer::Answer;
use crate::envelope::{ErrorObject, INVALID_PARAMS, INVALID_REQUEST, Id, Message, read_params};
use crate::implementation::{Answers, Compacted, Host, Implementation, Refusal, SendSummarize};
use crate::messages::{CancelParams, CompactParams, CompactResult, RefusalData, Status, SummarizeParams, method};
use crate::payload::Payload;
use crate::signal::Signal;
use serde_json::value::RawValue;
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

/// Those that run, by the id of their request as JSON text.
#[derive(Default)]
pub(super) struct Compactions {
    running: RefCell<HashMap<String, Running>>,
    /// Signals of those that ended last: a cancellation that comes late still turns them.
    ended: RefCell<VecDeque<(String, Signal)>>,
    questions: Rc<RefCell<Questions>>,
}

/// Signals of ended compactions that are kept.
const ENDED_KEPT: usize = 16;

struct Running {
    id: Id,
    signal: Signal,
    /// Once it has waited for something.
    task: Option<AbortHandle>,
}

/// Questions to the runner that are not answered, by their ids.
#[derive(Debug, Default)]
struct Questions {
    asked: u64,
    open: HashMap<String, Question>,
}

#[derive(Debug)]
struct Question {
    compaction: String,
    answer: mpsc::UnboundedSender<Answer>,
    answered: bool,
}

impl Compactions {
    /// Turns the signal of a compaction on. One that has ended is past it; whatever still watches its signal sees the
    /// turn, as it would in the implementation's own program.
    pub(super) fn cancel(&self, params: Option<&RawValue>) {
        let Ok(CancelParams { compaction }) = read_params(params) else { return };
        let key = compaction.to_string();
        let running = self.running.borrow().get(&key).map(|running| running.signal.clone());
        let ended = || self.ended.borrow().iter().find(|(ended, _)| *ended == key).map(|(_, signal)| signal.clone());
        if let Some(signal) = running.or_else(ended) {
            signal.cancel();
        }
    }

    /// Hands an answer to the compaction that asked; one that no longer asks is past it. An answer that
    /// cannot be read ends the compaction with the error returned, since nothing may pass for an answer.
    pub(super) fn take_answer(
        &self,
        id: &Id,
        outcome: Result<Box<RawValue>, ErrorObject>,
    ) -> Option<(Id, ErrorObject)> {
        let mut questions = self.questions.borrow_mut();
        let question = questions.open.get_mut(id.as_str()?)?;
        let is_first = !std::mem::replace(&mut question.answered, true);
        let answer = match outcome {
            Ok(answer) => serde_json::from_str(answer.get()),
            Err(error) => Ok(Answer::Reject { message: error.message, cancel: false }),
        };
        match answer {
            Ok(answer) => {
                // The receiver is gone when nobody waits for it any more, as after the first answer.
                let _ = question.answer.send(answer);
                None
            }
            Err(_) if !is_first => None,
            Err(error) => {
                let question = questions.open.remove(id.as_str()?)?;
                let running = self.running.borrow_mut().remove(&question.compaction)?;
                if let Some(task) = running.task {
                    task.abort();
                }
                Some((running.id, ErrorObject::new(INVALID_PARAMS, format!("answer to `summarize`: {error}"))))
            }
        }
    }

    /// Forgets a compaction that has ended. A question whose answer something still waits for stays open:
    /// an answer that comes late must reach it, as it would in the implementation's own program.
    fn forget(&self, key: &str) -> bool {
        let waits = |question: &Question| question.compaction != key || !question.answer.is_closed();
        self.questions.borrow_mut().open.retain(|_, question| waits(question));
        let Some(running) = self.running.borrow_mut().remove(key) else { return false };
        let mut ended = self.ended.borrow_mut();
        if ended.len() == ENDED_KEPT {
            ended.pop_front();
        }
        ended.push_back((key.to_owned(), running.signal));
        true
    }
}

impl<I: Implementation> Session<I> {
    /// Starts a compaction, which answers by itself when it ends.
    pub(super) async fn start_compaction(
        self: &Rc<Self>,
        id: Id,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let params: CompactParams = read_params(params)?;
        let state = self.state(&params.handle)?;
        let key = id.to_string();
        if self.compactions.running.borrow().contains_key(&key) {
            return Err(ErrorObject::new(INVALID_REQUEST, format!("the compaction {key} is still running")));
        }
        let signal = Signal::new(params.cancelled, params.cancel_at_look);
        let outbox = Asker {
            id: id.clone(),
            key: key.clone(),
            outbox: self.outbox.clone(),
            questions: Rc::clone(&self.compactions.questions),
        };
        let host = Host::new(params.summarizer, signal.clone(), Box::new(outbox));
        let running = Running { id: id.clone(), signal, task: None };
        self.compactions.running.borrow_mut().insert(key.clone(), running);

        let session = Rc::clone(self);
        let ending_key = key.clone();
        let mut compaction = Box::pin(async move {
            let work = async { session.implementation.compact(&state, &params.options, &host).await };
            let outcome = guard_future(Box::pin(work)).await;
            // One whose answer could not be read has been answered already.
            if session.compactions.forget(&ending_key) {
                session.end_compaction(id, outcome, params.handle, host.signal());
            }
        });
        // It runs up to its first wait before the next line is read.
        let started = poll_fn(|task| Poll::Ready(compaction.as_mut().poll(task))).await;
        if started.is_pending() {
            let task = tokio::task::spawn_local(compaction).abort_handle();
            if let Some(running) = self.compactions.running.borrow_mut().get_mut(&key) {
                running.task = Some(task);
            }
        }
        Ok(())
    }

    fn end_compaction(
        &self,
        id: Id,
        outcome: Result<Result<Compacted<I::State>, Refusal>, ErrorObject>,
        old_handle: String,
        signal: &Signal,
    ) {
        let looks = self.counts_looks.get().then(|| signal.looks());
        let message = match outcome {
            Ok(Ok(Compacted::Unchanged)) => {
                let result = CompactResult { status: Status::Unchanged, handle: old_handle, record: None, looks };
                Message::result(id, &result)
            }
            Ok(Ok(Compacted::New { state, record })) => {
                let handle = self.issue(state);
                let result = CompactResult { status: Status::Compacted, handle, record: Some(record), looks };
                Message::result(id, &result)
            }
            Ok(Err(refusal)) => {
                let data = RefusalData { code: refusal.code, looks };
                Message::error(id, ErrorObject::refusal(&data, refusal.message))
            }
            Err(error) => Message::error(id, error),
        };
        self.outbox.send(&message);
    }
}

/// Asks the runner on behalf of one compaction.
#[derive(Debug)]
struct Asker {
    id: Id,
    key: String,
    outbox: Outbox,
    questions: Rc<RefCell<Questions>>,
}

impl SendSummarize for Asker {
    fn notify(&self, request: Payload) {
        let params = SummarizeParams { compaction: self.id.clone(), request };
        self.outbox.send(&Message::notification(method::SUMMARIZE, &params));
    }

    fn ask(&self, request: Payload) -> Answers {
        let (answer, receiver) = mpsc::unbounded_channel();
        let mut questions = self.questions.borrow_mut();
        questions.asked += 1;
        let id = format!("s{}", questions.asked);
        questions.open.insert(id.clone(), Question { compaction: self.key.clone(), answer, answered: false });
        let params = SummarizeParams { compaction: self.id.clone(), request };
        self.outbox.send(&Message::request(id.into(), method::SUMMARIZE, &params));
        Answers(receiver)
    }
}

/// A panic on the way ends the future, and the session goes on.
async fn guard_future<T>(mut future: Pin<Box<dyn Future<Output = T> + '_>>) -> Result<T, ErrorObject> {
    let outcome = poll_fn(|task| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(task))) {
        Ok(poll) => poll.map(Ok),
        Err(payload) => Poll::Ready(Err(panicked(&*payload))),
    })
    .await;
    match catch_unwind(AssertUnwindSafe(|| drop(future))) {
        Ok(()) => outcome,
        Err(payload) => Err(panicked(&*payload)),
    }
}
