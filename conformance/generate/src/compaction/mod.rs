//! `B-SELECT` and `B-COMPACT`: recipes for options and answers. A recipe selects; the numbers come from the
//! units that the check has counted itself, since a generator that counted for it would share its errors.

mod answer;

pub use answer::{AnswerPlan, Fit};

use crate::id::IdPlan;
use seamcheck_reference::Limits;
use serde::{Deserialize, Serialize};

/// A recipe for one compaction of a context.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompactionPlan {
    /// The budgets.
    pub budget: BudgetPlan,
    /// What the summarizer says.
    pub answer: AnswerPlan,
    /// The id of the new summary.
    pub summary_id: IdPlan,
    /// The id of the new record. It may be one that is already recorded.
    pub record_id: IdPlan,
}

/// A recipe for budgets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BudgetPlan {
    /// Which of the suffixes is to fit, as a share of 65,536 of their number: 0 is the longest.
    pub suffix: u16,
    /// How the target stands to what that suffix needs.
    pub delta: Delta,
    /// How many messages are retained at least.
    pub retain: Retain,
    /// How much is reserved for the summary.
    pub summary: SummarySize,
    /// How the threshold stands to the units of the context.
    pub threshold: Threshold,
}

/// One unit decides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Delta {
    /// One less than it needs.
    Below,
    /// Exactly what it needs.
    #[default]
    Exact,
    /// One more.
    Above,
    /// So many more.
    Slack(u16),
}

/// How many messages are retained at least.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Retain {
    /// 0: everything may go.
    #[default]
    Nothing,
    /// The newest alone.
    One,
    /// A share of 65,536 of the messages.
    Share(u16),
    /// Exactly the chosen suffix.
    Suffix,
    /// One more than the chosen suffix.
    SuffixAndOne,
    /// All of them, so that no boundary is left.
    All,
    /// More than there are, up to 4,096.
    More(u16),
}

/// How much is reserved for the summary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SummarySize {
    /// One unit, which no summary keeps to.
    One,
    /// Enough for a few words.
    #[default]
    Small,
    /// So many units.
    Of(u16),
    /// As much as the ceiling of 1,000,000 leaves.
    Largest,
}

/// How the threshold stands to the units of the context.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Threshold {
    /// One unit below: compacting is due.
    #[default]
    OneBelow,
    /// Exactly there: nothing is to be done.
    Exact,
    /// At the target, the lowest that is legal.
    AtTarget,
}

/// What a check has counted about a context.
#[derive(Debug, Clone, Copy)]
pub struct Counted<'a> {
    /// Units of the requirements.
    pub requirement_units: u64,
    /// For each place where a suffix may start, oldest first: the index of its first message and its units.
    pub suffixes: &'a [(usize, u64)],
    /// Messages in all.
    pub messages: usize,
    /// Units of the context.
    pub context_units: u64,
}

/// Options as numbers. They keep to `1 <= summary <= target <= max <= 1,000,000`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The threshold.
    pub max_units: u64,
    /// The target.
    pub target_units: u64,
    /// The reserve for the summary.
    pub summary_max_units: u64,
    /// Messages to retain.
    pub retain_recent_messages: usize,
}

impl BudgetPlan {
    /// The numbers for a context. Arithmetic only.
    pub fn resolve(&self, counted: Counted<'_>) -> Budget {
        let ceiling = Limits::SPEC.context_units;
        let place = (counted.suffixes.len() * usize::from(self.suffix)) >> 16;
        let (start, suffix_units) = counted.suffixes.get(place).copied().unwrap_or((counted.messages, 0));
        let kept = counted.requirement_units + suffix_units;
        let summary_max_units = match self.summary {
            SummarySize::One => 1,
            SummarySize::Small => 40,
            SummarySize::Of(units) => u64::from(units).max(1),
            SummarySize::Largest => ceiling.saturating_sub(kept).max(1),
        };
        let needed = kept + summary_max_units;
        let target_units = match self.delta {
            Delta::Below => needed.saturating_sub(1),
            Delta::Exact => needed,
            Delta::Above => needed + 1,
            Delta::Slack(units) => needed + u64::from(units),
        };
        let target_units = target_units.clamp(summary_max_units, ceiling);
        let max_units = match self.threshold {
            Threshold::OneBelow => counted.context_units.saturating_sub(1),
            Threshold::Exact => counted.context_units,
            Threshold::AtTarget => target_units,
        };
        let max_units = max_units.clamp(target_units, ceiling);
        let retain_recent_messages = self.retain.resolve(counted.messages, start);
        Budget { max_units, target_units, summary_max_units, retain_recent_messages }
    }
}

impl Retain {
    fn resolve(self, messages: usize, start: usize) -> usize {
        let suffix = messages.saturating_sub(start);
        let count = match self {
            Self::Nothing => 0,
            Self::One => 1,
            Self::Share(share) => ((messages + 1) * usize::from(share)) >> 16,
            Self::Suffix => suffix,
            Self::SuffixAndOne => suffix + 1,
            Self::All => messages,
            Self::More(more) => messages + 1 + usize::from(more),
        };
        count.min(Limits::SPEC.messages)
    }
}
