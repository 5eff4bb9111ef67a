//! `B-SUMMARY-3` and `B-SUMMARY-4`: what a summarizer says, as long as its budget asks for.

use crate::id::not_blank;
use crate::text::{TextPlan, cut};
use seamcheck_reference::{Limits, Text};
use serde::{Deserialize, Serialize};

/// A recipe for the text of a summary.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnswerPlan {
    /// What it says, at least.
    pub text: TextPlan,
    /// How it stands to its budget.
    pub fit: Fit,
}

/// How the text of a summary stands to its budget.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Fit {
    /// Whatever the text is, cut to the budget.
    #[default]
    Within,
    /// Exactly the budget.
    Full,
    /// One unit too many.
    OneOver,
    /// Nothing.
    Empty,
    /// Only space.
    Blank,
}

impl AnswerPlan {
    /// The text of the summary. `room` is the code points that the budget leaves for it: the check's own
    /// count, `None` when not even the id fits. Text that must not be blank is not.
    pub fn build(&self, room: Option<usize>) -> Text {
        let longest = Limits::SPEC.text_code_points;
        let room = room.unwrap_or(0);
        match self.fit {
            Fit::Empty => Text::default(),
            Fit::Blank => "\u{FEFF} \t\u{3000}".into(),
            Fit::Within => {
                let text = self.text.build_within(room.min(longest));
                // A blank text gets a letter behind it, which must fit as well.
                if text.is_blank() {
                    not_blank(&self.text.build_within(room.min(longest).saturating_sub(1)))
                } else {
                    text
                }
            }
            Fit::Full => self.sized(room.min(longest)),
            Fit::OneOver => self.sized((room + 1).min(longest)),
        }
    }

    /// Exactly this long: the text, repeated letters behind it.
    fn sized(&self, code_points: usize) -> Text {
        let text = self.text.build_within(code_points.saturating_sub(1));
        let mut units = text.to_utf16();
        // A letter first, so that no half at the end of the text joins what follows.
        units.extend(std::iter::repeat_n(u16::from(b'x'), code_points - text.code_points()));
        cut(&units, code_points)
    }
}
