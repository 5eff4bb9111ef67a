//! Smaller parts of a plan: lists, texts, ids, values, budgets.

use super::Shrink;
use crate::compaction::{AnswerPlan, BudgetPlan, CompactionPlan, Fit};
use crate::fault::FaultPlan;
use crate::id::IdPlan;
use crate::text::{Fragment, TextPlan};
use crate::value::ValuePlan;

/// The list without one run of its elements: the whole list, then halves of it, down to single elements.
/// `number` is lowered by the candidates passed over.
pub(super) fn without_run<T: Clone>(list: &[T], number: &mut usize) -> Option<Vec<T>> {
    let mut length = list.len();
    while length > 0 {
        let runs = list.len().div_ceil(length);
        if *number < runs {
            let start = *number * length;
            let end = (start + length).min(list.len());
            return Some(list[..start].iter().chain(&list[end..]).cloned().collect());
        }
        *number -= runs;
        length /= 2;
    }
    None
}

/// How many candidates [`smaller_text`] has.
pub(super) const TEXT_CANDIDATES: usize = 5;

pub(super) fn smaller_text(text: &mut TextPlan, number: usize) {
    let half = text.0.len().div_ceil(2);
    match number {
        0 => text.0.clear(),
        1 => text.0.truncate(half),
        2 => drop(text.0.drain(..text.0.len() - half)),
        3 => {
            for fragment in &mut text.0 {
                if let Fragment::Run { times, .. } = fragment {
                    *times /= 2;
                }
            }
        }
        _ => text.0.iter_mut().for_each(|fragment| *fragment = Fragment::Word(0)),
    }
}

/// How many candidates [`smaller_value`] has.
pub(super) const VALUE_CANDIDATES: usize = 4;

pub(super) fn smaller_value(value: &mut ValuePlan, number: usize) {
    match (number, &mut *value) {
        (0, _) => *value = ValuePlan::Null,
        (1, ValuePlan::Chain { levels, .. }) => *levels /= 2,
        (1, ValuePlan::Array(elements)) => elements.truncate(elements.len() / 2),
        (1, ValuePlan::Object(members)) => members.truncate(members.len() / 2),
        (1, ValuePlan::Text(text)) => smaller_text(text, 1),
        (2, ValuePlan::Array(elements)) => drop(elements.drain(..elements.len() / 2)),
        (2, ValuePlan::Object(members)) => drop(members.drain(..members.len() / 2)),
        (2, ValuePlan::Text(text)) => smaller_text(text, 2),
        // The only child stands for its parent.
        (3, ValuePlan::Array(elements)) if elements.len() == 1 => *value = elements.remove(0),
        (3, ValuePlan::Object(members)) if members.len() == 1 => *value = members.remove(0).1,
        _ => {}
    }
}

impl Shrink for CompactionPlan {
    fn candidate(&self, number: usize) -> Option<Self> {
        let mut smaller = self.clone();
        match number {
            0 => smaller.summary_id = IdPlan::Fresh,
            1 => smaller.record_id = IdPlan::Fresh,
            2..7 => smaller_text(&mut smaller.answer.text, number - 2),
            7 => smaller.answer = AnswerPlan { fit: Fit::Within, ..smaller.answer },
            8 => smaller.budget.delta = BudgetPlan::default().delta,
            9 => smaller.budget.retain = BudgetPlan::default().retain,
            10 => smaller.budget.summary = BudgetPlan::default().summary,
            11 => smaller.budget.threshold = BudgetPlan::default().threshold,
            12 => smaller.budget.suffix = 0,
            13 => smaller.budget.suffix /= 2,
            _ => return None,
        }
        Some(smaller)
    }
}

/// The kind of fault stays.
impl Shrink for FaultPlan {
    fn candidate(&self, number: usize) -> Option<Self> {
        let mut smaller = *self;
        match number {
            0 => smaller.place = 0,
            1 => smaller.place /= 2,
            2 => smaller.variant = 0,
            3 => smaller.variant /= 2,
            _ => return None,
        }
        Some(smaller)
    }
}

/// Fewer elements first, then smaller ones.
impl<T: Shrink> Shrink for Vec<T> {
    fn candidate(&self, number: usize) -> Option<Self> {
        let mut number = number;
        if let Some(smaller) = without_run(self, &mut number) {
            return Some(smaller);
        }
        for (place, element) in self.iter().enumerate() {
            let mut count = 0;
            while element.candidate(count).is_some() {
                if count == number {
                    let mut smaller = self.clone();
                    smaller[place] = element.candidate(count)?;
                    return Some(smaller);
                }
                count += 1;
            }
            number -= count;
        }
        None
    }
}
