//! The spec as checks. They are sans-I/O: a case says which steps to take (`scenario/`), and a check judges
//! what was observed (`clause/`, one file a clause; `vectors.rs` for the golden vectors).
//!
//! A check states its clause over what stood on the wire, by the crate's own reading of it (`wire/`). The
//! reference's stages are never called: a fault of theirs would certify itself.

pub mod case;
pub mod case_file;
pub mod check;
pub mod registry;
pub mod scenario;
pub mod source;
pub mod step;
pub mod vectors;
pub mod wire;

mod clause;

pub use case::{Body, Case, Scenario, Unmet};
pub use check::{Check, Judgement, Observed};
pub use wire::{Links, judge_cut};
