//! What a plan builds: the context as IR and JSON, and what is known about it because it was planted. Derived
//! facts (groups, units, boundaries) are absent: whoever judges them finds them alone.

use crate::ledger::Cost;
use seamcheck_reference::{CompactionRecord, Json, Message, Requirement, Summary, Text};

/// A context, and the facts of its planting.
#[derive(Debug, Clone, PartialEq)]
pub struct Built {
    /// The requirements in order.
    pub requirements: Vec<Requirement>,
    /// The summary, if any.
    pub summary: Option<Summary>,
    /// The transcript.
    pub messages: Vec<Message>,
    /// The earlier compactions in order.
    pub records: Vec<CompactionRecord>,
    /// One entry for each assistant message with calls, in transcript order.
    pub rounds: Vec<PlantedRound>,
    /// Indexes of results that answer no call. Only in a loose plan.
    pub orphans: Vec<usize>,
    /// Calls that use an id again, as (message, block). Only in a loose plan.
    pub reused: Vec<(usize, usize)>,
    /// What it counts against the limits.
    pub(crate) cost: Cost,
}

/// An assistant message with calls, and where they are answered.
#[derive(Debug, Clone, PartialEq)]
pub struct PlantedRound {
    /// Index of the assistant message.
    pub assistant: usize,
    /// Its calls in block order.
    pub calls: Vec<PlantedCall>,
}

/// A call, and where it is answered.
#[derive(Debug, Clone, PartialEq)]
pub struct PlantedCall {
    /// Index of the block in the assistant message.
    pub block: usize,
    /// The call id.
    pub id: Text,
    /// The Tool's name.
    pub name: Text,
    /// Index of the result's message; `None` only in a loose plan.
    pub result: Option<usize>,
}

impl PlantedRound {
    /// Index of the last message of the round: its last result, or the assistant itself.
    pub fn last(&self) -> usize {
        self.calls.iter().filter_map(|call| call.result).max().unwrap_or(self.assistant)
    }
}

impl Built {
    /// Whether it is a valid context: always, unless a loose plan used its freedom.
    pub fn is_valid(&self) -> bool {
        self.orphans.is_empty() && self.reused.is_empty() && self.open_calls().next().is_none()
    }

    /// The calls without a result, as (message, call).
    pub fn open_calls(&self) -> impl Iterator<Item = (usize, &PlantedCall)> {
        self.rounds.iter().flat_map(|round| {
            let open = round.calls.iter().filter(|call| call.result.is_none());
            open.map(move |call| (round.assistant, call))
        })
    }

    /// The context with every field.
    pub fn context_json(&self) -> Json {
        Json::object([
            ("requirements", Json::Array(self.requirements.iter().map(Requirement::to_json).collect())),
            ("summary", self.summary.as_ref().map_or(Json::Null, Summary::to_json)),
            ("messages", self.messages_json()),
            ("compactions", Json::Array(self.records.iter().map(CompactionRecord::to_json).collect())),
        ])
    }

    /// The same context without the fields that are empty (`B-BUILD-1`).
    pub fn sparse_context_json(&self) -> Json {
        let Json::Object(context) = self.context_json() else { return Json::Null };
        let empty = |value: &Json| match value {
            Json::Array(elements) => elements.is_empty(),
            other => *other == Json::Null,
        };
        Json::Object(context.members().iter().filter(|(_, value)| !empty(value)).cloned().collect())
    }

    /// The messages alone.
    pub fn messages_json(&self) -> Json {
        Json::Array(self.messages.iter().map(Message::to_json).collect())
    }
}
