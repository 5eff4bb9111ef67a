//! From the steps of a case to its scenes: one for each transcript, in the order in which they turn up.

use super::act::{self, Done};
use super::attempts::{folded, like_the_others};
use super::transcript::Transcript;
use super::{Act, Scene};
use crate::report::story::compacted_at;
use crate::report::sweep::budget_words;
use crate::report::words::{compact_briefly, cut_words, headline, reply_words, slot_name};
use seamcheck_checks::step::{Asked, CompactStep, Outcome, Reply, Slot, Step};
use seamcheck_protocol::messages::{CutResult, Status};
use seamcheck_protocol::payload::Payload;
use std::collections::{BTreeSet, HashMap};

/// Scenes of one case; a long chain has more contexts than a person looks at.
const SHOWN_SCENES: usize = 8;
/// Acts of one scene.
const SHOWN_ACTS: usize = 24;

/// The scenes of a case that violates this clause.
pub(in crate::report) fn scenes(outcomes: &[Outcome], clause: &str) -> Vec<Scene> {
    let mut stage = Stage { outcomes, clause, scenes: Vec::new(), slots: HashMap::new(), begun: HashMap::new() };
    let mut at = 0;
    while let Some(outcome) = outcomes.get(at) {
        let alike = like_the_others(outcomes, at);
        if let (2.., Step::Compact(step)) = (alike, &outcome.step) {
            stage.fold(at, alike, step);
            at += alike;
        } else {
            stage.take(at, outcome);
            at += 1;
        }
    }
    let worth = |scene: &&Draft| scene.transcript.len() > 0;
    stage.scenes.iter().filter(worth).take(SHOWN_SCENES).map(Draft::finish).collect()
}

struct Stage<'a> {
    outcomes: &'a [Outcome],
    clause: &'a str,
    scenes: Vec<Draft>,
    /// The scene of the context that is in a slot.
    slots: HashMap<Slot, usize>,
    /// Compactions that were begun, by the slot that they end in, and what their summarizers were asked first.
    begun: HashMap<Slot, (&'a CompactStep, &'a [Asked])>,
}

struct Draft {
    title: String,
    transcript: Transcript,
    acts: Vec<Raw>,
}

struct Raw {
    steps: (usize, usize),
    asked: String,
    reply: String,
    done: Done,
    /// The budgets of a sweep that came to the same, and what stays.
    budgets: Vec<u64>,
}

impl<'a> Stage<'a> {
    fn take(&mut self, at: usize, outcome: &'a Outcome) {
        let reply = || reply_words(&outcome.reply);
        match &outcome.step {
            Step::Build { context, slot } => {
                let scene = self.scene_of(context, || format!("context {}", slot_name(*slot)));
                self.slots.extend(scene.map(|scene| (*slot, scene)));
                if let (Some(scene), true) = (scene, outcome.reply != Reply::Built) {
                    self.add(scene, at, "build the context".to_owned(), reply(), Done::default());
                }
            }
            Step::Inspect { slot } => self.look(at, *slot, &outcome.reply),
            Step::Measure { .. } | Step::Render { .. } | Step::Release { .. } | Step::Tell { .. } => {}
            Step::Begin(step) => {
                self.begun.insert(step.into, (step, &outcome.asked));
                if outcome.reply != Reply::Waiting {
                    self.compact(at, outcome, step, &outcome.asked);
                }
            }
            Step::End { into, .. } => {
                if let Some((step, asked)) = self.begun.remove(into) {
                    self.compact(at, outcome, step, asked);
                }
            }
            Step::Cut { messages, budget } => {
                let Some(scene) = self.scene_of(messages, || "transcript".to_owned()) else { return };
                match &outcome.reply {
                    Reply::Cut(cut) => self.cut(scene, at, *budget, cut),
                    _ => self.add(scene, at, format!("cut to {budget}"), reply(), Done::default()),
                }
            }
            Step::Compact(step) => self.compact(at, outcome, step, &outcome.asked),
            Step::Units { context: input }
            | Step::Boundary { context: input, .. }
            | Step::Groups { messages: input }
            | Step::Diagnose { messages: input } => {
                let Some(scene) = self.scene_of(input, || "transcript".to_owned()) else { return };
                let transcript = &self.scenes[scene].transcript;
                let cuts = match &outcome.reply {
                    Reply::Boundary(boundary) => boundary.iter().copied().collect(),
                    Reply::Groups(groups) => groups.iter().map(|(_, start, _)| *start).collect(),
                    _ => Vec::new(),
                };
                let places = cuts.into_iter().filter_map(|place| usize::try_from(place).ok());
                let places = places.filter(|place| *place > 0 && *place <= transcript.len()).collect();
                let done = act::divided(transcript, places);
                self.add(scene, at, headline(&outcome.step, None), reply(), done);
            }
        }
    }

    /// The scene with the same messages and summary, or a new one.
    fn scene_of(&mut self, payload: &Payload, title: impl FnOnce() -> String) -> Option<usize> {
        let transcript = Transcript::read(payload)?;
        let known = |draft: &Draft| draft.transcript.looks_like(&transcript);
        Some(self.scenes.iter().position(known).unwrap_or_else(|| {
            self.scenes.push(Draft { title: title(), transcript, acts: Vec::new() });
            self.scenes.len() - 1
        }))
    }

    /// A context that does not look as it did is a scene of its own.
    fn look(&mut self, at: usize, slot: Slot, reply: &Reply) {
        let Reply::Inspected(inspection) = reply else { return };
        let name = slot_name(slot);
        let before = self.slots.get(&slot).copied();
        let title = match before {
            None => format!("context {name}"),
            Some(_) => format!("context {name} as it is in step {}", at + 1),
        };
        let now = self.scene_of(&inspection.context, || title);
        if let (Some(before), Some(now)) = (before, now)
            && before != now
        {
            let (old, new) = (&self.scenes[before].transcript, &self.scenes[now].transcript);
            let differs = (0..new.len()).filter(|index| !old.has(*index, &new.messages[*index]));
            let done = Done { marked: differs.collect(), ..Done::default() };
            self.add(now, at, format!("inspect context {name}"), "it looks different now".to_owned(), done);
        }
        self.slots.extend(now.map(|now| (slot, now)));
    }

    fn cut(&mut self, scene: usize, at: usize, budget: u64, cut: &CutResult) {
        let draft = &mut self.scenes[scene];
        let done = act::cut(&draft.transcript, cut, self.clause);
        let reply = cut_words(cut);
        match draft.acts.last_mut().filter(|last| !last.budgets.is_empty() && last.reply == reply) {
            Some(last) => {
                last.steps.1 = at;
                last.budgets.push(budget);
                // Only some of the budgets may be what it is about.
                last.done.marked.extend(done.marked);
            }
            None => draft.acts.push(Raw { steps: (at, at), asked: String::new(), reply, done, budgets: vec![budget] }),
        }
    }

    fn compact(&mut self, at: usize, outcome: &'a Outcome, step: &'a CompactStep, asked: &[Asked]) {
        let Some(scene) = self.slots.get(&step.slot).copied() else { return };
        let transcript = &self.scenes[scene].transcript;
        let boundary = compacted_at(&outcome.reply, asked).filter(|boundary| *boundary <= transcript.len());
        let is_done = matches!(outcome.reply, Reply::Compacted { status: Status::Compacted, .. });
        let mut done = match boundary {
            Some(boundary) if is_done => {
                let after = self.outcomes[at + 1..].iter().find_map(|later| match (&later.step, &later.reply) {
                    (Step::Inspect { slot }, Reply::Inspected(found)) if *slot == step.into => Some(&found.context),
                    _ => None,
                });
                act::compacted(transcript, boundary, after.and_then(Transcript::read).as_ref())
            }
            Some(boundary) => act::divided(transcript, vec![boundary]),
            None => Done::default(),
        };
        if let (Some(boundary), Some(asked), true) = (boundary, asked.first(), is_done) {
            done.marked.extend(act::not_asked(transcript, boundary, &asked.request));
        }
        self.add(scene, at, compact_briefly(step), outcome.reply.to_string(), done);
    }

    /// Attempts that came to the same.
    fn fold(&mut self, at: usize, steps: usize, step: &'a CompactStep) {
        let Some(scene) = self.slots.get(&step.slot).copied() else { return };
        let outcomes = &self.outcomes[at..at + steps];
        let asked = format!("compact context {}, cancelled: {}", slot_name(step.slot), folded(outcomes));
        let places: BTreeSet<usize> = outcomes.iter().filter_map(|one| compacted_at(&one.reply, &one.asked)).collect();
        let reply = "each time CONTEXT_CANCELLED, and the context is as before".to_owned();
        self.add(scene, at, asked, reply, Done::only_cuts(places.into_iter().collect()));
        if let Some(last) = self.scenes[scene].acts.last_mut() {
            last.steps.1 = at + steps - 1;
        }
    }

    fn add(&mut self, scene: usize, at: usize, asked: String, reply: String, done: Done) {
        self.scenes[scene].acts.push(Raw { steps: (at, at), asked, reply, done, budgets: Vec::new() });
    }
}

impl Draft {
    fn finish(&self) -> Scene {
        let length = self.transcript.len();
        let about = |raw: &&Raw| !raw.done.marked.is_empty();
        let first = self.acts.iter().filter(about).chain(&self.acts).take(SHOWN_ACTS);
        let matters = first.flat_map(|raw| {
            let beside = raw.done.cuts.iter().flat_map(|place| [place.saturating_sub(1), *place]);
            raw.done.marked.iter().copied().chain(beside)
        });
        let shown = self.transcript.shown(&matters.collect());
        let pairs: Vec<(usize, usize)> = {
            let inside = |index: &usize| shown.binary_search(index).is_ok();
            let pairs = self.transcript.links.pairs.iter().copied();
            pairs.filter(|(call, result)| inside(call) && inside(result)).collect()
        };
        Scene {
            title: self.title.clone(),
            summary: self.transcript.summary.clone(),
            length,
            messages: shown.iter().map(|index| self.transcript.message(*index)).collect(),
            pairs: pairs.iter().map(|(call, result)| self.transcript.pair(*call, *result)).collect(),
            acts: self.acts.iter().take(SHOWN_ACTS).map(|raw| raw.finish(&shown, &pairs)).collect(),
        }
    }
}

impl Raw {
    fn finish(&self, shown: &[usize], pairs: &[(usize, usize)]) -> Act {
        let asked = match self.budgets.as_slice() {
            [] => self.asked.clone(),
            budgets => format!("cut to {}", budget_words(budgets)),
        };
        let parted = (0..pairs.len()).filter(|at| self.done.parted.contains(&pairs[*at])).collect();
        Act {
            first_step: self.steps.0 + 1,
            last_step: self.steps.1 + 1,
            asked,
            reply: self.reply.clone(),
            cuts: self.done.cuts.clone(),
            fates: shown.iter().filter_map(|index| self.done.fates.get(*index).copied()).collect(),
            marked: self.done.marked.iter().copied().filter(|index| shown.binary_search(index).is_ok()).collect(),
            parted,
        }
    }
}
