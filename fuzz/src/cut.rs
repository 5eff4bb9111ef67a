//! Structured transcripts: groups end exactly at the safe cuts, and the boundary is the earliest that fits.

use arbitrary::{Arbitrary, Unstructured};
use seamcheck_generate::Plan;
use seamcheck_reference::{
    BoundaryOptions, Context, Document, Json, Message, Transcript, Units, group, select_boundary, units,
};

/// The property over one input.
///
/// # Panics
/// When the property does not hold.
pub fn run(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let Ok(plan) = Plan::arbitrary(&mut bytes) else { return };
    let text = plan.build().context_json().to_string();
    let document = Document::parse(text.as_bytes()).expect("a plan builds JSON");
    let context = Context::from_json(document.root()).expect("a plan builds a valid context");
    let transcript = context.transcript();
    let length = transcript.messages().len();

    let safe: Vec<usize> = (1..=length).filter(|cut| is_safe(transcript, *cut)).collect();
    let ends: Vec<usize> = group(transcript).iter().map(|group| group.end).collect();
    assert_eq!(ends, safe, "groups must end at the safe cuts");

    let target = usize::from(u16::arbitrary(&mut bytes).unwrap_or(500)).max(8);
    let retain = usize::from(u8::arbitrary(&mut bytes).unwrap_or(0)) % (length + 2);
    let fixed: Units = context.requirements().iter().map(units::of_requirement).sum();
    let fits = |cut: usize| {
        let kept: Units = transcript.messages()[cut..].iter().map(|message| units::of_message(message)).sum();
        (fixed + kept).get() + 8 <= target as u64
    };
    let expected = safe.into_iter().find(|cut| cut + retain <= length && fits(*cut));
    assert_eq!(select_boundary(&context, &options(target, retain)), expected, "target {target}, retain {retain}");
}

/// No call before the cut has its result at or after it.
fn is_safe(transcript: &Transcript, cut: usize) -> bool {
    let messages = transcript.messages();
    let answered_later = |id| {
        messages[cut..]
            .iter()
            .any(|message| matches!(&**message, Message::ToolResult(result) if &result.tool_call_id == id))
    };
    !messages[..cut].iter().flat_map(|message| message.tool_calls()).any(|call| answered_later(&call.id))
}

fn options(target: usize, retain: usize) -> BoundaryOptions {
    let options = Json::object([
        ("targetUnits", target.into()),
        ("summaryMaxUnits", 8_usize.into()),
        ("retainRecentMessages", retain.into()),
    ]);
    let text = options.to_string();
    let document = Document::parse(text.as_bytes()).expect("options are JSON");
    BoundaryOptions::from_json(document.root()).expect("the budgets agree")
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::random_bytes;

    #[test]
    fn smoke_over_random_plans() {
        run(&[]);
        for seed in 1..400 {
            run(&random_bytes(seed, 1_500));
        }
    }
}
