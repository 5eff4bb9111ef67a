//! What a Rust implementation offers in order to be served by `serve.rs`: one trait, and the host that it
//! meets while it compacts.

use crate::answer::Answer;
use crate::messages::{
    BoundaryResult, CutResult, Declaration, DiagnoseResult, GroupsResult, InspectResult, RenderResult, refusal,
};
use crate::payload::{Payload, WireText};
use crate::signal::Signal;
use seamcheck_reference::Json;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// An implementation of context compaction, behind the protocol. Only [`declare`](Self::declare) is required;
/// what is not overridden is refused as `unsupported`. A trimmer has the state `()`.
pub trait Implementation: 'static {
    /// A live context.
    type State: 'static;

    /// Name, version, levels and capabilities.
    fn declare(&self) -> Declaration;

    /// Makes a live context.
    ///
    /// # Errors
    /// The implementation's refusal.
    fn build(&self, _context: &Payload) -> Result<Self::State, Refusal> {
        Err(Refusal::unsupported("build"))
    }

    /// Reads a live context from the object itself, never from a copy made earlier. Without
    /// [`build`](Self::build) there is none, and it is not called.
    fn inspect(&self, _state: &Self::State) -> InspectResult {
        InspectResult { context: Json::Null.into(), native: None }
    }

    /// What a model would be shown of a live context, in order.
    ///
    /// # Errors
    /// The implementation's refusal.
    fn render(&self, _state: &Self::State) -> Result<RenderResult, Refusal> {
        Err(Refusal::unsupported("render"))
    }

    /// Units of a context.
    ///
    /// # Errors
    /// The implementation's refusal.
    fn units(&self, _context: &Payload) -> Result<u64, Refusal> {
        Err(Refusal::unsupported("units"))
    }

    /// Groups of messages.
    ///
    /// # Errors
    /// The implementation's refusal.
    fn groups(&self, _messages: &Payload) -> Result<GroupsResult, Refusal> {
        Err(Refusal::unsupported("groups"))
    }

    /// Diagnostics of messages.
    ///
    /// # Errors
    /// The implementation's refusal.
    fn diagnose(&self, _messages: &Payload) -> Result<DiagnoseResult, Refusal> {
        Err(Refusal::unsupported("diagnose"))
    }

    /// The boundary of a context.
    ///
    /// # Errors
    /// The implementation's refusal.
    fn boundary(&self, _context: &Payload, _options: &Payload) -> Result<BoundaryResult, Refusal> {
        Err(Refusal::unsupported("boundary"))
    }

    /// What stays of these messages within a budget.
    ///
    /// # Errors
    /// The implementation's refusal.
    fn cut(&self, _messages: &Payload, _budget: u64) -> Result<CutResult, Refusal> {
        Err(Refusal::unsupported("cut"))
    }

    /// What these messages cost in the implementation's own count.
    ///
    /// # Errors
    /// The implementation's refusal.
    fn measure(&self, _messages: &Payload) -> Result<u64, Refusal> {
        Err(Refusal::unsupported("measure"))
    }

    /// Compacts a live context, asking the host for the summary.
    fn compact<'a>(
        &'a self,
        _state: &'a Self::State,
        _options: &'a Payload,
        _host: &'a Host,
    ) -> Compacting<'a, Self::State> {
        Box::pin(async { Err(Refusal::unsupported("compact")) })
    }
}

/// A compaction under way.
pub type Compacting<'a, State> = Pin<Box<dyn Future<Output = Result<Compacted<State>, Refusal>> + 'a>>;

/// How a compaction ended well.
#[derive(Debug)]
pub enum Compacted<State> {
    /// The context is the one that went in.
    Unchanged,
    /// There is a new context.
    New {
        /// The new live context.
        state: State,
        /// Its newest record.
        record: Payload,
    },
}

/// A refusal by the implementation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// One of the ten codes of the spec, or one of [`refusal`].
    pub code: String,
    /// For a person to read.
    pub message: WireText,
}

impl Refusal {
    /// A refusal with this code.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: WireText(message.into().into()) }
    }

    /// This method is not offered.
    pub fn unsupported(method: &str) -> Self {
        Self::new(refusal::UNSUPPORTED, format!("this implementation has no `{method}`"))
    }
}

/// What an implementation meets while it compacts: the runner's summarizer and its cancellation.
#[derive(Debug)]
pub struct Host {
    script: Option<Answer>,
    signal: Signal,
    outbox: Outbox,
}

/// How a request to the summarizer leaves the process.
pub(crate) trait SendSummarize: std::fmt::Debug {
    /// Tells the runner what was asked, without waiting.
    fn notify(&self, request: Payload);
    /// Asks the runner.
    fn ask(&self, request: Payload) -> Answers;
}

type Outbox = Box<dyn SendSummarize>;

/// What the summarizer does, once it is known.
#[derive(Debug)]
pub enum Asked {
    /// The script came with `compact`: act it out at once. The runner has been told what was asked.
    Now(Answer),
    /// The runner answers later, or never when it cancels or dies.
    Later(Answers),
}

/// The answers to one question. Awaited, it is the first one, and the only one that counts: a runner that answers
/// again is ignored, unless an implementation goes on listening, which none should.
#[derive(Debug)]
pub struct Answers(pub(crate) mpsc::UnboundedReceiver<Answer>);

/// Nobody is left to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NobodyAnswers;

impl Future for Answers {
    type Output = Result<Answer, NobodyAnswers>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.poll_recv(task).map(|answer| answer.ok_or(NobodyAnswers))
    }
}

impl Host {
    pub(crate) fn new(script: Option<Answer>, signal: Signal, outbox: Outbox) -> Self {
        Self { script, signal, outbox }
    }

    /// Called by the implementation's summarizer, with the request of the spec as JSON.
    pub fn ask(&self, request: Payload) -> Asked {
        match &self.script {
            Some(answer) => {
                self.outbox.notify(request);
                Asked::Now(answer.clone())
            }
            None => Asked::Later(self.outbox.ask(request)),
        }
    }

    /// The cancellation of this compaction.
    pub fn signal(&self) -> &Signal {
        &self.signal
    }
}
