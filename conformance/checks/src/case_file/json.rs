//! A value of the IR inside a case file: it is written as it is, a message a line, and read by the reference's
//! reader, since serde refuses a lone surrogate.

use seamcheck_reference::json::Kind;
use seamcheck_reference::{Document, Json, Value};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// Deeper than any context that a case holds.
const DEPTH: usize = 256;

pub(crate) fn serialize<S: Serializer>(json: &Json, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(laid_out(json)).map_err(S::Error::custom)?.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
    let text: Box<RawValue> = Box::deserialize(deserializer)?;
    let document = Document::parse(text.get().as_bytes()).map_err(D::Error::custom)?;
    let too_deep = || D::Error::custom(format!("a value nests deeper than {DEPTH}, or holds an infinite number"));
    as_it_stands(document.root(), DEPTH).ok_or_else(too_deep)
}

/// The value with its members in the order of the text, where the reader gives them in that of ECMAScript: the
/// adapter is sent the same text again.
fn as_it_stands(value: Value<'_>, depth: usize) -> Option<Json> {
    Some(match value.kind() {
        Kind::Array => {
            let depth = depth.checked_sub(1)?;
            Json::Array(value.elements().map(|element| as_it_stands(element, depth)).collect::<Option<_>>()?)
        }
        Kind::Object => {
            let depth = depth.checked_sub(1)?;
            let mut members: Vec<_> = value.members().collect();
            members.sort_by_key(|(_, member)| member.source().as_ptr());
            let members = members.into_iter().map(|(key, member)| Some((key, as_it_stands(member, depth)?)));
            Json::Object(members.collect::<Option<_>>()?)
        }
        _ => value.to_json(depth)?,
    })
}

/// A list one element a line, a context one member a line and its messages as well.
fn laid_out(json: &Json) -> String {
    let lines = |open: char, items: Vec<String>, close: char| {
        if items.is_empty() { format!("{open}{close}") } else { format!("{open}\n{}\n{close}", items.join(",\n")) }
    };
    match json {
        Json::Array(elements) => lines('[', elements.iter().map(Json::to_string).collect(), ']'),
        Json::Object(object) if json.get("messages").is_some() => {
            let member = |(key, value): &(seamcheck_reference::Text, Json)| {
                let value = if key.as_str() == Some("messages") { laid_out(value) } else { value.to_string() };
                format!("{}: {value}", Json::from(key.clone()))
            };
            lines('{', object.members().iter().map(member).collect(), '}')
        }
        other => other.to_string(),
    }
}
