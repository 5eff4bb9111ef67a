//! Drawing arguments: wide or deep within the settings, and now and then a chain down to the depth limit.

use super::Source;
use crate::value::{KeyPlan, ValuePlan};

impl Source<'_, '_> {
    /// The members of one call's arguments.
    pub(crate) fn members(&mut self) -> Vec<(KeyPlan, ValuePlan)> {
        self.members_at(0)
    }

    fn members_at(&mut self, depth: usize) -> Vec<(KeyPlan, ValuePlan)> {
        let count = self.count(self.settings.argument_members);
        (0..count).map(|_| (self.key(), self.value(depth + 1))).collect()
    }

    fn key(&mut self) -> KeyPlan {
        if self.percent(20) { KeyPlan::Text(self.text()) } else { KeyPlan::Odd(self.any()) }
    }

    fn value(&mut self, depth: usize) -> ValuePlan {
        let nested = depth < self.settings.argument_depth;
        match self.below(14) {
            0 => ValuePlan::Null,
            1 => ValuePlan::Bool(self.any()),
            2..=4 => ValuePlan::Number(self.any()),
            5 => ValuePlan::Float(self.any()),
            8..=9 if nested => {
                let count = self.count(self.settings.argument_members);
                ValuePlan::Array((0..count).map(|_| self.value(depth + 1)).collect())
            }
            10..=11 if nested => ValuePlan::Object(self.members_at(depth)),
            // 32 levels in all are legal; more is cut when it is built.
            12 => ValuePlan::Chain { levels: 1 + self.small(39), objects: self.any() },
            _ => ValuePlan::Text(self.text()),
        }
    }
}
