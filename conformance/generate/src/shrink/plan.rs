//! Smaller plans: fewer steps, then fewer of everything else, then plainer texts, ids and arguments.

use super::Shrink;
use super::parts::{TEXT_CANDIDATES, VALUE_CANDIDATES, smaller_text, smaller_value, without_run};
use crate::id::IdPlan;
use crate::plan::{BlockPlan, CallPlan, Count, Loose, Pick, Plan, Step};
use crate::text::TextPlan;

impl Shrink for Plan {
    fn candidate(&self, number: usize) -> Option<Self> {
        let mut number = number;
        self.fewer_parts(&mut number)
            .or_else(|| self.fewer_blocks(&mut number))
            .or_else(|| self.fewer_links(&mut number))
            .or_else(|| self.plainer_parts(number))
    }
}

impl Plan {
    fn fewer_parts(&self, number: &mut usize) -> Option<Self> {
        if let Some(steps) = without_run(&self.steps, number) {
            return Some(Self { steps, ..self.clone() });
        }
        if let Some(requirements) = without_run(&self.requirements, number) {
            return Some(Self { requirements, ..self.clone() });
        }
        if let Some(records) = without_run(&self.records, number) {
            return Some(Self { records, ..self.clone() });
        }
        if let Some(fills) = without_run(&self.fills, number) {
            return Some(Self { fills, ..self.clone() });
        }
        let loose = self.loose.map(|_| Loose::default());
        let whole = [
            Self { summary: None, ..self.clone() },
            Self { loose: None, ..self.clone() },
            Self { loose, ..self.clone() },
        ];
        pick(whole, number)
    }

    fn fewer_blocks(&self, number: &mut usize) -> Option<Self> {
        for (place, step) in self.steps.iter().enumerate() {
            let Step::Assistant(plan) = step else { continue };
            if let Some(blocks) = without_run(&plan.blocks, number) {
                let mut smaller = self.clone();
                if let Some(Step::Assistant(plan)) = smaller.steps.get_mut(place) {
                    plan.blocks = blocks;
                }
                return Some(smaller);
            }
        }
        None
    }

    /// A call and a result at once, since neither may be able to go alone. Only in plans that are small already:
    /// there are as many candidates as pairs.
    fn fewer_links(&self, number: &mut usize) -> Option<Self> {
        const MOST_STEPS: usize = 16;
        if self.steps.len() > MOST_STEPS {
            return None;
        }
        for (result, _) in self.steps.iter().enumerate().filter(|(_, step)| matches!(step, Step::Result(_))) {
            let mut rest = self.clone();
            rest.steps.remove(result);
            if let Some(smaller) = rest.fewer_blocks(number) {
                return Some(smaller);
            }
        }
        None
    }

    /// Each text, id, call and other detail by itself.
    fn plainer_parts(&self, number: usize) -> Option<Self> {
        let mut smaller = self.clone();
        let mut left = number;
        let mut found = false;
        smaller.each_part(&mut |part| {
            let candidates = part.candidates();
            if !found && left < candidates {
                part.simplify(left);
                found = true;
            } else if !found {
                left -= candidates;
            }
        });
        found.then_some(smaller)
    }

    fn each_part(&mut self, visit: &mut dyn FnMut(Part<'_>)) {
        for requirement in &mut self.requirements {
            visit(Part::Id(&mut requirement.id));
            visit(Part::Text(&mut requirement.content));
        }
        if let Some(summary) = &mut self.summary {
            visit(Part::Id(&mut summary.id));
            visit(Part::Text(&mut summary.content));
        }
        self.steps.iter_mut().for_each(|step| each_part_of_step(step, visit));
        for record in &mut self.records {
            visit(Part::Id(&mut record.id));
            visit(Part::Id(&mut record.summary_id));
            visit(Part::Ids(&mut record.message_ids));
            visit(Part::Count(&mut record.units_before));
            visit(Part::Count(&mut record.units_after));
        }
    }
}

fn each_part_of_step(step: &mut Step, visit: &mut dyn FnMut(Part<'_>)) {
    match step {
        Step::User(plan) => {
            visit(Part::Id(&mut plan.id));
            visit(Part::Text(&mut plan.content));
        }
        Step::Assistant(plan) => {
            visit(Part::Id(&mut plan.id));
            for block in &mut plan.blocks {
                match block {
                    BlockPlan::Text(text) => visit(Part::Text(text)),
                    BlockPlan::Call(call) => {
                        visit(Part::Id(&mut call.id));
                        visit(Part::Text(&mut call.name));
                        visit(Part::Call(call));
                    }
                }
            }
        }
        Step::Result(plan) => {
            visit(Part::Id(&mut plan.id));
            visit(Part::Text(&mut plan.content));
            visit(Part::Pick(&mut plan.pick));
            visit(Part::Flag(&mut plan.is_error));
        }
    }
}

/// A detail of a plan.
enum Part<'a> {
    Id(&'a mut IdPlan),
    Ids(&'a mut Vec<IdPlan>),
    Text(&'a mut TextPlan),
    Call(&'a mut CallPlan),
    Pick(&'a mut Pick),
    Count(&'a mut Count),
    Flag(&'a mut bool),
}

impl Part<'_> {
    fn candidates(&self) -> usize {
        match self {
            Self::Pick(_) | Self::Count(_) | Self::Flag(_) => 1,
            Self::Id(_) => 1 + TEXT_CANDIDATES,
            Self::Ids(_) => 2,
            Self::Text(_) => TEXT_CANDIDATES,
            Self::Call(call) => 3 + call.arguments.len() * (1 + VALUE_CANDIDATES),
        }
    }

    fn simplify(self, number: usize) {
        match self {
            Self::Id(IdPlan::Text(text)) if number > 0 => smaller_text(text, number - 1),
            Self::Id(id) => *id = IdPlan::Fresh,
            Self::Ids(ids) if number == 0 => ids.clear(),
            Self::Ids(ids) => ids.truncate(ids.len().div_ceil(2)),
            Self::Text(text) => smaller_text(text, number),
            Self::Call(call) => simplify_call(call, number),
            Self::Pick(pick) => *pick = Pick::Oldest,
            Self::Count(count) => *count = Count::Zero,
            Self::Flag(flag) => *flag = false,
        }
    }
}

fn simplify_call(call: &mut CallPlan, number: usize) {
    match number {
        0 => call.arguments.clear(),
        1 => call.arguments.truncate(call.arguments.len().div_ceil(2)),
        2 => call.reuse = None,
        _ => {
            let (place, candidate) = ((number - 3) / (1 + VALUE_CANDIDATES), (number - 3) % (1 + VALUE_CANDIDATES));
            match candidate {
                0 => drop(call.arguments.remove(place)),
                _ => smaller_value(&mut call.arguments[place].1, candidate - 1),
            }
        }
    }
}

fn pick<const N: usize>(candidates: [Plan; N], number: &mut usize) -> Option<Plan> {
    if *number >= N {
        *number -= N;
        return None;
    }
    candidates.into_iter().nth(*number)
}
