//! Orders of events for several compactions at once.

use super::{context, due};
use crate::case::Body;
use crate::scenario::{Act, COMPACTIONS, Concurrent, Does};
use seamcheck_generate::{CompactionPlan, Settings, from_seed};
use seamcheck_reference::Json;
use std::collections::VecDeque;

/// What happens to one compaction, in order.
const STORIES: [&[Does]; 10] = [
    &[Does::Begin, Does::Answer, Does::End],
    &[Does::Begin, Does::Cancel, Does::End],
    &[Does::Begin, Does::Cancel, Does::Answer, Does::End],
    &[Does::Begin, Does::Answer, Does::Answer, Does::End],
    &[Does::Begin, Does::Cancel, Does::End, Does::Answer],
    &[Does::Begin, Does::Answer, Does::End, Does::Cancel],
    &[Does::Begin, Does::Answer, Does::End, Does::Answer],
    &[Does::Begin, Does::Look, Does::Answer, Does::End, Does::Look],
    &[Does::Begin, Does::Answer, Does::Cancel, Does::End],
    &[Does::Begin, Does::Cancel, Does::Cancel, Does::Answer, Does::Answer, Does::End],
];

/// Two contexts that are due, and three stories mixed. Every fourth time the handle of the first context is released
/// as soon as everything has begun.
pub(super) fn concurrent(seed: u64, index: u64) -> Body {
    const ATTEMPTS: u64 = 12;
    let settings = &Settings::SMALL;
    let large_enough = |context: &Json| super::list(context, "messages").len() > 1;
    let draw = |from: u64| {
        let contexts = (0..ATTEMPTS).map(|attempt| context(seed ^ attempt << 32, from, settings));
        contexts.into_iter().find(large_enough).unwrap_or_else(|| context(seed, from, settings))
    };
    let mut chance = Chance(seed ^ index.rotate_left(32));
    let mut stories: Vec<VecDeque<Act>> = (0..COMPACTIONS)
        .map(|compaction| {
            let story = STORIES[chance.below(STORIES.len())];
            story.iter().map(|does| Act { compaction, does: *does }).collect()
        })
        .collect();
    let mut script = Vec::new();
    while stories.iter().any(|story| !story.is_empty()) {
        script.extend(stories[chance.below(COMPACTIONS)].pop_front());
    }
    if chance.below(4) == 0 {
        let begun = script.iter().rposition(|act| act.does == Does::Begin).map_or(0, |last| last + 1);
        script.insert(begun, Act { compaction: 0, does: Does::Release });
    }
    Body::Concurrent(Concurrent {
        contexts: [draw(index), draw(index.wrapping_add(u64::MAX / 2))],
        budget: due(from_seed::<CompactionPlan>(seed, index, settings).budget),
        script,
    })
}

/// Small numbers from a seed (splitmix64).
struct Chance(u64);

impl Chance {
    /// One of the numbers below this one.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        // The remainder is below the bound, which is a usize.
        usize::try_from((mixed ^ mixed >> 31) % bound as u64).unwrap_or_default()
    }
}
