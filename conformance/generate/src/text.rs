//! `B-TEXT-1` to `B-TEXT-4`: recipes for texts that JSON can carry and libraries get wrong. No normalization
//! and no escaping here: a recipe gives code units, the writer decides how they travel.

use seamcheck_reference::{Limits, Text};
use serde::{Deserialize, Serialize};

/// A recipe for a text: its fragments one after another, cut at 65,536 code points.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPlan(pub Vec<Fragment>);

/// A part of a text. Numbers select from a table, modulo its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Fragment {
    /// Ordinary ASCII.
    Word(u8),
    /// An entry of the table of hostile text.
    Hostile(u8),
    /// An entry of either table, repeated.
    Run {
        /// Below the number of words a word, above it hostile text.
        entry: u8,
        /// How often.
        times: u32,
    },
    /// Any single code unit, half a pair included.
    Unit(u16),
}

impl TextPlan {
    /// A plain word.
    pub fn word(entry: u8) -> Self {
        Self(vec![Fragment::Word(entry)])
    }

    /// The text, at most 65,536 code points.
    pub fn build(&self) -> Text {
        self.build_within(Limits::SPEC.text_code_points)
    }

    /// The text, cut to this many code points.
    pub fn build_within(&self, code_points: usize) -> Text {
        let mut units = Vec::new();
        for fragment in &self.0 {
            fragment.append(&mut units, code_points.saturating_mul(2));
        }
        cut(&units, code_points)
    }
}

impl Fragment {
    /// Appends its code units; stops soon after `enough` are there, since the rest would be cut away.
    fn append(self, units: &mut Vec<u16>, enough: usize) {
        match self {
            Self::Word(entry) => units.extend(word(entry).encode_utf16()),
            Self::Hostile(entry) => units.extend(hostile(entry)),
            Self::Unit(unit) => units.push(unit),
            Self::Run { entry, times } => {
                let once: Vec<u16> = match usize::from(entry).checked_sub(WORDS.len()) {
                    None => word(entry).encode_utf16().collect(),
                    Some(rest) => hostile(u8::try_from(rest).unwrap_or_default()),
                };
                for _ in 0..times {
                    if units.len() >= enough {
                        break;
                    }
                    units.extend_from_slice(&once);
                }
            }
        }
    }
}

/// The first code points of these units.
pub(crate) fn cut(units: &[u16], code_points: usize) -> Text {
    let end = char::decode_utf16(units.iter().copied())
        .take(code_points)
        .map(|point| point.map_or(1, char::len_utf16))
        .sum::<usize>();
    Text::from_utf16(&units[..end])
}

/// A text with more code units behind it.
pub(crate) fn append(text: &Text, more: &str) -> Text {
    let mut units = text.to_utf16();
    units.extend(more.encode_utf16());
    Text::from_utf16(&units)
}

fn word(entry: u8) -> &'static str {
    WORDS[usize::from(entry) % WORDS.len()]
}

fn hostile(entry: u8) -> Vec<u16> {
    let entry = usize::from(entry) % (STRINGS.len() + UNITS.len());
    match entry.checked_sub(STRINGS.len()) {
        None => STRINGS[entry].encode_utf16().collect(),
        Some(rest) => UNITS[rest].to_vec(),
    }
}

pub(crate) const WORDS: &[&str] =
    &["a", "ok", "the quick brown fox", "100%", "src/main.rs", "x\ny", "{\"json\": [1, 2]}", "42"];

/// Hostile text that is well formed.
pub(crate) const STRINGS: &[&str] = &[
    // Astral: one code point, two code units, four bytes.
    "\u{1F600}",
    "\u{10000}",
    "\u{10FFFF}",
    "\u{1D11E}\u{1F680}",
    // Combining, in both normal forms; a long stack.
    "\u{E9}",
    "e\u{301}",
    "Z\u{351}\u{36B}\u{343}\u{36A}",
    "\u{212B}\u{C5}A\u{30A}",
    // Joined emoji, skin tones, a keycap, variation selectors.
    "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}",
    "\u{1F44D}\u{1F3FD}",
    "\u{2764}\u{FE0F}",
    // Flags: a pair, half of one, a tag sequence.
    "\u{1F1FA}\u{1F1F8}\u{1F1E7}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}",
    // Jamo and the syllable that they compose.
    "\u{1100}\u{1161}\u{11A8}",
    "\u{AC01}",
    // Byte order mark, NUL, controls, delete.
    "\u{FEFF}",
    "\0",
    "\u{1}\u{8}\u{C}\u{1F}\u{7F}",
    "\r\n\t",
    // Noncharacters, the replacement character, private use.
    "\u{FFFE}",
    "\u{FFFF}",
    "\u{FDD0}\u{1FFFE}",
    "\u{FFFD}",
    "\u{E000}\u{F8FF}",
    // Bidi marks, overrides and isolates; right-to-left text.
    "\u{202E}abc\u{202C}",
    "\u{2066}\u{5D0}\u{5D1}\u{2069}",
    "\u{200F}\u{627}\u{644}",
    // Blank for ECMAScript.
    " ",
    "\u{A0}",
    "\u{1680}\u{2000}\u{200A}",
    "\u{2028}",
    "\u{2029}\u{202F}",
    "\u{205F}\u{3000}",
    // Blank to the eye or to other languages, but not here.
    "\u{85}",
    "\u{180E}",
    "\u{200B}",
    "\u{1C}",
    "\u{2800}",
    // What escapes look like.
    "\\",
    "\"",
    "\\u0041",
    "\\\"\\n",
    "</script>",
    "\\ud800",
    // Case mappings that change the length or meet another letter.
    "\u{DF}SS",
    "\u{130}i\u{131}I",
    "\u{212A}kK",
];

/// Text that is not well formed: halves of pairs.
pub(crate) const UNITS: &[&[u16]] = &[
    &[0xD800],
    &[0xDBFF],
    &[0xDC00],
    &[0xDFFF],
    // A pair the wrong way round.
    &[0xDE00, 0xD83D],
    // A high one before a pair, a low one behind it.
    &[0xD83D, 0xD83D, 0xDE00],
    &[0xD83D, 0xDE00, 0xDE00],
    &[0xD83D, 0x61],
    &[0x61, 0xDE00],
    &[0xD800, 0xD800],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_the_limit_without_parting_a_pair() {
        let entry = u8::try_from(WORDS.len()).unwrap();
        let text = TextPlan(vec![Fragment::Word(0), Fragment::Run { entry, times: u32::MAX }]).build();
        assert_eq!(text.code_points(), 65_536);
        assert!(text.as_str().is_some_and(|text| text.ends_with('\u{1F600}')));
    }

    #[test]
    fn halves_that_meet_become_a_pair() {
        let text = TextPlan(vec![Fragment::Unit(0xD83D), Fragment::Unit(0xDE00)]).build();
        assert_eq!(text.as_str(), Some("\u{1F600}"));
    }
}
