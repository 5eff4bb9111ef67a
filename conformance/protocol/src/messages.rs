//! The methods of protocol version 1: their parameters and results. Unknown fields are ignored, so that
//! either side may be older than the other; a field that is absent has the default named here.

use crate::answer::{Answer, AnswerKind};
pub use crate::ending::{CompactResult, Status};
use crate::envelope::IdSchema;
use crate::open::{OpenName, known};
use crate::payload::{Payload, WireText};
pub use crate::view::{RenderResult, Shown, ShownKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The protocol version that this crate speaks.
pub const PROTOCOL_VERSION: &str = "1";

/// Names of the methods.
pub mod method {
    /// Runner to adapter, first: [`InitializeParams`](super::InitializeParams).
    pub const INITIALIZE: &str = "initialize";
    /// Makes a live context: [`ContextParams`](super::ContextParams) to [`HandleResult`](super::HandleResult).
    pub const BUILD: &str = "build";
    /// Shows a live context: [`HandleParams`](super::HandleParams) to [`InspectResult`](super::InspectResult).
    pub const INSPECT: &str = "inspect";
    /// Shows what a model would be shown: [`HandleParams`](super::HandleParams) to
    /// [`RenderResult`](super::RenderResult).
    pub const RENDER: &str = "render";
    /// Forgets a live context: [`HandleParams`](super::HandleParams) to [`Empty`](super::Empty).
    pub const RELEASE: &str = "release";
    /// [`ContextParams`](super::ContextParams) to [`UnitsResult`](super::UnitsResult).
    pub const UNITS: &str = "units";
    /// [`MessagesParams`](super::MessagesParams) to [`GroupsResult`](super::GroupsResult).
    pub const GROUPS: &str = "groups";
    /// [`MessagesParams`](super::MessagesParams) to [`DiagnoseResult`](super::DiagnoseResult).
    pub const DIAGNOSE: &str = "diagnose";
    /// [`BoundaryParams`](super::BoundaryParams) to [`BoundaryResult`](super::BoundaryResult).
    pub const BOUNDARY: &str = "boundary";
    /// [`CutParams`](super::CutParams) to [`CutResult`](super::CutResult).
    pub const CUT: &str = "cut";
    /// [`MessagesParams`](super::MessagesParams) to [`UnitsResult`](super::UnitsResult), by the adapter's own count.
    pub const MEASURE: &str = "measure";
    /// [`CompactParams`](super::CompactParams) to [`CompactResult`](super::CompactResult).
    pub const COMPACT: &str = "compact";
    /// Adapter to runner, during `compact`: [`SummarizeParams`](super::SummarizeParams) to [`Answer`](super::Answer).
    pub const SUMMARIZE: &str = "summarize";
    /// Runner to adapter, a notification: [`CancelParams`](super::CancelParams).
    pub const CANCEL: &str = "cancel";
    /// Runner to adapter, last: [`Empty`](super::Empty) both ways.
    pub const SHUTDOWN: &str = "shutdown";
}

/// Codes in `error.data.code` that are none of the ten of the spec.
pub mod refusal {
    /// The payload is no JSON text.
    pub const NOT_JSON: &str = "not-json";
    /// The handle was never issued, or has been released.
    pub const UNKNOWN_HANDLE: &str = "unknown-handle";
    /// The implementation cannot express this input (a library without message ids, say).
    pub const UNSUPPORTED: &str = "unsupported";
    /// A trimmer refuses this input (reused call ids, say).
    pub const REFUSED: &str = "refused";
}

/// `error.code` of every refusal that carries `error.data.code`.
pub const REFUSAL_CODE: i64 = -32_000;

/// What the runner offers.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InitializeParams {
    /// Protocol versions, the preferred one first.
    pub protocol_versions: Vec<String>,
    /// Who asks.
    pub suite: Suite,
}

/// The harness that asks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suite {
    /// `seamcheck`
    pub name: String,
    /// The harness's version.
    pub version: String,
    /// The spec's version.
    pub spec_version: String,
}

/// What the adapter declares. Declared but failing is a violation; undeclared and optional is not applicable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Declaration {
    /// The version chosen from those offered.
    pub protocol_version: String,
    /// The implementation's name.
    pub name: String,
    /// The implementation's version.
    pub version: String,
    /// Its language.
    #[serde(default)]
    pub language: String,
    /// Profiles it implements: `boundary`.
    pub profiles: Vec<String>,
    /// Levels it implements, in no order. A name that is not known here is one of a later version, and passed over.
    #[serde(deserialize_with = "known")]
    #[schemars(with = "Vec<OpenName<Level>>")]
    pub levels: Vec<Level>,
    /// What else it can do; nothing by default.
    #[serde(default)]
    pub capabilities: Capabilities,
    /// How many cases it can hold at once; 1 by default.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub max_in_flight: u32,
}

impl Declaration {
    /// A declaration of an implementation in Rust, one case at a time and without a capability.
    pub fn new(name: &str, version: &str, levels: &[Level]) -> Self {
        Self {
            protocol_version: PROTOCOL_VERSION.to_owned(),
            name: name.to_owned(),
            version: version.to_owned(),
            language: "rust".to_owned(),
            profiles: vec!["boundary".to_owned()],
            levels: levels.to_vec(),
            capabilities: Capabilities::default(),
            max_in_flight: one(),
        }
    }
}

fn one() -> u32 {
    1
}

/// Three ways in, from the least an implementation can offer to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Trimming only.
    Cut,
    /// Compacting with a summarizer.
    Compact,
    /// Units, groups, boundary, diagnostics and error codes of the spec.
    Exact,
}

impl Level {
    /// Every level, the least first.
    pub const ALL: [Self; 3] = [Self::Cut, Self::Compact, Self::Exact];

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cut => "cut",
            Self::Compact => "compact",
            Self::Exact => "exact",
        }
    }
}

/// What an adapter can do beyond its levels.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Capabilities {
    /// Takes payloads as `{"json": "<text>"}`.
    pub raw_json: bool,
    /// `inspect` gives a digest over every native field.
    pub native: bool,
    /// Has the method `measure`.
    pub measure: bool,
    /// Has the method `render`.
    pub render: bool,
    /// What `cut` keeps.
    pub keeps: Keeps,
    /// How it comes by a summary.
    pub summarize: Summarize,
    /// The kinds of [`Answer`] that its summarizer can act out; text by default. Unknown names are passed over.
    #[serde(deserialize_with = "known")]
    #[schemars(with = "Vec<OpenName<AnswerKind>>")]
    pub answers: Vec<AnswerKind>,
    /// When it can be cancelled. Unknown names are passed over.
    #[serde(deserialize_with = "known")]
    #[schemars(with = "Vec<OpenName<CancelMode>>")]
    pub cancel: Vec<CancelMode>,
}

/// The shape of what `cut` keeps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Keeps {
    /// The newest messages, without a gap.
    Suffix,
    /// Any of the messages.
    #[default]
    Subset,
    /// Any of the messages, and of their blocks.
    Parts,
}

/// How an adapter comes by a summary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Summarize {
    /// It asks the runner, by `summarize`.
    #[default]
    Callback,
    /// It cannot ask: the answer comes with `compact`. What only a question shows is then not observable.
    Scripted,
}

/// When an adapter can be cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CancelMode {
    /// Its token counts the looks at it and turns at the n-th (`cancelAtLook`).
    AtLook,
    /// It hears `cancel` while it waits for the answer to `summarize`.
    InCallback,
    /// It hears `cancel` at any time.
    Async,
}

/// Parameters of `build` and `units`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ContextParams {
    /// A context in the IR.
    pub context: Payload,
}

/// Parameters of `groups`, `diagnose` and `measure`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct MessagesParams {
    /// Messages in the IR.
    pub messages: Payload,
}

/// Parameters of `boundary`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct BoundaryParams {
    /// A context in the IR.
    pub context: Payload,
    /// `targetUnits`, `summaryMaxUnits`, `retainRecentMessages`.
    pub options: Payload,
}

/// Parameters of `cut`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CutParams {
    /// Messages in the IR.
    pub messages: Payload,
    /// The most that may stay, in the adapter's own count.
    pub budget: u64,
}

/// Parameters of `inspect`, `render` and `release`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct HandleParams {
    /// A handle that the adapter issued.
    pub handle: String,
}

/// Parameters of `compact`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompactParams {
    /// The context to compact.
    pub handle: String,
    /// The options of the spec.
    pub options: Payload,
    /// Whether the cancellation is on from the start.
    #[serde(default)]
    pub cancelled: bool,
    /// Turn the cancellation on at this look at it, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel_at_look: Option<u32>,
    /// What the summarizer does, for an adapter that cannot ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summarizer: Option<Answer>,
}

/// Parameters of `summarize`, adapter to runner.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SummarizeParams {
    /// The id of the `compact` request that this belongs to.
    #[schemars(with = "IdSchema")]
    pub compaction: serde_json::Value,
    /// `requirements`, `previousSummary`, `messages`, `boundary`, `maxSummaryUnits`.
    pub request: Payload,
}

/// Parameters of `cancel`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CancelParams {
    /// The id of the `compact` request to cancel.
    #[schemars(with = "IdSchema")]
    pub compaction: serde_json::Value,
}

/// Parameters or result without content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Empty {}

/// Result of `build`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HandleResult {
    /// A name for the live context, until it is released.
    pub handle: String,
}

/// Result of `inspect`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InspectResult {
    /// The live context in the IR, read from the object itself at this moment.
    pub context: Payload,
    /// A digest over every native field, if the adapter has the capability `native`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<String>,
}

/// Result of `units` and `measure`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnitsResult {
    /// The units.
    pub units: u64,
}

/// Result of `groups`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GroupsResult {
    /// `[kind, start, end]`, the kind `message` or `toolRound`, the end exclusive.
    pub groups: Vec<(String, u64, u64)>,
}

/// Result of `diagnose`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiagnoseResult {
    /// `[code, messageIndex]` in the order of the spec; -1 for the whole.
    pub diagnostics: Vec<(String, i64)>,
}

/// Result of `boundary`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BoundaryResult {
    /// The exclusive end of the prefix, or null.
    pub boundary: Option<u64>,
}

/// Result of `cut`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CutResult {
    /// What is kept, in the order in which the implementation gives it.
    pub kept: Vec<Kept>,
}

/// One kept message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Kept {
    /// Its index in the input.
    pub index: u64,
    /// Its id as the implementation gives it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<WireText>,
    /// The message as the implementation gives it back, in the IR; without it, verbatim is not observable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Payload>,
    /// For `parts`: the indexes of the blocks that are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Vec<u64>>,
}

/// `error.data` of a refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefusalData {
    /// One of the ten codes, or one of [`refusal`].
    pub code: String,
    /// How often the cancellation was looked at, if the adapter counts that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looks: Option<u32>,
}
