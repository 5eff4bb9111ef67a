//! `B-STATE-3`: what happens to one context does not show in another.

use crate::check::{Check, Judgement, Observed};
use crate::scenario::IsolationView;
use crate::step::Reply;
use crate::wire::{read, text};
use seamcheck_protocol::messages::Level;

/// Two contexts never mix.
pub(super) const CHECK: Check =
    Check { id: "B-STATE-3.isolated", clause: "B-STATE-3", level: Level::Compact, must: true, run: judge };

fn judge(observed: &Observed<'_>) -> Judgement {
    let Some(view) = IsolationView::of(observed) else { return Judgement::NotReached };
    let [Some(second), Some(second_after)] = view.second else { return Judgement::NotReached };
    let during = view.compactions[0].asked.iter().flat_map(|asked| &asked.inspected);
    let disturbed = during.filter(|reply| matches!(reply, Reply::Inspected(found) if found != second)).count();
    let mut judgements = vec![Judgement::require(second == second_after && disturbed == 0, || {
        "compacting one context changed the other".to_owned()
    })];
    if let [Some(first), Some(first_after)] = view.first_new {
        judgements.push(Judgement::require(first == first_after, || {
            "compacting the second context changed the result of the first".to_owned()
        }));
    }
    if let (Some(new), Reply::Compacted { record: Some(_), .. }) = (view.second_new, &view.second_compaction.reply) {
        let content = read(&new.context).and_then(|new| Some(text(new.get("summary")?, "content")?.to_string()));
        judgements.push(Judgement::require(content.as_deref() == Some("two"), || {
            format!("the second context has the summary {content:?}")
        }));
    }
    Judgement::all(judgements)
}
