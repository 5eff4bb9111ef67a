//! Drawing compactions: mostly ones that work, one unit beside the edge.

use super::{Generate, Source};
use crate::compaction::{AnswerPlan, BudgetPlan, CompactionPlan, Delta, Fit, Retain, SummarySize, Threshold};
use crate::settings::Settings;
use crate::text::{Fragment, TextPlan};
use arbitrary::Unstructured;

impl Generate for CompactionPlan {
    fn generate(bytes: &mut Unstructured<'_>, settings: &Settings) -> Self {
        let mut source = Source { bytes, settings };
        let budget = BudgetPlan::draw(&mut source);
        let fit = match source.below(10) {
            0..=4 => Fit::Within,
            5..=6 => Fit::Full,
            7 => Fit::OneOver,
            8 => Fit::Empty,
            _ => Fit::Blank,
        };
        let text = if source.percent(80) { source.text() } else { TextPlan(vec![Fragment::Hostile(source.any())]) };
        Self { budget, answer: AnswerPlan { text, fit }, summary_id: source.id(), record_id: source.id() }
    }
}

impl BudgetPlan {
    fn draw(source: &mut Source<'_, '_>) -> Self {
        let delta = match source.below(8) {
            0..=2 => Delta::Exact,
            3..=4 => Delta::Below,
            5..=6 => Delta::Above,
            _ => Delta::Slack(source.any()),
        };
        let retain = match source.below(12) {
            0..=3 => Retain::Nothing,
            4 => Retain::One,
            5..=6 => Retain::Share(source.any()),
            7..=8 => Retain::Suffix,
            9 => Retain::SuffixAndOne,
            10 => Retain::All,
            _ => Retain::More(source.any()),
        };
        let summary = match source.below(8) {
            0..=3 => SummarySize::Small,
            4..=5 => SummarySize::Of(source.any()),
            6 => SummarySize::One,
            _ => SummarySize::Largest,
        };
        let threshold = match source.below(8) {
            0..=4 => Threshold::OneBelow,
            5..=6 => Threshold::AtTarget,
            _ => Threshold::Exact,
        };
        Self { suffix: source.any(), delta, retain, summary, threshold }
    }
}
