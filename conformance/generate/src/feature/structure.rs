//! Features of rounds, messages and ids.

use super::Feature;
use crate::built::{Built, PlantedRound};
use crate::id::PROPERTY_NAMES;
use seamcheck_reference::{Message, Text};
use std::collections::{BTreeSet, HashSet};

pub(super) fn note(built: &Built, features: &mut BTreeSet<Feature>) {
    let mut add = |feature, holds: bool| {
        if holds {
            features.insert(feature);
        }
    };
    let rounds = &built.rounds;
    add(Feature::ParallelCalls, rounds.iter().any(|round| round.calls.len() > 1));
    add(
        Feature::OutOfOrderResults,
        rounds.iter().any(|round| !round.calls.iter().is_sorted_by_key(|call| call.result)),
    );
    add(Feature::NestedRounds, pairs(rounds).any(|(left, right)| right.last() < left.last()));
    add(Feature::InterleavedRounds, built.has_interleaved_rounds());
    add(Feature::ChainedRounds, is_chained(rounds));
    add(Feature::AdjacentRounds, pairs(rounds).any(|(left, right)| right.assistant == left.last() + 1));
    let inside = |index: usize| rounds.iter().any(|round| round.assistant < index && index < round.last());
    let mut users = built.messages.iter().enumerate().filter(|(_, message)| matches!(message, Message::User(_)));
    add(Feature::UserInsideRound, users.any(|(index, _)| inside(index)));
    let mut talk = built.messages.iter().enumerate().filter(|(_, message)| is_assistant_without_calls(message));
    add(Feature::AssistantInsideRound, talk.any(|(index, _)| inside(index)));
    for message in &built.messages {
        if let Message::Assistant(assistant) = message {
            add(Feature::EmptyBlockList, assistant.content.is_empty());
            let talks = is_assistant_without_calls(message) && !assistant.content.is_empty();
            add(Feature::AssistantWithoutCalls, talks);
        }
    }
    add(Feature::OpenCall, built.open_calls().next().is_some());
    add(Feature::ReusedCallId, !built.reused.is_empty());
    add(Feature::OrphanResult, !built.orphans.is_empty());
    add(Feature::Summary, built.summary.is_some());
    add(Feature::Requirements, !built.requirements.is_empty());
    add(Feature::Records, !built.records.is_empty());
    note_ids(built, features);
}

/// Every two rounds that overlap or meet, the earlier one first. Of many rounds only the near ones matter:
/// what starts behind the end of one, and not right there, has nothing to do with it.
pub(super) fn pairs(rounds: &[PlantedRound]) -> impl Iterator<Item = (&PlantedRound, &PlantedRound)> {
    rounds.iter().enumerate().flat_map(move |(place, left)| {
        let later = rounds[place + 1..].iter().take_while(move |right| right.assistant <= left.last() + 1);
        later.map(move |right| (left, right))
    })
}

/// A round, one that it overlaps in part, and one that only the second overlaps.
fn is_chained(rounds: &[PlantedRound]) -> bool {
    let overlap = |left: &PlantedRound, right: &PlantedRound| {
        left.assistant < right.assistant && right.assistant < left.last() && left.last() < right.last()
    };
    pairs(rounds).filter(|(left, right)| overlap(left, right)).any(|(left, middle)| {
        let later = rounds.iter().skip_while(|round| round.assistant <= left.last());
        later.take_while(|round| round.assistant < middle.last()).any(|right| overlap(middle, right))
    })
}

fn is_assistant_without_calls(message: &Message) -> bool {
    matches!(message, Message::Assistant(_)) && message.tool_calls().next().is_none()
}

fn note_ids(built: &Built, features: &mut BTreeSet<Feature>) {
    let messages: Vec<&Text> = built.messages.iter().map(Message::id).collect();
    let calls: Vec<&Text> = built.rounds.iter().flat_map(|round| &round.calls).map(|call| &call.id).collect();
    let requirements: Vec<&Text> = built.requirements.iter().map(|requirement| &requirement.id).collect();
    let summaries: Vec<&Text> = built.summary.iter().map(|summary| &summary.id).collect();
    let records: Vec<&Text> = built.records.iter().map(|record| &record.id).collect();
    let kinds = [messages, calls, requirements, summaries, records].map(|ids| (ids.len(), ids.into_iter().collect()));
    let [(message_count, messages), ..]: &[(usize, HashSet<&Text>); 5] = &kinds;
    if messages.len() < *message_count {
        features.insert(Feature::DuplicateMessageId);
    }
    let all: HashSet<&Text> = kinds.iter().flat_map(|(_, ids)| ids).copied().collect();
    if all.len() < kinds.iter().map(|(_, ids)| ids.len()).sum() {
        features.insert(Feature::SharedId);
    }
    if all.iter().any(|id| id.as_str().is_some_and(|id| PROPERTY_NAMES.contains(&id))) {
        features.insert(Feature::PropertyNameId);
    }
}
