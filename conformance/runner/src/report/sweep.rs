//! A sweep of budgets, told at once: the messages, their measures, and what stays at which budget.

use super::drawing;
use super::words::reply_words;
use seamcheck_checks::step::{Outcome, Reply, Step};
use seamcheck_protocol::payload::Payload;

/// Whether a step belongs to a sweep.
pub(super) fn is_part(step: &Step) -> bool {
    matches!(step, Step::Measure { .. } | Step::Cut { .. })
}

/// The sweep, whose first step has this number.
pub(super) fn tell(first: usize, outcomes: &[Outcome]) -> Vec<String> {
    let mut lines = vec![format!("{first}-{}. cut over a sweep of budgets", first + outcomes.len() - 1)];
    let mut drawn = None;
    let mut measures = Vec::new();
    let mut cuts: Vec<(Vec<u64>, String)> = Vec::new();
    for outcome in outcomes {
        match &outcome.step {
            Step::Measure { messages } => {
                drawn = drawn.or(Some(messages));
                measures.push(measure_words(&outcome.reply));
            }
            Step::Cut { messages, budget } => {
                drawn = drawn.or(Some(messages));
                let kept = reply_words(&outcome.reply);
                match cuts.last_mut().filter(|(_, last)| *last == kept) {
                    Some((budgets, _)) => budgets.push(*budget),
                    None => cuts.push((vec![*budget], kept)),
                }
            }
            _ => {}
        }
    }
    lines.extend(
        drawn.into_iter().flat_map(|messages: &Payload| drawing::messages(messages)).map(|line| format!("     {line}")),
    );
    if !measures.is_empty() {
        lines.push(format!("     its suffixes, the whole first, cost {}", measures.join(", ")));
    }
    lines.extend(cuts.into_iter().map(|(budgets, kept)| format!("     cut to {} -> {kept}", budget_words(&budgets))));
    lines
}

fn measure_words(reply: &Reply) -> String {
    match reply {
        Reply::Units(units) => units.to_string(),
        other => reply_words(other),
    }
}

/// Budgets that came to the same.
pub(super) fn budget_words(budgets: &[u64]) -> String {
    let (first, last) = (budgets.first().copied().unwrap_or_default(), budgets.last().copied().unwrap_or_default());
    if budgets.len() > 2 && budgets.is_sorted() {
        return format!("{first} up to {last}");
    }
    budgets.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
