//! The cases of a run in one sequence: vectors, generated ones, the corpus. Each has its place in the whole, whatever
//! is left out of it, so that the parts of a run can be put together again.

use super::Settings;
use crate::corpus::Transcript;
use crate::selector::Selectors;
use seamcheck_checks::case::{Body, Case};
use seamcheck_checks::source;
use seamcheck_protocol::messages::Level;
use serde::Serialize;

/// Counts the cases of a whole run and picks those that were asked for.
pub(super) struct Sequence<'a> {
    select: &'a Selectors,
    next: u64,
}

impl<'a> Sequence<'a> {
    pub(super) fn new(select: &'a Selectors) -> Self {
        Self { select, next: 0 }
    }

    /// The place of the next case, if it was asked for. Every case of the whole run must be shown here, in order.
    pub(super) fn admit(&mut self, name: &str) -> Option<u64> {
        let ordinal = self.next;
        self.next += 1;
        self.select.select_case(name, ordinal).then_some(ordinal)
    }
}

/// A case of the whole run, by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its place in the whole.
    pub ordinal: u64,
    /// Its name.
    pub name: String,
    /// The only clause that it speaks for, if it is a vector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
}

/// Every case of a whole run, in order.
pub fn list<'a>(
    vectors: &'a [Case],
    seed: u64,
    generated: u64,
    corpus: &'a [Transcript],
    levels: &'a [Level],
) -> impl Iterator<Item = Listed> + 'a {
    let clause = |case: &Case| match &case.body {
        Body::Vector(vector) => Some(vector.clause.clone()),
        _ => None,
    };
    let vectors = vectors.iter().map(move |case| (case.name.clone(), clause(case)));
    let generated = (0..generated).map_while(move |index| source::generated_name(seed, index, levels));
    let corpus = corpus.iter().flat_map(move |one| source::corpus(&one.source, &one.messages, levels));
    let rest = generated.chain(corpus.map(|case| case.name)).map(|name| (name, None));
    (0..).zip(vectors.chain(rest)).map(|(ordinal, (name, clause))| Listed { ordinal, name, clause })
}

/// Makes sure that every glob over cases matches a case of the whole run at these levels.
pub(super) fn demand_cases(settings: &Settings, vectors: &[Case], levels: &[Level]) -> Result<(), String> {
    if settings.select.cases.is_empty() {
        return Ok(());
    }
    let every = list(vectors, settings.seed, settings.generated, &settings.corpus, levels);
    settings.select.demand_cases(every.map(|case| case.name))
}
