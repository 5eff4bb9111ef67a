//! Features of texts and arguments.

use super::Feature;
use crate::built::Built;
use seamcheck_reference::json::{Object, format_number};
use seamcheck_reference::{Block, Json, Limits, Message, Text};
use std::collections::BTreeSet;

pub(super) fn note(built: &Built, features: &mut BTreeSet<Feature>) {
    let mut note = Notes(features);
    for requirement in &built.requirements {
        note.text(&requirement.id);
        note.text(&requirement.content);
    }
    for message in &built.messages {
        note.text(message.id());
        match message {
            Message::User(message) => note.content(&message.content),
            Message::ToolResult(message) => note.content(&message.content),
            Message::Assistant(message) => note.blocks(&message.content),
        }
    }
}

struct Notes<'a>(&'a mut BTreeSet<Feature>);

impl Notes<'_> {
    fn add(&mut self, feature: Feature, holds: bool) {
        if holds {
            self.0.insert(feature);
        }
    }

    fn content(&mut self, text: &Text) {
        self.text(text);
        self.add(Feature::EmptyContent, text.is_empty());
        self.add(Feature::BlankContent, text.is_blank() && !text.is_empty());
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            match block {
                Block::Text(text) => self.text(text),
                Block::ToolCall(call) => {
                    self.text(&call.id);
                    self.text(&call.name);
                    self.object(&call.arguments, 0);
                }
            }
        }
        for pair in blocks.windows(2) {
            if let [Block::Text(left), Block::Text(right)] = pair {
                let ends = left.points().last().is_some_and(|point| (0xD800..0xDC00).contains(&point));
                let starts = right.points().next().is_some_and(|point| (0xDC00..0xE000).contains(&point));
                self.add(Feature::SplitPair, ends && starts);
            }
        }
    }

    fn text(&mut self, text: &Text) {
        let mut before = 0;
        for point in text.points() {
            self.add(Feature::ReversedPair, (0xDC00..0xE000).contains(&before) && (0xD800..0xDC00).contains(&point));
            if let Some(feature) = feature_of(point) {
                self.add(feature, true);
            }
            self.add(Feature::Astral, point > 0xFFFF);
            before = point;
        }
        let lookalike = |point| matches!(point, 0x85 | 0x180E | 0x200B | 0 | 0x1C | 0x2800);
        self.add(Feature::BlankLookalike, !text.is_empty() && text.points().all(lookalike));
        self.add(Feature::LongText, text.code_points() > 200);
    }

    fn object(&mut self, object: &Object, depth: usize) {
        for (key, value) in object.members() {
            self.text(key);
            let index = key.as_str().filter(|key| key.bytes().all(|byte| byte.is_ascii_digit()));
            let canonical =
                |key: &str| key.parse::<u32>().is_ok_and(|index| index.to_string() == key && index < u32::MAX);
            self.add(Feature::IndexKey, index.is_some_and(canonical));
            self.add(Feature::EmptyKey, key.is_empty());
            self.add(Feature::ProtoKey, key.as_str() == Some("__proto__"));
            self.value(value, depth + 1);
        }
    }

    fn value(&mut self, value: &Json, depth: usize) {
        self.add(Feature::DeepestArguments, depth == Limits::SPEC.argument_depth);
        match value {
            Json::Null | Json::Bool(_) => self.add(Feature::Constants, true),
            Json::Number(number) => {
                self.add(Feature::ExponentNumber, format_number(*number).contains('e'));
                self.add(Feature::NegativeNumber, number.is_sign_negative());
            }
            Json::String(text) => self.text(text),
            Json::Array(elements) => elements.iter().for_each(|element| self.value(element, depth + 1)),
            Json::Object(object) => self.object(object, depth),
        }
    }
}

fn feature_of(point: u32) -> Option<Feature> {
    Some(match point {
        0xD800..0xDC00 => Feature::LoneHigh,
        0xDC00..0xE000 => Feature::LoneLow,
        0x300..0x370 => Feature::Combining,
        0x200D => Feature::ZeroWidthJoiner,
        0x1F1E6..=0x1F1FF => Feature::Flag,
        0x1100..0x1200 => Feature::Jamo,
        0xFEFF => Feature::ByteOrderMark,
        0 => Feature::Nul,
        0xFDD0..=0xFDEF => Feature::Noncharacter,
        point if point & 0xFFFE == 0xFFFE => Feature::Noncharacter,
        0x200E | 0x200F | 0x202A..=0x202E | 0x2066..=0x2069 => Feature::Bidi,
        0x22 | 0x5C => Feature::Escapes,
        _ => return None,
    })
}
