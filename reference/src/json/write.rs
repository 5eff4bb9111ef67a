//! Writing JSON: ASCII only, so that a lone surrogate and every look-alike is visible as an escape.

use super::number::format_number;
use super::tree::Json;
use crate::text::Text;
use std::fmt::{self, Write};

/// Compact ASCII JSON text.
impl fmt::Display for Json {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => out.write_str("null"),
            Self::Bool(flag) => write!(out, "{flag}"),
            // JSON keeps the sign of -0, which String(-0) drops.
            Self::Number(number) if *number == 0.0 && number.is_sign_negative() => out.write_str("-0"),
            Self::Number(number) => out.write_str(&format_number(*number)),
            Self::String(text) => write_string(text, out),
            Self::Array(elements) => {
                out.write_char('[')?;
                for (index, element) in elements.iter().enumerate() {
                    separate(index, out)?;
                    write!(out, "{element}")?;
                }
                out.write_char(']')
            }
            Self::Object(object) => {
                out.write_char('{')?;
                for (index, (key, value)) in object.members().iter().enumerate() {
                    separate(index, out)?;
                    write_string(key, out)?;
                    write!(out, ":{value}")?;
                }
                out.write_char('}')
            }
        }
    }
}

fn separate(index: usize, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    if index == 0 { Ok(()) } else { out.write_char(',') }
}

/// Writes a text as an ASCII JSON string.
pub(crate) fn write_string(text: &Text, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    out.write_char('"')?;
    for point in text.points() {
        match char::from_u32(point) {
            Some('"') => out.write_str("\\\"")?,
            Some('\\') => out.write_str("\\\\")?,
            Some(plain @ ' '..='~') => out.write_char(plain)?,
            Some(character) => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
            }
            None => write!(out, "\\u{point:04x}")?,
        }
    }
    out.write_char('"')
}
