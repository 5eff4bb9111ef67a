//! Faults of `B-TRIM`: what a trimmer keeps. Only the method `cut` is swapped.

use super::with_member;
use crate::registry::Mutant;
use crate::stages::Stages;
use crate::trim::{Piece, cut_start, read_messages, read_transcript, suffix};
use crate::weights::{elements, role};
use seamcheck_protocol::implementation::Refusal;
use seamcheck_reference::{DiagnosticCode, Document, Group, GroupKind, Json, Message, Text, diagnose};

/// Why more clauses may stop these mutants.
const WHY: &str = "the same kept messages are judged by every clause of trimming";

type Cut = fn(&Stages, &str, u64) -> Result<Vec<Piece>, Refusal>;

pub(super) const fn cutting(cut: Cut) -> Stages {
    Stages { cut, ..Stages::SPEC }
}

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "trim-keeps-last",
        description: "the newest messages that fit are kept, whatever that parts",
        must: &["B-TRIM-1"],
        may: &[],
        stages: cutting(|stages, text, budget| cut_at(stages, text, budget, |messages| singles(messages.len()))),
    },
    Mutant {
        name: "trim-starts-at-user",
        description: "a user message is taken for a safe place to cut, inside a round too",
        must: &["B-TRIM-1"],
        may: &[],
        stages: cutting(|stages, text, budget| {
            cut_at(stages, text, budget, |messages| {
                let starts = (1..messages.len()).filter(|index| role(&messages[*index]) == Some("user"));
                let ends: Vec<usize> = starts.chain([messages.len()]).collect();
                let begins = [0].into_iter().chain(ends.iter().copied());
                begins
                    .zip(&ends)
                    .filter(|(start, end)| start < end)
                    .map(|(start, end)| message_group(start, *end))
                    .collect()
            })
        }),
    },
    Mutant {
        name: "trim-drops-results",
        description: "Tool results are dropped before anything else",
        must: &["B-TRIM-2"],
        may: may![WHY; "B-TRIM-3" "B-TRIM-6"],
        stages: cutting(|stages, text, budget| {
            let mut kept = sound(stages, text, u64::MAX)?;
            while cost(stages, &kept) > budget {
                let at = kept.iter().position(|piece| role(&piece.message) == Some("toolResult")).unwrap_or(0);
                if kept.is_empty() {
                    break;
                }
                kept.remove(at);
            }
            Ok(kept)
        }),
    },
    Mutant {
        name: "trim-ends-early",
        description: "a transcript over its budget loses its newest message, if that is a result",
        must: &["B-TRIM-2"],
        may: may![WHY; "B-TRIM-6"],
        stages: cutting(|stages, text, budget| {
            let mut kept = sound(stages, text, budget)?;
            let cut = kept.first().is_some_and(|first| first.index > 0);
            if cut && kept.last().is_some_and(|last| role(&last.message) == Some("toolResult")) {
                kept.pop();
            }
            Ok(kept)
        }),
    },
    Mutant {
        name: "trim-drops-open-calls",
        description: "a call that waits for its result is dropped like any old message",
        must: &["B-TRIM-3"],
        may: &[],
        stages: cutting(|stages, text, budget| {
            let Ok(messages) = read_messages(text) else { return sound(stages, text, budget) };
            if !has_open_calls(text) {
                return sound(stages, text, budget);
            }
            let start = cut_start(&stages.weights, &rounds_with_open_calls(&messages), &messages, budget);
            Ok(suffix(messages, start))
        }),
    },
    Mutant {
        name: "trim-reverses",
        description: "what is kept comes newest first",
        must: &["B-TRIM-4"],
        may: may![WHY; "B-TRIM-*"],
        stages: cutting(|stages, text, budget| {
            let mut kept = sound(stages, text, budget)?;
            kept.reverse();
            Ok(kept)
        }),
    },
    Mutant {
        name: "trim-repeats",
        description: "the newest message is kept twice",
        must: &["B-TRIM-4"],
        may: may![WHY; "B-TRIM-*"],
        stages: cutting(|stages, text, budget| {
            let mut kept = sound(stages, text, budget)?;
            kept.extend(kept.last().cloned());
            Ok(kept)
        }),
    },
    Mutant {
        name: "trim-invents",
        description: "a message that says something was cut stands before the others",
        must: &["B-TRIM-4"],
        may: &[],
        stages: cutting(|stages, text, budget| {
            let mut kept = sound(stages, text, budget)?;
            if kept.first().is_some_and(|first| first.index > 0) {
                let notice =
                    Json::object([("id", "notice".into()), ("role", "user".into()), ("content", "(cut)".into())]);
                let past = kept.last().map_or(0, |last| last.index + 1);
                kept.insert(0, Piece { index: past, message: notice });
            }
            Ok(kept)
        }),
    },
    Mutant {
        name: "trim-shortens",
        description: "Tool results that are kept are shortened to 8 UTF-16 code units",
        must: &["B-TRIM-5"],
        may: &[],
        stages: cutting(|stages, text, budget| {
            let mut kept = sound(stages, text, budget)?;
            for piece in kept.iter_mut().filter(|piece| role(&piece.message) == Some("toolResult")) {
                if let Some(Json::String(content)) = piece.message.get("content") {
                    let units = content.to_utf16();
                    let short = Text::from_utf16(&units[..units.len().min(8)]);
                    piece.message = with_member(&piece.message, "content", short.into());
                }
            }
            Ok(kept)
        }),
    },
    Mutant {
        name: "trim-empties-arguments",
        description: "the arguments of calls that are kept are emptied",
        must: &["B-TRIM-5"],
        may: &[],
        stages: cutting(|stages, text, budget| {
            let mut kept = sound(stages, text, budget)?;
            for piece in kept.iter_mut().filter(|piece| role(&piece.message) == Some("assistant")) {
                let empty = |block: &Json| match block.get("arguments") {
                    Some(_) => with_member(block, "arguments", Json::object([])),
                    None => block.clone(),
                };
                let blocks = elements(piece.message.get("content")).map(empty).collect();
                piece.message = with_member(&piece.message, "content", Json::Array(blocks));
            }
            Ok(kept)
        }),
    },
    Mutant {
        name: "trim-keeps-first",
        description: "the first message is kept whatever is cut after it",
        must: &["B-TRIM-6"],
        may: &[],
        stages: cutting(|stages, text, budget| {
            let mut kept = sound(stages, text, budget)?;
            let transcript = read_transcript(text)?;
            let first = transcript.messages().first().filter(|message| matches!(&***message, Message::User(_)));
            if let Some(first) = first.filter(|_| kept.first().is_none_or(|piece| piece.index > 0)) {
                kept.insert(0, Piece { index: 0, message: first.to_json() });
            }
            Ok(kept)
        }),
    },
    Mutant {
        name: "trim-hole",
        description: "over its budget a transcript also loses plain messages between those that are kept",
        must: &["B-TRIM-6"],
        may: &[],
        stages: cutting(|stages, text, budget| {
            let mut kept = sound(stages, text, budget)?;
            let cut = kept.first().is_some_and(|first| first.index > 0);
            let middle = (1..kept.len().saturating_sub(1)).find(|at| role(&kept[*at].message) == Some("user"));
            if let Some(middle) = middle.filter(|_| cut) {
                kept.remove(middle);
            }
            Ok(kept)
        }),
    },
    Mutant {
        name: "trim-strictly-less",
        description: "what is kept must cost less than the budget",
        must: &["B-TRIM-7"],
        may: &[],
        stages: cutting(|stages, text, budget| sound(stages, text, budget.saturating_sub(1))),
    },
    Mutant {
        name: "trim-always-cuts",
        description: "the oldest group is cut whatever the budget",
        must: &["B-TRIM-7"],
        may: &[],
        stages: cutting(|stages, text, budget| {
            let kept = sound(stages, text, budget)?;
            let transcript = read_transcript(text)?;
            let end = (stages.group)(&transcript).first().map_or(0, |group| group.end);
            Ok(kept.into_iter().filter(|piece| piece.index >= end).collect())
        }),
    },
];

fn sound(stages: &Stages, text: &str, budget: u64) -> Result<Vec<Piece>, Refusal> {
    (Stages::SPEC.cut)(stages, text, budget)
}

fn cost(stages: &Stages, kept: &[Piece]) -> u64 {
    kept.iter().map(|piece| stages.weights.message(&piece.message)).sum()
}

/// Cuts at the ends of other groups.
fn cut_at(stages: &Stages, text: &str, budget: u64, groups: fn(&[Json]) -> Vec<Group>) -> Result<Vec<Piece>, Refusal> {
    let transcript = read_transcript(text)?;
    let messages: Vec<Json> = transcript.messages().iter().map(|message| message.to_json()).collect();
    let start = cut_start(&stages.weights, &groups(&messages), &messages, budget);
    Ok(suffix(messages, start))
}

fn message_group(start: usize, end: usize) -> Group {
    Group { kind: GroupKind::Message, start, end }
}

fn singles(length: usize) -> Vec<Group> {
    (0..length).map(|start| message_group(start, start + 1)).collect()
}

fn has_open_calls(text: &str) -> bool {
    let Ok(document) = Document::parse(text.as_bytes()) else { return false };
    diagnose(document.root()).iter().any(|diagnostic| diagnostic.code == DiagnosticCode::MissingToolResult)
}

/// Groups that keep calls and their results together, and know nothing of calls without one.
fn rounds_with_open_calls(messages: &[Json]) -> Vec<Group> {
    let last_answer = |index: usize| {
        let calls: Vec<_> = elements(messages[index].get("content")).filter_map(|block| block.get("id")).collect();
        let answers = |at: &usize| messages[*at].get("toolCallId").is_some_and(|id| calls.contains(&id));
        (index + 1..messages.len()).rfind(answers)
    };
    let mut groups: Vec<Group> = Vec::new();
    for index in 0..messages.len() {
        let end = last_answer(index).map_or(index + 1, |last| last + 1);
        match groups.last_mut().filter(|group| group.end > index) {
            Some(group) => group.end = group.end.max(end),
            None => groups.push(message_group(index, end)),
        }
    }
    groups
}
