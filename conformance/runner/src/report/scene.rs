//! A counterexample as a picture, before anything is drawn: each transcript of the case with its calls and results,
//! and under it what was done to it step by step, with where it was cut and what that broke.
//!
//! It says what is to be seen and judges nothing: which clause is violated is known already.

mod act;
mod attempts;
mod build;
mod transcript;

pub(super) use attempts::{folded, like_the_others};
pub(super) use build::scenes;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One transcript and what was done to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scene {
    /// What it is, such as `context A`.
    pub title: String,
    /// The summary that stands before the messages, if there is one.
    pub summary: Option<String>,
    /// How many messages the transcript has.
    pub length: usize,
    /// Its messages; of a long transcript those that matter, and the first and last.
    pub messages: Vec<SceneMessage>,
    /// Calls with their results, as far as both are among the messages.
    pub pairs: Vec<Pair>,
    /// What was done to it, in order.
    pub acts: Vec<Act>,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SceneMessage {
    /// Its index in the transcript.
    pub index: usize,
    /// Who speaks.
    pub role: Role,
    /// Its id as it stands in the JSON, cut short.
    pub id: String,
    /// What it says, cut short.
    pub text: String,
    /// The names of the Tools that it calls.
    pub calls: Vec<String>,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The user.
    User,
    /// The assistant.
    Assistant,
    /// A Tool, by its result.
    Tool,
    /// None of them: the message is not as the IR has it.
    Other,
}

/// A call and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pair {
    /// The index of the message that calls.
    pub call: usize,
    /// The index of the result.
    pub result: usize,
    /// The id of the call, cut short.
    pub id: String,
    /// The name of the Tool, cut short.
    pub tool: String,
}

/// One step, or several that came to the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Act {
    /// The first of its steps, counted from 1.
    pub first_step: usize,
    /// The last of its steps.
    pub last_step: usize,
    /// What was asked.
    pub asked: String,
    /// What came of it.
    pub reply: String,
    /// Where the transcript is cut: before the message with this index, its length for the end.
    pub cuts: Vec<usize>,
    /// What became of each of `messages`, in the same order; empty where nothing was done to them.
    pub fates: Vec<Fate>,
    /// The indexes of the messages that it is about: they should have stayed together, or stayed at all.
    pub marked: Vec<usize>,
    /// The pairs that it parts, by their place in `pairs`.
    pub parted: Vec<usize>,
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// It stays.
    Kept,
    /// It is cut off.
    Dropped,
    /// A summary stands for it.
    Summarized,
    /// It should have stayed as it is, and is not there any more.
    Lost,
    /// It stays, and came back changed.
    Changed,
}

impl Fate {
    /// For a person.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Dropped => "dropped",
            Self::Summarized => "summarized",
            Self::Lost => "lost",
            Self::Changed => "changed",
        }
    }
}
