//! Making a failing value smaller, for proptest and for the runner alike: numbered candidates, the boldest
//! first, each simpler than what it comes from. Nothing here knows what failing means.

mod parts;
mod plan;

/// What can be made smaller.
pub trait Shrink: Clone + Eq {
    /// The candidate of this number, `None` behind the last. A candidate may equal the value itself when there is
    /// nothing to simplify at that place.
    fn candidate(&self, number: usize) -> Option<Self>;
}

/// Where a search for the smallest failing value stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    number: usize,
    /// Where the last success was: a whole turn without another one is the end.
    turn_started: Option<usize>,
    wrapped: bool,
}

impl Progress {
    /// The last candidate still fails, and is the value from now on. The search stays at its place: what was
    /// removed there has been followed by something else.
    pub fn accepted(&mut self) {
        self.number = self.number.saturating_sub(1);
        self.turn_started = Some(self.number);
        self.wrapped = false;
    }

    /// The next candidate that is different, or `None` when no candidate of this value is left.
    pub fn next<T: Shrink>(&mut self, value: &T) -> Option<T> {
        loop {
            if self.wrapped && self.turn_started.is_none_or(|start| self.number >= start) {
                return None;
            }
            match value.candidate(self.number) {
                Some(candidate) => {
                    self.number += 1;
                    if candidate != *value {
                        return Some(candidate);
                    }
                }
                None if self.wrapped || self.turn_started.is_none() => return None,
                None => {
                    self.number = 0;
                    self.wrapped = true;
                }
            }
        }
    }
}

/// The smallest value found that still fails, with at most so many tries.
pub fn shrink<T: Shrink>(value: T, tries: usize, mut fails: impl FnMut(&T) -> bool) -> T {
    let mut failing = value;
    let mut progress = Progress::default();
    for _ in 0..tries {
        let Some(candidate) = progress.next(&failing) else { break };
        if fails(&candidate) {
            failing = candidate;
            progress.accepted();
        }
    }
    failing
}

/// Each of the two in turn.
impl<A: Shrink, B: Shrink> Shrink for (A, B) {
    fn candidate(&self, number: usize) -> Option<Self> {
        // The parts take turns, so that the end of both is the end of the pair.
        let half = number / 2;
        let first = |number| self.0.candidate(number).map(|first| (first, self.1.clone()));
        let second = |number| self.1.candidate(number).map(|second| (self.0.clone(), second));
        match (first(half), second(half)) {
            (None, None) => None,
            (Some(pair), None) | (None, Some(pair)) => Some(pair),
            (Some(left), Some(right)) => Some(if number.is_multiple_of(2) { left } else { right }),
        }
    }
}
