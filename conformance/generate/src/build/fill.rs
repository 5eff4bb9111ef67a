//! `B-LIMIT-1` to `B-LIMIT-3`, `B-LIMIT-5`, `B-LIMIT-7` and `B-LIMIT-8`: padding a context until it stands
//! exactly at a limit. One step over it is a fault, and the business of `fault`.

use super::Site;
use super::messages::{Conversation, filler_call};
use crate::id::{IdPlan, Unique};
use crate::ledger::Cost;
use crate::plan::{Fill, Plan, UserPlan};
use crate::text::{Fragment, TextPlan};
use seamcheck_reference::{CompactionRecord, Limits, Text};

/// The id of a padding message: `f`, a number below 4,096.
const FILLER_ID_CODE_POINTS: usize = 5;
/// What a padding message costs without content.
const FILLER_UNITS: usize = 4 + FILLER_ID_CODE_POINTS;
/// Items that a padding round takes besides its elements: two messages, a block and a key.
const ROUND_ITEMS: usize = 4;
/// More than the padding messages that a million units take.
const FILLERS_FOR_UNITS: usize = 40;

impl Conversation {
    pub(super) fn fill(&mut self, plan: &Plan, site: &mut Site) {
        if plan.fills_to(Fill::Items) {
            self.fill_items(plan, site);
        }
        self.fill_messages(plan, site);
    }

    /// One round with an array, as long as there are items beside those of the messages to come.
    fn fill_items(&mut self, plan: &Plan, site: &mut Site) {
        let left = site.ledger.left();
        let messages = match (plan.fills_to(Fill::Messages), plan.fills_to(Fill::Units)) {
            (true, _) => left.messages.saturating_sub(2),
            (false, true) => FILLERS_FOR_UNITS,
            (false, false) => 0,
        };
        // An element that is null costs two units.
        let elements = left.items.saturating_sub(ROUND_ITEMS + messages).min(left.units.saturating_sub(1_000) / 2);
        if left.messages >= 2 && elements > 0 {
            self.round(&filler_call(elements), site);
        }
    }

    /// User messages, as many and as long as the limits ask for.
    fn fill_messages(&mut self, plan: &Plan, site: &mut Site) {
        let left = site.ledger.left();
        let room = left.messages.min(left.items).min(left.units / FILLER_UNITS);
        let longest = Limits::SPEC.text_code_points;
        let wanted = if plan.fills_to(Fill::Units) { left.units } else { 0 };
        let count = if plan.fills_to(Fill::Messages) { room } else { wanted.div_ceil(longest + FILLER_UNITS) };
        let count = count.min(room).min(left.code_points / FILLER_ID_CODE_POINTS);
        let mut content =
            wanted.saturating_sub(count * FILLER_UNITS).min(left.code_points - count * FILLER_ID_CODE_POINTS);
        for number in 0..count {
            let length = content.min(longest);
            content -= length;
            let id = IdPlan::Text(literal(&format!("f{number:04}")));
            let content = TextPlan(vec![Fragment::Run { entry: 0, times: u32::try_from(length).unwrap_or(u32::MAX) }]);
            self.user(&UserPlan { id, content }, site);
        }
    }
}

impl Site {
    /// A record that takes all code points that are left, or nothing without room.
    pub(super) fn text_filler(&mut self, taken: &Unique) -> Option<CompactionRecord> {
        let id = self.ids.unique(&IdPlan::Fresh, "kt", taken);
        let left = self.ledger.left();
        let letters = left.code_points.checked_sub(id.code_points() + 1)?;
        let longest = Limits::SPEC.text_code_points;
        let lengths = (0..letters.div_ceil(longest)).map(|place| longest.min(letters - place * longest));
        let compacted_message_ids: Vec<Text> = lengths.map(|length| Text::from("x".repeat(length))).collect();
        let boundary = compacted_message_ids.len() as u64;
        let summary_id = Text::from("s");
        let record =
            CompactionRecord { id, summary_id, boundary, compacted_message_ids, units_before: 0, units_after: 0 };
        (boundary > 0 && self.ledger.take(Cost::of_record(&record))).then_some(record)
    }
}

fn literal(text: &str) -> TextPlan {
    TextPlan(text.encode_utf16().map(Fragment::Unit).collect())
}
