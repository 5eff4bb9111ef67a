//! A violation made small, as it stands in a certificate: in words, as steps for a program, and as a picture.

use super::scene::{self, Scene};
use super::story;
use super::wire_step::{WireStep, wire_steps};
use crate::event::{Again, Counterexample};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A violation made small.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CounterexampleEntry {
    /// The check.
    pub check: Cow<'static, str>,
    /// Its clause.
    pub clause: Cow<'static, str>,
    /// Whether it is a MUST.
    pub must: bool,
    /// The case in which it was found.
    pub case: String,
    /// Its place among all cases of the run.
    pub ordinal: u64,
    /// What its repetition showed; null when it was not repeated.
    pub again: Option<Again>,
    /// What is wrong in the small case.
    pub words: String,
    /// Steps of the case as it was found.
    pub original_steps: usize,
    /// How many smaller cases were tried.
    pub tries: u32,
    /// How many of them were kept.
    pub kept: u32,
    /// The small case for a person to read.
    pub story: Vec<String>,
    /// Its transcripts for a picture, and what was done to them.
    pub scenes: Vec<Scene>,
    /// Its steps for a program: method and parameters, contexts by slot.
    pub steps: Vec<WireStep>,
    /// The command that goes through the small case again, if it was written to a file. It holds a path, which a
    /// certificate must not.
    #[serde(skip)]
    pub replay: Option<String>,
}

impl CounterexampleEntry {
    pub(super) fn new(counterexample: &Counterexample) -> Self {
        let Counterexample { check, case, original_steps, tries, kept, words, outcomes, ordinal, again, .. } =
            counterexample;
        Self {
            check: check.id.into(),
            clause: check.clause.into(),
            must: check.must,
            case: case.clone(),
            ordinal: *ordinal,
            again: *again,
            words: words.clone(),
            original_steps: *original_steps,
            tries: *tries,
            kept: *kept,
            story: story::tell(outcomes),
            scenes: scene::scenes(outcomes, check.clause),
            steps: wire_steps(outcomes),
            replay: None,
        }
    }
}
