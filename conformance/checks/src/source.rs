//! Where cases come from: golden vectors, generated ones, and transcripts that somebody brings.

mod interleaved;

use crate::case::{Body, Case};
use crate::scenario::{Cancelling, Chain, Ending, Isolation, Query, Recipe, Round, Speech, Trim, with};
use crate::wire::{Validity, list, read, text};
use seamcheck_generate::{
    AnswerPlan, AssistantPlan, BlockPlan, BudgetPlan, CallPlan, CompactionPlan, Delta, FaultPlan, Fit, Loose, Plan,
    Retain, Settings, Step, SummarySize, Threshold, from_seed, near,
};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::Level;
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::Json;

/// The scenarios of one turn of the generator and the level that each needs.
const TURN: [(Kind, Level); 13] = [
    (Kind::Query, Level::Exact),
    (Kind::Chain, Level::Compact),
    (Kind::Trim, Level::Cut),
    (Kind::Fault, Level::Exact),
    (Kind::Chain, Level::Compact),
    (Kind::Query, Level::Exact),
    (Kind::Cancelling, Level::Compact),
    (Kind::Trim, Level::Cut),
    (Kind::Fault, Level::Exact),
    (Kind::Chain, Level::Compact),
    (Kind::Query, Level::Exact),
    (Kind::Isolation, Level::Compact),
    (Kind::Concurrent, Level::Compact),
];

/// One query in so many is as large as the limits allow.
const LARGE_EVERY: u64 = 400;

#[derive(Debug, Clone, Copy)]
enum Kind {
    Query,
    Fault,
    Chain,
    Cancelling,
    Concurrent,
    Isolation,
    Trim,
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Fault => "fault",
            Self::Chain => "chain",
            Self::Cancelling => "cancelling",
            Self::Concurrent => "concurrent",
            Self::Isolation => "isolation",
            Self::Trim => "trim",
        }
    }
}

/// The scenario of this index and how many there are in a turn; `None` when these levels allow none.
fn turn(index: u64, levels: &[Level]) -> Option<(Kind, u64)> {
    let allowed: Vec<Kind> = TURN.iter().filter(|(_, level)| levels.contains(level)).map(|(kind, _)| *kind).collect();
    let turn = allowed.len() as u64;
    let kind = *allowed.get(usize::try_from(index.checked_rem(turn)?).ok()?)?;
    Some((kind, turn))
}

/// The name of the case that [`generated`] gives, without the work of making it.
pub fn generated_name(seed: u64, index: u64, levels: &[Level]) -> Option<String> {
    turn(index, levels).map(|(kind, _)| name_of(kind, seed, index))
}

fn name_of(kind: Kind, seed: u64, index: u64) -> String {
    format!("generated/{}/{seed}/{index}", kind.as_str())
}

/// Whether a generated case can have this name, `generated/SCENARIO/SEED/INDEX`; its seed and index.
pub fn read_generated_name(name: &str) -> Option<(u64, u64)> {
    let (kind, numbers) = name.strip_prefix("generated/")?.split_once('/')?;
    let (seed, index) = numbers.split_once('/')?;
    let (seed, index) = (seed.parse().ok()?, index.parse().ok()?);
    let kind = TURN.iter().map(|(known, _)| *known).find(|known| known.as_str() == kind)?;
    // Written back, so that no other spelling of the numbers passes.
    (name_of(kind, seed, index) == name).then_some((seed, index))
}

/// The generated case of this seed and index, from the scenarios that these levels allow; `None` when they
/// allow none. The same seed, index and levels give the same case.
pub fn generated(seed: u64, index: u64, levels: &[Level]) -> Option<Case> {
    let (kind, turn) = turn(index, levels)?;
    let body = match kind {
        Kind::Query => query(seed, index, if index / turn % LARGE_EVERY == LARGE_EVERY - 1 { LARGE } else { DEFAULT }),
        Kind::Fault => fault(seed, index),
        Kind::Chain => chain(seed, index),
        Kind::Cancelling => cancelling(seed, index, index / turn),
        Kind::Concurrent => interleaved::concurrent(seed, index),
        Kind::Isolation => Body::Isolation(Isolation {
            first: context(seed, index, &Settings::SMALL),
            second: context(seed, index.wrapping_add(u64::MAX / 2), &Settings::SMALL),
            budget: due(from_seed::<CompactionPlan>(seed, index, &Settings::SMALL).budget),
        }),
        Kind::Trim => trim(seed, index, index / turn),
    };
    Some(Case { name: name_of(kind, seed, index), body })
}

/// What somebody's transcript is put through at these levels.
pub fn corpus(name: &str, messages: &Payload, levels: &[Level]) -> Vec<Case> {
    let json = read(messages);
    let context = json.as_ref().map(|messages| Json::object([("messages", messages.clone())]));
    let case = |kind: Kind, body| Case { name: format!("corpus/{name}/{}", kind.as_str()), body };
    let mut cases = Vec::new();
    if let (true, Some(context)) = (levels.contains(&Level::Exact), &context) {
        let budgets = vec![BudgetPlan::default(), BudgetPlan { suffix: u16::MAX / 2, ..BudgetPlan::default() }];
        cases.push(case(Kind::Query, Body::Query(Query::about(context.clone(), budgets))));
    }
    if let (true, Some(context)) = (levels.contains(&Level::Compact), &context) {
        let round = || Round {
            budget: BudgetPlan { suffix: u16::MAX / 2, ..BudgetPlan::default() },
            speech: Speech::Does(Answer::text("what came before")),
            scripted: false,
            repeat_record_id: false,
        };
        cases.push(case(Kind::Chain, Body::Chain(Chain { context: context.clone(), rounds: vec![round(), round()] })));
    }
    if let (true, Some(messages)) = (levels.contains(&Level::Cut), json) {
        cases.push(case(Kind::Trim, Body::Trim(Trim { messages: elements(messages), budget: None })));
    }
    cases
}

/// Of three transcripts one is valid, one is as loose as it comes, and one ends with a call that still waits.
fn trim(seed: u64, index: u64, turn: u64) -> Body {
    let kind = (index + turn) % 3;
    let settings = if kind == 0 { Settings::SMALL } else { Settings { steps: 12, ..Settings::CUT } };
    let mut plan = Plan::from_seed(seed, index, &settings);
    if kind == 2 {
        plan.loose = Some(Loose { open_calls: plan.loose.unwrap_or_default().open_calls.max(1) });
        let waits = AssistantPlan { blocks: vec![BlockPlan::Call(CallPlan::default())], ..AssistantPlan::default() };
        // Somewhere in its newest half, so that there is something behind it.
        plan.steps.insert(plan.steps.len() - plan.steps.len() / 4, Step::Assistant(waits));
    }
    Body::Trim(Trim { messages: elements(plan.build().messages_json()), budget: None })
}

const DEFAULT: Settings = Settings::DEFAULT;
const LARGE: Settings = Settings::LARGE;

fn query(seed: u64, index: u64, settings: Settings) -> Body {
    const QUESTIONS: u64 = 4;
    let context = context(seed, index, &settings);
    let plan = |number| from_seed::<CompactionPlan>(seed ^ number, index, &settings).budget;
    Body::Query(Query { context, budgets: (1..=QUESTIONS).map(plan).collect(), validity: Validity::Valid })
}

/// One fault, two anywhere, or two close together, where the order of reading is easily got wrong. Every second
/// context has decoys as well, which change no answer. Where the faults do not fit a context, another is taken.
fn fault(seed: u64, index: u64) -> Body {
    const ATTEMPTS: u64 = 16;
    for attempt in 0..ATTEMPTS {
        let draw = |number| from_seed::<FaultPlan>(seed ^ (attempt << 32 | number), index, &DEFAULT);
        let plan = Plan::from_seed(seed ^ attempt, index, &DEFAULT);
        let faults = match (index + attempt) % 3 {
            0 => vec![draw(1)],
            1 => vec![draw(1), draw(2)],
            _ => vec![draw(1), near(&plan.build(), draw(1), draw(2))],
        };
        let decoys = (index / 3).is_multiple_of(2).then_some(seed ^ index);
        if let Some(fault) = (Recipe { plan, faults, decoys }).plant() {
            return Body::Fault(fault);
        }
    }
    query(seed, index, DEFAULT)
}

fn chain(seed: u64, index: u64) -> Body {
    const LONGEST: u64 = 4;
    let rounds = 1 + index / 3 % LONGEST;
    let round = |number: u64| {
        let plan = from_seed::<CompactionPlan>(seed ^ (number << 48), index, &DEFAULT);
        let kind = index / 2 + number;
        Round {
            // Most rounds must come as far as the summarizer, or nothing of it is seen.
            budget: if kind.is_multiple_of(4) { plan.budget } else { due(plan.budget) },
            speech: speech(kind, plan),
            scripted: kind.is_multiple_of(2),
            repeat_record_id: kind.is_multiple_of(11),
        }
    };
    let mut chain = Chain { context: context(seed, index, &DEFAULT), rounds: (0..rounds).map(round).collect() };
    if (index / 3).is_multiple_of(IRREDUCIBLE_EVERY) {
        chain.context = with_large_round(&context(seed, index, &Settings::SMALL));
        // Nothing but the summary fits, and the newest message must stay.
        let budget = BudgetPlan { suffix: u16::MAX, retain: Retain::One, threshold: Threshold::AtTarget, ..due_now() };
        chain.rounds[0] = Round { budget, repeat_record_id: false, ..chain.rounds[0].clone() };
    }
    Body::Chain(chain)
}

/// One chain in so many begins with a newest round that is over any target.
const IRREDUCIBLE_EVERY: u64 = 9;

fn due_now() -> BudgetPlan {
    due(BudgetPlan::default())
}

/// The context with a round at the end whose results are each of a fair size, and together are not.
fn with_large_round(context: &Json) -> Json {
    const RESULTS: usize = 3;
    let id = |number: usize| Json::from(format!("large round {number}").as_str());
    let call = |number| {
        let arguments = Json::object([("table", Json::from(number))]);
        Json::object([
            ("type", "toolCall".into()),
            ("id", id(number)),
            ("name", "fetch".into()),
            ("arguments", arguments),
        ])
    };
    let asks = Json::object([
        ("id", "large round".into()),
        ("role", "assistant".into()),
        ("content", Json::Array((0..RESULTS).map(call).collect())),
    ]);
    let result = |number| {
        Json::object([
            ("id", id(number)),
            ("role", "toolResult".into()),
            ("toolCallId", id(number)),
            ("toolName", "fetch".into()),
            ("content", "row ".repeat(500).as_str().into()),
            ("isError", Json::Bool(false)),
        ])
    };
    let messages = list(context, "messages").iter().cloned().chain([asks]).chain((0..RESULTS).map(result));
    with(context, "messages", Some(Json::Array(messages.collect())))
}

/// Two of three answers are a text that will do; the third goes through everything else that a summarizer can
/// do.
fn speech(kind: u64, plan: CompactionPlan) -> Speech {
    let message = || "CONTEXT_CANCELLED: pretended by the summarizer".into();
    let value = |json: Json| Speech::Does(Answer::Value { value: json.into() });
    let fitting = AnswerPlan { fit: Fit::Within, ..plan.answer.clone() };
    match (kind % 3, kind / 3 % 14) {
        (1, turn) if turn % 4 == 1 => Speech::Defers(1, fitting),
        (1 | 2, _) => Speech::Says(fitting),
        (_, 0) => Speech::Does(Answer::Throw { message: message(), cancel: false }),
        (_, 1) => Speech::Does(Answer::Reject { message: message(), cancel: false }),
        (_, 2) => Speech::Does(Answer::Panic { message: message() }),
        (_, 3) => value(Json::Null),
        (_, 4) => value(Json::object([("role", "assistant".into()), ("content", "text".into())])),
        (_, 5) => value(Json::Array(vec!["text".into()])),
        (_, 6) => Speech::Does(Answer::Unobservable),
        (_, 7) => Speech::Defers(64, fitting),
        (_, 8) => Speech::Defers(65, fitting),
        (_, 9) => Speech::Does(Answer::text("x".repeat(65_537).as_str())),
        (_, 10) => Speech::Does(Answer::text(" \u{feff}\n")),
        (_, 11) => Speech::Does(Answer::text("longer than most budgets allow ".repeat(9).as_str())),
        _ => Speech::Says(plan.answer),
    }
}

/// A small compaction that ends as it should. Where no context allows it, another ending is as good.
fn cancelling(seed: u64, index: u64, turn: u64) -> Body {
    const ATTEMPTS: u64 = 12;
    let draw = |attempt: u64| Cancelling {
        context: with_record(&context(seed ^ attempt << 32, index, &Settings::SMALL)),
        budget: due(from_seed::<CompactionPlan>(seed ^ attempt << 32, index, &Settings::SMALL).budget),
        ending: ending(turn),
        ways: None,
    };
    let drawn = (0..ATTEMPTS).map(draw).find(Cancelling::is_due);
    Body::Cancelling(drawn.unwrap_or_else(|| draw(0)))
}

/// Every way in which a compaction can end, in turn; the texts are more, for only they commit.
fn ending(turn: u64) -> Ending {
    let message = || "an error of the summarizer".into();
    let chain = |depth| Answer::Chain { depth, text: "a summary".into(), cancel: false };
    Ending::Answered(match turn % 16 {
        1 => return Ending::Unchanged,
        2 => return Ending::NoBoundary,
        3 => return Ending::Duplicate,
        5 => Answer::Throw { message: message(), cancel: false },
        6 => Answer::Reject { message: message(), cancel: false },
        7 => Answer::Panic { message: message() },
        9 => Answer::Pending { cancel: false },
        10 => Answer::Value { value: Json::Null.into() },
        11 => Answer::Unobservable,
        13 => chain(1),
        14 => chain(3),
        _ => Answer::text("a summary"),
    })
}

/// The context with a record at the end, whose id can be repeated.
fn with_record(context: &Json) -> Json {
    let record = Json::object([
        ("id", "recorded".into()),
        ("summaryId", "gone".into()),
        ("boundary", Json::Number(1.0)),
        ("compactedMessageIds", Json::Array(vec!["gone".into()])),
        ("unitsBefore", Json::Number(2.0)),
        ("unitsAfter", Json::Number(1.0)),
    ]);
    let is_new = |record: &Json| text(record, "id").and_then(|id| id.as_str()) != Some("recorded");
    let records = list(context, "compactions").iter().filter(|record| is_new(record)).cloned().chain([record]);
    with(context, "compactions", Some(Json::Array(records.collect())))
}

/// The same budget with a threshold and a reserve at which a compaction is due and can succeed.
fn due(budget: BudgetPlan) -> BudgetPlan {
    let summary = match budget.summary {
        SummarySize::Of(units) if (40..200).contains(&units) => budget.summary,
        _ => SummarySize::Small,
    };
    let delta = if budget.delta == Delta::Below { Delta::Exact } else { budget.delta };
    let retain = match budget.retain {
        Retain::Suffix => Retain::Suffix,
        _ => Retain::Nothing,
    };
    BudgetPlan { threshold: Threshold::OneBelow, summary, delta, retain, ..budget }
}

fn context(seed: u64, index: u64, settings: &Settings) -> Json {
    Plan::from_seed(seed, index, settings).build().context_json()
}

fn elements(array: Json) -> Vec<Json> {
    match array {
        Json::Array(elements) => elements,
        other => list(&other, "messages").to_vec(),
    }
}
