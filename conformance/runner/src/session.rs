//! A session with one adapter: the handshake, several conversations at once, and its end.
//!
//! Every message of the adapter is matched to something that was asked, by `incoming`, and goes to the
//! conversation that asked it. What cannot be matched ends the session with a fault of its own kind. What a case
//! is, is not known here.

mod conversation;
mod handles;
mod incoming;
mod start;

pub use conversation::{Conversation, Heard, Refused};
pub use incoming::read_outcome;

use crate::fault::{AdapterFault, FaultKind, Trouble};
use crate::link::{Link, Outgoing};
use crate::process::Process;
use handles::RecentHandles;
use seamcheck_protocol::envelope::{MAX_LINE_BYTES, Message};
use seamcheck_protocol::messages::{CancelParams, Declaration, Empty, method};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

/// How long a timed-out adapter may take to wind up once it has been told to cancel.
const CANCEL_GRACE: Duration = Duration::from_secs(1);

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

/// A session. Dropping it ends the adapter.
#[derive(Debug)]
pub struct Session {
    shared: Arc<Shared>,
    /// None over streams that are not a process's.
    process: Option<Process>,
    declaration: Arc<Declaration>,
    reading: JoinHandle<()>,
}

/// What the conversations of a session share.
#[derive(Debug)]
struct Shared {
    outgoing: Outgoing,
    timeouts: Timeouts,
    state: Mutex<State>,
    /// Turns true when nothing is read any more.
    over: watch::Sender<bool>,
}

#[derive(Debug)]
struct State {
    last_id: u64,
    last_conversation: u64,
    /// Requests that are not answered yet.
    open: HashMap<u64, OpenRequest>,
    /// Those of them that must be answered in the order in which they were sent.
    in_order: VecDeque<u64>,
    /// Where what is heard goes. Empty once the session is over.
    listeners: HashMap<u64, mpsc::UnboundedSender<Heard>>,
    /// When the adapter last said something that was waited for.
    last_heard: Instant,
    handles: RecentHandles,
    deaf_to_cancel: bool,
    /// Requests of the adapter's for methods that there are not.
    unknown_methods: u32,
    /// Why the session is over.
    broken: Option<Trouble>,
}

#[derive(Debug, Clone, Copy)]
struct OpenRequest {
    conversation: u64,
    compaction: bool,
}

impl Session {
    fn new(link: Link, process: Option<Process>, timeouts: Timeouts) -> Self {
        let (outgoing, lines) = link.split();
        let state = State {
            last_id: 0,
            last_conversation: 0,
            open: HashMap::new(),
            in_order: VecDeque::new(),
            listeners: HashMap::new(),
            last_heard: Instant::now(),
            handles: RecentHandles::default(),
            deaf_to_cancel: false,
            unknown_methods: 0,
            broken: None,
        };
        let shared = Arc::new(Shared { outgoing, timeouts, state: Mutex::new(state), over: watch::channel(false).0 });
        let reading = tokio::spawn(incoming::read_all(Arc::clone(&shared), lines));
        Self { shared, process, declaration: Arc::new(start::undeclared()), reading }
    }

    /// What the adapter declares.
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// A new conversation, which is heard apart from all others.
    pub fn conversation(&self) -> Conversation {
        Conversation::new(&self.shared, &self.declaration)
    }

    /// Ends the session as it is: nothing is heard any more, and every conversation learns why.
    pub fn break_off(&self, trouble: &Trouble) {
        self.shared.break_off(trouble.clone());
    }

    /// Ends the process and says everything that is known about the fault.
    pub async fn explain(mut self, trouble: Trouble) -> AdapterFault {
        if trouble.kind == FaultKind::IdleTimeout && self.shared.cancel_all() {
            let mut over = self.shared.over.subscribe();
            // Whether it has wound up is of no matter: it is killed in either case.
            let _ = timeout(CANCEL_GRACE, over.wait_for(|over| *over)).await;
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
        let answered = self.conversation().call::<Empty>(method::SHUTDOWN, &Empty {}).await;
        match answered {
            Ok(Ok(Empty {})) => {}
            Ok(Err(refused)) => {
                let words = format!("`shutdown` was refused as {}", refused.code);
                return Err(self.explain(Trouble::bad_result(words)).await);
            }
            Err(trouble) => return Err(self.explain(trouble).await),
        }
        let Some(mut process) = self.process.take() else { return Ok(()) };
        let idle = self.shared.timeouts.idle;
        let status = process.wait(idle).await;
        let stderr = process.stderr_lines();
        // What it says behind its last answer must make sense too; most say nothing.
        let mut over = self.shared.over.subscribe();
        let _ = timeout(CANCEL_GRACE, over.wait_for(|over| *over)).await;
        let last = self.shared.state().broken.clone();
        if let Some(trouble) = last.filter(|trouble| trouble.kind != FaultKind::EndOfFile) {
            let words = format!("after the answer to `shutdown`: {}", trouble.words);
            return Err(AdapterFault { kind: trouble.kind, words, stderr });
        }
        match status {
            Some(status) if status.success() => Ok(()),
            Some(status) => {
                let words = crate::process::exit::in_words(status);
                let words = format!("after `shutdown` the adapter ended with {words}; it must be exit status 0");
                Err(AdapterFault { kind: crate::process::exit::fault_of(status), words, stderr })
            }
            None => {
                let words = format!("the adapter still ran {idle:?} after it had answered `shutdown`");
                Err(AdapterFault { kind: FaultKind::IdleTimeout, words, stderr })
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.reading.abort();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held but for a line that is too long, which leaves it as it was.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, message: &Message) {
        let line = message.to_line();
        assert!(line.len() <= MAX_LINE_BYTES + 1, "a case needs a line of {} bytes, over the limit", line.len());
        self.outgoing.send(line);
    }

    /// Cancels every compaction that runs; whether there was one.
    fn cancel_all(&self) -> bool {
        let state = self.state();
        let running = state.open.iter().filter(|(_, request)| request.compaction).map(|(id, _)| *id);
        let mut running: Vec<u64> = running.collect();
        drop(state);
        running.sort_unstable();
        for compaction in &running {
            let params = CancelParams { compaction: (*compaction).into() };
            self.send(&Message::notification(method::CANCEL, &params));
        }
        !running.is_empty()
    }

    fn break_off(&self, trouble: Trouble) {
        let mut state = self.state();
        state.broken.get_or_insert(trouble);
        // Whoever listens learns that nothing comes any more.
        state.listeners.clear();
    }
}

#[cfg(test)]
mod tests;
