//! What one step did to a transcript: which messages stay, where the cut went, and what it parted.

use super::Fate;
use super::transcript::Transcript;
use seamcheck_checks::wire::same;
use seamcheck_protocol::messages::{CutResult, Kept};
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::{Document, Json};
use std::collections::BTreeSet;

/// What was done to every message of a transcript.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// Places of cuts, ascending.
    pub(super) cuts: Vec<usize>,
    /// One for each message, or none at all.
    pub(super) fates: Vec<Fate>,
    /// Messages that it is about.
    pub(super) marked: BTreeSet<usize>,
    /// Pairs that it parts: call and result.
    pub(super) parted: Vec<(usize, usize)>,
}

impl Done {
    /// A boundary or the like: a place, and nothing that became of a message.
    pub(super) fn only_cuts(cuts: Vec<usize>) -> Self {
        Self { cuts, ..Self::default() }
    }

    fn part(&mut self, transcript: &Transcript, stays: impl Fn(usize) -> bool) {
        let pairs = transcript.links.pairs.iter().copied();
        self.parted = pairs.filter(|(call, result)| stays(*call) != stays(*result)).collect();
        self.marked.extend(self.parted.iter().flat_map(|(call, result)| [*call, *result]));
    }
}

/// A boundary, or the starts of groups: nothing becomes of a message, and what is on both sides is parted.
pub(super) fn divided(transcript: &Transcript, cuts: Vec<usize>) -> Done {
    let is_parted = |(call, result): &(usize, usize)| cuts.iter().any(|cut| call < cut && cut <= result);
    let parted: Vec<(usize, usize)> = transcript.links.pairs.iter().copied().filter(is_parted).collect();
    let marked = parted.iter().flat_map(|(call, result)| [*call, *result]).collect();
    Done { parted, marked, ..Done::only_cuts(cuts) }
}

/// A cut, in the light of the clause that is violated.
pub(super) fn cut(transcript: &Transcript, cut: &CutResult, clause: &str) -> Done {
    let length = transcript.len();
    let index = |kept: &Kept| usize::try_from(kept.index).ok().filter(|index| *index < length);
    let order: Vec<usize> = cut.kept.iter().filter_map(index).collect();
    let kept: BTreeSet<usize> = order.iter().copied().collect();
    let mut done = Done {
        fates: (0..length).map(|at| if kept.contains(&at) { Fate::Kept } else { Fate::Dropped }).collect(),
        cuts: (0..=length).filter(|place| is_cut(*place, length, &kept)).collect(),
        ..Done::default()
    };
    for one in &cut.kept {
        if let Some(at) = index(one).filter(|at| came_back_changed(&transcript.messages[*at], one)) {
            done.fates[at] = Fate::Changed;
        }
    }
    done.part(transcript, |at| kept.contains(&at));
    let dropped = (0..length).filter(|at| !kept.contains(at));
    match clause {
        "B-TRIM-3" => {
            let open = transcript.links.open.iter().map(|(at, _)| *at);
            done.marked.extend(open.filter(|at| !kept.contains(at) && kept.last() > Some(at)));
        }
        "B-TRIM-4" => done.marked.extend(order.windows(2).filter(|pair| pair[0] >= pair[1]).flatten()),
        "B-TRIM-5" => done.marked.extend((0..length).filter(|at| done.fates[*at] == Fate::Changed)),
        "B-TRIM-6" => done.marked.extend(dropped.filter(|at| kept.first() < Some(at))),
        "B-TRIM-7" => done.marked.extend(dropped),
        _ => {}
    }
    done
}

/// Between what stays and what does not; before the first and behind the last message when that is cut off.
fn is_cut(place: usize, length: usize, kept: &BTreeSet<usize>) -> bool {
    let stays = |at: usize| kept.contains(&at);
    match (place.checked_sub(1), place < length) {
        (Some(left), true) => stays(left) != stays(place),
        // Nothing stays: the cut is at the end.
        (Some(_), false) => kept.is_empty(),
        _ => false,
    }
}

fn came_back_changed(sent: &Json, kept: &Kept) -> bool {
    const DEPTH: usize = 64;
    if kept.id.as_ref().is_some_and(|id| sent.get("id") != Some(&id.0.clone().into())) {
        return true;
    }
    let Some(message) = &kept.message else { return false };
    if kept.blocks.is_some() {
        return false;
    }
    let found = Document::parse(message.text().as_bytes()).ok().and_then(|document| document.root().to_json(DEPTH));
    !found.is_some_and(|found| same(&found, sent))
}

/// A compaction that ended in a new context, as far as that was looked at.
pub(super) fn compacted(transcript: &Transcript, boundary: usize, after: Option<&Transcript>) -> Done {
    let length = transcript.len();
    let stays = |at: usize| {
        after.is_none_or(|after| after.messages.iter().any(|message| same(message, &transcript.messages[at])))
    };
    // As many as should stay, and this one is another: it came back changed.
    let as_many = after.is_some_and(|after| after.len() == length - boundary);
    let fate = |at: usize| match (at < boundary, stays(at)) {
        (true, _) => Fate::Summarized,
        (false, true) => Fate::Kept,
        (false, false) if as_many => Fate::Changed,
        (false, false) => Fate::Lost,
    };
    let mut done = Done { fates: (0..length).map(fate).collect(), ..Done::only_cuts(vec![boundary]) };
    done.part(transcript, |at| at >= boundary);
    let is_wrong = |at: &usize| matches!(done.fates[*at], Fate::Lost | Fate::Changed);
    let wrong: Vec<usize> = (0..length).filter(is_wrong).collect();
    done.marked.extend(wrong);
    done
}

/// The messages before the boundary that the summarizer was not asked about.
pub(super) fn not_asked(transcript: &Transcript, boundary: usize, request: &Payload) -> BTreeSet<usize> {
    let Some(asked) = Transcript::read(request) else { return BTreeSet::new() };
    let missing = |at: &usize| !asked.messages.iter().any(|message| same(message, &transcript.messages[*at]));
    (0..boundary.min(transcript.len())).filter(missing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript() -> Transcript {
        let text = r#"[{"id":"u","role":"user","content":"hi"},
            {"id":"a","role":"assistant","content":[{"type":"toolCall","id":"c","name":"n","arguments":{}}]},
            {"id":"t","role":"toolResult","toolCallId":"c","toolName":"n","content":"x","isError":false}]"#;
        Transcript::read(&Payload::raw(text)).unwrap()
    }

    fn keeping(indexes: &[u64]) -> CutResult {
        let kept = |index: &u64| Kept { index: *index, id: None, message: None, blocks: None };
        CutResult { kept: indexes.iter().map(kept).collect() }
    }

    #[test]
    fn a_cut_through_a_round_parts_its_pair_and_marks_both_ends() {
        let done = cut(&transcript(), &keeping(&[2]), "B-TRIM-1");
        assert_eq!((done.cuts, done.parted), (vec![2], vec![(1, 2)]));
        assert_eq!(done.marked, BTreeSet::from([1, 2]));
        assert_eq!(done.fates, [Fate::Dropped, Fate::Dropped, Fate::Kept]);
    }

    #[test]
    fn keeping_nothing_is_a_cut_at_the_end_and_keeping_all_is_none() {
        let nothing = cut(&transcript(), &keeping(&[]), "B-TRIM-7");
        assert_eq!((nothing.cuts, nothing.marked.len(), nothing.parted.len()), (vec![3], 3, 0));
        let all = cut(&transcript(), &keeping(&[0, 1, 2]), "B-TRIM-7");
        assert!(all.cuts.is_empty() && all.marked.is_empty());
        assert_eq!(cut(&transcript(), &keeping(&[1, 9]), "B-TRIM-1").cuts, [1, 2]);
    }

    #[test]
    fn a_message_that_came_back_under_another_id_or_with_other_text_is_changed() {
        let kept = |index, id: Option<&str>, message: Option<&str>| {
            let (id, message) = (id.map(Into::into), message.map(Payload::raw));
            let cut = CutResult { kept: vec![Kept { index, id, message, blocks: None }] };
            super::cut(&transcript(), &cut, "B-TRIM-5").fates[0]
        };
        assert_eq!(kept(0, Some("u"), Some(r#"{"content":"hi","role":"user","id":"u"}"#)), Fate::Kept);
        assert_eq!(kept(0, Some("v"), None), Fate::Changed);
        assert_eq!(kept(0, None, Some(r#"{"id":"u","role":"user","content":"ho"}"#)), Fate::Changed);
    }

    #[test]
    fn what_a_compaction_loses_or_does_not_ask_about_is_marked() {
        let after = Transcript::read(&Payload::raw(r#"{"messages":[]}"#)).unwrap();
        let done = compacted(&transcript(), 1, Some(&after));
        assert_eq!(done.fates, [Fate::Summarized, Fate::Lost, Fate::Lost]);
        assert_eq!(done.marked, BTreeSet::from([1, 2]));
        assert_eq!(compacted(&transcript(), 2, None).parted, [(1, 2)]);
        let asked = Payload::raw(r#"{"messages":[{"content":"hi","role":"user","id":"u"}]}"#);
        assert_eq!(not_asked(&transcript(), 2, &asked), BTreeSet::from([1]));
    }
}
