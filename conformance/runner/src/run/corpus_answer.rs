//! What an adapter said of a transcript of the user's, in a few words.

use crate::corpus::Transcript;
use crate::event::CorpusAnswer;
use crate::report::counted;
use seamcheck_checks::check::{Check, Judgement};
use seamcheck_checks::step::{Outcome, Reply, Step};
use seamcheck_protocol::messages::{Level, refusal};
use seamcheck_reference::Document;

/// A transcript that nothing has been asked about yet.
pub(super) fn begin(transcript: &Transcript) -> CorpusAnswer {
    let document = Document::parse(transcript.messages.text().as_bytes()).ok();
    CorpusAnswer {
        source: transcript.source.clone(),
        messages: document.map_or(0, |document| document.root().elements().count()),
        exact: None,
        cut: None,
    }
}

/// Adds what one of the transcript's cases showed.
pub(super) fn add(answer: &mut CorpusAnswer, judgements: &[(&'static Check, Judgement)], outcomes: &[Outcome]) {
    answer.exact = answer.exact.take().or_else(|| exact(outcomes));
    answer.cut = answer.cut.take().or_else(|| cut(judgements, outcomes));
}

fn exact(outcomes: &[Outcome]) -> Option<String> {
    outcomes.iter().find_map(|outcome| match (&outcome.step, &outcome.reply) {
        (Step::Groups { .. }, Reply::Groups(groups)) => {
            Some(format!("accepted, {}", counted(groups.len() as u64, "group")))
        }
        (Step::Groups { .. }, Reply::Refused { code, .. }) => Some(format!("refused {code}{}", diagnosis(outcomes))),
        _ => None,
    })
}

fn diagnosis(outcomes: &[Outcome]) -> String {
    let diagnostics = outcomes.iter().find_map(|outcome| match &outcome.reply {
        Reply::Diagnostics(diagnostics) => Some(diagnostics),
        _ => None,
    });
    let Some(((code, index), more)) = diagnostics.and_then(|diagnostics| diagnostics.split_first()) else {
        return String::new();
    };
    let place = if *index < 0 { String::new() } else { format!(" at message {index}") };
    let more = if more.is_empty() { String::new() } else { format!(" (+{} more)", more.len()) };
    format!(": {code}{place}{more}")
}

fn cut(judgements: &[(&'static Check, Judgement)], outcomes: &[Outcome]) -> Option<String> {
    let replies = || outcomes.iter().filter(|one| matches!(one.step, Step::Cut { .. })).map(|one| &one.reply);
    let budgets = replies().count();
    if budgets == 0 {
        return None;
    }
    let mut violated = Vec::new();
    for (check, judgement) in judgements {
        let violation = check.level == Level::Cut && matches!(judgement, Judgement::Violated(_));
        if violation && !violated.contains(&check.clause) {
            violated.push(check.clause);
        }
    }
    let refused = replies().filter(|reply| reply.refusal_code() == Some(refusal::REFUSED)).count();
    Some(match (violated.is_empty(), refused) {
        (false, _) => format!("VIOLATION of {} over {budgets} budgets", violated.join(", ")),
        (true, 0) => format!("holds over {budgets} budgets"),
        (true, refused) if refused == budgets => "refused at every budget".to_owned(),
        (true, refused) => format!("holds over {} budgets, refused at {refused}", budgets - refused),
    })
}
