//! One compaction, answered and cancelled in every way and at every point that the adapter offers, and at last not
//! cancelled at all. What it comes to when nobody cancels is one thing for the whole case.
//!
//! Looks are enumerated: cancel at look 0, 1, 2 and so on, until a run ends without reaching the look.

mod way;

pub(crate) use way::SECOND;
pub use way::Way;

use super::budget::Numbers;
use super::shrink::smaller_at_budgets;
use super::{inspected, must_script, needs_answer, needs_level, succeeded};
use crate::case::{Body, Scenario, Unmet};
use crate::check::Observed;
use crate::step::{CancelPlan, CompactStep, Outcome, Reply, Slot, Step};
use crate::wire::{context_units, list, summary_units, text};
use seamcheck_generate::BudgetPlan;
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::{CancelMode, Declaration, InspectResult, Level, Status};
use seamcheck_reference::Json;
use serde::{Deserialize, Serialize};

/// A compaction that is gone through again and again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cancelling {
    /// A context in the IR.
    #[serde(with = "crate::case_file::json")]
    pub context: Json,
    /// Its options.
    pub budget: BudgetPlan,
    /// What it comes to when nobody cancels.
    pub ending: Ending,
    /// The only ways that are gone; without them, all.
    #[serde(default)]
    pub ways: Option<Vec<Way>>,
}

/// What a compaction comes to when nobody cancels it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Ending {
    /// The context is within its threshold.
    Unchanged,
    /// No cut is allowed.
    NoBoundary,
    /// The record id is one that the context has.
    Duplicate,
    /// The summarizer does this, or gives a text if the adapter's summarizer cannot.
    Answered(Answer),
}

/// A way, and what was seen of it.
type Attempt<'a> = (Way, &'a [Outcome]);

/// A look that no compaction reaches: the signal never turns, and the looks are counted.
const NO_LOOK: u32 = u32::MAX;
/// An implementation that looks more often than that is not looked at any further.
const MOST_LOOKS: u32 = 64;
const OLD: Slot = 0;
const NEW: Slot = 1;
/// The context is built and looked at first.
const OPENING: usize = 2;

impl Scenario for Cancelling {
    fn unmet(&self, declaration: &Declaration) -> Option<Unmet> {
        let none = declaration.capabilities.cancel.is_empty();
        let answer = self.answer(declaration);
        let offered = |ways: &Vec<Way>| ways.iter().all(|way| way.is_offered(declaration, &answer, self.asks()));
        let lacks = none || !self.ways.as_ref().is_none_or(offered);
        needs_level(declaration, Level::Compact)
            .or(lacks.then_some(Unmet::Capability("the adapter cannot be cancelled")))
    }

    fn next(&self, declaration: &Declaration, outcomes: &[Outcome]) -> Option<Step> {
        match outcomes.len() {
            0 => Some(Step::Build { context: (&self.context).into(), slot: OLD }),
            1 => Some(Step::Inspect { slot: OLD }),
            _ => {
                let (_, unfinished) = self.walk(declaration, outcomes);
                let (way, seen) = unfinished?;
                Some(self.step(way, seen, declaration))
            }
        }
    }

    fn smaller(&self) -> Vec<Body> {
        const LOOKS: u32 = 8;
        let with_ways = |ways| Self { ways: Some(ways), ..self.clone() };
        let fewer: Vec<Self> = match &self.ways {
            None => {
                let all = || Way::FIXED.into_iter().chain((0..LOOKS).map(Way::AtLook));
                // Where only the implementation knows what it comes to, it takes an attempt that nobody cancels.
                let pairs = all().filter(|way| *way != Way::Natural).map(|way| vec![Way::Natural, way]);
                all().map(|way| vec![way]).chain(pairs).map(with_ways).collect()
            }
            Some(ways) if ways.len() > 1 => {
                let rest = |gone| ways.iter().enumerate().filter(move |(index, _)| *index != gone);
                (0..ways.len()).map(|gone| with_ways(rest(gone).map(|(_, way)| *way).collect())).collect()
            }
            Some(_) => Vec::new(),
        };
        let contexts = smaller_at_budgets(&self.context, &self.budget).into_iter();
        let contexts = contexts.map(|(context, budget)| Self { context, budget, ..self.clone() });
        fewer.into_iter().chain(contexts).map(Body::Cancelling).collect()
    }
}

impl Cancelling {
    /// Whether the compaction may come as far as a question.
    fn asks(&self) -> bool {
        matches!(self.ending, Ending::Answered(_))
    }

    /// Whether the compaction ends in this way by the formulas of the spec, and comes as far as a question where it must.
    pub(crate) fn is_due(&self) -> bool {
        let Ending::Answered(answer) = &self.ending else {
            return self.ending == Ending::Unchanged || self.by_formula(&Answer::Unobservable) != Reached::Unchanged;
        };
        let refused_early = ["CONTEXT_INVALID_INPUT", "CONTEXT_BOUNDARY_UNAVAILABLE", "CONTEXT_SUMMARY_INSUFFICIENT"];
        match self.by_formula(answer) {
            Reached::Unchanged => false,
            Reached::Refused(code) => !refused_early.contains(&code.as_str()),
            Reached::Compacted | Reached::Nothing => true,
        }
    }

    fn answer(&self, declaration: &Declaration) -> Answer {
        match &self.ending {
            Ending::Answered(answer) if needs_answer(declaration, answer).is_none() => answer.clone(),
            _ => Answer::text("a summary"),
        }
    }

    fn numbers(&self) -> Numbers {
        let numbers = Numbers::resolve(&self.budget, &self.context);
        match self.ending {
            Ending::Unchanged => Numbers { max_units: 1_000_000, ..numbers },
            Ending::NoBoundary => Numbers { retain_recent_messages: 4_096, ..numbers },
            Ending::Duplicate | Ending::Answered(_) => numbers,
        }
    }

    /// The record id: one that the context has, or a new one.
    fn record_id(&self) -> &str {
        let recorded = list(&self.context, "compactions").last().and_then(|record| text(record, "id"));
        match self.ending {
            Ending::Duplicate => recorded.and_then(|id| id.as_str()).unwrap_or("record"),
            _ => "record",
        }
    }

    /// The step behind those that were taken this way.
    fn step(&self, way: Way, seen: &[Outcome], declaration: &Declaration) -> Step {
        let answer = self.answer(declaration);
        let Some(start) = seen.first() else { return self.start(way, &answer, declaration) };
        let end = way.moves(declaration, &answer).map(|moves| Step::End { into: NEW, moves });
        let late = Some(way.late_moves(&answer)).filter(|moves| !moves.is_empty());
        let late = late.map(|moves| Step::Tell { into: NEW, moves });
        let mut rest: Vec<Step> = end.into_iter().chain(late).chain([Step::Inspect { slot: OLD }]).collect();
        let ended = seen.iter().take_while(|outcome| !matches!(outcome.step, Step::Tell { .. } | Step::Inspect { .. }));
        if is_new(ended.last().unwrap_or(start)) {
            rest.extend([Step::Inspect { slot: NEW }, Step::Release { slot: NEW }]);
        }
        rest.swap_remove(seen.len() - 1)
    }

    fn start(&self, way: Way, answer: &Answer, declaration: &Declaration) -> Step {
        // What must happen within the call can only be known beforehand.
        let by_nature = matches!(answer, Answer::Throw { .. } | Answer::Panic { .. } | Answer::Unobservable);
        let (answer, scripted) = match way {
            Way::InCall => (way::cancelling(answer), true),
            Way::Blank => (Answer::text(" "), false),
            _ => (answer.clone(), by_nature || matches!(answer, Answer::Chain { .. })),
        };
        let in_one = way.moves(declaration, &answer).is_none();
        let step = CompactStep {
            slot: OLD,
            into: NEW,
            options: self.numbers().compact_options("summary", self.record_id()),
            answer,
            scripted: in_one && scripted || must_script(declaration),
            cancel: match way {
                Way::Before => CancelPlan::Before,
                Way::AtLook(look) => CancelPlan::AtLook(look),
                Way::Blank => CancelPlan::AtLook(NO_LOOK),
                _ => CancelPlan::Never,
            },
            inspect_while_waiting: Vec::new(),
        };
        if in_one { Step::Compact(step) } else { Step::Begin(step) }
    }

    /// The attempts that are complete, and the way and the outcomes of the one that is not.
    fn walk<'a>(&self, declaration: &Declaration, outcomes: &'a [Outcome]) -> (Vec<Attempt<'a>>, Option<Attempt<'a>>) {
        let answer = self.answer(declaration);
        let mut rest = outcomes.get(OPENING..).unwrap_or_default();
        let mut complete = Vec::new();
        let fixed = match &self.ways {
            Some(ways) => ways.clone(),
            None => Way::FIXED.into_iter().filter(|way| way.is_offered(declaration, &answer, self.asks())).collect(),
        };
        loop {
            let way = match fixed.get(complete.len()) {
                Some(way) => Some(*way),
                None if self.ways.is_some() => None,
                None => self.way_behind_fixed(&complete[fixed.len()..], declaration, &answer),
            };
            let Some(way) = way else { return (complete, None) };
            let length = length(way, rest, declaration, &answer);
            match length {
                Some(length) if length <= rest.len() => {
                    let (attempt, others) = rest.split_at(length);
                    complete.push((way, attempt));
                    rest = others;
                }
                _ => return (complete, Some((way, rest))),
            }
        }
    }

    /// Every look in turn, and at last nobody cancels.
    fn way_behind_fixed(&self, done: &[Attempt<'_>], declaration: &Declaration, answer: &Answer) -> Option<Way> {
        let natural = Some(Way::Natural).filter(|way| way.is_offered(declaration, answer, self.asks()));
        match done.last() {
            None if Way::AtLook(0).is_offered(declaration, answer, self.asks()) => Some(Way::AtLook(0)),
            None => natural,
            Some((Way::AtLook(look), seen)) => match seen[0].reply.looks() {
                Some(looks) if *look < looks.min(MOST_LOOKS) => Some(Way::AtLook(look + 1)),
                _ => natural,
            },
            Some(_) => None,
        }
    }

    /// What it comes to by the formulas of the spec when nobody cancels.
    fn by_formula(&self, answer: &Answer) -> Reached {
        let numbers = self.numbers();
        if context_units(&self.context) <= numbers.max_units {
            return Reached::Unchanged;
        }
        let recorded = |record: &Json| text(record, "id").is_some_and(|id| id.as_str() == Some(self.record_id()));
        if list(&self.context, "compactions").iter().any(recorded) {
            return Reached::Refused("CONTEXT_INVALID_INPUT".to_owned());
        }
        if numbers.fits(&self.context).is_none() {
            return Reached::Refused("CONTEXT_BOUNDARY_UNAVAILABLE".to_owned());
        }
        let code = match answer {
            Answer::Text { text, .. } | Answer::Chain { text, .. } => {
                let summary = Json::object([("id", "summary".into()), ("content", text.0.clone().into())]);
                if summary_units(&summary) <= numbers.summary_max_units {
                    return Reached::Compacted;
                }
                "CONTEXT_SUMMARY_INSUFFICIENT"
            }
            Answer::Value { .. } => "CONTEXT_SUMMARY_INVALID",
            Answer::Throw { .. } | Answer::Reject { .. } | Answer::Panic { .. } => "CONTEXT_SUMMARIZER_FAILED",
            Answer::Unobservable => "CONTEXT_ASYNC_VALUE_UNOBSERVABLE",
            Answer::Pending { .. } => return Reached::Nothing,
        };
        Reached::Refused(code.to_owned())
    }
}

fn is_new(outcome: &Outcome) -> bool {
    succeeded(outcome) && matches!(outcome.reply, Reply::Compacted { same_handle: false, .. })
}

/// How many steps an attempt takes, once that is known.
fn length(way: Way, seen: &[Outcome], declaration: &Declaration, answer: &Answer) -> Option<usize> {
    let ended = usize::from(way.moves(declaration, answer).is_some());
    let late = usize::from(!way.late_moves(answer).is_empty());
    let end = seen.get(ended)?;
    Some(1 + ended + late + 1 + if is_new(end) { 2 } else { 0 })
}

/// How a compaction ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reached {
    Unchanged,
    Compacted,
    Refused(String),
    /// It never ends by itself.
    Nothing,
}

impl Reached {
    pub(super) fn of(reply: &Reply) -> Self {
        match reply {
            Reply::Compacted { status: Status::Unchanged, .. } => Self::Unchanged,
            Reply::Compacted { status: Status::Compacted, .. } => Self::Compacted,
            Reply::Refused { code, .. } => Self::Refused(code.clone()),
            _ => Self::Nothing,
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        matches!(self, Self::Refused(code) if code == "CONTEXT_CANCELLED")
    }

    pub(crate) fn is_failed(&self) -> bool {
        matches!(self, Self::Refused(code) if code == "CONTEXT_SUMMARIZER_FAILED")
    }
}

/// Everything that was seen of one attempt.
#[derive(Debug)]
pub(crate) struct AttemptView<'a> {
    pub(crate) way: Way,
    /// What the summarizer does when it is asked.
    pub(crate) answer: &'a Answer,
    /// The last word on the compaction.
    pub(crate) reply: &'a Reply,
    pub(crate) reached: Reached,
    /// How often the summarizer was called.
    pub(crate) calls: usize,
    /// The old context afterwards.
    pub(crate) old: Option<&'a InspectResult>,
    /// The new context, if there is one.
    pub(crate) new: Option<&'a InspectResult>,
    /// What it comes to when nobody cancels, as far as that is known.
    pub(crate) natural: Option<Reached>,
    /// Whether the summarizer, which was asked and blocks, may have failed within its call.
    pub(crate) may_throw: bool,
}

impl AttemptView<'_> {
    /// Whether a cancellation that came before the answer was heeded. A call that fails by itself is reported as failed.
    pub(crate) fn heeds_cancellation(&self) -> bool {
        self.reached.is_cancelled() || self.may_throw && self.reached.is_failed()
    }
}

/// The attempts of a cancelling case that are complete; none for another body.
pub(crate) fn attempt_views<'a>(observed: &Observed<'a>) -> Vec<AttemptView<'a>> {
    let Body::Cancelling(cancelling) = &observed.case.body else { return Vec::new() };
    if observed.outcomes.first().is_none_or(|built| built.reply != Reply::Built) {
        return Vec::new();
    }
    let (attempts, _) = cancelling.walk(observed.declaration, observed.outcomes);
    let last_word = |attempt: &'a [Outcome]| {
        let is_end = |outcome: &&Outcome| matches!(outcome.step, Step::End { .. });
        attempt.iter().find(is_end).unwrap_or(&attempt[0])
    };
    let natural = if observed.is_exact() {
        Some(cancelling.by_formula(&cancelling.answer(observed.declaration)))
    } else {
        // Only the implementation itself knows what it does with these budgets.
        let first = attempts.iter().find(|(way, _)| *way == Way::Natural);
        first.map(|(_, attempt)| Reached::of(&last_word(attempt).reply))
    };
    let views = attempts.into_iter().filter_map(|(way, attempt)| {
        let (Step::Compact(step) | Step::Begin(step)) = &attempt[0].step else { return None };
        let looks = |slot| attempt.iter().find(|outcome| outcome.step == Step::Inspect { slot });
        let end = last_word(attempt);
        Some(AttemptView {
            way,
            answer: &step.answer,
            reply: &end.reply,
            reached: Reached::of(&end.reply),
            calls: attempt.iter().map(|outcome| outcome.asked.len()).sum(),
            old: inspected(looks(OLD)),
            new: inspected(looks(NEW)),
            natural: natural.clone(),
            may_throw: matches!(attempt[0].step, Step::Begin(_)) && way.may_throw(observed.declaration, &step.answer),
        })
    });
    views.collect()
}

/// Whether the adapter counts the looks at its signal.
pub(crate) fn counts_looks(declaration: &Declaration) -> bool {
    declaration.capabilities.cancel.contains(&CancelMode::AtLook)
}
