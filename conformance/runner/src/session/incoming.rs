//! What an adapter says, matched to what was asked. What cannot be matched is a fault of its own kind.

use super::{Heard, OpenRequest, Refused, Shared};
use crate::fault::{FaultKind, Trouble};
use crate::link::{Incoming, Lines};
use seamcheck_protocol::envelope::{
    ErrorObject, Id, MAX_LINE_BYTES, METHOD_NOT_FOUND, Message, PARSE_ERROR, read_params,
};
use seamcheck_protocol::messages::{REFUSAL_CODE, RefusalData, SummarizeParams, method, refusal};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::sync::Arc;
use tokio::time::Instant;

/// Characters of a faulty line that are shown.
const EXCERPT_CHARS: usize = 160;

/// Requests for unknown methods that are answered in one session; the answers to a flood would fill the memory.
const MOST_UNKNOWN: u32 = 1_000;

/// Reads until there is nothing more to be read, or nothing that makes sense.
pub(super) async fn read_all(shared: Arc<Shared>, mut lines: Lines) {
    loop {
        let taken = match lines.next().await {
            Incoming::Line { bytes, ended } => shared.take_line(&bytes, ended),
            Incoming::TooLong => {
                let words = format!("a line of more than {MAX_LINE_BYTES} bytes");
                Err(Trouble::new(FaultKind::OversizedLine, words))
            }
            Incoming::End => Err(Trouble::new(FaultKind::EndOfFile, "in the middle of the session")),
        };
        if let Err(trouble) = taken {
            shared.break_off(trouble);
            shared.over.send_replace(true);
            return;
        }
    }
}

impl Shared {
    /// Unknown notifications and empty lines mean nothing, and do not stop the clock.
    fn take_line(&self, bytes: &[u8], ended: bool) -> Result<(), Trouble> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        match Message::parse(bytes) {
            Ok(message) => self.take(message),
            Err(_) if !ended => Err(Trouble::new(FaultKind::EndOfFile, "in the middle of a line")),
            Err(error) => {
                let bad_json = error.code == PARSE_ERROR;
                let kind = if bad_json { FaultKind::BadJson } else { FaultKind::InvalidMessage };
                let words =
                    format!("{error}, in the line {}; standard output is for the protocol alone", excerpt(bytes));
                Err(Trouble::new(kind, words))
            }
        }
    }

    fn take(&self, message: Message) -> Result<(), Trouble> {
        match message {
            Message::Response { id, outcome } => self.take_response(&id, outcome),
            Message::Request { id, method, params } if method == method::SUMMARIZE => {
                self.take_summarize(Some(id), params.as_deref())
            }
            Message::Notification { method, params } if method == method::SUMMARIZE => {
                self.take_summarize(None, params.as_deref())
            }
            Message::Request { method, .. } if self.state().unknown_methods == MOST_UNKNOWN => {
                let words =
                    format!("more than {MOST_UNKNOWN} requests for methods that there are not, such as `{method}`");
                Err(Trouble::invalid_message(words))
            }
            Message::Request { id, method, .. } => {
                self.state().unknown_methods += 1;
                let error = ErrorObject::new(METHOD_NOT_FOUND, format!("the runner has no method `{method}`"));
                self.send(&Message::error(id, error));
                Ok(())
            }
            Message::Notification { .. } => Ok(()),
        }
    }

    fn take_response(&self, id: &Id, outcome: Result<Box<RawValue>, ErrorObject>) -> Result<(), Trouble> {
        if let (true, Err(error)) = (id.is_null(), &outcome) {
            let words = format!(
                "the adapter could not read a request: {}; a request may hold lone surrogates and large integers, and \
                 `seamcheck kit-test` tries what a line may hold",
                error_words(error)
            );
            return Err(Trouble::new(FaultKind::ProtocolError { code: error.code }, words));
        }
        let mut state = self.state();
        let Some(known) = id.as_u64().filter(|id| (1..=state.last_id).contains(id)) else {
            let words = format!("an answer with the id {id}, which no request has; send the id back as it came");
            return Err(Trouble::new(FaultKind::WrongId, words));
        };
        let Some(OpenRequest { conversation, compaction }) = state.open.remove(&known) else {
            let words = format!("a second answer to the request {known}");
            return Err(Trouble::new(FaultKind::DuplicateAnswer, words));
        };
        if !compaction {
            match state.in_order.pop_front() {
                Some(due) if due != known => {
                    let words = format!("the request {known} was answered before the request {due}, which came first");
                    return Err(Trouble::new(FaultKind::OutOfOrder, words));
                }
                _ => {}
            }
        }
        state.last_heard = Instant::now();
        if let Some(listener) = state.listeners.get(&conversation) {
            // One that is gone has no use for it.
            let _ = listener.send(Heard::Answer { id: known, outcome });
        }
        Ok(())
    }

    fn take_summarize(&self, ask: Option<Id>, params: Option<&RawValue>) -> Result<(), Trouble> {
        let params: SummarizeParams = read_params(params)
            .map_err(|error| Trouble::invalid_message(format!("`summarize`: {}", error_words(&error))))?;
        let mut state = self.state();
        let running = params.compaction.as_u64().and_then(|id| state.open.get(&id));
        let Some(OpenRequest { conversation, .. }) = running.filter(|request| request.compaction).copied() else {
            let words = format!("`summarize` for the compaction {}, which is not running", params.compaction);
            return Err(Trouble::invalid_message(words));
        };
        state.last_heard = Instant::now();
        if let Some(listener) = state.listeners.get(&conversation) {
            let _ = listener.send(Heard::Summarize { ask, params });
        }
        Ok(())
    }
}

/// Reads what came of a request.
///
/// # Errors
/// It is neither a result that fits the method nor a refusal.
pub fn read_outcome<T: DeserializeOwned>(
    outcome: Result<Box<RawValue>, ErrorObject>,
    method: &str,
) -> Result<Result<T, Refused>, Trouble> {
    match outcome {
        Ok(result) => {
            // Serde would read an array as the fields in order.
            if !result.get().trim_start().starts_with('{') {
                return Err(Trouble::bad_result(format!("the result of `{method}` is no object")));
            }
            let read = serde_json::from_str(result.get());
            read.map(Ok).map_err(|error| Trouble::bad_result(format!("the result of `{method}` does not fit: {error}")))
        }
        Err(error) if error.code == REFUSAL_CODE => {
            let Some(RefusalData { code, looks }) = error.refusal_data() else {
                return Err(Trouble::bad_result(format!("`{method}` was refused without `data.code`")));
            };
            if code == refusal::UNKNOWN_HANDLE {
                let words =
                    format!("`{method}` does not know a handle that the adapter issued and that was not released");
                return Err(Trouble::bad_result(words));
            }
            Ok(Err(Refused { code, message: error.message, looks }))
        }
        Err(error) => {
            let words = format!("`{method}` was answered by an error that is no refusal: {}", error_words(&error));
            Err(Trouble::new(FaultKind::ProtocolError { code: error.code }, words))
        }
    }
}

fn error_words(error: &ErrorObject) -> String {
    let message = String::from_utf8_lossy(error.message.0.as_wtf8()).into_owned();
    format!("{} ({})", message, error.code)
}

fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * EXCERPT_CHARS)]).into_owned();
    let shown: String = text.chars().take(EXCERPT_CHARS).collect();
    let more = if shown.len() < bytes.len() { " [...]" } else { "" };
    format!("{shown:?}{more}")
}
