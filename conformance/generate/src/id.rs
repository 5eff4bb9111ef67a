//! `B-TEXT-3`: ids that meet, nearly meet, or are the names of something else. Uniqueness is kept only where
//! the profile asks for it; message ids may repeat.

use crate::text::{TextPlan, append, cut};
use seamcheck_reference::Text;
use std::collections::HashSet;

/// A recipe for an id. Building it never gives a blank one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum IdPlan {
    /// A letter and a number that nothing else has.
    #[default]
    Fresh,
    /// An entry of the table of odd ids, modulo its length.
    Odd(u8),
    /// The same as an id that stands earlier, whatever it names, modulo their number.
    Earlier(u16),
    /// Any text; a blank one gets a letter behind it.
    Text(TextPlan),
}

/// The ids given so far.
#[derive(Debug, Default)]
pub(crate) struct Ids(Vec<Text>);

/// Ids of one kind that must be unique.
#[derive(Debug, Default)]
pub(crate) struct Unique(HashSet<Text>);

/// Room for what makes an id unique or not blank.
const LONGEST_ID_CODE_POINTS: usize = 65_000;

impl Ids {
    /// The id of a plan, where any may repeat.
    pub(crate) fn any(&mut self, plan: &IdPlan, fresh: &str) -> Text {
        let id = self.preview(plan, fresh);
        self.note(&id);
        id
    }

    /// The id of a plan, made different from all others of its kind. It is taken only when it is noted.
    pub(crate) fn unique(&self, plan: &IdPlan, fresh: &str, taken: &Unique) -> Text {
        let mut id = self.preview(plan, fresh);
        let mut number = 0;
        while taken.0.contains(&id) {
            id = append(&self.preview(plan, fresh), &format!("~{number}"));
            number += 1;
        }
        id
    }

    pub(crate) fn preview(&self, plan: &IdPlan, fresh: &str) -> Text {
        match plan {
            IdPlan::Fresh => fresh.into(),
            IdPlan::Odd(entry) => odd(*entry),
            IdPlan::Earlier(place) if self.0.is_empty() => format!("{fresh}-{place}").into(),
            IdPlan::Earlier(place) => self.0[usize::from(*place) % self.0.len()].clone(),
            IdPlan::Text(plan) => not_blank(&plan.build_within(LONGEST_ID_CODE_POINTS)),
        }
    }

    pub(crate) fn note(&mut self, id: &Text) {
        self.0.push(id.clone());
    }
}

impl Unique {
    pub(crate) fn note(&mut self, id: &Text) {
        self.0.insert(id.clone());
    }
}

/// The text itself, or with a letter behind it when it is blank.
pub(crate) fn not_blank(text: &Text) -> Text {
    if text.is_blank() { append(&cut(&text.to_utf16(), LONGEST_ID_CODE_POINTS), "x") } else { text.clone() }
}

fn odd(entry: u8) -> Text {
    let entry = usize::from(entry) % (ODD.len() + ODD_UNITS.len());
    match entry.checked_sub(ODD.len()) {
        None => ODD[entry].into(),
        Some(rest) => Text::from_utf16(ODD_UNITS[rest]),
    }
}

pub(crate) const PROPERTY_NAMES: &[&str] = &["__proto__", "constructor", "toString", "hasOwnProperty", "then"];

const ODD: &[&str] = &[
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "then",
    "null",
    "undefined",
    "0",
    "-0",
    "1",
    "01",
    // Ids that trimming, case folding, normalization or a look would make equal.
    "a",
    "A",
    "a ",
    " a",
    "\u{FEFF}a",
    "a\0",
    "\u{FF41}",
    "\u{E9}",
    "e\u{301}",
    "\u{212A}",
    "k",
    "\u{DF}",
    "ss",
    // Not blank, though they look so.
    "\u{85}",
    "\u{180E}",
    "\u{200B}",
    "\0",
    "\u{1C}",
    "\u{1F600}",
    "\u{FFFD}",
];

/// Ids that a lossy decoder would make equal.
const ODD_UNITS: &[&[u16]] = &[&[0xD800], &[0xD801], &[0xDC00], &[0xDC00, 0xD800], &[0x61, 0xD800]];
