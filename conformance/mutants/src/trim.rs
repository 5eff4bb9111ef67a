//! Trimming by the reference's stages: the level `cut`. The reference's own answer to what the trimming
//! clauses ask: whole groups go, the oldest first.

use crate::live::parse;
use crate::weights::Weights;
use seamcheck_protocol::implementation::Refusal;
use seamcheck_protocol::messages::{CutResult, Kept, refusal};
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::{DiagnosticCode, Group, GroupKind, Json, Limits, Text, Transcript, diagnose};
use std::collections::HashMap;

/// A message that is kept.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub(crate) index: usize,
    pub(crate) message: Json,
}

/// A valid transcript, or a refusal in words.
pub(crate) fn read_transcript(text: &str) -> Result<Transcript, Refusal> {
    let document = parse(text)?;
    if let Some(first) = diagnose(document.root()).first() {
        return Err(refused(&first.to_string()));
    }
    Transcript::from_json(document.root()).map_err(|error| refused(&error.to_string()))
}

/// Messages as JSON, whatever their linkage: any run of messages has a cost.
pub(crate) fn read_messages(text: &str) -> Result<Vec<Json>, Refusal> {
    let document = parse(text)?;
    let shape_fault = diagnose(document.root()).into_iter().find(|diagnostic| {
        matches!(
            diagnostic.code,
            DiagnosticCode::InvalidTranscript
                | DiagnosticCode::InvalidMessage
                | DiagnosticCode::EmptyToolName
                | DiagnosticCode::InvalidToolArguments
        )
    });
    if let Some(fault) = shape_fault {
        return Err(refused(&fault.to_string()));
    }
    // Message, content, block and the arguments object stand around the deepest level of arguments.
    let depth = Limits::SPEC.argument_depth + 4;
    let messages = document.root().elements().map(|message| message.to_json(depth));
    messages.collect::<Option<_>>().ok_or_else(|| refused("arguments nest too deep"))
}

pub(crate) fn measure(weights: &Weights, text: &str) -> Result<u64, Refusal> {
    Ok(read_messages(text)?.iter().map(|message| weights.message(message)).sum())
}

/// Groups of messages that need not be a valid transcript: calls and results are paired by occurrence, and a call
/// that still waits for its result holds everything after it.
pub(crate) fn groups_by_occurrence(messages: &[Json]) -> Vec<Group> {
    let mut waiting: HashMap<&Text, Vec<usize>> = HashMap::new();
    // For each message, the last one that must stay with it.
    let mut last: Vec<usize> = (0..messages.len()).collect();
    for (index, message) in messages.iter().enumerate() {
        match message.get("content") {
            Some(Json::Array(blocks)) => {
                let ids =
                    blocks.iter().filter(|block| block.get("arguments").is_some()).filter_map(|call| id(call, "id"));
                ids.for_each(|id| waiting.entry(id).or_default().push(index));
            }
            _ => {
                let answered = id(message, "toolCallId").and_then(|id| waiting.get_mut(id)).and_then(Vec::pop);
                if let Some(call) = answered {
                    last[call] = last[call].max(index);
                }
            }
        }
    }
    for open in waiting.into_values().flatten() {
        last[open] = messages.len() - 1;
    }
    let mut groups = Vec::new();
    let (mut start, mut end) = (0, 0);
    for (index, last) in last.into_iter().enumerate() {
        end = end.max(last + 1);
        if end == index + 1 {
            let kind = if end - start > 1 { GroupKind::ToolRound } else { GroupKind::Message };
            groups.push(Group { kind, start, end });
            start = end;
        }
    }
    groups
}

fn id<'a>(record: &'a Json, name: &str) -> Option<&'a Text> {
    match record.get(name) {
        Some(Json::String(id)) => Some(id),
        _ => None,
    }
}

/// What stays within the budget: whole groups of a valid transcript; reused ids, open calls and orphans are none,
/// and legal input here all the same.
pub(crate) fn cut(
    weights: &Weights,
    group: fn(&Transcript) -> Vec<Group>,
    text: &str,
    budget: u64,
) -> Result<Vec<Piece>, Refusal> {
    let messages = read_messages(text)?;
    let groups = match Transcript::from_json(parse(text)?.root()) {
        Ok(transcript) => group(&transcript),
        Err(_) => groups_by_occurrence(&messages),
    };
    let start = cut_start(weights, &groups, &messages, budget);
    Ok(suffix(messages, start))
}

/// The earliest end of a group from which on everything fits the budget; 0 when everything does.
pub(crate) fn cut_start(weights: &Weights, groups: &[Group], messages: &[Json], budget: u64) -> usize {
    let mut kept: u64 = messages.iter().map(|message| weights.message(message)).sum();
    let mut start = 0;
    for group in groups {
        if kept <= budget {
            break;
        }
        kept -= messages[group.start..group.end].iter().map(|message| weights.message(message)).sum::<u64>();
        start = group.end;
    }
    start
}

/// The messages from `start` on.
pub(crate) fn suffix(messages: Vec<Json>, start: usize) -> Vec<Piece> {
    messages.into_iter().enumerate().skip(start).map(|(index, message)| Piece { index, message }).collect()
}

pub(crate) fn to_result(pieces: Vec<Piece>) -> CutResult {
    let kept = pieces.into_iter().map(|Piece { index, message }| {
        let id = id(&message, "id").map(|id| id.clone().into());
        Kept { index: index as u64, id, message: Some(Payload::from(message)), blocks: None }
    });
    CutResult { kept: kept.collect() }
}

pub(crate) fn refused(words: &str) -> Refusal {
    Refusal::new(refusal::REFUSED, words)
}
