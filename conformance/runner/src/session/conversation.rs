//! One conversation of a session: requests and their answers, and what the adapter asks back.
//!
//! The clock runs only while this side waits. It starts anew with everything that the adapter says to anybody,
//! since a blocking adapter answers one after another; but not for ever, since one that is busy with others for
//! longer than all of them may take has forgotten this one.

use super::{OpenRequest, Shared, read_outcome};
use crate::fault::{FaultKind, Trouble};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::envelope::{ErrorObject, INVALID_REQUEST, Id, Message};
use seamcheck_protocol::messages::{CancelParams, Declaration, SummarizeParams, method};
use seamcheck_protocol::payload::WireText;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

/// How long a cancelled compaction is waited for once one has gone on waiting for the whole of the limit.
const DEAF_LIMIT: Duration = Duration::from_millis(500);

/// Messages that are kept for later, beyond which an adapter is taken to flood the session.
const MOST_KEPT: usize = 256;

/// One conversation. What is said to it after it has been dropped is passed over.
#[derive(Debug)]
pub struct Conversation {
    shared: Arc<Shared>,
    declaration: Arc<Declaration>,
    key: u64,
    incoming: mpsc::UnboundedReceiver<Heard>,
    /// Heard while something else was waited for.
    backlog: VecDeque<Heard>,
}

/// Something that the adapter said.
#[derive(Debug)]
pub enum Heard {
    /// An answer to an open request.
    Answer {
        /// The request.
        id: u64,
        /// What came of it.
        outcome: Result<Box<RawValue>, ErrorObject>,
    },
    /// A call of the summarizer in a compaction that is open.
    Summarize {
        /// The id to answer to; none when the adapter only tells.
        ask: Option<Id>,
        /// What is asked.
        params: SummarizeParams,
    },
}

/// A refusal by the implementation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Its code.
    pub code: String,
    /// Its words.
    pub message: WireText,
    /// How often the cancellation was looked at, if the adapter counts that.
    pub looks: Option<u32>,
}

impl Conversation {
    pub(super) fn new(shared: &Arc<Shared>, declaration: &Arc<Declaration>) -> Self {
        let (listener, incoming) = mpsc::unbounded_channel();
        let mut state = shared.state();
        state.last_conversation += 1;
        let key = state.last_conversation;
        if state.broken.is_none() {
            state.listeners.insert(key, listener);
        }
        drop(state);
        let (shared, declaration) = (Arc::clone(shared), Arc::clone(declaration));
        Self { shared, declaration, key, incoming, backlog: VecDeque::new() }
    }

    /// What the adapter declares.
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// Sends a request and returns its id.
    pub fn send(&mut self, method: &str, params: &impl Serialize) -> u64 {
        // Held until the line is in the queue, so that ids go out in their order.
        let mut state = self.shared.state();
        let id = state.last_id + 1;
        self.shared.send(&Message::request(id.into(), method, params));
        state.last_id = id;
        let compaction = method == method::COMPACT;
        state.open.insert(id, OpenRequest { conversation: self.key, compaction });
        if !compaction {
            state.in_order.push_back(id);
        }
        id
    }

    /// Sends a request and waits for what comes of it.
    ///
    /// # Errors
    /// A fault of the adapter.
    pub async fn call<T: DeserializeOwned>(
        &mut self,
        method: &str,
        params: &impl Serialize,
    ) -> Result<Result<T, Refused>, Trouble> {
        let id = self.send(method, params);
        self.answer_to(id, method).await
    }

    /// Waits for the answer to a request. Everything else that is heard meanwhile is kept for [`Self::hear`].
    ///
    /// # Errors
    /// A fault of the adapter.
    pub async fn answer_to<T: DeserializeOwned>(
        &mut self,
        id: u64,
        method: &str,
    ) -> Result<Result<T, Refused>, Trouble> {
        loop {
            match self.listen(self.shared.timeouts.idle).await? {
                Heard::Answer { id: answered, outcome } if answered == id => return read_outcome(outcome, method),
                _ if self.backlog.len() == MOST_KEPT => {
                    let words = format!("more than {MOST_KEPT} messages while `{method}` waits for its answer");
                    return Err(Trouble::invalid_message(words));
                }
                other => self.backlog.push_back(other),
            }
        }
    }

    /// The next thing that the adapter says about what is open; `cancelled` when all it has left to do is to
    /// end a cancelled compaction.
    ///
    /// # Errors
    /// A fault of the adapter.
    pub async fn hear(&mut self, cancelled: bool) -> Result<Heard, Trouble> {
        let idle = self.shared.timeouts.idle;
        let limit = if cancelled && self.shared.state().deaf_to_cancel { idle.min(DEAF_LIMIT) } else { idle };
        match self.backlog.pop_front() {
            Some(heard) => Ok(heard),
            None => self.listen(limit).await,
        }
    }

    /// Notes that a cancelled compaction went on waiting. The next one is not waited for that long: the
    /// verdict stands, and every further case like it would cost the whole limit.
    pub fn note_deaf_to_cancel(&mut self) {
        self.shared.state().deaf_to_cancel = true;
    }

    /// Answers a call of the summarizer.
    pub fn answer_summarize(&mut self, ask: Id, answer: &Answer) {
        self.shared.send(&Message::result(ask, answer));
    }

    /// Answers a call of the summarizer by an error, on which the adapter's summarizer fails.
    pub fn fail_summarize(&mut self, ask: Id, words: &str) {
        self.shared.send(&Message::error(ask, ErrorObject::new(INVALID_REQUEST, words)));
    }

    /// Cancels a compaction.
    pub fn cancel(&mut self, compaction: u64) {
        let params = CancelParams { compaction: compaction.into() };
        self.shared.send(&Message::notification(method::CANCEL, &params));
    }

    /// Whether the adapter has not issued this handle before, which it must not do twice.
    pub fn is_new_handle(&mut self, handle: &str) -> bool {
        self.shared.state().handles.insert(handle)
    }

    /// Whether a compaction of this conversation still runs, which then nobody would answer any more.
    pub fn has_compaction_running(&self) -> bool {
        self.shared.state().open.values().any(|request| request.compaction && request.conversation == self.key)
    }

    /// Waits for what is said to this conversation.
    pub(super) async fn listen(&mut self, limit: Duration) -> Result<Heard, Trouble> {
        let began = Instant::now();
        let conversations = u32::try_from(self.shared.state().listeners.len()).unwrap_or(u32::MAX).max(1);
        let latest = began + limit.saturating_mul(conversations);
        loop {
            let deadline = self.shared.state().last_heard.max(began) + limit;
            match timeout_at(deadline.min(latest), self.incoming.recv()).await {
                Ok(Some(heard)) => return Ok(heard),
                Ok(None) => return Err(self.broken()),
                Err(_) if Instant::now() < latest && self.shared.state().last_heard + limit > deadline => {}
                Err(_) => {
                    let words = format!("no answer within {limit:?}; a slow adapter needs a longer --timeout-seconds");
                    return Err(Trouble::new(FaultKind::IdleTimeout, words));
                }
            }
        }
    }

    fn broken(&self) -> Trouble {
        let over = || Trouble::new(FaultKind::EndOfFile, "after the session had ended");
        self.shared.state().broken.clone().unwrap_or_else(over)
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.shared.state().listeners.remove(&self.key);
    }
}
