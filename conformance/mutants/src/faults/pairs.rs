//! Faults of `B-COMPACT-14` and `B-TRIM-8`: texts cut in the middle of a surrogate pair, as a cap that counts UTF-16
//! code units does.

use super::{compacting, trim, with_member};
use crate::live::rebuild;
use crate::registry::Mutant;
use crate::stages::{CompactionStages, Stages};
use crate::weights::elements;
use seamcheck_protocol::messages::ShownKind;
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::{Document, Json, Text};

/// Why more clauses may stop these mutants.
const WHY: &str = "a text that was cut is another text as well";

const SPEC: CompactionStages = CompactionStages::SPEC;

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "pairs-halved-retained",
        description: "retained texts end in the middle of their first surrogate pair",
        must: &["B-COMPACT-14"],
        may: may![WHY; "B-TEXT-*" "B-UNIT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-CANCEL-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            compose: |_, parts| parts.messages.iter_mut().for_each(|message| *message = halved(message)),
            ..SPEC
        }),
    },
    Mutant {
        name: "pairs-halved-request",
        description: "texts for the summarizer end in the middle of their first surrogate pair",
        must: &["B-COMPACT-14"],
        may: may![WHY; "B-TEXT-*" "B-UNIT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            request: |attempt, request| {
                let context = attempt.context.to_json();
                let messages = elements(context.get("messages")).map(halved).collect();
                if let Ok(halved) = rebuild(&with_member(&context, "messages", Json::Array(messages))) {
                    let messages = halved.transcript().messages();
                    request.messages = messages[..request.messages.len().min(messages.len())].into();
                }
            },
            ..SPEC
        }),
    },
    Mutant {
        name: "pairs-halved-summary",
        description: "the summary ends in the middle of its first surrogate pair",
        must: &["B-COMPACT-14"],
        may: may![WHY; "B-TEXT-*" "B-COMPACT-*" "B-SUMMARY-*" "B-STATE-*"],
        stages: compacting(CompactionStages {
            accept: |attempt, answer| (SPEC.accept)(attempt, answer).map(|text| half(&text)),
            ..SPEC
        }),
    },
    Mutant {
        name: "pairs-halved-view",
        description: "what a model is shown ends in the middle of its first surrogate pair",
        must: &["B-COMPACT-14", "B-VIEW-2"],
        may: &[],
        stages: Stages {
            view: |mut view| {
                for shown in view.iter_mut().filter(|shown| shown.kind == ShownKind::Message) {
                    if let Some(message) = read(&shown.value) {
                        shown.value = Payload::from(halved(&message));
                    }
                }
                view
            },
            ..Stages::SPEC
        },
    },
    Mutant {
        name: "trim-halves-pairs",
        description: "kept texts end in the middle of their first surrogate pair",
        must: &["B-TRIM-8", "B-TRIM-5"],
        may: &[],
        stages: trim::cutting(|stages, text, budget| {
            let mut kept = (Stages::SPEC.cut)(stages, text, budget)?;
            kept.iter_mut().for_each(|piece| piece.message = halved(&piece.message));
            Ok(kept)
        }),
    },
];

/// The value of a payload that an implementation has made itself.
pub(super) fn read(payload: &Payload) -> Option<Json> {
    const DEPTH: usize = 200;
    Document::parse(payload.text().as_bytes()).ok()?.root().to_json(DEPTH)
}

fn halved(message: &Json) -> Json {
    match message.get("content") {
        Some(Json::String(text)) => with_member(message, "content", half(text).into()),
        Some(Json::Array(blocks)) => {
            let blocks = blocks.iter().map(|block| match block.get("text") {
                Some(Json::String(text)) => with_member(block, "text", half(text).into()),
                _ => block.clone(),
            });
            with_member(message, "content", Json::Array(blocks.collect()))
        }
        _ => message.clone(),
    }
}

/// The text up to the middle of its first pair.
fn half(text: &Text) -> Text {
    let units = text.to_utf16();
    let is_pair = |pair: &[u16]| (0xd800..0xdc00).contains(&pair[0]) && (0xdc00..0xe000).contains(&pair[1]);
    match units.windows(2).position(is_pair) {
        Some(place) => Text::from_utf16(&units[..=place]),
        None => text.clone(),
    }
}
