//! The fixture protocol: how the runner and an adapter talk. `PROTOCOL.md` beside this crate is normative.
//!
//! It knows the IR and the text of the reference, and none of its stages.

pub mod answer;
pub mod ending;
pub mod envelope;
pub mod implementation;
pub mod lines;
pub mod messages;
mod open;
pub mod payload;
pub mod schema;
pub mod serve;
pub mod signal;
pub mod view;
