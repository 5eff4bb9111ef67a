//! JSON as ECMAScript reads it: `B-JSON-1` to `B-JSON-5`.
//!
//! Two forms. A [`Document`] is any JSON text whatever its depth, read once into a flat list of nodes;
//! a [`Value`] looks at one of them. A [`Json`] is an owned tree for what the profile keeps, whose depth
//! the limits bound. serde_json has neither form: its strings refuse lone surrogates and its reader recurses.

mod number;
mod syntax;
mod tree;
mod value;
mod write;

pub use number::format_number;
pub(crate) use number::number_length;
pub use syntax::{Document, SyntaxError};
pub use tree::{Json, Object};
pub use value::{Kind, Value};
pub(crate) use write::write_string;
