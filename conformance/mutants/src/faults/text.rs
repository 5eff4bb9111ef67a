//! Faults of `B-TEXT`: other counts, other equality, another blank.

use super::{editing, refusing};
use crate::raw::Raw;
use crate::registry::Mutant;
use crate::stages::Stages;
use crate::weights::Weights;
use seamcheck_reference::{Code, Text};
use std::collections::HashSet;

/// Why more clauses may stop these mutants.
const WHY: &str = "what is read or counted otherwise is shown, told apart and cut otherwise";

const fn counting(text: fn(&Text) -> u64) -> Stages {
    Stages { weights: Weights { text, ..Weights::SPEC }, ..Stages::SPEC }
}

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "text-counts-utf16",
        description: "a text costs its UTF-16 code units",
        must: &["B-TEXT-2"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: counting(|text| text.to_utf16().len() as u64),
    },
    Mutant {
        name: "text-counts-bytes",
        description: "a text costs its UTF-8 bytes",
        must: &["B-TEXT-2"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: counting(|text| text.as_wtf8().len() as u64),
    },
    Mutant {
        name: "text-counts-graphemes",
        description: "combining marks, joiners and variation selectors cost nothing",
        must: &["B-TEXT-2"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: counting(|text| text.points().filter(|point| !joins(*point)).count() as u64),
    },
    Mutant {
        name: "text-skips-lone-surrogates",
        description: "a lone surrogate costs nothing",
        must: &["B-TEXT-2"],
        may: may![WHY;
            "B-TEXT-*" "B-JSON-*" "B-LIMIT-*" "B-BUILD-*" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*"
        ],
        stages: counting(|text| text.points().filter(|point| char::from_u32(*point).is_some()).count() as u64),
    },
    Mutant {
        name: "text-replaces-lone-surrogates",
        description: "a lone surrogate is read as U+FFFD",
        must: &["B-TEXT-1"],
        may: may![WHY; "B-TEXT-3" "B-BUILD-2" "B-BUILD-10" "B-COMPACT-4" "B-COMPACT-6" "B-TRIM-5"],
        stages: editing(|context| context.visit_texts(&mut |value| rewrite(value, Text::to_string))),
    },
    Mutant {
        name: "text-normalizes",
        description: "a letter and its combining acute accent are read as one code point",
        must: &["B-TEXT-1"],
        may: may![WHY;
            "B-TEXT-2" "B-TEXT-3" "B-BUILD-2" "B-BUILD-10" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*" "B-SUMMARY-*"
            "B-CANCEL-*" "B-STATE-*" "B-TRIM-5"
        ],
        stages: editing(|context| context.visit_texts(&mut |value| rewrite(value, compose))),
    },
    Mutant {
        name: "text-trims-ids",
        description: "ids and names lose the spaces around them",
        must: &["B-TEXT-3"],
        may: may![WHY;
            "B-TEXT-1" "B-TEXT-4" "B-BUILD-2" "B-BUILD-10" "B-LINK-8" "B-UNIT-*" "B-SELECT-*" "B-COMPACT-*"
            "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*" "B-TRIM-5"
        ],
        stages: editing(|context| context.visit_solid_texts(&mut |value| rewrite(value, trim_unless_blank))),
    },
    Mutant {
        name: "text-folds-case",
        description: "requirement ids that differ in case only are the same",
        must: &["B-TEXT-3"],
        may: may![WHY; "B-LIMIT-2" "B-BUILD-2" "B-BUILD-3" "B-BUILD-5"],
        stages: refusing(|text| {
            let context = Raw::parse(text)?;
            let ids = context.list("requirements").iter().filter_map(|entry| entry.get("id")?.text());
            let mut seen = HashSet::new();
            let mut ids = ids.map(|id| id.to_string().to_lowercase());
            ids.any(|id| !seen.insert(id)).then_some(Code::InvalidInput)
        }),
    },
    Mutant {
        name: "text-rust-blank",
        description: "blank is what Rust's trim leaves nothing of",
        must: &["B-TEXT-4"],
        may: may![WHY; "B-BUILD-*" "B-LINK-*"],
        stages: editing(|context| reblank(context, rust_blank)),
    },
    Mutant {
        name: "text-ascii-blank",
        description: "only ASCII spaces are blank",
        must: &["B-TEXT-4"],
        may: may![WHY; "B-BUILD-*" "B-LINK-*"],
        stages: editing(|context| reblank(context, ascii_blank)),
    },
    Mutant {
        name: "text-zero-width-blank",
        description: "zero-width characters are blank too",
        must: &["B-TEXT-4"],
        may: may![WHY; "B-BUILD-2" "B-BUILD-10" "B-LINK-1" "B-LINK-8"],
        stages: editing(|context| reblank(context, zero_width_blank)),
    },
];

fn joins(point: u32) -> bool {
    matches!(point, 0x300..=0x36F | 0x200D | 0xFE00..=0xFE0F | 0x1F3FB..=0x1F3FF)
}

fn rewrite(value: &mut Raw, change: fn(&Text) -> String) {
    if let Some(text) = value.text() {
        let changed = change(&text);
        if Some(changed.as_str()) != text.as_str() {
            *value = Raw::string(&Text::from(changed));
        }
    }
}

fn compose(text: &Text) -> String {
    let pairs = [("e\u{301}", "\u{e9}"), ("a\u{301}", "\u{e1}"), ("A\u{30a}", "\u{c5}"), ("\u{212b}", "\u{c5}")];
    pairs.iter().fold(text.to_string(), |text, (apart, joined)| text.replace(apart, joined))
}

fn trim_unless_blank(text: &Text) -> String {
    let text = text.to_string();
    let trimmed = text.trim();
    if trimmed.is_empty() { text } else { trimmed.to_owned() }
}

/// Makes what the fault takes for blank so, and the other way round.
fn reblank(context: &mut Raw, is_blank: fn(&Text) -> bool) {
    context.visit_solid_texts(&mut |value| {
        let Some(text) = value.text() else { return };
        match (text.is_blank(), is_blank(&text)) {
            (true, false) => *value = Raw::string(&"x".into()),
            (false, true) => *value = Raw::string(&"".into()),
            _ => {}
        }
    });
}

fn rust_blank(text: &Text) -> bool {
    text.as_str().is_some_and(|text| text.trim().is_empty())
}

fn ascii_blank(text: &Text) -> bool {
    text.as_wtf8().iter().all(u8::is_ascii_whitespace)
}

fn zero_width_blank(text: &Text) -> bool {
    text.is_blank() || text.points().all(|point| matches!(point, 0x200B..=0x200F | 0x2060 | 0x180E))
}
