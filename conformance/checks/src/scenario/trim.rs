//! Trimming over a sweep of budgets: an implementation's count is its own, so that every budget at which
//! its answer can change is looked for.

use super::needs_level;
use super::shrink::smaller_messages;
use crate::case::{Body, Scenario, Unmet};
use crate::step::{Outcome, Reply, Step};
use seamcheck_protocol::messages::{Declaration, Level};
use seamcheck_reference::Json;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Messages to be trimmed, valid or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Trim {
    /// Messages in the IR.
    #[serde(with = "crate::case_file::json_list")]
    pub messages: Vec<Json>,
    /// The one budget that is tried; without it, the sweep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
}

/// At most so many suffixes are measured; of a longer transcript, the newest half and a spread of the others.
const MEASURED_SUFFIXES: usize = 40;
/// At most so many budgets are tried without a measure.
const TRIED_BUDGETS: usize = 32;

impl Scenario for Trim {
    fn unmet(&self, declaration: &Declaration) -> Option<Unmet> {
        needs_level(declaration, Level::Cut)
    }

    fn next(&self, declaration: &Declaration, outcomes: &[Outcome]) -> Option<Step> {
        let budget = if self.budget.is_some() {
            self.budget.filter(|_| outcomes.is_empty())
        } else if declaration.capabilities.measure {
            let suffixes = self.suffixes();
            if let Some(start) = suffixes.get(outcomes.len()) {
                return Some(Step::Measure { messages: Json::Array(self.messages[*start..].to_vec()).into() });
            }
            measured_budgets(outcomes).get(outcomes.len() - suffixes.len()).copied()
        } else {
            next_bisection(self.messages.len(), outcomes)
        };
        budget.map(|budget| Step::Cut { messages: Json::Array(self.messages.clone()).into(), budget })
    }

    fn smaller(&self) -> Vec<Body> {
        /// Small transcripts are cut at small budgets: one of these replaces the sweep at last.
        const SMALL_BUDGETS: u64 = 64;
        let messages = smaller_messages(&self.messages).into_iter();
        let messages = messages.map(|messages| Self { messages, budget: self.budget });
        let budgets = (0..SMALL_BUDGETS).filter(|_| self.budget.is_none()).map(Some);
        let budgets = budgets.map(|budget| Self { messages: self.messages.clone(), budget });
        messages.chain(budgets).map(Body::Trim).collect()
    }
}

impl Trim {
    /// Where the measured suffixes start; the whole is the first.
    fn suffixes(&self) -> Vec<usize> {
        let length = self.messages.len();
        if length < MEASURED_SUFFIXES {
            return (0..=length).collect();
        }
        let half = MEASURED_SUFFIXES / 2;
        let spread = (0..half).map(|step| step * (length - half) / half);
        spread.chain(length - half..=length).collect()
    }
}

/// Every measured suffix, one less and one more.
fn measured_budgets(outcomes: &[Outcome]) -> Vec<u64> {
    let mut budgets = BTreeSet::new();
    for outcome in outcomes {
        if let Reply::Units(units) = outcome.reply {
            budgets.extend([units.saturating_sub(1), units, units.saturating_add(1)]);
        }
    }
    budgets.into_iter().collect()
}

/// Doubles the budget until nothing is cut, then bisects between neighbours that differ.
fn next_bisection(length: usize, outcomes: &[Outcome]) -> Option<u64> {
    const LARGEST_BUDGET: u64 = 1 << 40;
    if outcomes.len() >= TRIED_BUDGETS {
        return None;
    }
    let tried: BTreeMap<u64, Option<Vec<u64>>> = outcomes.iter().filter_map(kept).collect();
    let Some((largest, at_largest)) = tried.last_key_value() else { return Some(1) };
    let everything = at_largest.as_ref().is_some_and(|kept| kept.len() == length);
    if !everything && *largest < LARGEST_BUDGET {
        return Some(largest * 2);
    }
    let pairs = tried.iter().zip(tried.iter().skip(1));
    let gaps = pairs.filter(|((low, left), (high, right))| left != right && *high - *low > 1);
    gaps.map(|((low, _), (high, _))| (high - low, low + (high - low) / 2)).max().map(|(_, middle)| middle)
}

fn kept(outcome: &Outcome) -> Option<(u64, Option<Vec<u64>>)> {
    let Step::Cut { budget, .. } = outcome.step else { return None };
    let kept = match &outcome.reply {
        Reply::Cut(cut) => Some(cut.kept.iter().map(|kept| kept.index).collect()),
        _ => None,
    };
    Some((budget, kept))
}
