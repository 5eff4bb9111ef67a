//! Calls and their results, paired by occurrence: which cuts are safe, and what a cut has parted
//! (`B-TRIM-1` to `B-TRIM-4`, `B-TRIM-6`). It takes any messages, also those that are no valid transcript.

use super::{is, list, text};
use seamcheck_protocol::messages::Keeps;
use seamcheck_reference::{Json, Text};
use std::collections::{BTreeSet, HashMap};

/// Who answers whom.
#[derive(Debug, Default)]
pub struct Links {
    /// Message indexes of a call and of its result.
    pub pairs: Vec<(usize, usize)>,
    /// Calls that nothing answers: message index and id.
    pub open: Vec<(usize, Text)>,
    /// Results that answer nothing.
    pub orphans: BTreeSet<usize>,
}

impl Links {
    /// Walks the messages: a call opens its id, a result closes the newest open call of its id.
    pub fn of<'a>(messages: impl IntoIterator<Item = (usize, &'a Json)>) -> Self {
        let mut links = Self::default();
        let mut waiting: HashMap<&Text, Vec<usize>> = HashMap::new();
        for (index, message) in messages {
            for id in call_ids(message) {
                waiting.entry(id).or_default().push(index);
            }
            let Some(id) = result_id(message) else { continue };
            match waiting.get_mut(id).and_then(Vec::pop) {
                Some(call) => links.pairs.push((call, index)),
                None => {
                    links.orphans.insert(index);
                }
            }
        }
        for (id, calls) in waiting {
            links.open.extend(calls.into_iter().map(|call| (call, id.clone())));
        }
        links.open.sort();
        links
    }

    /// How many calls of each id nothing answers.
    fn open_by_id(&self) -> HashMap<&Text, usize> {
        let mut counts = HashMap::new();
        for (_, id) in &self.open {
            *counts.entry(id).or_default() += 1;
        }
        counts
    }
}

/// The ids of the calls in a message.
pub(crate) fn call_ids(message: &Json) -> impl Iterator<Item = &Text> {
    let calls = list(message, "content").iter().filter(|block| is(block, "type", "toolCall"));
    let assistant = is(message, "role", "assistant");
    calls.filter(move |_| assistant).filter_map(|call| text(call, "id"))
}

fn result_id(message: &Json) -> Option<&Text> {
    if is(message, "role", "toolResult") { text(message, "toolCallId") } else { None }
}

/// For each place from 0 to the number of messages, whether a cut there parts no call from its result.
pub(crate) fn safe_cuts(messages: &[Json]) -> Vec<bool> {
    let links = Links::of(messages.iter().enumerate());
    // One more pair is parted at each place after its call, up to and with that before its result.
    let mut change = vec![0_i64; messages.len() + 2];
    for (call, result) in links.pairs {
        change[call + 1] += 1;
        change[result + 1] -= 1;
    }
    let mut parted = 0;
    (0..=messages.len())
        .map(|place| {
            parted += change[place];
            parted == 0
        })
        .collect()
}

/// The clauses of the family TRIM that keeping these indexes violates, ascending, each with its words.
/// `B-TRIM-5` and `B-TRIM-7` need more than indexes.
pub fn judge_cut(messages: &[Json], kept: &[u64], keeps: Keeps) -> Vec<(&'static str, String)> {
    let inside: Vec<usize> =
        kept.iter().filter_map(|index| usize::try_from(*index).ok()).filter(|index| *index < messages.len()).collect();
    let before = Links::of(messages.iter().enumerate());
    let after = Links::of(inside.iter().map(|index| (*index, &messages[*index])));
    let mut violations = Vec::new();
    let mut violated = |clause, words| violations.push((clause, words));

    if let Some(index) = after.orphans.difference(&before.orphans).next() {
        violated("B-TRIM-1", format!("the result at message {index} is kept without its call"));
    }
    let open_before = before.open_by_id();
    let newly_open = after.open.iter().find(|(_, id)| {
        let allowed = open_before.get(id).copied().unwrap_or_default();
        after.open_by_id()[id] > allowed
    });
    if let Some((index, id)) = newly_open {
        violated("B-TRIM-2", format!("the call {id:?} of message {index} is kept without its result"));
    }
    let newest = inside.iter().max();
    let dropped = before.open.iter().find(|(index, _)| !inside.contains(index) && newest > Some(index));
    if let Some((index, id)) = dropped {
        violated("B-TRIM-3", format!("the open call {id:?} of message {index} is dropped while later messages stay"));
    }
    if inside.len() < kept.len() {
        violated("B-TRIM-4", format!("an index is kept that the input of {} messages does not have", messages.len()));
    } else if let Some(pair) = inside.windows(2).find(|pair| pair[0] >= pair[1]) {
        violated("B-TRIM-4", format!("message {} is kept after message {}", pair[1], pair[0]));
    }
    let suffix = inside.iter().copied().eq(messages.len().saturating_sub(inside.len())..messages.len());
    if keeps == Keeps::Suffix && !suffix {
        violated("B-TRIM-6", "what is kept is no suffix without a gap".to_owned());
    }
    violations
}
