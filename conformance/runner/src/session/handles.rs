//! The handles that an adapter has issued of late.
//!
//! A handle must not be issued twice in a session. All of them cannot be remembered, since a run may be of any
//! length and its memory may not: what is looked for is a name that comes again while it could still be mixed up.

use std::collections::{HashSet, VecDeque};

/// Many times what all the cases in flight can hold.
const REMEMBERED: usize = 16_384;

/// The last handles that were issued.
#[derive(Debug, Default)]
pub(super) struct RecentHandles {
    known: HashSet<String>,
    oldest_first: VecDeque<String>,
}

impl RecentHandles {
    /// Remembers a handle; whether it is new.
    pub(super) fn insert(&mut self, handle: &str) -> bool {
        if !self.known.insert(handle.to_owned()) {
            return false;
        }
        self.oldest_first.push_back(handle.to_owned());
        if self.oldest_first.len() > REMEMBERED
            && let Some(oldest) = self.oldest_first.pop_front()
        {
            self.known.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_known_again_and_the_memory_stays_bounded() {
        let mut handles = RecentHandles::default();
        assert!((0..2 * REMEMBERED).all(|number| handles.insert(&format!("h{number}"))));
        assert!(!handles.insert(&format!("h{}", 2 * REMEMBERED - 1)));
        assert_eq!((handles.known.len(), handles.oldest_first.len()), (REMEMBERED, REMEMBERED));
    }
}
