//! What a summarizer is asked, what it may answer, and how its answer is waited for: `B-SUMMARY-5` to
//! `B-SUMMARY-7` and `B-CANCEL-2`, `B-CANCEL-3`. Whether the text will do is judged in `compact.rs`.

use crate::cancellation::Cancellation;
use crate::error::{Code, Error, Kind};
use crate::json::Json;
use crate::limits::Limits;
use crate::message::{Message, Requirement, Summary};
use crate::text::Text;
use crate::units::Units;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};

/// Everything a summarizer is told (`B-COMPACT-6`). It shares the context's parts and cannot change them.
#[derive(Debug, Clone)]
pub struct SummaryRequest {
    /// The context's requirements, for orientation; they stay in force by themselves.
    pub requirements: Arc<[Requirement]>,
    /// The summary that the new one replaces.
    pub previous_summary: Option<Arc<Summary>>,
    /// Exactly the messages that will be replaced.
    pub messages: Arc<[Arc<Message>]>,
    /// How many they are.
    pub boundary: usize,
    /// What the summary may cost, its id and structure included.
    pub max_summary_units: Units,
}

impl SummaryRequest {
    /// The request as JSON.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("requirements", Json::Array(self.requirements.iter().map(Requirement::to_json).collect())),
            ("previousSummary", self.previous_summary.as_deref().map_or(Json::Null, Summary::to_json)),
            ("messages", Json::Array(self.messages.iter().map(|message| message.to_json()).collect())),
            ("boundary", self.boundary.into()),
            ("maxSummaryUnits", Json::Number(f64::from(self.max_summary_units))),
        ])
    }
}

impl From<Units> for f64 {
    #[expect(clippy::cast_precision_loss, reason = "units of a valid context are at most 1,000,000")]
    fn from(units: Units) -> Self {
        units.get() as Self
    }
}

/// Makes a summary of old messages. It is foreign code: nothing it does is trusted.
pub trait Summarizer {
    /// Called at most once a compaction, with the signal that cancels it.
    ///
    /// # Errors
    /// A failure of the call itself, before any answer.
    fn summarize<'a>(
        &'a self,
        request: SummaryRequest,
        cancellation: &'a dyn Cancellation,
    ) -> Result<Answer<'a>, SummarizerFailure>;
}

/// What a summarizer answers.
pub enum Answer<'a> {
    /// A value at once; anything but a string is refused (`B-SUMMARY-1`).
    Value(Json),
    /// An answer that comes later, and may itself be deferred (`B-SUMMARY-6`).
    Deferred(Pin<Box<dyn Future<Output = Result<Answer<'a>, SummarizerFailure>> + 'a>>),
    /// An answer that nobody can wait for (`B-SUMMARY-7`).
    Unobservable,
}

/// A failure raised by foreign code. It carries words, never a [`Code`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummarizerFailure {
    /// For a person to read.
    pub message: Text,
}

impl SummarizerFailure {
    /// A failure with these words.
    pub fn new(message: impl Into<Text>) -> Self {
        Self { message: message.into() }
    }
}

/// Calls the summarizer and waits for the value it settles with.
pub(crate) async fn ask(
    summarizer: &impl Summarizer,
    request: SummaryRequest,
    cancellation: &impl Cancellation,
) -> Result<Json, Error> {
    // A call that fails at once beats a cancellation (`B-CANCEL-3`); nothing after it does.
    let answer = guard(|| summarizer.summarize(request, cancellation))?.map_err(failed)?;
    if cancellation.is_cancelled() {
        discard(answer);
        return Err(cancelled());
    }
    let outcome = adopt(answer, cancellation).await;
    if cancellation.is_cancelled() { Err(cancelled()) } else { outcome }
}

/// Follows deferred answers, one in another, to a value.
async fn adopt(mut answer: Answer<'_>, cancellation: &impl Cancellation) -> Result<Json, Error> {
    let limit = Limits::SPEC.deferred_depth;
    for _ in 0..=limit {
        answer = match answer {
            Answer::Value(value) => return Ok(value),
            Answer::Unobservable => return Err(Error::new(Code::AsyncValueUnobservable, Kind::Unobservable)),
            Answer::Deferred(deferred) => wait(deferred, cancellation).await?,
        };
    }
    discard(answer);
    Err(Error::new(Code::SummarizerFailed, Kind::TooDeeplyDeferred { limit }))
}

/// Waits for one deferred answer or the cancellation, whichever comes first.
async fn wait<'a>(
    mut deferred: Pin<Box<dyn Future<Output = Result<Answer<'a>, SummarizerFailure>> + 'a>>,
    cancellation: &impl Cancellation,
) -> Result<Answer<'a>, Error> {
    let mut cancel = cancellation.cancelled();
    let settled = poll_fn(|task: &mut TaskContext<'_>| {
        match guard(|| deferred.as_mut().poll(task)) {
            Ok(Poll::Ready(outcome)) => return Poll::Ready(outcome.map_err(failed)),
            Ok(Poll::Pending) => {}
            Err(panicked) => return Poll::Ready(Err(panicked)),
        }
        cancel.as_mut().poll(task).map(|()| Err(cancelled()))
    })
    .await;
    discard(deferred);
    settled
}

/// Runs foreign code; a panic of it is a failure like any other.
fn guard<T>(call: impl FnOnce() -> T) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| {
        discard(payload);
        Error::new(Code::SummarizerFailed, Kind::Panicked)
    })
}

/// Drops what foreign code made. A panic on the way out changes nothing that was decided.
fn discard<T>(foreign: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(foreign))) {
        // Its own drop may panic too: it is let go of for good.
        std::mem::forget(payload);
    }
}

fn failed(failure: SummarizerFailure) -> Error {
    Error::new(Code::SummarizerFailed, Kind::Failed(failure.message))
}

pub(crate) fn cancelled() -> Error {
    Error::new(Code::Cancelled, Kind::Cancelled)
}
