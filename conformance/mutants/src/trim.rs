//! Trimming by the reference's stages: the level `cut`. The reference's own answer to what the trimming
//! clauses ask: whole groups go, the oldest first.

use crate::live::parse;
use crate::weights::Weights;
use seamcheck_protocol::implementation::Refusal;
use seamcheck_protocol::messages::{CutResult, Kept, refusal};
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::{DiagnosticCode, Group, Json, Limits, Transcript, diagnose};

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
        let id = match message.get("id") {
            Some(Json::String(id)) => Some(id.clone().into()),
            _ => None,
        };
        Kept { index: index as u64, id, message: Some(Payload::from(message)), blocks: None }
    });
    CutResult { kept: kept.collect() }
}

pub(crate) fn refused(words: &str) -> Refusal {
    Refusal::new(refusal::REFUSED, words)
}
