//! A case told step by step: what was asked, what came of it, and where the cut went.

use super::drawing::{self, Marks};
use super::words::{headline, reply_words, request_words, slot_name};
use super::{counted, scene, sweep};
use seamcheck_checks::step::{Asked, CompactStep, Outcome, Reply, Step};
use seamcheck_checks::wire::same;
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::{Document, Json};

/// The steps for a person.
pub(super) fn tell(outcomes: &[Outcome]) -> Vec<String> {
    let mut story = Story { outcomes, lines: Vec::new(), drawn: Vec::new(), options: None };
    let mut number = 0;
    while let Some(outcome) = outcomes.get(number) {
        let alike = scene::like_the_others(outcomes, number);
        if let (2.., Step::Compact(step)) = (alike, &outcome.step) {
            story.fold(number, alike, step);
            number += alike;
            continue;
        }
        let swept = outcomes[number..].iter().take_while(|outcome| sweep::is_part(&outcome.step)).count();
        if swept > 1 {
            story.lines.extend(sweep::tell(number + 1, &outcomes[number..number + swept]));
            number += swept;
        } else {
            number += 1;
            story.add(number, outcome);
        }
    }
    story.lines
}

struct Story<'a> {
    outcomes: &'a [Outcome],
    lines: Vec<String>,
    /// What stands in the story already, by the step.
    drawn: Vec<(usize, Option<Json>)>,
    /// The options that were given last.
    options: Option<&'a Payload>,
}

impl<'a> Story<'a> {
    fn add(&mut self, number: usize, outcome: &'a Outcome) {
        let mut headline = headline(&outcome.step, self.options);
        if let Step::Compact(step) | Step::Begin(step) = &outcome.step {
            self.options = Some(&step.options);
        }
        if let Reply::Inspected(inspection) = &outcome.reply {
            // One line where nothing is new, since a case looks at its contexts all the time.
            let shown = normal(&inspection.context);
            headline = format!("{headline}: {}", reply_words(&outcome.reply));
            match self.step_that_drew(shown.as_ref()) {
                Some(earlier) => self.lines.push(format!("{number}. {headline}as in step {earlier}")),
                None => {
                    self.lines.push(format!("{number}. {headline}now"));
                    self.draw(number, shown, drawing::context(&inspection.context, &Marks::new()));
                }
            }
            return;
        }
        self.lines.push(format!("{number}. {headline}"));
        if let Some(input) = input_of(&outcome.step) {
            let shown = normal(input);
            match self.step_that_drew(shown.as_ref()) {
                Some(earlier) => self.lines.push(format!("     as in step {earlier}")),
                None => {
                    let marks = marks(self.outcomes, &outcome.step);
                    let picture = if takes_context(&outcome.step) {
                        drawing::context(input, &marks)
                    } else {
                        drawing::messages(input)
                    };
                    self.draw(number, shown, picture);
                }
            }
        }
        for asked in &outcome.asked {
            self.lines.push(format!("     the summarizer is asked: {}", request_words(&asked.request)));
        }
        self.lines.push(format!("     -> {}", reply_words(&outcome.reply)));
    }

    /// Attempts that hold, at once.
    fn fold(&mut self, first: usize, steps: usize, step: &'a CompactStep) {
        let outcomes = &self.outcomes[first..first + steps];
        let attempts =
            counted(outcomes.iter().filter(|one| matches!(one.step, Step::Compact(_))).count() as u64, "attempt");
        let name = slot_name(step.slot);
        let options = if self.options == Some(&step.options) {
            "the same options".to_owned()
        } else {
            drawing::options(&step.options)
        };
        self.options = Some(&step.options);
        let words = scene::folded(outcomes);
        self.lines.push(format!("{}-{}. {attempts} to compact context {name} for {options}", first + 1, first + steps));
        self.lines.push(format!("     cancelled {words}"));
        self.lines.push(format!("     -> each time refused CONTEXT_CANCELLED, and context {name} is as before"));
    }

    fn step_that_drew(&self, shown: Option<&Json>) -> Option<usize> {
        let shown = shown?;
        let is_same = |drawn: &Option<Json>| drawn.as_ref().is_some_and(|drawn| same(drawn, shown));
        self.drawn.iter().find(|(_, drawn)| is_same(drawn)).map(|(step, _)| *step)
    }

    fn draw(&mut self, number: usize, shown: Option<Json>, picture: Vec<String>) {
        self.drawn.push((number, shown));
        self.lines.extend(picture.into_iter().map(|line| format!("     {line}")));
    }
}

/// A payload without the empty fields of a context, which mean the same as none; `None` for what is no JSON.
fn normal(payload: &Payload) -> Option<Json> {
    const DEPTH: usize = 64;
    let is_empty = |value: &Json| *value == Json::Null || *value == Json::Array(Vec::new());
    match Document::parse(payload.text().as_bytes()).ok()?.root().to_json(DEPTH)? {
        Json::Object(object) => {
            let fields = object.members().iter().filter(|(_, value)| !is_empty(value));
            Some(Json::Object(fields.cloned().collect()))
        }
        other => Some(other),
    }
}

fn takes_context(step: &Step) -> bool {
    matches!(step, Step::Build { .. } | Step::Units { .. } | Step::Boundary { .. })
}

/// Where the boundaries went that were found for this context.
fn marks(outcomes: &[Outcome], made_by: &Step) -> Marks {
    let mut marks = Marks::new();
    for (number, outcome) in (1..).zip(outcomes) {
        let boundary = match (&outcome.step, &outcome.reply, made_by) {
            (Step::Compact(step) | Step::Begin(step), reply, Step::Build { slot, .. }) if step.slot == *slot => {
                compacted_at(reply, &outcome.asked)
            }
            (Step::Boundary { context, .. }, Reply::Boundary(Some(at)), _) if input_of(made_by) == Some(context) => {
                usize::try_from(*at).ok()
            }
            _ => None,
        };
        if let Some(boundary) = boundary {
            marks.entry(boundary).or_insert_with(|| format!("boundary {boundary} (step {number})"));
        }
    }
    marks
}

/// The boundary that a compaction recorded, or that it asked the summarizer with.
pub(super) fn compacted_at(reply: &Reply, asked: &[Asked]) -> Option<usize> {
    let record = match reply {
        Reply::Compacted { record: Some(record), .. } => Some(record),
        _ => asked.first().map(|asked| &asked.request),
    };
    let document = Document::parse(record?.text().as_bytes()).ok()?;
    let boundary = document.root().get("boundary")?;
    boundary.source().parse().ok()
}

fn input_of(step: &Step) -> Option<&Payload> {
    match step {
        Step::Build { context, .. } | Step::Units { context } | Step::Boundary { context, .. } => Some(context),
        Step::Groups { messages }
        | Step::Diagnose { messages }
        | Step::Measure { messages }
        | Step::Cut { messages, .. } => Some(messages),
        Step::Inspect { .. }
        | Step::Render { .. }
        | Step::Release { .. }
        | Step::Compact(_)
        | Step::Begin(_)
        | Step::Tell { .. }
        | Step::End { .. } => None,
    }
}
