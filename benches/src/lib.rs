//! What the benchmarks measure on: transcripts of a given size, and the plain serde types that a program
//! without the spec would read them into.

pub mod plain;
pub mod transcript;
