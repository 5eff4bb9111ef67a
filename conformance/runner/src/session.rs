//! A session with one adapter: the handshake, requests and their answers, and what the adapter asks back.
//!
//! Every message of the adapter is matched to something that was asked. What cannot be is a fault of its own
//! kind, and so is silence. The clock runs only while the adapter owes something: it starts anew whenever
//! the runner begins to wait. What a case is, is not known here.

mod incoming;
mod start;

pub use incoming::read_outcome;

use crate::fault::{AdapterFault, FaultKind, Trouble};
use crate::link::{Incoming, Link};
use crate::process::Process;
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::envelope::{ErrorObject, INVALID_REQUEST, Id, MAX_LINE_BYTES, Message};
use seamcheck_protocol::messages::{CancelParams, Declaration, Empty, SummarizeParams, method};
use seamcheck_protocol::payload::WireText;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::collections::{HashSet, VecDeque};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How long a timed-out adapter may take to wind up once it has been told to cancel.
const CANCEL_GRACE: Duration = Duration::from_secs(1);
/// How long a cancelled compaction is waited for once one has gone on waiting for the whole of the limit.
const DEAF_LIMIT: Duration = Duration::from_millis(500);

/// How long an adapter may be silent.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// Until `initialize` is answered.
    pub start: Duration,
    /// While it owes an answer.
    pub idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { start: Duration::from_secs(30), idle: Duration::from_secs(5) }
    }
}

/// A session.
#[derive(Debug)]
pub struct Session {
    link: Link,
    /// None over streams that are not a process's.
    process: Option<Process>,
    timeouts: Timeouts,
    declaration: Declaration,
    last_id: u64,
    /// Ids of requests that are not answered yet.
    open: Vec<u64>,
    compaction: Option<u64>,
    /// Heard while something else was waited for.
    backlog: VecDeque<Heard>,
    handles: HashSet<String>,
    deaf_to_cancel: bool,
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
    /// A call of the summarizer in the compaction that is open.
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

impl Session {
    fn new(link: Link, process: Option<Process>, timeouts: Timeouts, declaration: Declaration) -> Self {
        Self {
            link,
            process,
            timeouts,
            declaration,
            last_id: 0,
            open: Vec::new(),
            compaction: None,
            backlog: VecDeque::new(),
            handles: HashSet::new(),
            deaf_to_cancel: false,
        }
    }

    /// What the adapter declares.
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// Sends a request and returns its id.
    pub fn send(&mut self, method: &str, params: &impl Serialize) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send_message(&Message::request(id.into(), method, params));
        self.open.push(id);
        if method == method::COMPACT {
            self.compaction = Some(id);
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
            match self.listen(self.timeouts.idle).await? {
                Heard::Answer { id: answered, outcome } if answered == id => return read_outcome(outcome, method),
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
        let idle = self.timeouts.idle;
        let limit = if cancelled && self.deaf_to_cancel { idle.min(DEAF_LIMIT) } else { idle };
        match self.backlog.pop_front() {
            Some(heard) => Ok(heard),
            None => self.listen(limit).await,
        }
    }

    /// Notes that a cancelled compaction went on waiting. The next one is not waited for that long: the
    /// verdict stands, and every further case like it would cost the whole limit.
    pub fn note_deaf_to_cancel(&mut self) {
        self.deaf_to_cancel = true;
    }

    /// Answers a call of the summarizer.
    pub fn answer_summarize(&mut self, ask: Id, answer: &Answer) {
        self.send_message(&Message::result(ask, answer));
    }

    /// Answers a call of the summarizer by an error, on which the adapter's summarizer fails.
    pub fn fail_summarize(&mut self, ask: Id, words: &str) {
        self.send_message(&Message::error(ask, ErrorObject::new(INVALID_REQUEST, words)));
    }

    /// Cancels a compaction.
    pub fn cancel(&mut self, compaction: u64) {
        let params = CancelParams { compaction: compaction.into() };
        self.send_message(&Message::notification(method::CANCEL, &params));
    }

    /// Whether the adapter has never issued this handle before, which it must not do twice.
    pub fn is_new_handle(&mut self, handle: &str) -> bool {
        self.handles.insert(handle.to_owned())
    }

    /// Ends the process and says everything that is known about the fault.
    pub async fn explain(mut self, trouble: Trouble) -> AdapterFault {
        if let (FaultKind::IdleTimeout, Some(compaction)) = (&trouble.kind, self.compaction) {
            self.cancel(compaction);
            let deadline = Instant::now() + CANCEL_GRACE;
            while !matches!(timeout_at(deadline, self.link.receive()).await, Ok(Incoming::End) | Err(_)) {}
        }
        match self.process.take() {
            Some(process) => process.explain(trouble).await,
            None => AdapterFault { kind: trouble.kind, words: trouble.words, stderr: Vec::new() },
        }
    }

    /// The last lines of standard error, for a fault after which the session goes on.
    pub fn describe(&self, trouble: Trouble) -> AdapterFault {
        let stderr = self.process.as_ref().map(Process::stderr_lines).unwrap_or_default();
        AdapterFault { kind: trouble.kind, words: trouble.words, stderr }
    }

    /// Ends the session as the protocol says.
    ///
    /// # Errors
    /// The adapter does not answer, does not end, or ends with another status than 0.
    pub async fn shut_down(mut self) -> Result<(), AdapterFault> {
        match self.call::<Empty>(method::SHUTDOWN, &Empty {}).await {
            Ok(Ok(Empty {})) => {}
            Ok(Err(refused)) => {
                let words = format!("`shutdown` was refused as {}", refused.code);
                return Err(self.explain(Trouble::bad_result(words)).await);
            }
            Err(trouble) => return Err(self.explain(trouble).await),
        }
        let Some(mut process) = self.process.take() else { return Ok(()) };
        let status = process.wait(self.timeouts.idle).await;
        let stderr = process.stderr_lines();
        match status {
            Some(status) if status.success() => Ok(()),
            Some(status) => {
                let words = crate::process::exit::in_words(status);
                let words = format!("after `shutdown` the adapter ended with {words}; it must be exit status 0");
                Err(AdapterFault { kind: crate::process::exit::fault_of(status), words, stderr })
            }
            None => {
                let words = format!("the adapter still ran {:?} after it had answered `shutdown`", self.timeouts.idle);
                Err(AdapterFault { kind: FaultKind::IdleTimeout, words, stderr })
            }
        }
    }

    fn send_message(&mut self, message: &Message) {
        let line = message.to_line();
        assert!(line.len() <= MAX_LINE_BYTES + 1, "a case needs a line of {} bytes, over the limit", line.len());
        self.link.send(line);
    }
}

#[cfg(test)]
mod tests;
