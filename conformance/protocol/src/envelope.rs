//! The JSON-RPC 2.0 envelope: one message a line, no batches.

use crate::messages::{REFUSAL_CODE, RefusalData};
use crate::payload::WireText;
use schemars::JsonSchema;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use std::fmt;

/// The longest line either side may send, in bytes without the line end.
pub const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;

/// JSON-RPC: the line is no JSON.
pub const PARSE_ERROR: i64 = -32_700;
/// JSON-RPC: the line is no JSON-RPC message.
pub const INVALID_REQUEST: i64 = -32_600;
/// JSON-RPC: no such method.
pub const METHOD_NOT_FOUND: i64 = -32_601;
/// JSON-RPC: the parameters do not fit the method.
pub const INVALID_PARAMS: i64 = -32_602;
/// JSON-RPC: the adapter itself failed, the implementation panicked for one.
pub const INTERNAL_ERROR: i64 = -32_603;

/// The id of a request: an integer or a string, chosen by the side that asks.
pub type Id = serde_json::Value;

/// The id of a request: an integer that every language holds exactly, or a string.
#[derive(JsonSchema)]
#[schemars(untagged, rename = "Id", inline)]
#[expect(dead_code, reason = "it is only described")]
pub(crate) enum IdSchema {
    Number(#[schemars(range(min = -9_007_199_254_740_991_i64, max = 9_007_199_254_740_991_i64))] i64),
    Text(String),
}

/// One message, either way.
#[derive(Debug)]
pub enum Message {
    /// A question that must be answered once.
    Request {
        /// Comes back with the answer.
        id: Id,
        /// What is asked.
        method: String,
        /// Its parameters, unread.
        params: Option<Box<RawValue>>,
    },
    /// Something that is not answered.
    Notification {
        /// What is told.
        method: String,
        /// Its parameters, unread.
        params: Option<Box<RawValue>>,
    },
    /// An answer.
    Response {
        /// The id of the request; null when the other side could not read it.
        id: Id,
        /// What came of it.
        outcome: Result<Box<RawValue>, ErrorObject>,
    },
}

/// A JSON-RPC error.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ErrorObject {
    /// [`REFUSAL_CODE`] for a refusal, else a code of JSON-RPC.
    pub code: i64,
    /// For a person to read.
    pub message: WireText,
    /// For a refusal, [`RefusalData`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub data: Option<Box<RawValue>>,
}

impl ErrorObject {
    /// An error of the protocol itself.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: WireText(message.into().into()), data: None }
    }

    /// A refusal by the implementation.
    pub fn refusal(data: &RefusalData, message: impl Into<WireText>) -> Self {
        Self { code: REFUSAL_CODE, message: message.into(), data: to_raw_value(data).ok() }
    }

    /// The refusal's data, if it is a refusal.
    pub fn refusal_data(&self) -> Option<RefusalData> {
        serde_json::from_str(self.data.as_ref()?.get()).ok()
    }
}

/// Why a line is no message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvelopeError {
    /// The JSON-RPC code that answers it.
    pub code: i64,
    /// What is wrong with the line.
    pub message: String,
}

impl fmt::Display for EnvelopeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for EnvelopeError {}

#[derive(Serialize, Deserialize)]
struct Wire {
    jsonrpc: String,
    #[serde(default, deserialize_with = "even_null", skip_serializing_if = "Option::is_none")]
    id: Option<Id>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    params: Option<Box<RawValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Box<RawValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject>,
}

/// An id of null is there, where serde would take it for absent and a request for a notification.
fn even_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Id>, D::Error> {
    Id::deserialize(deserializer).map(Some)
}

impl Message {
    /// Reads one line.
    ///
    /// # Errors
    /// The line is no UTF-8, no JSON, or no JSON-RPC 2.0 message.
    pub fn parse(line: &[u8]) -> Result<Self, EnvelopeError> {
        let fault = |code, message: String| EnvelopeError { code, message };
        let text = std::str::from_utf8(line)
            .map_err(|error| fault(PARSE_ERROR, format!("invalid UTF-8 at byte {}", error.valid_up_to())))?;
        // Serde would read an array as the fields in order.
        if is_array(text) {
            json_at_all(text)?;
            return Err(fault(
                INVALID_REQUEST,
                "batches are no part of the protocol; send one message a line".to_owned(),
            ));
        }
        let wire: Wire = serde_json::from_str(text).map_err(|error| {
            // A member that does not fit is met before a fault of the JSON behind it.
            json_at_all(text).err().unwrap_or_else(|| fault(INVALID_REQUEST, error.to_string()))
        })?;
        if wire.jsonrpc != "2.0" {
            return Err(fault(INVALID_REQUEST, format!("jsonrpc must be \"2.0\", found {:?}", wire.jsonrpc)));
        }
        match (wire.method, wire.id, wire.result, wire.error) {
            // A fraction or an integer over 64 bits would not come back as it came.
            (Some(method), Some(id), None, None) if id.is_string() || id.is_i64() || id.is_u64() => {
                Ok(Self::Request { id, method, params: wire.params })
            }
            (Some(method), None, None, None) => Ok(Self::Notification { method, params: wire.params }),
            (None, id, Some(result), None) => Ok(Self::Response { id: id.unwrap_or_default(), outcome: Ok(result) }),
            (None, id, None, Some(error)) => Ok(Self::Response { id: id.unwrap_or_default(), outcome: Err(error) }),
            _ => Err(fault(INVALID_REQUEST, "neither a request, a notification nor a response".to_owned())),
        }
    }

    /// A request.
    pub fn request(id: Id, method: &str, params: &impl Serialize) -> Self {
        Self::Request { id, method: method.to_owned(), params: raw(params) }
    }

    /// A notification.
    pub fn notification(method: &str, params: &impl Serialize) -> Self {
        Self::Notification { method: method.to_owned(), params: raw(params) }
    }

    /// An answer that went well.
    pub fn result(id: Id, result: &impl Serialize) -> Self {
        let outcome = to_raw_value(result).map_err(|error| ErrorObject::new(INVALID_REQUEST, error.to_string()));
        Self::Response { id, outcome }
    }

    /// An answer that did not.
    pub fn error(id: Id, error: ErrorObject) -> Self {
        Self::Response { id, outcome: Err(error) }
    }

    /// The line, with its end.
    pub fn to_line(&self) -> String {
        let blank = Wire { jsonrpc: "2.0".to_owned(), id: None, method: None, params: None, result: None, error: None };
        let wire = match self {
            Self::Request { id, method, params } => {
                Wire { id: Some(id.clone()), method: Some(method.clone()), params: params.clone(), ..blank }
            }
            Self::Notification { method, params } => {
                Wire { method: Some(method.clone()), params: params.clone(), ..blank }
            }
            Self::Response { id, outcome } => match outcome.clone() {
                Ok(result) => Wire { id: Some(id.clone()), result: Some(result), ..blank },
                Err(error) => Wire { id: Some(id.clone()), error: Some(error), ..blank },
            },
        };
        let mut line = serde_json::to_string(&wire).expect("names, numbers and raw JSON always serialize");
        line.push('\n');
        line
    }
}

/// Reads the parameters of a method; absent ones are an empty object.
///
/// # Errors
/// What does not fit, in words.
pub fn read_params<T: DeserializeOwned>(params: Option<&RawValue>) -> Result<T, ErrorObject> {
    let text = params.map_or("{}", RawValue::get);
    if is_array(text) {
        return Err(ErrorObject::new(INVALID_PARAMS, "params: must be an object, positions are not read"));
    }
    serde_json::from_str(text).map_err(|error| ErrorObject::new(INVALID_PARAMS, format!("params: {error}")))
}

/// Whether the whole line is JSON; that it is no message is then another matter.
fn json_at_all(text: &str) -> Result<(), EnvelopeError> {
    let read: Result<IgnoredAny, _> = serde_json::from_str(text);
    read.map(|_| ()).map_err(|error| EnvelopeError { code: PARSE_ERROR, message: error.to_string() })
}

fn is_array(text: &str) -> bool {
    text.trim_start_matches([' ', '\t', '\r', '\n']).starts_with('[')
}

fn raw(params: &impl Serialize) -> Option<Box<RawValue>> {
    to_raw_value(params).ok()
}
