//! `B-UNIT-1` to `B-UNIT-10`: what a context costs. Units are a deterministic estimator, not the tokens
//! of any model.

use crate::json::{Json, Object, number_length};
use crate::message::{Block, Message, Requirement, Summary};
use crate::text::Text;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Sub};
use std::sync::Arc;

/// An amount of units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Units(u64);

impl Units {
    /// This many units.
    pub const fn new(units: u64) -> Self {
        Self(units)
    }

    /// The plain number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl Add for Units {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Units {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Sum for Units {
    fn sum<I: Iterator<Item = Self>>(units: I) -> Self {
        units.fold(Self::default(), Add::add)
    }
}

impl fmt::Display for Units {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

/// Requirements, summary and messages together; records cost nothing (`B-UNIT-10`).
pub(crate) fn of_parts(requirements: &[Requirement], summary: Option<&Summary>, messages: &[Arc<Message>]) -> Units {
    let requirements: Units = requirements.iter().map(of_requirement).sum();
    let messages: Units = messages.iter().map(|message| of_message(message)).sum();
    requirements + summary.map_or(Units::default(), of_summary) + messages
}

/// 3, its id and its content (`B-UNIT-1`).
pub fn of_requirement(requirement: &Requirement) -> Units {
    Units(3) + of_text(&requirement.id) + of_text(&requirement.content)
}

/// 5, its id and its content (`B-UNIT-2`).
pub fn of_summary(summary: &Summary) -> Units {
    Units(5) + of_text(&summary.id) + of_text(&summary.content)
}

/// A message by its role (`B-UNIT-3` to `B-UNIT-6`).
pub fn of_message(message: &Message) -> Units {
    match message {
        Message::User(message) => Units(4) + of_text(&message.id) + of_text(&message.content),
        Message::Assistant(message) => Units(4) + of_text(&message.id) + message.content.iter().map(of_block).sum(),
        Message::ToolResult(message) => {
            let texts = [&message.id, &message.tool_call_id, &message.tool_name, &message.content];
            Units(6) + texts.into_iter().map(of_text).sum() + Units(1)
        }
    }
}

fn of_block(block: &Block) -> Units {
    match block {
        Block::Text(text) => Units(2) + of_text(text),
        Block::ToolCall(call) => Units(6) + of_text(&call.id) + of_text(&call.name) + of_object(&call.arguments),
    }
}

/// A JSON value (`B-UNIT-7` to `B-UNIT-9`).
pub fn of_json(value: &Json) -> Units {
    match value {
        Json::Null => Units(1),
        Json::Bool(true) => Units(5),
        Json::Bool(false) => Units(6),
        Json::Number(number) => Units(1 + number_length(*number) as u64),
        Json::String(text) => Units(1) + of_text(text),
        Json::Array(elements) => Units(2) + elements.iter().map(|element| Units(1) + of_json(element)).sum(),
        Json::Object(object) => of_object(object),
    }
}

/// The spec sorts the keys; a sum is the same in any order.
fn of_object(object: &Object) -> Units {
    Units(2) + object.members().iter().map(|(key, value)| Units(1) + of_text(key) + of_json(value)).sum()
}

fn of_text(text: &Text) -> Units {
    Units(text.code_points() as u64)
}
