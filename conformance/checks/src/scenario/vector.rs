//! One golden vector, put to an adapter: its request becomes steps, what was seen becomes an answer in the
//! vectors' own form.

use super::{attempts, inspected, needs_answer, needs_level};
use crate::case::{Body, Scenario, Unmet};
use crate::step::{CancelPlan, CompactStep, Outcome, Reply, Step};
use crate::wire::read;
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::{Declaration, InspectResult, Level, Status, refusal};
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::Json;
use serde::{Deserialize, Serialize};

/// A vector, read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Vector {
    /// Its name.
    pub name: String,
    /// Its clause.
    pub clause: String,
    /// What is asked.
    pub operation: Operation,
    /// The only right answer.
    #[serde(with = "crate::case_file::json")]
    pub response: Json,
}

/// What a vector asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Operation {
    /// The context once built.
    Build(Payload),
    /// Units of a context.
    Units(Payload),
    /// Groups of messages.
    Groups(Payload),
    /// Diagnostics of messages.
    Diagnose(Payload),
    /// The boundary of a context under options.
    Boundary(Payload, Payload),
    /// One compaction.
    Compact(Payload, Attempt),
    /// Compactions one after another.
    Chain(Payload, Vec<Attempt>),
}

/// One compaction of a vector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Attempt {
    /// Its options.
    pub options: Payload,
    /// What the summarizer does.
    pub answer: Answer,
    /// Whether it is cancelled before it starts.
    #[serde(default)]
    pub cancelled: bool,
}

impl Scenario for Vector {
    fn unmet(&self, declaration: &Declaration) -> Option<Unmet> {
        let capabilities = &declaration.capabilities;
        let raw = self.payloads().iter().any(|payload| payload.is_raw()) && !capabilities.raw_json;
        let cancels = self.attempts().iter().any(|attempt| attempt.cancelled || cancels(&attempt.answer));
        let answers = self.attempts().iter().find_map(|attempt| needs_answer(declaration, &attempt.answer));
        needs_level(declaration, Level::Exact)
            .or(raw.then_some(Unmet::Capability("the adapter takes no raw JSON")))
            .or((cancels && capabilities.cancel.is_empty())
                .then_some(Unmet::Capability("the adapter cannot be cancelled")))
            .or(answers)
    }

    fn next(&self, _declaration: &Declaration, outcomes: &[Outcome]) -> Option<Step> {
        let number = outcomes.len();
        let once = |step| (number == 0).then_some(step);
        match &self.operation {
            Operation::Build(context) => match number {
                0 => Some(Step::Build { context: context.clone(), slot: 0 }),
                1 => Some(Step::Inspect { slot: 0 }),
                _ => None,
            },
            Operation::Units(context) => once(Step::Units { context: context.clone() }),
            Operation::Groups(messages) => once(Step::Groups { messages: messages.clone() }),
            Operation::Diagnose(messages) => once(Step::Diagnose { messages: messages.clone() }),
            Operation::Boundary(context, options) => {
                once(Step::Boundary { context: context.clone(), options: options.clone() })
            }
            Operation::Compact(context, _) | Operation::Chain(context, _) => {
                let Some(done) = number.checked_sub(1) else {
                    return Some(Step::Build { context: context.clone(), slot: 0 });
                };
                self.next_attempt_step(done, outcomes)
            }
        }
    }

    /// A vector is as small as its author could make it.
    fn smaller(&self) -> Vec<Body> {
        Vec::new()
    }
}

impl Vector {
    /// What was seen, in the form of the vector's response.
    pub(crate) fn found(&self, outcomes: &[Outcome]) -> Json {
        let ok = |name: &'static str, value: Json| Json::object([("ok", Json::object([(name, value)]))]);
        let attempts = outcomes.get(1..).unwrap_or_default().chunks(attempts::STEPS);
        let refused_build = outcomes.first().and_then(|outcome| outcome.reply.refusal_code());
        let answers = || attempts.map(|steps| compact_answer(steps, refused_build)).collect::<Vec<_>>();
        match (&self.operation, outcomes.last().map(|outcome| &outcome.reply)) {
            (Operation::Compact(..), _) => answers().into_iter().next().unwrap_or(Json::Null),
            (Operation::Chain(..), _) => ok("steps", Json::Array(answers())),
            (_, Some(Reply::Skipped)) => refused(refused_build.unwrap_or_default()),
            (_, Some(Reply::Refused { code, .. })) => refused(code),
            (_, Some(Reply::Inspected(inspection))) => ok("context", read(&inspection.context).unwrap_or(Json::Null)),
            (_, Some(Reply::Units(units))) => ok("units", integer(*units)),
            (_, Some(Reply::Boundary(boundary))) => ok("boundary", boundary.map_or(Json::Null, integer)),
            (_, Some(Reply::Groups(groups))) => {
                let triple = |(kind, start, end): &(String, u64, u64)| {
                    Json::Array(vec![kind.as_str().into(), integer(*start), integer(*end)])
                };
                ok("groups", Json::Array(groups.iter().map(triple).collect()))
            }
            (_, Some(Reply::Diagnostics(diagnostics))) => {
                #[expect(clippy::cast_precision_loss, reason = "a message index is far below 2^53")]
                let pair = |(code, index): &(String, i64)| {
                    Json::Array(vec![code.as_str().into(), Json::Number(*index as f64)])
                };
                ok("diagnostics", Json::Array(diagnostics.iter().map(pair).collect()))
            }
            (_, other) => format!("{other:?}").as_str().into(),
        }
    }

    /// Whether an implementation without the input's expression refused it as unsupported.
    pub(crate) fn unsupported(outcomes: &[Outcome]) -> bool {
        outcomes.iter().any(|outcome| outcome.reply.refusal_code() == Some(refusal::UNSUPPORTED))
    }

    fn next_attempt_step(&self, done: usize, outcomes: &[Outcome]) -> Option<Step> {
        let attempt = *self.attempts().get(done / attempts::STEPS)?;
        Some(attempts::next(done, outcomes, |slot, into| {
            Step::Compact(CompactStep {
                slot,
                into,
                options: attempt.options.clone(),
                answer: attempt.answer.clone(),
                scripted: true,
                cancel: if attempt.cancelled { CancelPlan::Before } else { CancelPlan::Never },
                inspect_while_waiting: Vec::new(),
            })
        }))
    }

    fn attempts(&self) -> Vec<&Attempt> {
        match &self.operation {
            Operation::Compact(_, attempt) => vec![attempt],
            Operation::Chain(_, attempts) => attempts.iter().collect(),
            _ => Vec::new(),
        }
    }

    fn payloads(&self) -> Vec<&Payload> {
        let mut payloads: Vec<&Payload> = self.attempts().iter().map(|attempt| &attempt.options).collect();
        match &self.operation {
            Operation::Build(one) | Operation::Units(one) | Operation::Groups(one) | Operation::Diagnose(one) => {
                payloads.push(one);
            }
            Operation::Boundary(context, options) => payloads.extend([context, options]),
            Operation::Compact(context, _) | Operation::Chain(context, _) => payloads.push(context),
        }
        payloads
    }
}

/// The answer of one compaction, from its four steps.
fn compact_answer(steps: &[Outcome], refused_build: Option<&str>) -> Json {
    let [look, compact, old, new] = steps else { return Json::Null };
    let calls = ("calls", integer(compact.asked.len() as u64));
    let code = |code: &str| ("error", Json::object([("code", code.into())]));
    let answer = match &compact.reply {
        Reply::Skipped => {
            return Json::object([code(refused_build.unwrap_or_default()), calls, ("inputUnchanged", true.into())]);
        }
        Reply::Refused { code: found, .. } => {
            let unchanged = same_inspection(inspected(Some(look)), inspected(Some(old)));
            vec![code(found), calls, ("inputUnchanged", unchanged.into())]
        }
        Reply::Compacted { status, record, .. } => {
            let record = record.as_ref().and_then(read).unwrap_or(Json::Null);
            let context = inspected(Some(new)).and_then(|inspection| read(&inspection.context));
            let status = if *status == Status::Compacted { "compacted" } else { "unchanged" };
            let request = compact.asked.first().and_then(|asked| read(&asked.request)).unwrap_or(Json::Null);
            let members = [
                ("status", status.into()),
                ("boundary", record.get("boundary").cloned().unwrap_or(Json::Null)),
                ("record", record),
                ("context", context.unwrap_or(Json::Null)),
                calls,
                ("request", request),
            ];
            vec![("ok", Json::object(members))]
        }
        other => return format!("{other:?}").as_str().into(),
    };
    Json::Object(answer.into_iter().collect())
}

/// Whether two looks at a context show the same; a look that showed nothing is not the same as one that did.
fn same_inspection(before: Option<&InspectResult>, after: Option<&InspectResult>) -> bool {
    let read = |inspection: Option<&InspectResult>| {
        inspection.map(|inspection| (read(&inspection.context), inspection.native.clone()))
    };
    read(before) == read(after)
}

/// Whether acting it out cancels.
fn cancels(answer: &Answer) -> bool {
    match answer {
        Answer::Text { cancel, .. }
        | Answer::Throw { cancel, .. }
        | Answer::Reject { cancel, .. }
        | Answer::Chain { cancel, .. }
        | Answer::Pending { cancel } => *cancel,
        Answer::Value { .. } | Answer::Panic { .. } | Answer::Unobservable => false,
    }
}

fn refused(code: &str) -> Json {
    Json::object([("error", Json::object([("code", code.into())]))])
}

fn integer(number: u64) -> Json {
    Json::from(usize::try_from(number).unwrap_or(usize::MAX))
}
