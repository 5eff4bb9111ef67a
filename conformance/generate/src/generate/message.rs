//! Drawing transcripts. A plan has a tempo, how eagerly results follow: slow ones overlap their rounds, fast
//! ones lay them end to end. Steps are free of each other, so that any of them can be taken out again.

use super::Source;
use crate::plan::{AssistantPlan, BlockPlan, CallPlan, Pick, ResultPlan, Step, UserPlan};
use crate::text::{Fragment, TextPlan};

/// Of 100 steps with calls open, how many are results.
const TEMPOS: [u8; 4] = [85, 60, 50, 30];
/// Of 100 results in a loose plan, how many answer nothing.
const ORPHAN_PERCENT: u8 = 12;
/// Of 100 calls in a loose plan, how many use an id again.
const REUSE_PERCENT: u8 = 15;
/// Of 100 assistant messages, how many part a surrogate pair over two blocks.
const SPLIT_PAIR_PERCENT: u8 = 4;

impl Source<'_, '_> {
    /// The steps of one transcript.
    pub(crate) fn steps(&mut self) -> Vec<Step> {
        let tempo = TEMPOS[self.below(TEMPOS.len())];
        let orderly = self.percent(40);
        let count = self.step_count();
        let mut open = 0_usize;
        let mut steps = Vec::with_capacity(count);
        for _ in 0..count {
            let step = if open > 0 && self.percent(tempo) || self.settings.loose && self.percent(3) {
                Step::Result(self.result(orderly))
            } else {
                match self.below(9) {
                    0..=2 => Step::User(UserPlan { id: self.id(), content: self.text() }),
                    3..=4 => Step::Assistant(self.assistant(false)),
                    _ => Step::Assistant(self.assistant(true)),
                }
            };
            open = match &step {
                Step::User(_) => open,
                Step::Result(_) => open.saturating_sub(1),
                Step::Assistant(plan) => open + plan.blocks.iter().filter(|block| is_call(block)).count(),
            };
            steps.push(step);
        }
        steps
    }

    /// Longer than other counts: structure needs steps.
    fn step_count(&mut self) -> usize {
        let most = self.settings.steps;
        let bound = match self.below(10) {
            0..=2 => most.min(4),
            3..=6 => most.min(14),
            7..=8 => most.div_ceil(2),
            _ => most,
        };
        self.below(bound + 1)
    }

    fn assistant(&mut self, calls: bool) -> AssistantPlan {
        let id = self.id();
        if self.percent(SPLIT_PAIR_PERCENT) {
            let halves = [0xD83D, 0xDE00].map(|unit| BlockPlan::Text(TextPlan(vec![Fragment::Unit(unit)])));
            return AssistantPlan { id, blocks: halves.into() };
        }
        let most = self.settings.blocks.max(1);
        if !calls {
            let blocks = (0..self.below(most.min(3) + 1)).map(|_| BlockPlan::Text(self.text())).collect();
            return AssistantPlan { id, blocks };
        }
        let count = 1 + self.count(most - 1);
        let mut blocks: Vec<BlockPlan> = (0..count).map(|_| self.block()).collect();
        if !blocks.iter().any(is_call) {
            blocks.push(BlockPlan::Call(self.call()));
        }
        AssistantPlan { id, blocks }
    }

    fn block(&mut self) -> BlockPlan {
        if self.percent(30) { BlockPlan::Text(self.text()) } else { BlockPlan::Call(self.call()) }
    }

    fn call(&mut self) -> CallPlan {
        let reuse = (self.settings.loose && self.percent(REUSE_PERCENT)).then(|| self.any());
        let name = if self.percent(25) { self.text() } else { TextPlan::word(self.small(3)) };
        CallPlan { id: self.id(), name, arguments: self.members(), reuse }
    }

    fn result(&mut self, orderly: bool) -> ResultPlan {
        let pick = match self.below(8) {
            _ if self.settings.loose && self.percent(ORPHAN_PERCENT) => Pick::Orphan(self.id()),
            _ if orderly => Pick::Oldest,
            0..=2 => Pick::Oldest,
            3..=4 => Pick::Newest,
            _ => Pick::Nth(self.any()),
        };
        ResultPlan { pick, id: self.id(), content: self.text(), is_error: self.any() }
    }
}

fn is_call(block: &BlockPlan) -> bool {
    matches!(block, BlockPlan::Call(_))
}
