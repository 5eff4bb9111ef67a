//! The reference served by the fixture protocol, and its mutants: the same pipeline with one stage swapped
//! for a faulty one. A suite that lets a mutant pass has a hole; a suite that stops the reference is wrong.

mod faults;
mod live;
mod pipeline;
mod raw;
mod reference;
mod registry;
mod scripted;
mod stages;
mod trim;
mod weights;

use std::io;

pub use live::Live;
pub use pipeline::Mutated;
pub use reference::Reference;
pub use registry::{CONTROL, Expectation, Mutant, all, by_name};

/// The reference as an implementation.
pub fn reference() -> Reference {
    Reference
}

/// Serves the reference on standard input and output, or the mutant (or the control) with this name.
///
/// # Errors
/// `NotFound` when no mutant has the name; else whatever the streams fail with.
pub fn serve_named(name: Option<&str>) -> io::Result<()> {
    match name {
        None => seamcheck_protocol::serve::serve_stdio(reference()),
        Some(name) => {
            let mutant = by_name(name)
                .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("no mutant has the name `{name}`")))?;
            seamcheck_protocol::serve::serve_stdio(mutant)
        }
    }
}
