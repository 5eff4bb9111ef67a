//! The proptest strategy: the same draw as everywhere else, and [`Shrink`] instead of proptest's own
//! shrinking, so that a failing plan loses whole steps first and not bytes.

use crate::generate::Generate;
use crate::settings::Settings;
use crate::shrink::{Progress, Shrink};
use arbitrary::Unstructured;
use proptest::prelude::Rng;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::fmt::Debug;
use std::marker::PhantomData;

/// Draws values under some settings.
#[derive(Debug, Clone, Copy)]
pub struct Drawn<T> {
    settings: Settings,
    of: PhantomData<fn() -> T>,
}

/// A strategy for plans, or for whatever can be drawn and shrunk.
pub fn drawn<T: Generate + Shrink>(settings: Settings) -> Drawn<T> {
    Drawn { settings, of: PhantomData }
}

impl<T: Generate + Shrink + Debug> Strategy for Drawn<T> {
    type Tree = Tree<T>;
    type Value = T;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let mut bytes = vec![0; self.settings.entropy_bytes];
        runner.rng().fill_bytes(&mut bytes);
        let value = T::generate(&mut Unstructured::new(&bytes), &self.settings);
        Ok(Tree { shown: value.clone(), failing: value, progress: Progress::default() })
    }
}

/// A value that is being shrunk.
#[derive(Debug, Clone)]
pub struct Tree<T> {
    /// The smallest value known to fail.
    failing: T,
    /// The value that is tried.
    shown: T,
    progress: Progress,
}

impl<T: Shrink + Debug> ValueTree for Tree<T> {
    type Value = T;

    fn current(&self) -> T {
        self.shown.clone()
    }

    /// What is shown fails: go on from there.
    fn simplify(&mut self) -> bool {
        if self.shown != self.failing {
            self.failing = self.shown.clone();
            self.progress.accepted();
        }
        self.try_next()
    }

    /// What is shown passes: try something else.
    fn complicate(&mut self) -> bool {
        self.shown != self.failing && self.try_next()
    }
}

impl<T: Shrink> Tree<T> {
    /// Shows the next candidate, or the smallest failing value when there is none.
    fn try_next(&mut self) -> bool {
        let next = self.progress.next(&self.failing);
        let found = next.is_some();
        self.shown = next.unwrap_or_else(|| self.failing.clone());
        found
    }
}
