//! Budgets for a context: a recipe of the generator is turned into numbers by the checks' own count, so that
//! they lie exactly on, just under or just over a whole-group cut.

use crate::wire::{context_units, list, message_units, number as member, read, requirements_units, safe_cuts};
use seamcheck_generate::{BudgetPlan, Counted};
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::Json;

/// The numbers for one context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) max_units: u64,
    pub(crate) target_units: u64,
    pub(crate) summary_max_units: u64,
    pub(crate) retain_recent_messages: u64,
}

impl Numbers {
    /// The numbers that a recipe gives for this context.
    pub(crate) fn resolve(plan: &BudgetPlan, context: &Json) -> Self {
        let messages = list(context, "messages");
        let mut kept: u64 = messages.iter().map(message_units).sum();
        let mut suffixes = vec![(0, kept)];
        let safe = safe_cuts(messages);
        for (place, message) in (1..).zip(messages) {
            kept -= message_units(message);
            if safe[place] {
                suffixes.push((place, kept));
            }
        }
        // Keeping everything is no compaction: the longest suffix is behind the first group.
        let suffixes = if suffixes.len() > 1 { &suffixes[1..] } else { &suffixes };
        let budget = plan.resolve(Counted {
            requirement_units: requirements_units(context),
            suffixes,
            messages: messages.len(),
            context_units: context_units(context),
        });
        Self {
            max_units: budget.max_units,
            target_units: budget.target_units,
            summary_max_units: budget.summary_max_units,
            retain_recent_messages: budget.retain_recent_messages as u64,
        }
    }

    /// The numbers that stand in these options.
    pub(crate) fn read(options: &Payload) -> Option<Self> {
        let options = read(options)?;
        Some(Self {
            max_units: member(&options, "maxUnits").unwrap_or_default(),
            target_units: member(&options, "targetUnits")?,
            summary_max_units: member(&options, "summaryMaxUnits")?,
            retain_recent_messages: member(&options, "retainRecentMessages")?,
        })
    }

    /// The earliest safe cut of this context that meets the numbers, by trying each.
    pub(crate) fn fits(&self, context: &Json) -> Option<usize> {
        let messages = list(context, "messages");
        let latest = (messages.len() as u64).saturating_sub(self.retain_recent_messages);
        let room = self.target_units.checked_sub(requirements_units(context) + self.summary_max_units)?;
        let safe = safe_cuts(messages);
        let mut kept: u64 = messages.iter().map(message_units).sum();
        (1..=messages.len()).find(|place| {
            kept -= message_units(&messages[place - 1]);
            safe[*place] && *place as u64 <= latest && kept <= room
        })
    }

    /// The options of selecting.
    pub(crate) fn boundary_options(&self) -> Payload {
        Json::Object(self.members().into_iter().collect()).into()
    }

    /// The options of compacting.
    pub(crate) fn compact_options(&self, summary_id: &str, record_id: &str) -> Payload {
        let rest =
            [("maxUnits", number(self.max_units)), ("summaryId", summary_id.into()), ("recordId", record_id.into())];
        Json::Object(self.members().into_iter().chain(rest).collect()).into()
    }

    fn members(&self) -> [(&'static str, Json); 3] {
        [
            ("targetUnits", number(self.target_units)),
            ("summaryMaxUnits", number(self.summary_max_units)),
            ("retainRecentMessages", number(self.retain_recent_messages)),
        ]
    }
}

fn number(value: u64) -> Json {
    Json::from(usize::try_from(value).unwrap_or(usize::MAX))
}
