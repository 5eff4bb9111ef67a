//! The smallest case that shows a fault, by trying all transcripts of a small alphabet, the shortest first.

pub(crate) mod cases;

use crate::Trial;
use cases::{contexts, size as size_of, with_messages};
use seamcheck_checks::case::Body;
use seamcheck_checks::scenario::Recipe;
use seamcheck_generate::BudgetPlan;
use seamcheck_generate::{
    AssistantPlan, BlockPlan, CallPlan, FaultPlan, IdPlan, Plan, ResultPlan, Step, TextPlan, UserPlan,
};
use seamcheck_reference::Json;

/// Longer transcripts are not tried: there are too many.
const LONGEST: usize = 4;

/// The size of the smallest case that shows the fault; the one that is known is not tried again, and neither is
/// anything longer. `None` when the known one is longer than what is tried and nothing shorter shows it.
pub(crate) async fn search(trial: &mut Trial, known: &Body, size: usize) -> Option<usize> {
    for length in 0..size.min(LONGEST + 1) {
        let bodies: Box<dyn Iterator<Item = Body>> = match known {
            Body::Fault(fault) => Box::new(planted(&fault.planted, length)),
            _ => Box::new(transcripts(known, length)),
        };
        for body in bodies {
            if trial.is_violated(body).await {
                return Some(length);
            }
        }
    }
    (size <= LONGEST).then_some(size)
}

/// The known case about every transcript of this length, over two contexts where it has two, at several budgets.
fn transcripts(known: &Body, length: usize) -> impl Iterator<Item = Body> {
    let contexts = contexts(known).len();
    let splits: Vec<usize> = if contexts == 2 { (0..=length).collect() } else { vec![length] };
    let words = words(7, length);
    words.flat_map(move |word| splits.clone().into_iter().map(move |split| (word.clone(), split))).flat_map(
        move |(word, split)| {
            let messages: Vec<Json> = word.iter().enumerate().map(|(at, letter)| message(at, *letter)).collect();
            let (first, second) = messages.split_at(split);
            let parts = [first.to_vec(), second.to_vec()];
            with_messages(known, &parts).iter().flat_map(budgets).collect::<Vec<_>>()
        },
    )
}

/// The case as it is, and with other shares of its messages to keep.
fn budgets(body: &Body) -> Vec<Body> {
    let plans = [0, u16::MAX / 2, u16::MAX].map(|suffix| BudgetPlan { suffix, ..BudgetPlan::default() });
    let mut bodies = vec![body.clone()];
    for plan in plans {
        let mut other = body.clone();
        match &mut other {
            Body::Query(query) => query.budgets = vec![plan],
            Body::Chain(chain) => chain.rounds.iter_mut().for_each(|round| round.budget = plan),
            Body::Cancelling(cancelling) => cancelling.budget = plan,
            Body::Isolation(isolation) => isolation.budget = plan,
            Body::Concurrent(concurrent) => concurrent.budget = plan,
            Body::Trim(_) | Body::Fault(_) | Body::Vector(_) => continue,
        }
        bodies.push(other);
    }
    bodies
}

/// Every word of this length over so many letters.
fn words(letters: usize, length: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..letters.pow(u32::try_from(length).unwrap_or_default())).map(move |number| {
        let mut rest = number;
        (0..length)
            .map(|_| {
                let letter = rest % letters;
                rest /= letters;
                letter
            })
            .collect()
    })
}

fn message(at: usize, letter: usize) -> Json {
    let id = || Json::from(format!("m{at}").as_str());
    let call = |id: &str| {
        let arguments = Json::object([]);
        Json::object([("type", "toolCall".into()), ("id", id.into()), ("name", "n".into()), ("arguments", arguments)])
    };
    let assistant = |blocks: Vec<Json>| {
        Json::object([("id", id()), ("role", "assistant".into()), ("content", Json::Array(blocks))])
    };
    let result = |call: &str| {
        Json::object([
            ("id", id()),
            ("role", "toolResult".into()),
            ("toolCallId", call.into()),
            ("toolName", "n".into()),
            ("content", "xx".into()),
            ("isError", false.into()),
        ])
    };
    match letter {
        0 => Json::object([("id", id()), ("role", "user".into()), ("content", "x".into())]),
        1 => assistant(vec![Json::object([("type", "text".into()), ("text", "x".into())])]),
        2 => assistant(vec![call("c")]),
        3 => assistant(vec![call("d")]),
        4 => assistant(vec![call("c"), call("d")]),
        5 => result("c"),
        _ => result("d"),
    }
}

/// Every small plan that builds so many messages, with every one and every two of the faults planted that the known
/// case has, in several places and forms.
fn planted(known: &str, length: usize) -> impl Iterator<Item = Body> {
    const PLACES: u16 = 4;
    const FORMS: u8 = 4;
    let kinds: Vec<_> =
        seamcheck_generate::Fault::ALL.into_iter().filter(|kind| known.contains(&format!("{kind:?}"))).collect();
    let each = kinds.into_iter().flat_map(|fault| {
        (0..PLACES).flat_map(move |place| {
            (0..FORMS).map(move |variant| FaultPlan { fault, place: place * (u16::MAX / PLACES), variant })
        })
    });
    let each: Vec<FaultPlan> = each.collect();
    let pairs = each.iter().flat_map(|first| each.iter().map(|second| vec![*first, *second]));
    let faults: Vec<Vec<FaultPlan>> = each.iter().map(|one| vec![*one]).chain(pairs).collect();
    (0..=length).flat_map(move |steps| words(5, steps)).flat_map(move |word| {
        let plan = Plan { steps: word.into_iter().map(step).collect(), ..Plan::default() };
        let fits = plan.build().messages.len() <= length;
        let faults = if fits { faults.clone() } else { Vec::new() };
        faults.into_iter().filter_map(move |faults| {
            let fault = Recipe { plan: plan.clone(), faults, decoys: None }.plant()?;
            let body = Body::Fault(fault);
            (size_of(&body) == length).then_some(body)
        })
    })
}

fn step(letter: usize) -> Step {
    let text = || TextPlan::word(0);
    let call = || BlockPlan::Call(CallPlan { name: text(), ..CallPlan::default() });
    let assistant = |blocks| Step::Assistant(AssistantPlan { id: IdPlan::Fresh, blocks });
    match letter {
        0 => Step::User(UserPlan { id: IdPlan::Fresh, content: text() }),
        1 => assistant(vec![BlockPlan::Text(text())]),
        2 => assistant(vec![call()]),
        3 => assistant(vec![call(), call()]),
        _ => Step::Result(ResultPlan::default()),
    }
}
