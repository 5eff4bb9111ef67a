//! The implementations that come with the program: the reference, and its broken variants.

use std::fmt::Write;
use std::io;

/// Why nothing was served.
#[derive(Debug)]
pub enum ServeError {
    /// No mutant has this name.
    Unknown(String),
    /// The streams failed.
    Streams(io::Error),
}

/// Serves the reference, or the mutant with this name, on standard input and output.
///
/// # Errors
/// There is no such mutant, or the streams fail.
pub fn serve(mutant: Option<&str>) -> Result<(), ServeError> {
    seamcheck_mutants::serve_named(mutant).map_err(|error| match (error.kind(), mutant) {
        (io::ErrorKind::NotFound, Some(name)) => ServeError::Unknown(name.to_owned()),
        _ => ServeError::Streams(error),
    })
}

/// The broken variants: name and fault, one a line.
pub fn list() -> String {
    let mut list = String::new();
    for mutant in seamcheck_mutants::all() {
        // Writing to a string never fails.
        let _ = writeln!(list, "{:<36} {}", mutant.name, mutant.description);
    }
    list
}
