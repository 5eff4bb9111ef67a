//! Cases about other messages than those that they were made with.

use seamcheck_checks::case::Body;
use seamcheck_checks::scenario::{Fault, Query};
use seamcheck_checks::wire::Validity;
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::{Context, Document, Json};

/// Deeper than any message of a small case.
const DEEP: usize = 300;

/// The messages of every context of a case.
pub(crate) fn contexts(body: &Body) -> Vec<Vec<Json>> {
    let of = |context: &Json| match context.get("messages") {
        Some(Json::Array(messages)) => messages.clone(),
        _ => Vec::new(),
    };
    match body {
        Body::Query(query) => vec![of(&query.context)],
        Body::Chain(chain) => vec![of(&chain.context)],
        Body::Cancelling(cancelling) => vec![of(&cancelling.context)],
        Body::Isolation(isolation) => vec![of(&isolation.first), of(&isolation.second)],
        Body::Concurrent(concurrent) => concurrent.contexts.iter().map(of).collect(),
        Body::Trim(trim) => vec![trim.messages.clone()],
        Body::Fault(fault) => {
            let document = Document::parse(fault.messages.text().as_bytes()).unwrap();
            vec![document.root().elements().map(|message| message.to_json(DEEP).unwrap_or(Json::Null)).collect()]
        }
        Body::Vector(_) => Vec::new(),
    }
}

pub(crate) fn size(body: &Body) -> usize {
    contexts(body).iter().map(Vec::len).sum()
}

/// The same case about these messages; `None` for planted faults of which none is left.
pub(crate) fn with_messages(body: &Body, messages: &[Vec<Json>]) -> Option<Body> {
    let mut body = body.clone();
    match &mut body {
        Body::Query(query) => {
            let context = put(&query.context, &messages[0]);
            *query = Query { validity: validity(&messages[0]), context, budgets: query.budgets.clone() };
        }
        Body::Chain(chain) => chain.context = put(&chain.context, &messages[0]),
        Body::Cancelling(cancelling) => cancelling.context = put(&cancelling.context, &messages[0]),
        Body::Isolation(isolation) => {
            isolation.first = put(&isolation.first, &messages[0]);
            isolation.second = put(&isolation.second, &messages[1]);
        }
        Body::Concurrent(concurrent) => {
            for (context, messages) in concurrent.contexts.iter_mut().zip(messages) {
                *context = put(context, messages);
            }
        }
        Body::Trim(trim) => (trim.messages, trim.budget) = (messages[0].clone(), None),
        Body::Fault(fault) => *fault = with_faults_of(fault, &messages[0])?,
        Body::Vector(_) => return None,
    }
    Some(body)
}

fn put(context: &Json, messages: &[Json]) -> Json {
    let Json::Object(members) = context else { return context.clone() };
    let rest = members.members().iter().filter(|(key, _)| key.as_str() != Some("messages")).cloned();
    Json::Object(rest.chain([("messages".into(), Json::Array(messages.to_vec()))]).collect())
}

/// What must come of planted faults in other messages, by the reference: the trial is no check.
fn with_faults_of(fault: &Fault, messages: &[Json]) -> Option<Fault> {
    let context = Document::parse(fault.context.text().as_bytes()).unwrap().root().to_json(DEEP)?;
    let context = put(&context, messages).to_string();
    let messages = Json::Array(messages.to_vec()).to_string();
    let refusal = Context::from_json(Document::parse(context.as_bytes()).unwrap().root()).err()?;
    let diagnostics = seamcheck_reference::diagnose(Document::parse(messages.as_bytes()).unwrap().root());
    let place = |index: Option<usize>| index.map_or(-1, |index| i64::try_from(index).unwrap());
    let diagnostics = diagnostics.iter().map(|one| (one.code.as_str().to_owned(), place(one.message_index))).collect();
    Some(Fault {
        planted: fault.planted.clone(),
        context: Payload::raw(context),
        messages: Payload::raw(messages),
        code: refusal.code().as_str().to_owned(),
        diagnostics: Some(diagnostics),
        recipe: None,
    })
}

/// Whether what is expected of a query holds for these messages, by the reference's own reader: the trial is no check.
fn validity(messages: &[Json]) -> Validity {
    let text = Json::Array(messages.to_vec()).to_string();
    let document = Document::parse(text.as_bytes()).unwrap();
    if seamcheck_reference::diagnose(document.root()).is_empty() { Validity::Valid } else { Validity::Unlinked }
}

/// The same case, written as its changed ones are.
pub(crate) fn unchanged(body: &Body) -> Body {
    with_messages(body, &contexts(body)).unwrap_or_else(|| body.clone())
}

/// Every case with one message or one block less.
pub(crate) fn with_one_less(body: &Body) -> Vec<Body> {
    let contexts = contexts(body);
    let mut less = Vec::new();
    for (which, messages) in contexts.iter().enumerate() {
        for (index, message) in messages.iter().enumerate() {
            let mut change = |change: &dyn Fn(&mut Vec<Json>)| {
                let mut changed = contexts.clone();
                change(&mut changed[which]);
                less.extend(with_messages(body, &changed));
            };
            change(&|messages| drop(messages.remove(index)));
            let Some(Json::Array(blocks)) = message.get("content") else { continue };
            for block in 0..blocks.len() {
                change(&|messages| {
                    let mut blocks = blocks.clone();
                    blocks.remove(block);
                    let Json::Object(members) = message else { return };
                    let members = members.members().iter().map(|(key, value)| match key.as_str() {
                        Some("content") => (key.clone(), Json::Array(blocks.clone())),
                        _ => (key.clone(), value.clone()),
                    });
                    messages[index] = Json::Object(members.collect());
                });
            }
        }
    }
    less
}
