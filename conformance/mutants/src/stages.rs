//! The stages of the pipeline, each a value that a mutant may swap. [`Stages::SPEC`] is the reference's own.

use crate::live::{Live, coded};
use crate::pipeline::Attempt;
use crate::raw::Raw;
use crate::reference::finding;
use crate::trim::{Piece, cut};
use crate::weights::Weights;
use seamcheck_protocol::implementation::Refusal;
use seamcheck_protocol::messages::{Shown, refusal};
use seamcheck_reference::{
    BoundaryOptions, Code, CompactionRecord, Context, Document, Error, Group, Json, Limits, Summary, SummaryRequest,
    Text, Transcript, Value, diagnose, group,
};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// What an implementation is made of.
#[derive(Clone, Copy)]
pub(crate) struct Stages {
    /// The text of a payload before it is read at all.
    pub(crate) syntax: fn(&str) -> Cow<'_, str>,
    /// The code for what is no JSON.
    pub(crate) syntax_code: &'static str,
    /// The bounds on what is read.
    pub(crate) limits: Limits,
    /// Changes a context as it is read. Messages alone are a context with nothing else.
    pub(crate) edit: Option<fn(&mut Raw)>,
    /// Refuses a context before it is read.
    pub(crate) refuse: Option<fn(&str) -> Option<Code>>,
    /// The code for a fault in a context.
    pub(crate) recode: fn(&str, &Error) -> Code,
    /// What `inspect` shows.
    pub(crate) show: fn(&Live, &Memory) -> Json,
    /// What a model would be shown, made from what `render` would say.
    pub(crate) view: fn(Vec<Shown>) -> Vec<Shown>,
    /// What things cost.
    pub(crate) weights: Weights,
    /// The diagnostics of messages.
    pub(crate) diagnose: fn(&str) -> Result<Vec<Finding>, Refusal>,
    /// The groups of a transcript.
    pub(crate) group: fn(&Transcript) -> Vec<Group>,
    /// Whether messages alone are held to the ceiling on a whole context, and the code for their faults.
    pub(crate) messages_ceiling: bool,
    pub(crate) messages_code: fn(&Error) -> Code,
    /// Changes options as they are read.
    pub(crate) edit_options: Option<fn(&mut Raw)>,
    /// The code for a fault in options.
    pub(crate) recode_options: fn(&str, &Error) -> Code,
    /// The boundary.
    pub(crate) select: fn(&Stages, &Context, &BoundaryOptions) -> Option<usize>,
    /// What a trimmer keeps.
    pub(crate) cut: fn(&Stages, &str, u64) -> Result<Vec<Piece>, Refusal>,
    /// One compaction.
    pub(crate) compaction: CompactionStages,
}

/// `[code, index]` of a diagnostic.
pub(crate) type Finding = (String, i64);

/// What an implementation may remember from one request to the next; the reference remembers nothing.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) calls: Cell<u32>,
    pub(crate) previous_summary: RefCell<Option<Arc<Summary>>>,
    pub(crate) last_built: RefCell<Option<Json>>,
    /// Compactions that wait for an answer.
    pub(crate) waiting: Cell<u32>,
    pub(crate) last_asked: RefCell<Option<Context>>,
    pub(crate) last_answer: RefCell<Option<Text>>,
}

/// How a compaction goes on after a stage that may end it.
pub(crate) enum Next<T> {
    GoOn(T),
    /// It ends with the context that went in.
    Unchanged,
    Refuse(Refusal),
}

/// The stages of one compaction, in the order in which they come.
#[derive(Clone, Copy)]
pub(crate) struct CompactionStages {
    /// Before anything else.
    pub(crate) begin: fn(&Attempt<'_>) -> Option<Refusal>,
    /// Whether the context is within its budget.
    pub(crate) within: fn(&Attempt<'_>) -> bool,
    /// Whether an unchanged context comes back under another handle.
    pub(crate) copies_unchanged: bool,
    /// Whether the looks at the cancellation are taken: before the call, after it, before exposure.
    pub(crate) looks: [bool; 3],
    /// Whether the record id is used already.
    pub(crate) is_duplicate: fn(&Attempt<'_>) -> bool,
    /// What happens without a boundary.
    pub(crate) no_boundary: fn(&Attempt<'_>) -> Next<usize>,
    /// Just before the call.
    pub(crate) before_call: fn(&Attempt<'_>, usize) -> Option<Refusal>,
    /// What the summarizer is told.
    pub(crate) request: fn(&Attempt<'_>, &mut SummaryRequest),
    /// How the summarizer is called and waited for.
    pub(crate) asking: Asking,
    /// What is made of a call that failed.
    pub(crate) failed_call: fn(Failure) -> Result<Json, Refusal>,
    /// The summary text in the answer, if it will do.
    pub(crate) accept: fn(&Attempt<'_>, Json) -> Result<Text, Refusal>,
    /// Changes the new context, as `requirements`, `summary`, `messages` and the old `compactions`.
    pub(crate) compose: fn(&Attempt<'_>, &mut Parts),
    /// Whether the new context's units are held to the target.
    pub(crate) holds_target: bool,
    /// Changes the record.
    pub(crate) record: fn(&Attempt<'_>, &mut CompactionRecord),
    /// Adds the record to the others.
    pub(crate) append: fn(&mut Vec<Json>, Json),
    /// Whether this fault in the new context keeps it from being shown.
    pub(crate) counts: fn(&Error) -> bool,
    /// After a failure.
    pub(crate) failed: fn(&Attempt<'_>, &Refusal),
    /// After a success, with the new context.
    pub(crate) succeeded: fn(&Attempt<'_>, &Live),
}

/// How a summarizer is called and waited for.
#[derive(Clone, Copy)]
pub(crate) struct Asking {
    /// Calls after the first one.
    pub(crate) extra_calls: u32,
    /// Further calls after a failure.
    pub(crate) retries: u32,
    /// How many deferrals are followed.
    pub(crate) depth: usize,
    /// Whether a cancellation beats a synchronous throw.
    pub(crate) cancel_beats_throw: bool,
    /// Whether the cancellation is looked at when this has been settled.
    pub(crate) looks_settled: fn(&Result<Json, Failure>) -> bool,
    /// The failure that a cancellation while waiting is taken for.
    pub(crate) interrupted: fn() -> Failure,
    /// What a settlement after the cancellation still does.
    pub(crate) late: Option<fn(&Live, Text)>,
    /// What a second answer does.
    pub(crate) second: Option<fn(&Live, Text)>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    Threw(Text),
    Rejected(Text),
    Panicked,
    TooDeep,
    Unobservable,
    Cancelled,
}

/// A context in pieces, in the IR.
pub(crate) struct Parts {
    pub(crate) requirements: Vec<Json>,
    pub(crate) summary: Json,
    pub(crate) messages: Vec<Json>,
    pub(crate) compactions: Vec<Json>,
}

impl Parts {
    pub(crate) fn to_json(&self) -> Json {
        Json::object([
            ("requirements", Json::Array(self.requirements.clone())),
            ("summary", self.summary.clone()),
            ("messages", Json::Array(self.messages.clone())),
            ("compactions", Json::Array(self.compactions.clone())),
        ])
    }
}

impl Stages {
    pub(crate) const SPEC: Self = Self {
        syntax: |text| Cow::Borrowed(text),
        syntax_code: refusal::NOT_JSON,
        limits: Limits::SPEC,
        edit: None,
        refuse: None,
        recode: |_, error| error.code(),
        show: |live, _| live.to_json(),
        view: |view| view,
        weights: Weights::SPEC,
        diagnose: |text| Ok(findings(text)),
        group,
        messages_ceiling: false,
        messages_code: Error::code,
        edit_options: None,
        recode_options: |_, error| error.code(),
        select: select_earliest,
        cut: cut_groups,
        compaction: CompactionStages::SPEC,
    };
}

impl CompactionStages {
    pub(crate) const SPEC: Self = Self {
        begin: |_| None,
        within: |attempt| attempt.units() <= attempt.options.max_units,
        copies_unchanged: false,
        looks: [true; 3],
        is_duplicate: |attempt| attempt.context.records().iter().any(|record| record.id == attempt.options.record_id),
        no_boundary: |_| Next::Refuse(coded(Code::BoundaryUnavailable, "no safe boundary meets the target")),
        before_call: |_, _| None,
        request: |_, _| {},
        asking: Asking::SPEC,
        failed_call: fail,
        accept: accept_text,
        compose: |_, _| {},
        holds_target: true,
        record: |_, _| {},
        append: Vec::push,
        counts: |_| true,
        failed: |_, _| {},
        succeeded: |_, _| {},
    };
}

impl Asking {
    pub(crate) const SPEC: Self = Self {
        extra_calls: 0,
        retries: 0,
        depth: Limits::SPEC.deferred_depth,
        cancel_beats_throw: false,
        looks_settled: |_| true,
        interrupted: || Failure::Cancelled,
        late: None,
        second: None,
    };
}

/// The reference's diagnostics of a text that is JSON.
pub(crate) fn findings(text: &str) -> Vec<Finding> {
    let document = Document::parse(text.as_bytes()).expect("it has been read before");
    diagnose(document.root()).iter().map(finding).collect()
}

/// The earliest end of a group that meets the target.
pub(crate) fn select_earliest(stages: &Stages, context: &Context, options: &BoundaryOptions) -> Option<usize> {
    ends_that_fit(stages, context, options).first().copied()
}

/// Every end of a group, up to the retained messages, from which on everything fits.
pub(crate) fn ends_that_fit(stages: &Stages, context: &Context, options: &BoundaryOptions) -> Vec<usize> {
    let messages = context.transcript().messages();
    let latest = messages.len().saturating_sub(options.retain_recent_messages());
    let fixed = fixed_units(stages, context) + options.summary_max_units().get();
    let costs = message_costs(stages, context);
    let ends = (stages.group)(context.transcript()).into_iter().map(|group| group.end);
    let fits = |end: &usize| fixed + costs[*end..].iter().sum::<u64>() <= options.target_units().get();
    ends.take_while(|end| *end <= latest).filter(fits).collect()
}

pub(crate) fn fixed_units(stages: &Stages, context: &Context) -> u64 {
    context.requirements().iter().map(|requirement| stages.weights.requirement(&requirement.to_json())).sum()
}

pub(crate) fn message_costs(stages: &Stages, context: &Context) -> Vec<u64> {
    let messages = context.transcript().messages().iter();
    messages.map(|message| stages.weights.message(&message.to_json())).collect()
}

fn cut_groups(stages: &Stages, text: &str, budget: u64) -> Result<Vec<Piece>, Refusal> {
    cut(&stages.weights, stages.group, text, budget)
}

pub(crate) fn fail(failure: Failure) -> Result<Json, Refusal> {
    Err(match failure {
        Failure::Threw(words) | Failure::Rejected(words) => {
            coded(Code::SummarizerFailed, &format!("the summarizer failed: {words}"))
        }
        Failure::Panicked => coded(Code::SummarizerFailed, "the summarizer panicked"),
        Failure::TooDeep => coded(Code::SummarizerFailed, "the summarizer deferred its answer too often"),
        Failure::Unobservable => coded(Code::AsyncValueUnobservable, "the answer cannot be observed"),
        Failure::Cancelled => coded(Code::Cancelled, "the compaction was cancelled"),
    })
}

fn accept_text(attempt: &Attempt<'_>, answer: Json) -> Result<Text, Refusal> {
    let Json::String(text) = answer else { return Err(coded(Code::SummaryInvalid, "the summary must be text")) };
    accept_length(attempt, &text)?;
    if text.is_blank() {
        return Err(coded(Code::SummaryInsufficient, "the summary is blank"));
    }
    accept_units(attempt, &text)?;
    Ok(text)
}

pub(crate) fn accept_length(attempt: &Attempt<'_>, text: &Text) -> Result<(), Refusal> {
    if text.code_points() <= attempt.stages.limits.text_code_points {
        return Ok(());
    }
    Err(coded(Code::LimitExceeded, "the summary is too long"))
}

pub(crate) fn accept_units(attempt: &Attempt<'_>, text: &Text) -> Result<(), Refusal> {
    let summary = Summary { id: attempt.options.summary_id.clone(), content: text.clone() };
    if attempt.stages.weights.summary(&summary.to_json()) <= attempt.options.boundary.summary_max_units().get() {
        return Ok(());
    }
    Err(coded(Code::SummaryInsufficient, "the summary is over its budget"))
}

/// Reads a value whose text is at hand.
pub(crate) fn with_value<T>(text: &str, read: impl FnOnce(Value<'_>) -> T) -> Option<T> {
    Document::parse(text.as_bytes()).ok().map(|document| read(document.root()))
}
