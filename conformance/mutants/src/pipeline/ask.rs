//! Calling the summarizer and waiting for what it settles with, with every rule of it swappable.

use crate::live::Live;
use crate::scripted::{Listener, Scripted, View};
use crate::stages::{Asking, Failure};
use seamcheck_protocol::answer as protocol;
use seamcheck_protocol::signal::Signal;
use seamcheck_reference::{Answer, Cancellation, Json, SummarizerFailure, SummaryRequest, Text};
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;

pub(super) struct Question<'a> {
    pub(super) asking: &'a Asking,
    pub(super) looks_after_call: bool,
    pub(super) summarizer: &'a Scripted<'a>,
    pub(super) signal: &'a Signal,
    pub(super) live: &'a Live,
}

type Deferred = Pin<Box<dyn Future<Output = Result<Answer<'static>, SummarizerFailure>>>>;

pub(super) async fn ask(question: &Question<'_>, request: &SummaryRequest) -> Result<Json, Failure> {
    let called =
        guard(|| question.summarizer.ask(request, listener(question))).and_then(|called| called.map_err(thrown));
    let answer = match called {
        Ok(answer) => answer,
        Err(_) if question.asking.cancel_beats_throw && question.signal.is_cancelled() => {
            return Err(Failure::Cancelled);
        }
        Err(failure) => return Err(failure),
    };
    if question.looks_after_call && question.signal.is_cancelled() {
        return Err(Failure::Cancelled);
    }
    let outcome = adopt(question, answer).await;
    let looks = (question.asking.looks_settled)(&outcome);
    if looks && question.signal.is_cancelled() { Err(Failure::Cancelled) } else { outcome }
}

/// Takes a second answer as well, where the fault asks for it.
fn listener(question: &Question<'_>) -> Option<Listener> {
    let (second, live) = (question.asking.second?, question.live.clone());
    Some(Box::new(move |answers| {
        Box::pin(async move {
            if let Ok(protocol::Answer::Text { text, .. }) = answers.await {
                second(&live, text.0);
            }
        })
    }))
}

/// Follows deferred answers, one in another, to a value.
async fn adopt(question: &Question<'_>, mut answer: Answer<'static>) -> Result<Json, Failure> {
    for _ in 0..=question.asking.depth {
        answer = match answer {
            Answer::Value(value) => return Ok(value),
            Answer::Unobservable => return Err(Failure::Unobservable),
            Answer::Deferred(deferred) => wait(question, deferred).await?,
        };
    }
    Err(Failure::TooDeep)
}

/// Waits for one deferred answer or the cancellation, whichever comes first.
async fn wait(question: &Question<'_>, mut deferred: Deferred) -> Result<Answer<'static>, Failure> {
    let view = View(question.signal);
    let mut cancel = view.cancelled();
    let settled = poll_fn(|task| {
        match guard(|| deferred.as_mut().poll(task)) {
            Ok(Poll::Ready(outcome)) => return Poll::Ready(Some(outcome.map_err(rejected))),
            Ok(Poll::Pending) => {}
            Err(panicked) => return Poll::Ready(Some(Err(panicked))),
        }
        cancel.as_mut().poll(task).map(|()| None)
    })
    .await;
    if settled.is_none()
        && let Some(late) = question.asking.late
    {
        tokio::task::spawn_local(settle_late(question.live.clone(), deferred, late));
    }
    settled.unwrap_or_else(|| Err((question.asking.interrupted)()))
}

/// What nobody waits for any more still has its effect.
async fn settle_late(live: Live, deferred: Deferred, late: fn(&Live, Text)) {
    if let Ok(Answer::Value(Json::String(text))) = deferred.await {
        late(&live, text);
    }
}

fn guard<T>(call: impl FnOnce() -> T) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|_| Failure::Panicked)
}

fn thrown(failure: SummarizerFailure) -> Failure {
    Failure::Threw(failure.message)
}

fn rejected(failure: SummarizerFailure) -> Failure {
    Failure::Rejected(failure.message)
}
