//! What an adapter says, matched to what was asked. What cannot be matched is a fault of its own kind.

use super::{Heard, Refused, Session};
use crate::fault::{FaultKind, Trouble};
use crate::link::Incoming;
use seamcheck_protocol::envelope::{
    ErrorObject, Id, MAX_LINE_BYTES, METHOD_NOT_FOUND, Message, PARSE_ERROR, read_params,
};
use seamcheck_protocol::messages::{REFUSAL_CODE, RefusalData, SummarizeParams, method, refusal};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Characters of a faulty line that are shown.
const EXCERPT_CHARS: usize = 160;

impl Session {
    /// Waits for a line that means something. Unknown notifications and empty lines do not stop the clock.
    pub(super) async fn listen(&mut self, limit: Duration) -> Result<Heard, Trouble> {
        let deadline = Instant::now() + limit;
        loop {
            let Ok(incoming) = timeout_at(deadline, self.link.receive()).await else {
                let words = format!("no answer within {limit:?}; a slow adapter needs a longer --timeout-seconds");
                return Err(Trouble::new(FaultKind::IdleTimeout, words));
            };
            let (bytes, ended) = match incoming {
                Incoming::Line { bytes, ended } => (bytes, ended),
                Incoming::TooLong => {
                    let words = format!("a line of more than {MAX_LINE_BYTES} bytes");
                    return Err(Trouble::new(FaultKind::OversizedLine, words));
                }
                Incoming::End => return Err(Trouble::new(FaultKind::EndOfFile, "in the middle of the session")),
            };
            if bytes.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let message = match Message::parse(&bytes) {
                Ok(message) => message,
                Err(_) if !ended => return Err(Trouble::new(FaultKind::EndOfFile, "in the middle of a line")),
                Err(error) => {
                    let bad_json = error.code == PARSE_ERROR;
                    let kind = if bad_json { FaultKind::BadJson } else { FaultKind::InvalidMessage };
                    let words =
                        format!("{error}, in the line {}; standard output is for the protocol alone", excerpt(&bytes));
                    return Err(Trouble::new(kind, words));
                }
            };
            if let Some(heard) = self.take(message)? {
                return Ok(heard);
            }
        }
    }

    fn take(&mut self, message: Message) -> Result<Option<Heard>, Trouble> {
        match message {
            Message::Response { id, outcome } => self.take_response(&id, outcome).map(Some),
            Message::Request { id, method, params } if method == method::SUMMARIZE => {
                self.take_summarize(Some(id), params.as_deref()).map(Some)
            }
            Message::Notification { method, params } if method == method::SUMMARIZE => {
                self.take_summarize(None, params.as_deref()).map(Some)
            }
            Message::Request { id, method, .. } => {
                let error = ErrorObject::new(METHOD_NOT_FOUND, format!("the runner has no method `{method}`"));
                self.send_message(&Message::error(id, error));
                Ok(None)
            }
            Message::Notification { .. } => Ok(None),
        }
    }

    fn take_response(&mut self, id: &Id, outcome: Result<Box<RawValue>, ErrorObject>) -> Result<Heard, Trouble> {
        if let (true, Err(error)) = (id.is_null(), &outcome) {
            let words = format!("the adapter could not read a request: {}", error_words(error));
            return Err(Trouble::new(FaultKind::ProtocolError { code: error.code }, words));
        }
        let Some(known) = id.as_u64().filter(|id| (1..=self.last_id).contains(id)) else {
            let words = format!("an answer with the id {id}, which no request has; send the id back as it came");
            return Err(Trouble::new(FaultKind::WrongId, words));
        };
        let Some(place) = self.open.iter().position(|open| *open == known) else {
            let words = format!("a second answer to the request {known}");
            return Err(Trouble::new(FaultKind::DuplicateAnswer, words));
        };
        self.open.swap_remove(place);
        if self.compaction == Some(known) {
            self.compaction = None;
        }
        Ok(Heard::Answer { id: known, outcome })
    }

    fn take_summarize(&mut self, ask: Option<Id>, params: Option<&RawValue>) -> Result<Heard, Trouble> {
        let params: SummarizeParams = read_params(params)
            .map_err(|error| Trouble::invalid_message(format!("`summarize`: {}", error_words(&error))))?;
        if self.compaction.is_none_or(|open| params.compaction != open) {
            let words = format!("`summarize` for the compaction {}, which is not running", params.compaction);
            return Err(Trouble::invalid_message(words));
        }
        Ok(Heard::Summarize { ask, params })
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
