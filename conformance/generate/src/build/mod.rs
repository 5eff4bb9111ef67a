//! `Plan` to `Built`, total: any plan gives a context within the limits. What has no room is left out, what
//! must not be blank gets a letter, what must be unique gets a number, what would be faulty is not done.

mod fill;
mod messages;

use crate::built::Built;
use crate::id::{IdPlan, Ids, Unique, not_blank};
use crate::ledger::{Cost, Ledger};
use crate::plan::{Count, Fill, Plan, RecordPlan, RequirementPlan, SummaryPlan};
use messages::Conversation;
use seamcheck_reference::limits::MAX_SAFE_INTEGER;
use seamcheck_reference::{CompactionRecord, Limits, Requirement, Summary, Text};

impl Plan {
    /// The context of this plan. Without [`Plan::loose`] it is valid, whatever the plan holds.
    pub fn build(&self) -> Built {
        let mut site = Site::default();
        let requirements = site.requirements(self);
        let summary = self.summary.as_ref().and_then(|plan| site.summary(plan));
        let conversation = Conversation::build(self, &mut site);
        let records = site.records(self);
        Built {
            requirements,
            summary,
            messages: conversation.messages,
            records,
            rounds: conversation.rounds,
            orphans: conversation.orphans,
            reused: conversation.reused,
            cost: site.ledger.spent(),
        }
    }

    fn fills_to(&self, fill: Fill) -> bool {
        self.fills.contains(&fill)
    }
}

/// What is shared by everything under construction.
#[derive(Debug, Default)]
struct Site {
    ledger: Ledger,
    ids: Ids,
}

impl Site {
    fn requirements(&mut self, plan: &Plan) -> Vec<Requirement> {
        let mut taken = Unique::default();
        let mut requirements = Vec::new();
        let padding = if plan.fills_to(Fill::Requirements) { Limits::SPEC.requirements } else { 0 };
        let filler = RequirementPlan::default();
        let plans = plan.requirements.iter().chain(std::iter::repeat_n(&filler, padding));
        for (number, plan) in plans.enumerate() {
            if requirements.len() == Limits::SPEC.requirements {
                break;
            }
            let id = self.ids.unique(&plan.id, &format!("q{number}"), &taken);
            let requirement = Requirement { id, content: not_blank(&plan.content.build()) };
            if self.ledger.take(Cost::of_requirement(&requirement)) {
                taken.note(&requirement.id);
                self.ids.note(&requirement.id);
                requirements.push(requirement);
            }
        }
        requirements
    }

    fn summary(&mut self, plan: &SummaryPlan) -> Option<Summary> {
        let summary = Summary { id: self.ids.any(&plan.id, "s"), content: not_blank(&plan.content.build()) };
        self.ledger.take(Cost::of_summary(&summary)).then_some(summary)
    }

    fn records(&mut self, plan: &Plan) -> Vec<CompactionRecord> {
        let mut taken = Unique::default();
        let mut records = Vec::new();
        let limit = Limits::SPEC.records - usize::from(plan.fills_to(Fill::Texts));
        let padding = if plan.fills_to(Fill::Records) { limit } else { 0 };
        let filler = RecordPlan::default();
        let plans = plan.records.iter().chain(std::iter::repeat_n(&filler, padding));
        for (number, plan) in plans.enumerate() {
            if records.len() == limit {
                break;
            }
            let record = self.record(plan, number, &taken);
            if self.ledger.take(Cost::of_record(&record)) {
                taken.note(&record.id);
                self.ids.note(&record.id);
                records.push(record);
            }
        }
        if plan.fills_to(Fill::Texts) {
            records.extend(self.text_filler(&taken));
        }
        records
    }

    fn record(&mut self, plan: &RecordPlan, number: usize, taken: &Unique) -> CompactionRecord {
        let fallback = [IdPlan::Fresh];
        let plans = if plan.message_ids.is_empty() { fallback.as_slice() } else { &plan.message_ids };
        let plans = &plans[..plans.len().min(Limits::SPEC.messages)];
        let compacted_message_ids: Vec<Text> = plans
            .iter()
            .enumerate()
            .map(|(place, plan)| self.ids.preview(plan, &format!("old{number}.{place}")))
            .collect();
        CompactionRecord {
            id: self.ids.unique(&plan.id, &format!("k{number}"), taken),
            summary_id: self.ids.preview(&plan.summary_id, &format!("s{number}")),
            boundary: compacted_message_ids.len() as u64,
            compacted_message_ids,
            units_before: plan.units_before.build(),
            units_after: plan.units_after.build(),
        }
    }
}

impl Count {
    /// The number.
    pub fn build(self) -> u64 {
        match self {
            Self::Zero => 0,
            Self::Of(number) => u64::from(number),
            Self::Largest => MAX_SAFE_INTEGER,
        }
    }
}
