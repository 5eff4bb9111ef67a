//! A case as a file: the case itself and not the seed it came from, so that it can be gone through again when the
//! generator has long changed.
//!
//! The file is one JSON document. Contexts stand in it as they are, lone surrogates as escapes; what must not pass
//! through a parser stands as `{"json": "<text>"}`, as it does on the wire. Absent: reading and writing of files,
//! which is the runner's affair.

pub(crate) mod json;
pub(crate) mod json_list;
pub(crate) mod json_pair;

use crate::case::Case;
use seamcheck_reference::SPEC_VERSION;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of this form. It is raised when an older reader would misunderstand a newer file.
pub const FORMAT: u32 = 1;
/// The longest file that is read, in bytes: more than any case that fits the lines of the protocol.
pub const MAX_BYTES: usize = 64 << 20;

/// A case with what was found by it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseFile {
    format: u32,
    /// The version of the suite that wrote it.
    pub suite: String,
    /// The version of the spec that it was judged by.
    pub spec: String,
    /// The check that was violated, `clause.slug`; empty for a case that was in flight.
    pub check: String,
    /// Its clause.
    pub clause: String,
    /// The violation in words, as it was found.
    pub words: String,
    /// The case, which is gone through as it stands.
    pub case: Case,
}

/// Why a text is no case file, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseFileError(String);

impl fmt::Display for CaseFileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for CaseFileError {}

impl CaseFile {
    /// A case in which this check is violated with these words.
    pub fn new(clause: &str, check: &str, words: &str, case: Case) -> Self {
        Self {
            format: FORMAT,
            suite: env!("CARGO_PKG_VERSION").to_owned(),
            spec: SPEC_VERSION.to_owned(),
            check: check.to_owned(),
            clause: clause.to_owned(),
            words: words.to_owned(),
            case,
        }
    }

    /// A case that nothing has been found by so far: it is in flight. Check and clause are empty.
    pub fn in_flight(case: Case) -> Self {
        Self::new("", "", "in flight", case)
    }

    /// Whether it is such a case.
    pub fn is_in_flight(&self) -> bool {
        self.check.is_empty() && self.clause.is_empty()
    }

    /// The file's text, with a line break at its end.
    ///
    /// # Errors
    /// The case holds what JSON cannot, an infinite number for one.
    pub fn write(&self) -> Result<String, CaseFileError> {
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n").map_err(|error| CaseFileError(format!("the case cannot be written: {error}")))
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// Where it is no case file that this version reads, and what to do about it.
    pub fn read(bytes: &[u8]) -> Result<Self, CaseFileError> {
        let fault = |words: String| Err(CaseFileError(words));
        if bytes.len() > MAX_BYTES {
            return fault(format!("it is longer than {MAX_BYTES} bytes, which no replay file is"));
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => return fault(format!("invalid UTF-8 at byte {}; {WRITE_AGAIN}", error.valid_up_to())),
        };
        // Serde would read an array as the fields in order.
        if !text.trim_start().starts_with('{') {
            return fault(format!("it is no JSON object; {WRITE_AGAIN}"));
        }
        let head: Head = match serde_json::from_str(text) {
            Ok(head) => head,
            Err(error) => return fault(format!("{error}; {WRITE_AGAIN}")),
        };
        if head.format != FORMAT {
            return fault(format!(
                "`format` is {}, and this seamcheck reads {FORMAT}; use the version that wrote the file",
                head.format
            ));
        }
        serde_json::from_str(text).or_else(|error| fault(format!("{error}; {WRITE_AGAIN}")))
    }
}

const WRITE_AGAIN: &str = "a file as `seamcheck run --replay-dir` writes it is needed";

/// What every version of the form has.
#[derive(Deserialize)]
struct Head {
    format: u32,
}

#[cfg(test)]
mod tests;
