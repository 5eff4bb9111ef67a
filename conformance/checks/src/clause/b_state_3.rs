//! `B-STATE-3`: what happens to one context does not show in another.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::{IsolationView, disturbance};
use crate::step::Reply;
use crate::wire::{list, read, same, text};
use seamcheck_protocol::messages::{InspectResult, Level};
use seamcheck_reference::Json;

/// Two contexts never mix.
pub(super) const CHECK: Check =
    Check { id: "B-STATE-3.isolated", clause: "B-STATE-3", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    // Beside two compactions of another context, this one is as it is alone.
    match disturbance(observed, 1) {
        Some(Ok(())) => return Judgement::Holds,
        Some(Err(words)) => return Judgement::Violated(words),
        None => {}
    }
    let Some(view) = IsolationView::of(observed) else { return Judgement::NotReached };
    let [Some(second), Some(second_after)] = view.second else { return Judgement::NotReached };
    let during = view.compactions[0].asked.iter().flat_map(|asked| &asked.inspected);
    let disturbed = during.filter(|reply| matches!(reply, Reply::Inspected(found) if found != second)).count();
    let mut judgements = vec![
        Judgement::require(view.first[0] == view.first[1], || "building one context changed another".to_owned()),
        Judgement::require(second == second_after && disturbed == 0, || {
            "compacting one context changed the other".to_owned()
        }),
    ];
    if let [Some(first), Some(first_after)] = view.first_new {
        judgements.push(Judgement::require(first == first_after, || {
            "compacting the second context changed the result of the first".to_owned()
        }));
    }
    let requests = view.second_compaction.asked.iter().filter_map(|asked| read(&asked.request));
    judgements.extend(requests.map(|request| {
        Judgement::require(is_about(&request, second), || {
            "the summary of the second context is asked for with something that is not its own".to_owned()
        })
    }));
    if let (Some(new), Reply::Compacted { record: Some(_), .. }) = (view.second_new, &view.second_compaction.reply) {
        let content = read(&new.context).and_then(|new| Some(text(new.get("summary")?, "content")?.to_string()));
        judgements.push(Judgement::require(content.as_deref() == Some("two"), || {
            format!("the second context has the summary {content:?}")
        }));
    }
    Judgement::all(judgements)
}

/// Whether what a request holds is this context's. What it leaves out is another clause's.
fn is_about(request: &Json, inspection: &InspectResult) -> bool {
    let Some(context) = read(&inspection.context) else { return false };
    let own = |name: &str| match (request.get(name), context.get(name)) {
        (Some(found), Some(own)) => same(found, own),
        _ => true,
    };
    let previous = match (request.get("previousSummary"), context.get("summary")) {
        (Some(found), Some(own)) => same(found, own),
        _ => true,
    };
    let messages =
        list(request, "messages").iter().zip(list(&context, "messages")).all(|(left, right)| same(left, right));
    own("requirements") && previous && messages
}
