//! What the summarizer does: the runner's reply to `summarize`, or the script given with `compact`.
//!
//! On the wire it is one flat object with a `kind`. It is read through a plain struct, since serde buffers
//! a tagged enum and loses raw payloads and lone surrogates on the way.

use crate::payload::{Payload, WireText};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// What the summarizer does.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Wire", into = "Wire")]
#[schemars(!try_from, !into, tag = "kind", rename_all = "camelCase")]
pub enum Answer {
    /// It answers this text at once.
    Text {
        /// The summary.
        text: WireText,
        /// Whether it turns the cancellation on first.
        #[schemars(default)]
        cancel: bool,
    },
    /// It answers any JSON value.
    Value {
        /// The value.
        value: Payload,
    },
    /// The call itself fails.
    Throw {
        /// Words of the failure.
        #[schemars(default)]
        message: WireText,
        /// Whether it turns the cancellation on first.
        #[schemars(default)]
        cancel: bool,
    },
    /// The call defers its answer, and that fails.
    Reject {
        /// Words of the failure.
        #[schemars(default)]
        message: WireText,
        /// Whether it turns the cancellation on first.
        #[schemars(default)]
        cancel: bool,
    },
    /// The call panics, or fails in the language's least tame way.
    Panic {
        /// Words of the failure.
        #[schemars(default)]
        message: WireText,
    },
    /// It answers the text after so many deferrals, one in another.
    Chain {
        /// How many; 0 is the text itself.
        depth: u32,
        /// The summary.
        text: WireText,
        /// Whether the last deferral turns the cancellation on as it settles.
        #[schemars(default)]
        cancel: bool,
    },
    /// It answers what nobody can wait for.
    Unobservable,
    /// It defers its answer for good.
    Pending {
        /// Whether it turns the cancellation on once somebody waits.
        #[schemars(default)]
        cancel: bool,
    },
}

/// The kinds of [`Answer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum AnswerKind {
    /// See [`Answer::Text`].
    Text,
    /// See [`Answer::Value`].
    Value,
    /// See [`Answer::Throw`].
    Throw,
    /// See [`Answer::Reject`].
    Reject,
    /// See [`Answer::Panic`].
    Panic,
    /// See [`Answer::Chain`].
    Chain,
    /// See [`Answer::Unobservable`].
    Unobservable,
    /// See [`Answer::Pending`].
    Pending,
}

impl AnswerKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Text,
        Self::Value,
        Self::Throw,
        Self::Reject,
        Self::Panic,
        Self::Chain,
        Self::Unobservable,
        Self::Pending,
    ];
}

impl Answer {
    /// This text at once.
    pub fn text(text: impl Into<WireText>) -> Self {
        Self::Text { text: text.into(), cancel: false }
    }

    /// Which kind it is.
    pub fn kind(&self) -> AnswerKind {
        match self {
            Self::Text { .. } => AnswerKind::Text,
            Self::Value { .. } => AnswerKind::Value,
            Self::Throw { .. } => AnswerKind::Throw,
            Self::Reject { .. } => AnswerKind::Reject,
            Self::Panic { .. } => AnswerKind::Panic,
            Self::Chain { .. } => AnswerKind::Chain,
            Self::Unobservable => AnswerKind::Unobservable,
            Self::Pending { .. } => AnswerKind::Pending,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Wire {
    kind: AnswerKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<WireText>,
    #[serde(default, deserialize_with = "even_null", skip_serializing_if = "Option::is_none")]
    value: Option<Payload>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<WireText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(default, skip_serializing_if = "is_false")]
    cancel: bool,
}

/// A value of null is a value, where serde would take it for absent.
fn even_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Payload>, D::Error> {
    Payload::deserialize(deserializer).map(Some)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl From<Answer> for Wire {
    fn from(answer: Answer) -> Self {
        let blank = Self { kind: answer.kind(), text: None, value: None, message: None, depth: None, cancel: false };
        match answer {
            Answer::Text { text, cancel } => Self { text: Some(text), cancel, ..blank },
            Answer::Value { value } => Self { value: Some(value), ..blank },
            Answer::Throw { message, cancel } | Answer::Reject { message, cancel } => {
                Self { message: Some(message), cancel, ..blank }
            }
            Answer::Panic { message } => Self { message: Some(message), ..blank },
            Answer::Chain { depth, text, cancel } => Self { depth: Some(depth), text: Some(text), cancel, ..blank },
            Answer::Unobservable => blank,
            Answer::Pending { cancel } => Self { cancel, ..blank },
        }
    }
}

impl TryFrom<Wire> for Answer {
    type Error = String;

    fn try_from(wire: Wire) -> Result<Self, String> {
        let missing = |field: &str| format!("an answer of kind {:?} needs `{field}`", wire.kind);
        let cancel = wire.cancel;
        let message = wire.message.unwrap_or_default();
        Ok(match wire.kind {
            AnswerKind::Text => Self::Text { text: wire.text.ok_or_else(|| missing("text"))?, cancel },
            AnswerKind::Value => Self::Value { value: wire.value.ok_or_else(|| missing("value"))? },
            AnswerKind::Throw => Self::Throw { message, cancel },
            AnswerKind::Reject => Self::Reject { message, cancel },
            AnswerKind::Panic => Self::Panic { message },
            AnswerKind::Chain => Self::Chain {
                depth: wire.depth.ok_or_else(|| missing("depth"))?,
                text: wire.text.ok_or_else(|| missing("text"))?,
                cancel,
            },
            AnswerKind::Unobservable => Self::Unobservable,
            AnswerKind::Pending => Self::Pending { cancel },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seamcheck_reference::Text;

    #[test]
    fn every_kind_survives_the_wire_lone_surrogates_and_raw_values_included() {
        let lone = WireText(Text::from_utf16(&[0xD800, 0x61]));
        let answers = [
            Answer::Text { text: lone.clone(), cancel: true },
            Answer::Value { value: Payload::raw("{\"a\":1e999,\"a\":-0}") },
            Answer::Value { value: Payload::from(seamcheck_reference::Json::Null) },
            Answer::Throw { message: lone.clone(), cancel: false },
            Answer::Reject { message: lone.clone(), cancel: true },
            Answer::Panic { message: lone.clone() },
            Answer::Chain { depth: 65, text: lone, cancel: false },
            Answer::Unobservable,
            Answer::Pending { cancel: true },
        ];
        for answer in answers {
            let line = serde_json::to_string(&answer).unwrap();
            assert_eq!(serde_json::from_str::<Answer>(&line).unwrap(), answer, "{line}");
        }
    }
}
