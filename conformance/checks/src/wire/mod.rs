//! The checks' own reading of what stands on the wire. They judge by this and never by the reference's
//! stages, so that a fault of the reference cannot certify itself.

mod cost;
mod links;
mod pairs;
mod same;
mod valid;

pub(crate) use cost::{context_units, message_units, requirements_units, summary_units};
pub use links::{Links, judge_cut};
pub(crate) use links::{call_ids, safe_cuts};
pub(crate) use pairs::{halves, has_pair, texts};
pub use same::same;
pub use valid::Validity;
pub(crate) use valid::validity;

use seamcheck_protocol::payload::Payload;
use seamcheck_reference::{Document, Json, Text};

/// Deeper than any payload that a check builds or expects.
const DEPTH: usize = 256;

/// A payload as a value; `None` for what is no JSON, nests beyond use, or holds an infinite number.
pub(crate) fn read(payload: &Payload) -> Option<Json> {
    Document::parse(payload.text().as_bytes()).ok()?.root().to_json(DEPTH)
}

/// The elements of an array member; none if there is no such array.
pub(crate) fn list<'a>(value: &'a Json, name: &str) -> &'a [Json] {
    match value.get(name) {
        Some(Json::Array(elements)) => elements,
        _ => &[],
    }
}

/// A text member.
pub(crate) fn text<'a>(value: &'a Json, name: &str) -> Option<&'a Text> {
    match value.get(name) {
        Some(Json::String(text)) => Some(text),
        _ => None,
    }
}

/// A whole number member.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be a whole number in range")]
pub(crate) fn number(value: &Json, name: &str) -> Option<u64> {
    match value.get(name) {
        Some(Json::Number(number)) if number.fract() == 0.0 && (0.0..9e15).contains(number) => Some(*number as u64),
        _ => None,
    }
}

/// Whether a text member is exactly this.
pub(crate) fn is(value: &Json, name: &str, expected: &str) -> bool {
    text(value, name).and_then(Text::as_str) == Some(expected)
}

/// A value shortened for people.
pub(crate) fn show(value: &Json) -> String {
    const SHOWN_CHARACTERS: usize = 300;
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
