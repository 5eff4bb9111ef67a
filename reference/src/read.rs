//! `B-BUILD-3`, `B-BUILD-4` and `B-BUILD-9`: how an array, a string and an integer are read, and which
//! fault of them comes first. Every fault that is no limit is `CONTEXT_INVALID_INPUT` here; the caller
//! that knows better changes the code.

use crate::error::{Code, Error, Kind};
use crate::json::{Kind as JsonKind, Value};
use crate::limits::MAX_SAFE_INTEGER;
use crate::tally::{Tally, exceeds};
use crate::text::Text;

/// Whether a blank string is refused.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blank {
    Refused,
    Allowed,
}

pub(crate) fn invalid(kind: Kind) -> Error {
    Error::new(Code::InvalidInput, kind)
}

/// The value, if it is an object.
pub(crate) fn object(value: Value<'_>) -> Result<Value<'_>, Error> {
    if value.kind() == JsonKind::Object { Ok(value) } else { Err(not_a("an object", value)) }
}

/// A member that must be there, whatever it is.
pub(crate) fn field<'a>(record: Value<'a>, name: &'static str) -> Result<Value<'a>, Error> {
    record.get(name).ok_or_else(|| invalid(Kind::Missing).within(name))
}

/// The elements: is it an array, its own limit, the running total (`B-BUILD-3`).
pub(crate) fn array<'a>(
    value: Value<'a>,
    what: &'static str,
    limit: usize,
    tally: &mut Tally,
) -> Result<Vec<Value<'a>>, Error> {
    if value.kind() != JsonKind::Array {
        return Err(not_a("an array", value));
    }
    let length = value.elements().count();
    exceeds(what, length, limit)?;
    tally.add_items(length)?;
    Ok(value.elements().collect())
}

/// A text member: present and a string, its own limit, the aggregate, blank (`B-BUILD-4`).
pub(crate) fn text(record: Value<'_>, name: &'static str, blank: Blank, tally: &mut Tally) -> Result<Text, Error> {
    let value = field(record, name)?;
    string(value, blank, tally).map_err(|error| error.within(name))
}

/// The same for a value that is no member.
pub(crate) fn string(value: Value<'_>, blank: Blank, tally: &mut Tally) -> Result<Text, Error> {
    let text = value.as_text().ok_or_else(|| not_a("a string", value))?;
    tally.add_text(&text)?;
    if blank == Blank::Refused && text.is_blank() {
        return Err(invalid(Kind::Blank));
    }
    Ok(text)
}

/// A safe integer from `minimum` (`B-BUILD-9`): 1.0 is one, and so is -0.
pub(crate) fn integer(value: Value<'_>, minimum: u64) -> Result<u64, Error> {
    let fault = || invalid(Kind::NotInteger { minimum, found: shorten(value.source()) });
    let number = value.as_number().filter(|number| number.fract() == 0.0 && number.abs() <= max_safe());
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the number is a whole one between 0 and 2^53 - 1"
    )]
    let integer = number.filter(|number| *number >= 0.0).map(|number| number as u64);
    integer.filter(|integer| *integer >= minimum).ok_or_else(fault)
}

pub(crate) fn not_a(expected: &'static str, value: Value<'_>) -> Error {
    invalid(Kind::NotA { expected, found: value.kind().describe() })
}

#[expect(clippy::cast_precision_loss, reason = "2^53 - 1 is exact in binary64")]
fn max_safe() -> f64 {
    MAX_SAFE_INTEGER as f64
}

/// An error message stays readable whatever was sent.
fn shorten(source: &str) -> String {
    const SHOWN_CHARACTERS: usize = 40;
    let mut shown: String = source.chars().take(SHOWN_CHARACTERS).collect();
    if shown.len() < source.len() {
        shown.push('…');
    }
    shown
}
