//! The summarizer kinds of the operation format, acted out.

use seamcheck_reference::{Answer, Cancellation, Json, Summarizer, SummarizerFailure, SummaryRequest, Text, Value};
use std::cell::{Cell, RefCell};
use std::future::{pending, ready};
use tokio_util::sync::CancellationToken;

/// A summarizer that follows a script, counts its calls and keeps what it was asked.
pub(crate) struct Scripted<'s> {
    pub(crate) script: Value<'s>,
    pub(crate) token: &'s CancellationToken,
    pub(crate) calls: &'s Cell<usize>,
    pub(crate) seen: &'s RefCell<Json>,
}

impl Summarizer for Scripted<'_> {
    fn summarize<'a>(
        &'a self,
        request: SummaryRequest,
        _cancellation: &'a dyn Cancellation,
    ) -> Result<Answer<'a>, SummarizerFailure> {
        self.calls.set(self.calls.get() + 1);
        *self.seen.borrow_mut() = request.to_json();
        let text = || self.script.get("text").and_then(Value::as_text).unwrap_or_default();
        let failure = || {
            let words = self.script.get("message").and_then(Value::as_text);
            SummarizerFailure::new(words.unwrap_or_else(|| Text::from("CONTEXT_CANCELLED")))
        };
        let kind = self.script.get("kind").unwrap().as_text().unwrap().to_string();
        match kind.as_str() {
            "text" => Ok(Answer::Value(text().into())),
            "value" => Ok(Answer::Value(self.script.get("value").unwrap().to_json(64).expect("a plain value"))),
            "throw" => Err(failure()),
            "throwThenAbort" => {
                self.token.cancel();
                Err(failure())
            }
            "panic" => panic!("a summarizer that panics"),
            "reject" => Ok(Answer::Deferred(Box::pin(ready(Err(failure()))))),
            "rejectThenAbort" => Ok(self.defer_then_cancel(Err(failure()))),
            "chain" => Ok((0..self.depth()).fold(Answer::Value(text().into()), defer)),
            // The language flattens these: one deferral, whatever their depth.
            "promiseChain" => Ok((0..self.depth().min(1)).fold(Answer::Value(text().into()), defer)),
            "pendingThenAbort" => Ok(Answer::Deferred(Box::pin(async {
                self.token.cancel();
                pending().await
            }))),
            "proxyPromise" | "lockedPromise" => Ok(Answer::Unobservable),
            "resolveThenAbort" => Ok(self.defer_then_cancel(Ok(Answer::Value(text().into())))),
            other => panic!("unknown summarizer kind {other}"),
        }
    }
}

impl Scripted<'_> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a depth is a small whole number")]
    fn depth(&self) -> usize {
        self.script.get("depth").unwrap().as_number().unwrap() as usize
    }

    fn defer_then_cancel<'a>(&'a self, outcome: Result<Answer<'a>, SummarizerFailure>) -> Answer<'a> {
        Answer::Deferred(Box::pin(async move {
            self.token.cancel();
            outcome
        }))
    }
}

fn defer(inner: Answer<'_>, _level: usize) -> Answer<'_> {
    Answer::Deferred(Box::pin(ready(Ok(inner))))
}
