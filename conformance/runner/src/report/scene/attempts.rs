//! Attempts that were to be cancelled, were cancelled, and left everything as it was: one after another they say the
//! same, so that they are told at once. An attempt that fails at once, and one that ends in any other way, is no
//! part of this: the violation may be there.

use crate::report::words::{answer_words, cancel_words};
use seamcheck_checks::step::{CancelPlan, Outcome, Reply, Step};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::InspectResult;

/// Steps of one attempt: compact, look at the old context.
const STEPS: usize = 2;
/// The code of a compaction that was cancelled.
const CANCELLED: &str = "CONTEXT_CANCELLED";

/// How many steps from this one on are such attempts; 0 for fewer than two attempts.
pub(in crate::report) fn like_the_others(outcomes: &[Outcome], first: usize) -> usize {
    let Some(before) = outcomes[..first].iter().rev().find_map(inspected) else { return 0 };
    let attempts = outcomes[first..].chunks_exact(STEPS);
    let alike = attempts.take_while(|attempt| is_cancelled(&attempt[0]) && inspected(&attempt[1]) == Some(before));
    let attempts = alike.count();
    if attempts < 2 { 0 } else { attempts * STEPS }
}

/// When these attempts were cancelled, in words.
pub(in crate::report) fn folded(outcomes: &[Outcome]) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut looks: Option<(u32, u32)> = None;
    let steps = outcomes.iter().filter_map(|outcome| match &outcome.step {
        Step::Compact(step) => Some(step),
        _ => None,
    });
    for step in steps {
        match step.cancel {
            CancelPlan::AtLook(look) => looks = Some((looks.map_or(look, |(first, _)| first), look)),
            CancelPlan::Never => words.push(format!("the summarizer {}", answer_words(&step.answer))),
            plan => words.extend(cancel_words(plan)),
        }
    }
    words.dedup();
    if let Some((first, last)) = looks {
        words.push(if first == last { format!("at look {first}") } else { format!("at look {first} up to {last}") });
    }
    words.join("; ")
}

fn is_cancelled(outcome: &Outcome) -> bool {
    let Step::Compact(step) = &outcome.step else { return false };
    let meant = match (step.cancel, &step.answer) {
        // Only a call that fails at once is no cancellation.
        (_, Answer::Throw { .. }) => false,
        (
            CancelPlan::Never,
            Answer::Text { cancel, .. }
            | Answer::Reject { cancel, .. }
            | Answer::Chain { cancel, .. }
            | Answer::Pending { cancel },
        ) => *cancel,
        (CancelPlan::Never, _) => false,
        _ => true,
    };
    meant && outcome.reply.refusal_code() == Some(CANCELLED)
}

fn inspected(outcome: &Outcome) -> Option<&InspectResult> {
    match &outcome.reply {
        Reply::Inspected(inspection) => Some(inspection),
        _ => None,
    }
}
