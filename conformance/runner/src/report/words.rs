//! Steps and answers in words, one line each.

use super::drawing;
use seamcheck_checks::step::{CancelPlan, CompactStep, Move, Reply, Slot, Step};
use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::messages::{CutResult, Status};
use seamcheck_protocol::payload::{Payload, WireText};
use seamcheck_reference::{Document, Json, Value};

/// What a step asks. Options that are those given last are not said again.
pub(super) fn headline(step: &Step, known: Option<&Payload>) -> String {
    match step {
        Step::Build { slot, .. } => format!("build context {}", slot_name(*slot)),
        Step::Inspect { slot } => format!("inspect context {}", slot_name(*slot)),
        Step::Units { .. } => "units of the context".to_owned(),
        Step::Groups { .. } => "groups of the messages".to_owned(),
        Step::Diagnose { .. } => "diagnostics of the messages".to_owned(),
        Step::Measure { .. } => "measure the messages".to_owned(),
        Step::Boundary { options, .. } => format!("boundary for {}", drawing::options(options)),
        Step::Cut { budget, .. } => format!("cut to {budget}"),
        Step::Render { slot } => format!("render context {}", slot_name(*slot)),
        Step::Release { slot } => format!("release context {}", slot_name(*slot)),
        Step::Compact(step) => compact_words(step, known == Some(&step.options)),
        Step::Begin(step) => format!("begin to {}", compact_words(step, known == Some(&step.options))),
        Step::Tell { into, moves } => format!("in the compaction into {}, {}", slot_name(*into), moves_words(moves)),
        Step::End { into, moves } => {
            let moves = moves_words(moves);
            format!("in the compaction into {}, {moves}; wait for its end", slot_name(*into))
        }
    }
}

pub(super) fn moves_words(moves: &[Move]) -> String {
    let words = moves.iter().map(|step| match step {
        Move::Cancel => "cancel".to_owned(),
        Move::Fail => "answer by an error".to_owned(),
        Move::Answer(answer) => format!("the summarizer {}", answer_words(answer)),
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() { "do nothing".to_owned() } else { words.join(", then ") }
}

fn compact_words(step: &CompactStep, known: bool) -> String {
    let cancel = cancel_words(step.cancel).map(|words| format!("; cancelled {words}")).unwrap_or_default();
    let (slot, into) = (slot_name(step.slot), slot_name(step.into));
    let options = if known { "the same options".to_owned() } else { drawing::options(&step.options) };
    format!("compact context {slot} into {into} for {options}; the summarizer {}{cancel}", answer_words(&step.answer))
}

/// What a compaction asks, without its options.
pub(super) fn compact_briefly(step: &CompactStep) -> String {
    let cancel = cancel_words(step.cancel).map(|words| format!("; cancelled {words}")).unwrap_or_default();
    let (slot, into) = (slot_name(step.slot), slot_name(step.into));
    format!("compact context {slot} into {into}; the summarizer {}{cancel}", answer_words(&step.answer))
}

pub(super) fn cancel_words(plan: CancelPlan) -> Option<String> {
    Some(match plan {
        CancelPlan::Never => return None,
        CancelPlan::Before => "before it starts".to_owned(),
        // So that looks are counted and the signal never turns.
        CancelPlan::AtLook(u32::MAX) => "at a look that never comes".to_owned(),
        CancelPlan::AtLook(look) => format!("at look {look}"),
    })
}

pub(super) fn answer_words(answer: &Answer) -> String {
    let quoted = |text: &WireText| drawing::value(&Payload::from(Json::from(text.0.clone())));
    let first = |cancel: bool| if cancel { "cancels and " } else { "" };
    match answer {
        Answer::Text { text, cancel } => format!("{}answers {}", first(*cancel), quoted(text)),
        Answer::Value { value } => format!("answers {}", drawing::value(value)),
        Answer::Throw { cancel, .. } => format!("{}throws", first(*cancel)),
        Answer::Reject { cancel, .. } => format!("{}fails later", first(*cancel)),
        Answer::Panic { .. } => "panics".to_owned(),
        Answer::Chain { depth, text, cancel } => {
            format!("answers {} through {depth} deferrals{}", quoted(text), if *cancel { " and cancels" } else { "" })
        }
        Answer::Unobservable => "answers what cannot be waited for".to_owned(),
        Answer::Pending { cancel } => format!("{}never answers", first(*cancel)),
    }
}

pub(super) fn reply_words(reply: &Reply) -> String {
    match reply {
        Reply::Built => "built".to_owned(),
        Reply::Inspected(inspection) => {
            inspection.native.as_ref().map_or_else(String::new, |native| format!("native digest {native}, "))
        }
        Reply::Units(units) => format!("{units} units"),
        Reply::Groups(groups) if groups.is_empty() => "no groups".to_owned(),
        Reply::Groups(groups) => {
            let groups = groups.iter().map(|(kind, start, end)| format!("{kind} {start}..{end}"));
            groups.collect::<Vec<_>>().join(", ")
        }
        Reply::Diagnostics(found) if found.is_empty() => "no diagnostics".to_owned(),
        Reply::Diagnostics(found) => {
            found.iter().map(|(code, index)| format!("{code} at {index}")).collect::<Vec<_>>().join(", ")
        }
        Reply::Boundary(boundary) => boundary.map_or_else(|| "no boundary".to_owned(), |at| format!("boundary {at}")),
        Reply::Cut(cut) => cut_words(cut),
        Reply::Compacted { status, same_handle, record, .. } => {
            let status = if *status == Status::Compacted { "compacted" } else { "unchanged" };
            let handle = if *same_handle { "the same context" } else { "a new context" };
            let record = record.as_ref().map(|record| format!(", record {}", drawing::value(record)));
            format!("{status}, {handle}{}", record.unwrap_or_default())
        }
        Reply::Refused { code, message, .. } => {
            format!("refused {code}: {}", super::tame(&message.0.to_string()))
        }
        Reply::Rendered(view) => {
            let shown = view.iter().map(|shown| format!("{:?} {}", shown.kind, drawing::value(&shown.value)));
            format!("shows {}", shown.collect::<Vec<_>>().join(", "))
        }
        Reply::Released => "released".to_owned(),
        Reply::Waiting => "waits for its summary".to_owned(),
        Reply::Told => "not waited for".to_owned(),
        Reply::Skipped => "not asked, since there is no such context".to_owned(),
    }
}

pub(super) fn cut_words(cut: &CutResult) -> String {
    if cut.kept.is_empty() {
        return "keeps nothing".to_owned();
    }
    let mut words = Vec::new();
    let mut kept = cut.kept.iter().peekable();
    while let Some(first) = kept.next() {
        if let Some(blocks) = &first.blocks {
            words.push(format!("{} (blocks {blocks:?})", first.index));
            continue;
        }
        let mut last = first.index;
        while let Some(next) = kept.next_if(|next| next.blocks.is_none() && Some(next.index) == last.checked_add(1)) {
            last = next.index;
        }
        words.push(if last == first.index { last.to_string() } else { format!("{}-{last}", first.index) });
    }
    format!("keeps {}", words.join(" "))
}

pub(super) fn request_words(request: &Payload) -> String {
    let Ok(document) = Document::parse(request.text().as_bytes()) else { return drawing::value(request) };
    let root = document.root();
    let Some(messages) = root.get("messages") else { return drawing::value(request) };
    let ids = messages.elements().map(|message| message.get("id").map_or("(absent)", Value::source));
    let ids = ids.collect::<Vec<_>>().join(" ");
    let rest = ["boundary", "maxSummaryUnits", "previousSummary"]
        .map(|name| format!("{name} {}", root.get(name).map_or("absent", Value::source)));
    drawing::value(&Payload::raw(format!("{}, messages {ids}", rest.join(", "))))
}

pub(super) fn slot_name(slot: Slot) -> char {
    // A case has few contexts; one past the alphabet shares a name, and nothing worse.
    u8::try_from(slot).map_or('?', |slot| char::from(b'A' + slot.min(25)))
}
