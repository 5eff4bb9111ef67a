//! What a run is about, from the command line: checks, cases, transcripts.

use super::{Failure, usage};
use crate::cli::SelectArguments;
use crate::command::sha256_hex;
use crate::corpus::{self, Transcript};
use crate::report::certificate::Selection;
use crate::selector::{Globs, Selectors};
use seamcheck_checks::check::Check;
use seamcheck_checks::registry;

/// What a run is about.
pub(super) struct Selected {
    pub(super) selectors: Selectors,
    pub(super) checks: Vec<&'static Check>,
    pub(super) transcripts: Vec<Transcript>,
}

impl Selected {
    pub(super) fn new(arguments: &SelectArguments) -> Result<Self, Failure> {
        let selectors = Selectors {
            levels: Globs::new(&arguments.levels),
            clauses: Globs::new(&arguments.clauses),
            cases: Globs::new(&arguments.case_globs),
            shard: arguments.shard,
        };
        let checks = selectors.checks(&registry::checks()).map_err(usage)?;
        let mut transcripts = Vec::new();
        for path in &arguments.corpus {
            transcripts.extend(corpus::read(path).map_err(|error| usage(error.to_string()))?);
        }
        Ok(Self { selectors, checks, transcripts })
    }

    /// For the certificate.
    pub(super) fn entry(&self, generated: u64) -> Selection {
        let corpus: String =
            self.transcripts.iter().map(|one| format!("{}\n{}\n", one.source, one.messages.text())).collect();
        Selection {
            levels: self.selectors.levels.as_given().to_vec(),
            clauses: self.selectors.clauses.as_given().to_vec(),
            cases: self.selectors.cases.as_given().to_vec(),
            generated,
            corpus_sha256: (!self.transcripts.is_empty()).then(|| sha256_hex(corpus.as_bytes())),
        }
    }
}
