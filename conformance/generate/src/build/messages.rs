//! `B-LINK-1` and `B-BUILD-7`: the steps of a plan become messages. An open call keeps room for its result in
//! the ledger, so that every call can be answered whatever comes between.

use super::Site;
use crate::built::{PlantedCall, PlantedRound};
use crate::id::{IdPlan, Unique, not_blank};
use crate::ledger::Cost;
use crate::plan::{AssistantPlan, BlockPlan, CallPlan, Pick, Plan, ResultPlan, Step, UserPlan};
use crate::text::TextPlan;
use crate::value::build_arguments;
use seamcheck_reference::json::Object;
use seamcheck_reference::message::{AssistantMessage, ToolResultMessage, UserMessage};
use seamcheck_reference::{Block, Message, Text, ToolCall};

/// The transcript under construction.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    pub(super) messages: Vec<Message>,
    pub(super) rounds: Vec<PlantedRound>,
    pub(super) orphans: Vec<usize>,
    pub(super) reused: Vec<(usize, usize)>,
    /// Calls without a result, as (round, call), oldest first.
    open: Vec<(usize, usize)>,
    call_ids: Unique,
    call_count: usize,
    loose: bool,
}

/// A fresh message id is a letter and an index below 4,096.
const FRESH_ID_CODE_POINTS: usize = 5;

impl Conversation {
    pub(super) fn build(plan: &Plan, site: &mut Site) -> Self {
        let mut conversation = Self { loose: plan.loose.is_some(), ..Self::default() };
        for step in &plan.steps {
            match step {
                Step::User(plan) => conversation.user(plan, site),
                Step::Assistant(plan) => conversation.assistant(plan, site),
                Step::Result(plan) => conversation.result(plan, site),
            }
        }
        let open_calls = plan.loose.map_or(0, |loose| usize::from(loose.open_calls));
        while conversation.open.len() > open_calls {
            conversation.answer(0, &ResultPlan::default(), site);
        }
        conversation.fill(plan, site);
        conversation
    }

    /// The user's message, without its content if there is no room for it.
    pub(super) fn user(&mut self, plan: &UserPlan, site: &mut Site) {
        let id = site.ids.preview(&plan.id, &self.fresh('u'));
        for content in [plan.content.build(), Text::default()] {
            let message = Message::User(UserMessage { id: id.clone(), content });
            if self.push(message, site) {
                return;
            }
        }
    }

    fn assistant(&mut self, plan: &AssistantPlan, site: &mut Site) {
        let id = site.ids.preview(&plan.id, &self.fresh('a'));
        let message = AssistantMessage { id: id.clone(), content: Vec::new() };
        if !site.ledger.take(Cost::of_message(&Message::Assistant(message))) {
            return;
        }
        site.ids.note(&id);
        let mut content = Vec::new();
        let mut calls = Vec::new();
        for block in &plan.blocks {
            match block {
                BlockPlan::Text(plan) => {
                    let block = Block::Text(plan.build());
                    if site.ledger.take(Cost::of_block(&block)) {
                        content.push(block);
                    }
                }
                BlockPlan::Call(plan) => {
                    let place = (self.messages.len(), content.len());
                    if let Some(call) = self.call(plan, place, site) {
                        let (id, name) = (call.id.clone(), call.name.clone());
                        calls.push(PlantedCall { block: content.len(), id, name, result: None });
                        content.push(Block::ToolCall(call));
                    }
                }
            }
        }
        if !calls.is_empty() {
            self.open.extend((0..calls.len()).map(|call| (self.rounds.len(), call)));
            self.rounds.push(PlantedRound { assistant: self.messages.len(), calls });
        }
        self.messages.push(Message::Assistant(AssistantMessage { id, content }));
    }

    /// A call, without its arguments if there is no room for them, and with room for its result.
    fn call(&mut self, plan: &CallPlan, place: (usize, usize), site: &mut Site) -> Option<ToolCall> {
        let reused = plan.reuse.filter(|_| self.loose).and_then(|number| self.earlier_call(number));
        let fresh = format!("c{}", self.call_count);
        let is_reused = reused.is_some();
        let id = reused.unwrap_or_else(|| site.ids.unique(&plan.id, &fresh, &self.call_ids));
        let name = not_blank(&plan.name.build_within(LONGEST_NAME_CODE_POINTS));
        for arguments in [build_arguments(&plan.arguments), Object::default()] {
            let call = ToolCall { id: id.clone(), name: name.clone(), arguments };
            let mut cost = reservation(&call.id, &call.name);
            let block = Block::ToolCall(call.clone());
            cost += Cost::of_block(&block);
            if site.ledger.take(cost) {
                self.call_ids.note(&id);
                site.ids.note(&id);
                self.call_count += 1;
                if is_reused {
                    self.reused.push(place);
                }
                return Some(call);
            }
        }
        None
    }

    fn earlier_call(&self, number: u8) -> Option<Text> {
        let calls: Vec<&PlantedCall> = self.rounds.iter().flat_map(|round| &round.calls).collect();
        calls.get(usize::from(number) % calls.len().max(1)).map(|call| call.id.clone())
    }

    fn result(&mut self, plan: &ResultPlan, site: &mut Site) {
        let count = self.open.len();
        match (&plan.pick, self.loose) {
            (Pick::Orphan(id), true) => self.orphan(id, plan, site),
            _ if count == 0 => {}
            (Pick::Oldest | Pick::Orphan(_), _) => self.answer(0, plan, site),
            (Pick::Newest, _) => self.answer(count - 1, plan, site),
            (Pick::Nth(number), _) => self.answer(usize::from(*number) % count, plan, site),
        }
    }

    /// A result for an open call: what was reserved for it always pays for a plain one.
    fn answer(&mut self, place: usize, plan: &ResultPlan, site: &mut Site) {
        let (round, call) = self.open.remove(place);
        let (id, name) = (self.rounds[round].calls[call].id.clone(), self.rounds[round].calls[call].name.clone());
        site.ledger.release(reservation(&id, &name));
        self.rounds[round].calls[call].result = Some(self.messages.len());
        let full = (site.ids.preview(&plan.id, &self.fresh('r')), plan.content.build());
        let plain = (Text::from(self.fresh('r')), Text::default());
        let short = (full.0.clone(), Text::default());
        for (message_id, content) in [full, short, plain] {
            let message = ToolResultMessage {
                id: message_id,
                tool_call_id: id.clone(),
                tool_name: name.clone(),
                content,
                is_error: plan.is_error,
            };
            if self.push(Message::ToolResult(message), site) {
                return;
            }
        }
    }

    /// A whole round with one call, whose result follows at once.
    pub(super) fn round(&mut self, plan: &AssistantPlan, site: &mut Site) {
        let open = self.open.len();
        self.assistant(plan, site);
        if self.open.len() > open {
            self.answer(open, &ResultPlan::default(), site);
        }
    }

    /// A result whose call id no call has open.
    fn orphan(&mut self, id: &IdPlan, plan: &ResultPlan, site: &mut Site) {
        let call_id = site.ids.preview(id, &format!("lost{}", self.messages.len()));
        if self.open.iter().any(|&(round, call)| self.rounds[round].calls[call].id == call_id) {
            return;
        }
        let message = ToolResultMessage {
            id: site.ids.preview(&plan.id, &self.fresh('r')),
            tool_call_id: call_id,
            tool_name: "t".into(),
            content: plan.content.build(),
            is_error: plan.is_error,
        };
        if self.push(Message::ToolResult(message), site) {
            self.orphans.push(self.messages.len() - 1);
        }
    }

    fn push(&mut self, message: Message, site: &mut Site) -> bool {
        let fits = site.ledger.take(Cost::of_message(&message));
        if fits {
            site.ids.note(message.id());
            self.messages.push(message);
        }
        fits
    }

    fn fresh(&self, letter: char) -> String {
        format!("{letter}{}", self.messages.len())
    }
}

/// A name is there twice, and twice the longest text would be an eighth of all.
const LONGEST_NAME_CODE_POINTS: usize = 60_000;

/// What a plain result of this call will cost.
fn reservation(id: &Text, name: &Text) -> Cost {
    let code_points = FRESH_ID_CODE_POINTS + id.code_points() + name.code_points();
    Cost { items: 1, messages: 1, code_points, units: 7 + code_points }
}

/// A call with these arguments, for padding.
pub(super) fn filler_call(elements: usize) -> AssistantPlan {
    use crate::value::{KeyPlan, ValuePlan};
    let array = ValuePlan::Array(vec![ValuePlan::Null; elements]);
    let call = CallPlan { name: TextPlan::word(0), arguments: vec![(KeyPlan::Odd(0), array)], ..CallPlan::default() };
    AssistantPlan { id: IdPlan::Fresh, blocks: vec![BlockPlan::Call(call)] }
}
