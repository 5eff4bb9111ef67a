//! Serves an [`Implementation`] by the protocol: a whole adapter in one call. `PROTOCOL.md` says what it does.
//!
//! One thread. A method is answered when its line is read; a compaction runs until it waits for
//! the summarizer, and goes on beside whatever comes next. Absent on purpose: a limit on cases in flight,
//! which is the runner's to keep, and any log, since the panic message is on stderr already.

mod compaction;

use crate::envelope::{
    ErrorObject, INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, Id, MAX_LINE_BYTES, METHOD_NOT_FOUND, Message,
    read_params,
};
use crate::implementation::{Implementation, Refusal};
use crate::lines::{Line, read_line, write_lines};
use crate::messages::{
    BoundaryParams, CancelMode, ContextParams, CutParams, Declaration, Empty, HandleParams, HandleResult,
    InitializeParams, MessagesParams, PROTOCOL_VERSION, RefusalData, UnitsResult, method, refusal,
};
use compaction::Compactions;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use tokio::io::{AsyncBufRead, AsyncWrite, BufReader, BufWriter};
use tokio::sync::{Notify, mpsc};
use tokio::task::LocalSet;

/// Serves the implementation on these streams until `shutdown` or the end of the input. Compactions that
/// still wait are dropped then; what was answered is written.
///
/// # Errors
/// Whatever the streams fail with.
pub async fn serve<I: Implementation>(
    implementation: I,
    input: impl AsyncBufRead + Unpin,
    output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let (outbox, lines) = mpsc::unbounded_channel();
    let backlog = Rc::new(Backlog::default());
    let mut writing = std::pin::pin!(write_lines(lines, output, |bytes| backlog.written(bytes)));
    let outbox = Outbox { lines: outbox, backlog: Rc::clone(&backlog) };
    let tasks = LocalSet::new();
    let ended = tokio::select! {
        ended = tasks.run_until(Rc::new(Session::new(implementation, outbox)).read(input)) => ended,
        failed = &mut writing => return failed,
    };
    drop(tasks);
    writing.await?;
    ended
}

/// [`serve`] on standard input and output, in a runtime of its own. Nothing else may print on standard output.
///
/// # Errors
/// Whatever the streams fail with.
pub fn serve_stdio<I: Implementation>(implementation: I) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let input = BufReader::with_capacity(BUFFER_BYTES, tokio::io::stdin());
    let output = BufWriter::with_capacity(BUFFER_BYTES, tokio::io::stdout());
    let served = runtime.block_on(serve(implementation, input, output));
    // A read of standard input cannot be taken back, and must not hold up the exit.
    runtime.shutdown_background();
    served
}

/// Standard input and output are served by other threads: the more at once, the fewer turns.
const BUFFER_BYTES: usize = 64 * 1024;

struct Session<I: Implementation> {
    implementation: I,
    outbox: Outbox,
    initialized: Cell<bool>,
    /// Whether answers to `compact` say how often the cancellation was looked at.
    counts_looks: Cell<bool>,
    states: RefCell<HashMap<String, Rc<I::State>>>,
    handles_issued: Cell<u64>,
    compactions: Compactions,
}

enum Flow {
    GoOn,
    /// Something was woken: it goes on before the next line is read.
    LetOthersRun,
    Stop,
}

impl<I: Implementation> Session<I> {
    fn new(implementation: I, outbox: Outbox) -> Self {
        Self {
            implementation,
            outbox,
            initialized: Cell::new(false),
            counts_looks: Cell::new(false),
            states: RefCell::default(),
            handles_issued: Cell::new(0),
            compactions: Compactions::default(),
        }
    }

    async fn read(self: Rc<Self>, mut input: impl AsyncBufRead + Unpin) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            self.outbox.backlog.room().await;
            match read_line(&mut input, &mut line).await? {
                Line::End => return Ok(()),
                Line::TooLong => {
                    let error = ErrorObject::new(INVALID_REQUEST, format!("a line over {MAX_LINE_BYTES} bytes"));
                    self.outbox.send(&Message::error(Id::Null, error));
                }
                Line::Whole => match self.take(&line).await {
                    Flow::GoOn => {}
                    Flow::LetOthersRun => tokio::task::yield_now().await,
                    Flow::Stop => return Ok(()),
                },
            }
        }
    }

    async fn take(self: &Rc<Self>, line: &[u8]) -> Flow {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Flow::GoOn;
        }
        match Message::parse(line) {
            Err(error) => self.outbox.send(&Message::error(Id::Null, ErrorObject::new(error.code, error.message))),
            Ok(Message::Request { id, method, params }) => return self.answer(id, &method, params.as_deref()).await,
            Ok(Message::Notification { method, params }) => {
                if method == method::CANCEL {
                    self.compactions.cancel(params.as_deref());
                    return Flow::LetOthersRun;
                }
            }
            Ok(Message::Response { id, outcome }) => {
                if let Some((compaction, error)) = self.compactions.take_answer(&id, outcome) {
                    self.outbox.send(&Message::error(compaction, error));
                }
                return Flow::LetOthersRun;
            }
        }
        Flow::GoOn
    }

    async fn answer(self: &Rc<Self>, id: Id, method: &str, params: Option<&RawValue>) -> Flow {
        let known_early = matches!(method, method::INITIALIZE | method::SHUTDOWN);
        let outcome = if !self.initialized.get() && !known_early {
            Err(ErrorObject::new(INVALID_REQUEST, format!("`{method}` before `initialize`")))
        } else if method == method::COMPACT {
            match self.start_compaction(id.clone(), params).await {
                Ok(()) => return Flow::GoOn,
                Err(error) => Err(error),
            }
        } else {
            self.call(method, params)
        };
        self.outbox.send(&Message::Response { id, outcome });
        if method == method::SHUTDOWN { Flow::Stop } else { Flow::GoOn }
    }

    /// Every method that is answered at once.
    fn call(&self, method: &str, params: Option<&RawValue>) -> Result<Box<RawValue>, ErrorObject> {
        match method {
            method::INITIALIZE => raw(&self.initialize(&read_params(params)?)?),
            method::SHUTDOWN => raw(&Empty {}),
            method::BUILD => {
                let params: ContextParams = read_params(params)?;
                let state = guard(|| self.implementation.build(&params.context))?.map_err(refuse)?;
                raw(&HandleResult { handle: self.issue(state) })
            }
            method::INSPECT => {
                let state = self.state(&read_params::<HandleParams>(params)?.handle)?;
                raw(&guard(|| self.implementation.inspect(&state))?)
            }
            method::RENDER => {
                let state = self.state(&read_params::<HandleParams>(params)?.handle)?;
                raw(&guard(|| self.implementation.render(&state))?.map_err(refuse)?)
            }
            method::RELEASE => {
                let HandleParams { handle } = read_params(params)?;
                let state = self.states.borrow_mut().remove(&handle).ok_or_else(|| unknown_handle(&handle))?;
                guard(|| drop(state))?;
                raw(&Empty {})
            }
            method::UNITS => {
                let params: ContextParams = read_params(params)?;
                let units = guard(|| self.implementation.units(&params.context))?.map_err(refuse)?;
                raw(&UnitsResult { units })
            }
            method::MEASURE => {
                let params: MessagesParams = read_params(params)?;
                let units = guard(|| self.implementation.measure(&params.messages))?.map_err(refuse)?;
                raw(&UnitsResult { units })
            }
            method::GROUPS => {
                let params: MessagesParams = read_params(params)?;
                raw(&guard(|| self.implementation.groups(&params.messages))?.map_err(refuse)?)
            }
            method::DIAGNOSE => {
                let params: MessagesParams = read_params(params)?;
                raw(&guard(|| self.implementation.diagnose(&params.messages))?.map_err(refuse)?)
            }
            method::BOUNDARY => {
                let params: BoundaryParams = read_params(params)?;
                raw(&guard(|| self.implementation.boundary(&params.context, &params.options))?.map_err(refuse)?)
            }
            method::CUT => {
                let params: CutParams = read_params(params)?;
                raw(&guard(|| self.implementation.cut(&params.messages, params.budget))?.map_err(refuse)?)
            }
            _ => Err(ErrorObject::new(METHOD_NOT_FOUND, format!("no method `{method}`"))),
        }
    }

    fn initialize(&self, params: &InitializeParams) -> Result<Declaration, ErrorObject> {
        if self.initialized.get() {
            return Err(ErrorObject::new(INVALID_REQUEST, "`initialize` a second time; start another adapter"));
        }
        let offered = &params.protocol_versions;
        if !offered.iter().any(|version| version == PROTOCOL_VERSION) {
            let message = format!("protocol versions {offered:?} offered, this adapter speaks {PROTOCOL_VERSION}");
            return Err(ErrorObject::new(INVALID_PARAMS, message));
        }
        let declaration = guard(|| self.implementation.declare())?;
        self.counts_looks.set(declaration.capabilities.cancel.contains(&CancelMode::AtLook));
        self.initialized.set(true);
        Ok(Declaration { protocol_version: PROTOCOL_VERSION.to_owned(), ..declaration })
    }

    fn issue(&self, state: I::State) -> String {
        let number = self.handles_issued.get() + 1;
        self.handles_issued.set(number);
        let handle = format!("h{number}");
        self.states.borrow_mut().insert(handle.clone(), Rc::new(state));
        handle
    }

    fn state(&self, handle: &str) -> Result<Rc<I::State>, ErrorObject> {
        self.states.borrow().get(handle).cloned().ok_or_else(|| unknown_handle(handle))
    }
}

/// Lines on their way out. Sending never waits, so that a runner may write a good deal while it does not read.
#[derive(Debug, Clone)]
struct Outbox {
    lines: mpsc::UnboundedSender<String>,
    backlog: Rc<Backlog>,
}

/// What has been sent and not been written yet. Past a limit nothing more is read, so that a runner that never
/// reads cannot fill the memory.
#[derive(Debug, Default)]
struct Backlog {
    bytes: Cell<usize>,
    drained: Notify,
}

impl Backlog {
    const LIMIT_BYTES: usize = 4 * MAX_LINE_BYTES;

    fn written(&self, bytes: usize) {
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
        self.drained.notify_waiters();
    }

    async fn room(&self) {
        while self.bytes.get() > Self::LIMIT_BYTES {
            self.drained.notified().await;
        }
    }
}

impl Outbox {
    fn send(&self, message: &Message) {
        let mut line = message.to_line();
        if let (Message::Response { id, .. }, true) = (message, line.len() > MAX_LINE_BYTES + 1) {
            let error = ErrorObject::new(INTERNAL_ERROR, format!("the answer is over {MAX_LINE_BYTES} bytes"));
            line = Message::error(id.clone(), error).to_line();
        }
        // The receiver is gone only when writing has failed, and then the session ends by itself.
        self.backlog.bytes.set(self.backlog.bytes.get() + line.len());
        let _ = self.lines.send(line);
    }
}

fn raw(result: &impl Serialize) -> Result<Box<RawValue>, ErrorObject> {
    to_raw_value(result).map_err(|error| ErrorObject::new(INTERNAL_ERROR, error.to_string()))
}

fn refuse(refusal: Refusal) -> ErrorObject {
    ErrorObject::refusal(&RefusalData { code: refusal.code, looks: None }, refusal.message)
}

fn unknown_handle(handle: &str) -> ErrorObject {
    refuse(Refusal::new(refusal::UNKNOWN_HANDLE, format!("no live context has the handle {handle:?}")))
}

/// Runs the implementation; a panic of it is answered, and the session goes on.
fn guard<T>(call: impl FnOnce() -> T) -> Result<T, ErrorObject> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| panicked(&*payload))
}

fn panicked(payload: &(dyn std::any::Any + Send)) -> ErrorObject {
    let words = payload.downcast_ref::<&str>().copied();
    let words = words.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no words");
    ErrorObject::new(INTERNAL_ERROR, format!("the implementation panicked: {words}"))
}
