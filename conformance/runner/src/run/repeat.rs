//! Whether a case that is repeated goes as it went before.
//!
//! Absent: what may differ by right. A cancellation that races the answer may win or lose, and what follows from
//! it follows.

use seamcheck_checks::step::{Move, Outcome, Step};

/// The first difference, in words.
pub(super) fn difference(first: &[Outcome], again: &[Outcome]) -> Option<String> {
    for (number, (before, after)) in first.iter().zip(again).enumerate() {
        if before.step != after.step || races(&before.step) {
            return None;
        }
        if before.reply != after.reply {
            let (before, after) = (before.reply.to_string(), after.reply.to_string());
            let after = if before == after { "another one of that kind".to_owned() } else { after };
            return Some(format!("step {} was answered by {before}, and when repeated by {after}", number + 1));
        }
        if before.asked != after.asked {
            return Some(format!("step {} asked its summarizer something else when it was repeated", number + 1));
        }
    }
    None
}

fn races(step: &Step) -> bool {
    let (Step::Tell { moves, .. } | Step::End { moves, .. }) = step else { return false };
    let answers = |one: &&Move| matches!(one, Move::Answer(_));
    // What is told and not waited for may come to its end before whatever is done next, or after it.
    let cancels_later = moves.iter().skip_while(|one| !answers(one)).any(|one| matches!(one, Move::Cancel));
    cancels_later || (matches!(step, Step::Tell { .. }) && moves.iter().any(|one| answers(&one)))
}
