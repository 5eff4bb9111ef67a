//! The one place where an adapter's answers are compared with the reference's own. A difference is shown
//! beside the verdicts and is none itself: the clauses are judged by the checks, which never ask the reference.

use seamcheck_checks::step::{Outcome, Reply, Step};
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::{
    BoundaryOptions, Context, Document, Error, Group, Transcript, diagnose, group, select_boundary,
};

/// Compares one outcome with the reference's answer: an error holds the difference in words. `None` for steps
/// that only a summarizer or a live context can answer.
pub fn compare(outcome: &Outcome) -> Option<Result<(), String>> {
    let found = match &outcome.reply {
        Reply::Refused { code, .. } => format!("refused with {code}"),
        Reply::Built => "accepted".to_owned(),
        Reply::Units(units) => units.to_string(),
        Reply::Groups(groups) => format!("{groups:?}"),
        Reply::Diagnostics(diagnostics) => format!("{diagnostics:?}"),
        Reply::Boundary(boundary) => format!("{boundary:?}"),
        Reply::Inspected(_)
        | Reply::Cut(_)
        | Reply::Compacted { .. }
        | Reply::Rendered(_)
        | Reply::Released
        | Reply::Waiting
        | Reply::Told
        | Reply::Skipped => return None,
    };
    let expected = expected(&outcome.step)?;
    let same = found == expected;
    Some(if same { Ok(()) } else { Err(format!("the reference says {expected}, the adapter {found}")) })
}

/// The reference's answer, in the same words.
fn expected(step: &Step) -> Option<String> {
    let answer = match step {
        Step::Build { context, .. } => with_context(context, |_| Ok("accepted".to_owned())),
        Step::Units { context } => with_context(context, |context| Ok(context.units().to_string())),
        Step::Boundary { context, options } => with_context(context, |context| {
            let document = Document::parse(options.text().as_bytes()).ok();
            let options = document.as_ref().map(|document| BoundaryOptions::from_json(document.root())).transpose()?;
            Ok(format!("{:?}", options.and_then(|options| select_boundary(context, &options)).map(|end| end as u64)))
        }),
        Step::Groups { messages } => with_document(messages, |document| {
            let groups = group(&Transcript::from_json(document.root())?);
            let triple = |group: &Group| (group.kind.as_str().to_owned(), group.start as u64, group.end as u64);
            Ok(format!("{:?}", groups.iter().map(triple).collect::<Vec<_>>()))
        }),
        Step::Diagnose { messages } => with_document(messages, |document| {
            let findings = diagnose(document.root()).into_iter().map(|finding| {
                let index = finding.message_index.and_then(|index| i64::try_from(index).ok()).unwrap_or(-1);
                (finding.code.as_str().to_owned(), index)
            });
            Ok(format!("{:?}", findings.collect::<Vec<_>>()))
        }),
        Step::Inspect { .. }
        | Step::Measure { .. }
        | Step::Cut { .. }
        | Step::Render { .. }
        | Step::Release { .. }
        | Step::Compact(_)
        | Step::Begin(_)
        | Step::Tell { .. }
        | Step::End { .. } => return None,
    };
    Some(answer.unwrap_or_else(|code| format!("refused with {code}")))
}

fn with_context(payload: &Payload, answer: impl FnOnce(&Context) -> Result<String, Error>) -> Result<String, String> {
    with_document(payload, |document| answer(&Context::from_json(document.root())?))
}

fn with_document(
    payload: &Payload,
    answer: impl FnOnce(&Document<'_>) -> Result<String, Error>,
) -> Result<String, String> {
    let document = Document::parse(payload.text().as_bytes()).map_err(|_| "not-json".to_owned())?;
    answer(&document).map_err(|error| error.code().as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use seamcheck_reference::Json;

    fn units(reply: Reply) -> Option<Result<(), String>> {
        let message = Json::object([("id", "u".into()), ("role", "user".into()), ("content", "a".into())]);
        let context = Json::object([("messages", Json::Array(vec![message]))]);
        compare(&Outcome { step: Step::Units { context: context.into() }, reply, asked: Vec::new() })
    }

    #[test]
    fn the_same_answer_is_no_difference_and_another_one_is_shown() {
        assert_eq!(units(Reply::Units(6)), Some(Ok(())));
        assert_eq!(units(Reply::Units(7)), Some(Err("the reference says 6, the adapter 7".to_owned())));
        let refused = Reply::Refused { code: "CONTEXT_INVALID_INPUT".into(), message: "no".into(), looks: None };
        assert!(units(refused).is_some_and(|comparison| comparison.is_err()));
        assert_eq!(units(Reply::Skipped), None);
    }
}
