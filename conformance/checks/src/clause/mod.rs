//! The clauses, one file each: what must be seen of a case if the clause holds. Clauses that only golden
//! vectors can show have their check in `vectors.rs`.

mod b_build_10;
mod b_build_2;
mod b_cancel_1;
mod b_cancel_2;
mod b_cancel_3;
mod b_cancel_4;
mod b_cancel_5;
mod b_cancel_6;
mod b_compact_10;
mod b_compact_11;
mod b_compact_12;
mod b_compact_13;
mod b_compact_14;
mod b_compact_3;
mod b_compact_4;
mod b_compact_5;
mod b_compact_6;
mod b_compact_7;
mod b_compact_8;
mod b_link_1;
mod b_link_8;
mod b_round_1;
mod b_round_2;
mod b_round_3;
mod b_select_3;
mod b_select_4;
mod b_select_5;
mod b_state_1;
mod b_state_2;
mod b_state_3;
mod b_state_4;
mod b_state_5;
mod b_summary_1;
mod b_summary_2;
mod b_summary_3;
mod b_summary_4;
mod b_summary_5;
mod b_summary_6;
mod b_summary_7;
mod b_summary_8;
mod b_text_1;
mod b_trim_1;
mod b_trim_2;
mod b_trim_3;
mod b_trim_4;
mod b_trim_5;
mod b_trim_6;
mod b_trim_7;
mod b_trim_8;
mod b_unit_10;
mod b_view_1;
mod b_view_2;

use crate::case::Body;
use crate::check::{Check, Judgement, Observed};
use crate::scenario::{Numbers, RoundView, inspected};
use crate::step::{Outcome, Reply, Step};
use crate::wire::{Links, context_units, judge_cut, list, read, same};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::{Kept, ShownKind, Summarize};
use seamcheck_reference::{Json, Text};

/// Every check on generated cases, in the order of the spec.
pub(crate) const CHECKS: &[Check] = &[
    b_text_1::CHECK,
    b_build_2::CHECK,
    b_build_10::CHECK,
    b_link_1::CHECK,
    b_link_8::CHECK,
    b_unit_10::CHECK,
    b_round_1::CHECK,
    b_round_2::CHECK,
    b_round_3::CHECK,
    b_select_3::CHECK,
    b_select_4::CHECK,
    b_select_5::CHECK,
    b_compact_3::CHECK,
    b_compact_4::CHECK,
    b_compact_5::CHECK,
    b_compact_6::CHECK,
    b_compact_7::CHECK,
    b_compact_8::CHECK,
    b_compact_10::CHECK,
    b_compact_11::CHECK,
    b_compact_12::CHECK,
    b_compact_13::CHECK,
    b_compact_14::CHECK,
    b_summary_1::CHECK,
    b_summary_2::CHECK,
    b_summary_3::CHECK,
    b_summary_4::CHECK,
    b_summary_5::CHECK,
    b_summary_6::CHECK,
    b_summary_7::CHECK,
    b_summary_8::CHECK,
    b_cancel_1::CHECK,
    b_cancel_2::CHECK,
    b_cancel_3::CHECK,
    b_cancel_4::CHECK,
    b_cancel_5::CHECK,
    b_cancel_6::CHECK,
    b_state_1::CHECK,
    b_state_2::CHECK,
    b_state_3::CHECK,
    b_state_4::CHECK,
    b_state_5::CHECK,
    b_view_1::CHECK,
    b_view_2::CHECK,
    b_trim_1::CHECK,
    b_trim_2::CHECK,
    b_trim_3::CHECK,
    b_trim_4::CHECK,
    b_trim_5::CHECK,
    b_trim_6::CHECK,
    b_trim_7::CHECK,
    b_trim_8::CHECK,
];

/// A group on the wire: kind, start, end.
type WireGroup = (String, u64, u64);

/// The groups that a query was answered with, behind the messages that they are groups of.
fn answered_groups<'a>(observed: &Observed<'a>) -> Option<(&'a [Json], &'a [WireGroup])> {
    let Body::Query(query) = &observed.case.body else { return None };
    observed.outcomes.iter().find_map(|outcome| match &outcome.reply {
        Reply::Groups(groups) => Some((list(&query.context, "messages"), groups.as_slice())),
        _ => None,
    })
}

/// One answered question about a boundary.
struct BoundaryAnswer<'a> {
    context: &'a Json,
    messages: &'a [Json],
    numbers: Numbers,
    found: Option<u64>,
}

fn boundary_answers<'a>(observed: &Observed<'a>) -> Vec<BoundaryAnswer<'a>> {
    let Body::Query(query) = &observed.case.body else { return Vec::new() };
    let (context, messages) = (&query.context, list(&query.context, "messages"));
    let answers = observed.outcomes.iter().filter_map(|outcome| match (&outcome.step, &outcome.reply) {
        (Step::Boundary { options, .. }, Reply::Boundary(found)) => {
            Some(BoundaryAnswer { context, messages, numbers: Numbers::read(options)?, found: *found })
        }
        _ => None,
    });
    answers.collect()
}

/// Whether a context is over its threshold, as far as that can be said of an implementation.
fn is_over(observed: &Observed<'_>, view: &RoundView<'_>) -> bool {
    observed.is_exact() && context_units(&view.old) > view.number("maxUnits")
}

/// Whether the record id is there already.
fn repeats_record_id(view: &RoundView<'_>) -> bool {
    let id = view.option("recordId");
    let mut recorded = list(&view.old, "compactions").iter().filter_map(|record| record.get("id"));
    recorded.any(|recorded| id.as_ref().is_some_and(|id| same(recorded, id)))
}

/// The earliest safe cut that fits, if there is one.
fn fitting_cut(view: &RoundView<'_>) -> Option<usize> {
    Numbers::read(&view.step.options)?.fits(&view.old)
}

/// Whether the compaction must come as far as the summarizer's answer.
fn answer_reached(observed: &Observed<'_>, view: &RoundView<'_>) -> bool {
    if observed.is_exact() {
        return is_over(observed, view) && !repeats_record_id(view) && fitting_cut(view).is_some();
    }
    !view.outcome.asked.is_empty()
}

/// Whether the adapter shows what its summarizer is asked.
fn can_ask(observed: &Observed<'_>) -> bool {
    observed.declaration.capabilities.summarize == Summarize::Callback
}

/// How often an answer may be deferred.
const LIMIT_DEFERRALS: u32 = 64;

/// The text that the summarizer settles with, if it does and if it is text.
fn answered_text<'a>(view: &'a RoundView<'_>) -> Option<&'a Text> {
    match &view.step.answer {
        Answer::Text { text, .. } => Some(&text.0),
        Answer::Chain { text, depth, .. } if *depth <= LIMIT_DEFERRALS => Some(&text.0),
        _ => None,
    }
}

/// A refusal with this code.
fn refused(view: &RoundView<'_>, code: &str) -> Judgement {
    let found = view.outcome.reply.refusal_code();
    Judgement::require(found == Some(code), || format!("expected {code}, found {}", view.outcome.reply))
}

/// A refusal with this code before anybody was asked.
fn refused_without_call(view: &RoundView<'_>, code: &str) -> Judgement {
    let calls = view.outcome.asked.len();
    let called = Judgement::require(calls == 0, || format!("the summarizer was called {calls} times"));
    Judgement::all([refused(view, code), called])
}

/// What a model was shown of a context.
struct Rendering {
    view: Vec<(ShownKind, Json)>,
    /// The context, as it was looked at before.
    context: Json,
}

/// Everything that was shown in a chain.
fn rendered(observed: &Observed<'_>) -> Vec<Rendering> {
    let Body::Chain(_) = &observed.case.body else { return Vec::new() };
    let outcomes = observed.outcomes.iter().enumerate();
    let renderings = outcomes.filter_map(|(number, outcome)| {
        let (Step::Render { slot }, Reply::Rendered(view)) = (&outcome.step, &outcome.reply) else { return None };
        let is_look = |earlier: &&Outcome| earlier.step == Step::Inspect { slot: *slot };
        let look = inspected(observed.outcomes[..number].iter().rev().find(is_look))?;
        let view = view.iter().map(|shown| (shown.kind, read(&shown.value).unwrap_or(Json::Null))).collect();
        Some(Rendering { view, context: read(&look.context)? })
    });
    renderings.collect()
}

fn rendered_values(rendering: &Rendering, kind: ShownKind) -> Vec<&Json> {
    rendering.view.iter().filter(|shown| shown.0 == kind).map(|shown| &shown.1).collect()
}

/// A clause over every rendering.
fn judge_rendered(observed: &Observed<'_>, judge: impl Fn(&Rendering) -> Judgement) -> Judgement {
    let Body::Chain(_) = &observed.case.body else { return Judgement::NotReached };
    if !observed.declaration.capabilities.render {
        return Judgement::NotObservable("the adapter does not show what a model is shown");
    }
    Judgement::all(rendered(observed).iter().map(judge))
}

/// One answer of a trimmer.
#[derive(Clone, Copy)]
struct Cut<'a> {
    messages: &'a [Json],
    budget: u64,
    kept: &'a [Kept],
}

fn cuts<'a>(observed: &Observed<'a>) -> Vec<Cut<'a>> {
    let Body::Trim(trim) = &observed.case.body else { return Vec::new() };
    let cuts = observed.outcomes.iter().filter_map(|outcome| match (&outcome.step, &outcome.reply) {
        (Step::Cut { budget, .. }, Reply::Cut(cut)) => {
            Some(Cut { messages: &trim.messages, budget: *budget, kept: &cut.kept })
        }
        _ => None,
    });
    cuts.collect()
}

/// A clause of trimming that the kept indexes show, where `reaches` says that these messages can break it.
fn judged_by_index(observed: &Observed<'_>, clause: &str, reaches: fn(&Links) -> bool) -> Judgement {
    let Body::Trim(trim) = observed.body() else { return Judgement::NotReached };
    if !reaches(&Links::of(trim.messages.iter().enumerate())) {
        return Judgement::NotReached;
    }
    Judgement::all(cuts(observed).into_iter().map(|cut| {
        let kept: Vec<u64> = cut.kept.iter().map(|kept| kept.index).collect();
        let violations = judge_cut(cut.messages, &kept, observed.declaration.capabilities.keeps);
        match violations.into_iter().find(|(violated, _)| *violated == clause) {
            Some((_, words)) => Judgement::Violated(format!("budget {}: {words}; kept {kept:?}", cut.budget)),
            None => Judgement::Holds,
        }
    }))
}
