//! The runner's summarizer and cancellation, as the reference meets them: [`Answer`](protocol::Answer)s
//! acted out.

use seamcheck_protocol::answer as protocol;
use seamcheck_protocol::implementation::{Answers, Asked, Host};
use seamcheck_protocol::payload::Payload;
use seamcheck_protocol::signal::Signal;
use seamcheck_reference::{
    Answer, Cancellation, Document, Json, Limits, Summarizer, SummarizerFailure, SummaryRequest, Text,
};
use std::future::Future;
use std::panic::resume_unwind;
use std::pin::Pin;

/// Asks the host, and acts its answer out.
pub(crate) struct Scripted<'h>(pub(crate) &'h Host);

/// The host's signal, as the reference looks at it.
pub(crate) struct View<'h>(pub(crate) &'h Signal);

impl Cancellation for View<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        Box::pin(self.0.cancelled())
    }
}

impl Summarizer for Scripted<'_> {
    fn summarize<'a>(
        &'a self,
        request: SummaryRequest,
        _cancellation: &'a dyn Cancellation,
    ) -> Result<Answer<'a>, SummarizerFailure> {
        self.ask(&request, None)
    }
}

/// What is done with the answers after the first.
pub(crate) type Listener = Box<dyn FnOnce(Answers) -> Pin<Box<dyn Future<Output = ()>>>>;

impl Scripted<'_> {
    /// The same, with an answer that outlives the compaction, and something that goes on listening when it has come.
    pub(crate) fn ask<'a>(
        &self,
        request: &SummaryRequest,
        listener: Option<Listener>,
    ) -> Result<Answer<'a>, SummarizerFailure> {
        let signal = self.0.signal().clone();
        match self.0.ask(Payload::from(request.to_json())) {
            Asked::Now(answer) => act_out(answer, signal),
            Asked::Later(mut answers) => Ok(Answer::Deferred(Box::pin(async move {
                let answer = (&mut answers).await;
                if let Some(listener) = listener {
                    tokio::task::spawn_local(listener(answers));
                }
                match answer {
                    // The wait was the first deferral.
                    Ok(protocol::Answer::Chain { depth, text, cancel }) if depth > 0 => {
                        Ok(chain(depth - 1, text.0, cancel, signal))
                    }
                    Ok(answer) => act_out(answer, signal),
                    // The runner is gone, and with it whoever would read the outcome.
                    Err(_) => std::future::pending().await,
                }
            }))),
        }
    }
}

fn act_out<'a>(answer: protocol::Answer, signal: Signal) -> Result<Answer<'a>, SummarizerFailure> {
    match answer {
        protocol::Answer::Text { text, cancel } => {
            turn(cancel, &signal);
            Ok(Answer::Value(Json::String(text.0)))
        }
        protocol::Answer::Value { value } => value_of(&value).map(Answer::Value),
        protocol::Answer::Throw { message, cancel } => {
            turn(cancel, &signal);
            Err(SummarizerFailure::new(message.0))
        }
        protocol::Answer::Reject { message, cancel } => {
            turn(cancel, &signal);
            Ok(Answer::Deferred(Box::pin(async move { Err(SummarizerFailure::new(message.0)) })))
        }
        // It unwinds like a panic, without the hook's words on standard error.
        protocol::Answer::Panic { message } => resume_unwind(Box::new(message.0.to_string())),
        protocol::Answer::Chain { depth, text, cancel } => Ok(chain(depth, text.0, cancel, signal)),
        protocol::Answer::Unobservable => Ok(Answer::Unobservable),
        protocol::Answer::Pending { cancel } => Ok(Answer::Deferred(Box::pin(async move {
            turn(cancel, &signal);
            std::future::pending().await
        }))),
    }
}

/// The text after `depth` deferrals. Each is made when the one around it settles, so that any depth is cheap.
fn chain<'a>(depth: u32, text: Text, cancel: bool, signal: Signal) -> Answer<'a> {
    let Some(inner) = depth.checked_sub(1) else {
        turn(cancel, &signal);
        return Answer::Value(Json::String(text));
    };
    Answer::Deferred(Box::pin(async move { Ok(chain(inner, text, cancel, signal)) }))
}

fn turn(cancel: bool, signal: &Signal) {
    if cancel {
        signal.cancel();
    }
}

/// Any value but text is refused as the same thing, so that one beyond the reference's tree may become null.
fn value_of(value: &Payload) -> Result<Json, SummarizerFailure> {
    let document = Document::parse(value.text().as_bytes())
        .map_err(|error| SummarizerFailure::new(format!("the value is not JSON: {error}")))?;
    Ok(document.root().to_json(Limits::SPEC.argument_depth).unwrap_or(Json::Null))
}
