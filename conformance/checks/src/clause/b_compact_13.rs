//! `B-COMPACT-13`: a newest round that must stay and that alone is over the target is refused, and nothing is cut.

use crate::check::{Check, Judgement, Observed};
use crate::clause::{is_over, refused_without_call, repeats_record_id};
use crate::scenario::{Numbers, RoundView, round_views};
use crate::wire::{list, message_units, requirements_units, safe_cuts, texts};
use seamcheck_protocol::messages::Level;
use seamcheck_reference::{Json, Text};

/// A newest round over the target is refused.
pub(super) const CHECK: Check =
    Check { id: "B-COMPACT-13.irreducible", clause: "B-COMPACT-13", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    Judgement::all(round_views(observed).iter().map(|view| round(observed, view)))
}

fn round(observed: &Observed<'_>, view: &RoundView<'_>) -> Judgement {
    let (Some(newest), Some(numbers)) = (newest_group(&view.old), Numbers::read(&view.step.options)) else {
        return Judgement::NotReached;
    };
    if numbers.retain_recent_messages == 0 || newest.len() < 2 {
        return Judgement::NotReached;
    }
    if observed.is_exact() {
        let units: u64 = newest.iter().map(message_units).sum();
        let fixed = requirements_units(&view.old) + numbers.summary_max_units;
        if fixed + units <= numbers.target_units || !is_over(observed, view) || repeats_record_id(view) {
            return Judgement::NotReached;
        }
        return refused_without_call(view, "CONTEXT_BOUNDARY_UNAVAILABLE");
    }
    // Eight characters a unit: more than any measure gives for one. An implementation that counts messages finds them
    // few, and has nothing to do.
    const CHARACTERS_A_UNIT: u64 = 8;
    let characters: usize = newest.iter().flat_map(texts).map(Text::code_points).sum();
    if (characters as u64) <= CHARACTERS_A_UNIT * numbers.target_units {
        return Judgement::NotReached;
    }
    Judgement::require(!view.compacted(), || {
        let target = numbers.target_units;
        format!("{characters} characters had to stay within a target of {target}, and it says that it compacted")
    })
}

/// The newest message, with the whole round that it is part of.
fn newest_group(context: &Json) -> Option<&[Json]> {
    let messages = list(context, "messages");
    let safe = safe_cuts(messages);
    (0..messages.len()).rev().find(|place| safe[*place]).map(|start| &messages[start..])
}
