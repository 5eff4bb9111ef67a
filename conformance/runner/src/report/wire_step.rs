//! The steps of a case for a program: everything that it takes to do them again.

use super::words::{cancel_words, moves_words};
use schemars::JsonSchema;
use seamcheck_checks::step::{Outcome, Slot, Step};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::method;
use seamcheck_protocol::payload::Payload;
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;

/// One step for a program.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct WireStep {
    /// The method.
    pub method: Cow<'static, str>,
    /// The slot of the context that it makes or works on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<Slot>,
    /// The slot of the context that it ends with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into: Option<Slot>,
    /// The context, or the messages.
    #[serde(default, deserialize_with = "even_null", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub input: Option<Payload>,
    /// The options.
    #[serde(default, deserialize_with = "even_null", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub options: Option<Payload>,
    /// The budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// What the summarizer does.
    #[serde(default, deserialize_with = "even_null", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub answer: Option<Payload>,
    /// When it is cancelled, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel: Option<String>,
}

/// A payload of null is a payload, where serde would take it for absent.
fn even_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Payload>, D::Error> {
    Payload::deserialize(deserializer).map(Some)
}

/// The steps for a program.
pub(super) fn wire_steps(outcomes: &[Outcome]) -> Vec<WireStep> {
    outcomes.iter().map(|outcome| wire_step(&outcome.step)).collect()
}

fn wire_step(step: &Step) -> WireStep {
    let blank = |method: &'static str| WireStep {
        method: method.into(),
        slot: None,
        into: None,
        input: None,
        options: None,
        budget: None,
        answer: None,
        cancel: None,
    };
    let with = |method: &'static str, input: &Payload| WireStep { input: Some(portable(input)), ..blank(method) };
    match step {
        Step::Build { context, slot } => WireStep { slot: Some(*slot), ..with(method::BUILD, context) },
        Step::Inspect { slot } => WireStep { slot: Some(*slot), ..blank(method::INSPECT) },
        Step::Units { context } => with(method::UNITS, context),
        Step::Groups { messages } => with(method::GROUPS, messages),
        Step::Diagnose { messages } => with(method::DIAGNOSE, messages),
        Step::Measure { messages } => with(method::MEASURE, messages),
        Step::Boundary { context, options } => {
            WireStep { options: Some(portable(options)), ..with(method::BOUNDARY, context) }
        }
        Step::Cut { messages, budget } => WireStep { budget: Some(*budget), ..with(method::CUT, messages) },
        Step::Render { slot } => WireStep { slot: Some(*slot), ..blank(method::RENDER) },
        Step::Release { slot } => WireStep { slot: Some(*slot), ..blank(method::RELEASE) },
        Step::Tell { into, moves } => {
            WireStep { into: Some(*into), cancel: Some(moves_words(moves)), ..blank(method::CANCEL) }
        }
        Step::End { into, moves } => {
            WireStep { into: Some(*into), cancel: Some(moves_words(moves)), ..blank(method::COMPACT) }
        }
        Step::Compact(step) | Step::Begin(step) => WireStep {
            slot: Some(step.slot),
            into: Some(step.into),
            options: Some(portable(&step.options)),
            answer: answer_json(&step.answer),
            cancel: cancel_words(step.cancel),
            ..blank(method::COMPACT)
        },
    }
}

/// As it is where any parser reads it; what most refuse, a lone surrogate for one, as text in `{"json": "..."}`.
fn portable(payload: &Payload) -> Payload {
    let readable = !payload.is_raw() && serde_json::from_str::<serde_json::Value>(payload.text()).is_ok();
    if readable { payload.clone() } else { Payload::raw(payload.text()) }
}

fn answer_json(answer: &Answer) -> Option<Payload> {
    let text = serde_json::to_string(answer).ok()?;
    serde_json::from_str(&text).ok().map(|answer| portable(&answer))
}
