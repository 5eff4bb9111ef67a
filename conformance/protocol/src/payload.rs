//! JSON that travels through the protocol unread: contexts, messages, options, values.
//!
//! serde_json refuses a lone surrogate in every string type, so that the envelope (see `envelope.rs`) is
//! read by serde with raw payloads, and a payload by the reference's own reader.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use seamcheck_reference::{Document, Json, Text};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// One JSON text. It travels as it is, or as `{"json": "<text>"}` where a lossy parser on the way would
/// change it (duplicate keys, number tokens, depth) or where it is not JSON at all.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Payload {
    text: String,
    raw: bool,
}

impl Payload {
    /// A payload that must not pass through a parser: it needs the capability `rawJson`.
    pub fn raw(text: impl Into<String>) -> Self {
        Self { text: text.into(), raw: true }
    }

    /// The JSON text itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it travels as `{"json": "<text>"}`.
    pub fn is_raw(&self) -> bool {
        self.raw
    }
}

impl From<&Json> for Payload {
    fn from(json: &Json) -> Self {
        let text = json.to_string();
        // What looks like the raw form would be taken for it.
        let raw = unwrap_raw(&text).is_some();
        Self { text, raw }
    }
}

impl From<Json> for Payload {
    fn from(json: Json) -> Self {
        Self::from(&json)
    }
}

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text =
            if self.raw { Json::object([("json", self.text.as_str().into())]).to_string() } else { self.text.clone() };
        RawValue::from_string(text).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text: Box<RawValue> = Box::deserialize(deserializer)?;
        // RawValue lets raw control characters in strings through; the reader does not.
        Document::parse(text.get().as_bytes()).map_err(D::Error::custom)?;
        Ok(match unwrap_raw(text.get()) {
            Some(inner) => Self { text: inner, raw: true },
            None => Self { text: text.get().to_owned(), raw: false },
        })
    }
}

impl JsonSchema for Payload {
    fn schema_name() -> Cow<'static, str> {
        "Payload".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Any JSON, in its place or as the text of a string: `{\"json\": \"<text>\"}` and no other member. \
                The text may be no JSON at all. The text form needs the capability `rawJson`.",
            "anyOf": [
                {
                    "description": "The raw form.",
                    "type": "object",
                    "properties": { "json": { "type": "string" } },
                    "required": ["json"],
                    "additionalProperties": false
                },
                { "description": "The plain form." }
            ]
        })
    }
}

/// The text inside `{"json": "<text>"}`, if this is that form.
fn unwrap_raw(text: &str) -> Option<String> {
    let document = Document::parse(text.as_bytes()).ok()?;
    let root = document.root();
    let inner = root.get("json").filter(|_| root.member_count() == 1)?.as_text()?;
    inner.as_str().map(str::to_owned)
}

/// Text that may hold lone surrogates.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct WireText(pub Text);

impl From<Text> for WireText {
    fn from(text: Text) -> Self {
        Self(text)
    }
}

impl From<&str> for WireText {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl Serialize for WireText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = Json::from(self.0.clone()).to_string();
        RawValue::from_string(text).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WireText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw: Box<RawValue> = Box::deserialize(deserializer)?;
        let document = Document::parse(raw.get().as_bytes()).map_err(D::Error::custom)?;
        document.root().as_text().map(Self).ok_or_else(|| D::Error::custom("expected a string"))
    }
}

impl JsonSchema for WireText {
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "Text that may hold lone surrogates, as `\\uXXXX` escapes.", "type": "string" })
    }
}
