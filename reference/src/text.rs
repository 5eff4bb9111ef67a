//! `B-TEXT-1` to `B-TEXT-4`: text as JSON carries it, lone surrogates included.
//!
//! Absent on purpose: normalization, grapheme clusters, case, and any trimming of a value.

use std::fmt;

/// Any sequence of UTF-16 code units that JSON can carry (`B-TEXT-1`).
///
/// Held as WTF-8: UTF-8 in which a lone surrogate takes its three-byte form, while a valid pair is
/// always joined into four bytes. Two texts are equal exactly when their code units are (`B-TEXT-3`);
/// the order is by code point.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text(Box<[u8]>);

impl Text {
    /// The text of these UTF-16 code units, whatever they are.
    pub fn from_utf16(units: &[u16]) -> Self {
        let mut builder = TextBuilder::default();
        for unit in char::decode_utf16(units.iter().copied()) {
            builder.push(unit.map_or_else(|lone| u32::from(lone.unpaired_surrogate()), u32::from));
        }
        builder.finish()
    }

    /// The UTF-16 code units, pairs and lone surrogates as they came.
    pub fn to_utf16(&self) -> Vec<u16> {
        let mut units = Vec::with_capacity(self.0.len());
        for point in self.points() {
            match char::from_u32(point) {
                Some(character) => units.extend_from_slice(character.encode_utf16(&mut [0; 2])),
                None => units.push(lone_surrogate(point)),
            }
        }
        units
    }

    /// Code points: a valid pair is one, and so is each lone surrogate (`B-TEXT-2`).
    pub fn code_points(&self) -> usize {
        bytecount::num_chars(&self.0)
    }

    /// Whether ECMAScript's `trim` would leave nothing (`B-TEXT-4`). The empty text is blank.
    pub fn is_blank(&self) -> bool {
        self.points().all(is_ecmascript_space)
    }

    /// Whether there is no code unit at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text as a string slice, or `None` when it holds a lone surrogate.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// The WTF-8 bytes.
    pub fn as_wtf8(&self) -> &[u8] {
        &self.0
    }

    /// The code points in order; a lone surrogate is its own value (0xD800 to 0xDFFF).
    pub fn points(&self) -> impl Iterator<Item = u32> + '_ {
        Points { bytes: &self.0 }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().into())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(text.into_bytes().into_boxed_slice())
    }
}

/// A lone surrogate is shown as U+FFFD, since a terminal cannot show it; `Debug` is exact.
impl fmt::Display for Text {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.points().try_for_each(|point| {
            fmt::Write::write_char(out, char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER))
        })
    }
}

/// The text as an ASCII JSON string, so that no two texts look alike.
impl fmt::Debug for Text {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::json::write_string(self, out)
    }
}

/// Collects code points into a [`Text`], joining a high surrogate with a low one that follows it.
#[derive(Debug, Default)]
pub(crate) struct TextBuilder {
    bytes: Vec<u8>,
    pending_high: Option<u32>,
}

impl TextBuilder {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), pending_high: None }
    }

    /// Appends text that is known to be UTF-8.
    pub(crate) fn push_str(&mut self, text: &str) {
        if !text.is_empty() {
            self.flush_high();
            self.bytes.extend_from_slice(text.as_bytes());
        }
    }

    /// Appends one code point or one surrogate.
    pub(crate) fn push(&mut self, point: u32) {
        match (self.pending_high.take(), point) {
            (Some(high), 0xDC00..=0xDFFF) => {
                self.push_bytes(0x10000 + ((high - 0xD800) << 10) + (point - 0xDC00));
            }
            (before, point) => {
                if let Some(high) = before {
                    self.push_bytes(high);
                }
                if (0xD800..=0xDBFF).contains(&point) {
                    self.pending_high = Some(point);
                } else {
                    self.push_bytes(point);
                }
            }
        }
    }

    pub(crate) fn finish(mut self) -> Text {
        self.flush_high();
        Text(self.bytes.into_boxed_slice())
    }

    fn flush_high(&mut self) {
        if let Some(high) = self.pending_high.take() {
            self.push_bytes(high);
        }
    }

    fn push_bytes(&mut self, point: u32) {
        if let Some(character) = char::from_u32(point) {
            self.bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        } else {
            let [low, high, ..] = point.to_le_bytes();
            let unit = u16::from_le_bytes([low, high]);
            let [.., bottom] = (unit & 0x3F).to_be_bytes();
            let [.., middle] = ((unit >> 6) & 0x3F).to_be_bytes();
            self.bytes.extend_from_slice(&[0xED, 0x80 | middle, 0x80 | bottom]);
        }
    }
}

struct Points<'a> {
    bytes: &'a [u8],
}

impl Iterator for Points<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (&first, rest) = self.bytes.split_first()?;
        let (length, lead) = match first {
            0x00..=0x7F => (0, u32::from(first)),
            0x80..=0xDF => (1, u32::from(first & 0x1F)),
            0xE0..=0xEF => (2, u32::from(first & 0x0F)),
            0xF0..=0xFF => (3, u32::from(first & 0x07)),
        };
        let (tail, rest) = rest.split_at(length);
        self.bytes = rest;
        Some(tail.iter().fold(lead, |point, byte| (point << 6) | u32::from(byte & 0x3F)))
    }
}

fn lone_surrogate(point: u32) -> u16 {
    u16::try_from(point).expect("a point that is no character is a surrogate, below 0xE000")
}

/// `WhiteSpace` and `LineTerminator` of ECMA-262. Rust's `trim` takes U+0085 in and leaves U+FEFF out.
fn is_ecmascript_space(point: u32) -> bool {
    matches!(
        point,
        0x09..=0x0D | 0x20 | 0xA0 | 0x1680 | 0x2000..=0x200A | 0x2028 | 0x2029 | 0x202F | 0x205F | 0x3000 | 0xFEFF
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_counts_one_and_each_lone_surrogate_counts_one() {
        assert_eq!(Text::from_utf16(&[0xD83D, 0xDE00]).code_points(), 1);
        assert_eq!(Text::from_utf16(&[0xDE00, 0xD83D]).code_points(), 2);
        assert_eq!(Text::from_utf16(&[0xD83D, 0x61]).code_points(), 2);
    }

    #[test]
    fn every_single_unit_and_boundary_pair_survives_a_round_trip() {
        for unit in 0..=u16::MAX {
            assert_eq!(Text::from_utf16(&[unit]).to_utf16(), [unit]);
        }
        let edges = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
        for first in edges {
            for second in edges {
                assert_eq!(Text::from_utf16(&[first, second]).to_utf16(), [first, second]);
            }
        }
    }

    #[test]
    fn blank_is_ecmascript_trim_and_not_rust_trim() {
        assert!(Text::from("\u{FEFF}\u{3000} \t").is_blank());
        for lookalike in ["\u{85}", "\u{180E}", "\u{200B}", "\0", "\u{1C}"] {
            assert!(!Text::from(lookalike).is_blank(), "{lookalike:?}");
        }
        assert!(!Text::from_utf16(&[0xD800]).is_blank());
    }

    #[test]
    fn debug_is_exact_where_display_must_replace() {
        let text = Text::from_utf16(&[0x61, 0xD800]);
        assert_eq!(format!("{text:?}"), r#""a\ud800""#);
        assert_eq!(text.to_string(), "a\u{FFFD}");
    }
}
