//! `B-LIMIT-1` to `B-LIMIT-8`: what a context under construction still has room for. It counts on its own, so
//! that a generated context is within the limits whatever the plan asks for. Private: checks count for
//! themselves.

use seamcheck_reference::json::{Object, format_number};
use seamcheck_reference::{Block, CompactionRecord, Json, Limits, Message, Requirement, Summary, Text};
use std::ops::AddAssign;

/// What a part of a context counts against the limits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) items: usize,
    pub(crate) code_points: usize,
    pub(crate) units: usize,
    pub(crate) messages: usize,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.items += other.items;
        self.code_points += other.code_points;
        self.units += other.units;
        self.messages += other.messages;
    }
}

impl Cost {
    /// Whether this is within the limits.
    fn fits(self) -> bool {
        let limits = Limits::SPEC;
        self.items <= limits.collection_items
            && self.code_points <= limits.aggregate_code_points
            && self.units as u64 <= limits.context_units
            && self.messages <= limits.messages
    }

    fn text(mut self, text: &Text) -> Self {
        let code_points = text.code_points();
        self.code_points += code_points;
        self.units += code_points;
        self
    }

    fn units(units: usize) -> Self {
        Self { units, ..Self::default() }
    }

    /// A text of a record: counted, but free of units.
    fn free_text(mut self, text: &Text) -> Self {
        self.code_points += text.code_points();
        self
    }

    /// The cost of a requirement.
    pub(crate) fn of_requirement(requirement: &Requirement) -> Self {
        Self { items: 1, ..Self::units(3) }.text(&requirement.id).text(&requirement.content)
    }

    /// The cost of a summary.
    pub(crate) fn of_summary(summary: &Summary) -> Self {
        Self::units(5).text(&summary.id).text(&summary.content)
    }

    /// The cost of a message.
    pub(crate) fn of_message(message: &Message) -> Self {
        let base = Self { items: 1, messages: 1, ..Self::default() }.text(message.id());
        match message {
            Message::User(message) => Self { units: base.units + 4, ..base }.text(&message.content),
            Message::Assistant(message) => {
                let mut cost = Self { units: base.units + 4, ..base };
                message.content.iter().for_each(|block| cost += Self::of_block(block));
                cost
            }
            Message::ToolResult(message) => Self { units: base.units + 7, ..base }
                .text(&message.tool_call_id)
                .text(&message.tool_name)
                .text(&message.content),
        }
    }

    /// The cost of a block.
    pub(crate) fn of_block(block: &Block) -> Self {
        match block {
            Block::Text(text) => Self { items: 1, ..Self::units(2) }.text(text),
            Block::ToolCall(call) => {
                let mut cost = Self { items: 1, ..Self::units(6) }.text(&call.id).text(&call.name);
                cost += Self::of_object(&call.arguments);
                cost
            }
        }
    }

    fn of_object(object: &Object) -> Self {
        let mut cost = Self::units(2);
        for (key, value) in object.members() {
            cost += Self { items: 1, ..Self::units(1) }.text(key);
            cost += Self::of_value(value);
        }
        cost
    }

    /// The recursion ends with the depth limit, which every plan keeps.
    fn of_value(value: &Json) -> Self {
        match value {
            Json::Null => Self::units(1),
            Json::Bool(flag) => Self::units(1 + flag.to_string().len()),
            Json::Number(number) => Self::units(1 + format_number(*number).len()),
            Json::String(text) => Self::units(1).text(text),
            Json::Array(elements) => {
                let mut cost = Self { items: elements.len(), ..Self::units(2 + elements.len()) };
                elements.iter().for_each(|element| cost += Self::of_value(element));
                cost
            }
            Json::Object(object) => Self::of_object(object),
        }
    }

    /// The cost of a record.
    pub(crate) fn of_record(record: &CompactionRecord) -> Self {
        let cost = Self { items: 1 + record.compacted_message_ids.len(), ..Self::default() };
        let cost = cost.free_text(&record.id).free_text(&record.summary_id);
        record.compacted_message_ids.iter().fold(cost, Self::free_text)
    }
}

/// What has been spent, and what open calls will need.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ledger {
    spent: Cost,
}

impl Ledger {
    /// Spends a cost if there is room for it.
    pub(crate) fn take(&mut self, cost: Cost) -> bool {
        let mut spent = self.spent;
        spent += cost;
        let fits = spent.fits();
        if fits {
            self.spent = spent;
        }
        fits
    }

    /// Gives back what was reserved.
    pub(crate) fn release(&mut self, cost: Cost) {
        self.spent.items -= cost.items;
        self.spent.code_points -= cost.code_points;
        self.spent.units -= cost.units;
        self.spent.messages -= cost.messages;
    }

    /// What has been spent.
    pub(crate) fn spent(&self) -> Cost {
        self.spent
    }

    /// What is left.
    pub(crate) fn left(&self) -> Cost {
        let limits = Limits::SPEC;
        Cost {
            items: limits.collection_items - self.spent.items,
            code_points: limits.aggregate_code_points - self.spent.code_points,
            units: usize::try_from(limits.context_units).unwrap_or(usize::MAX) - self.spent.units,
            messages: limits.messages - self.spent.messages,
        }
    }
}
