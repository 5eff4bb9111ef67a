//! `seamcheck explain`: one clause of the spec.

use super::{Failure, print, usage};
use crate::exit_code::Exit;
use crate::spec_page;

pub(super) fn explain(id: &str) -> Result<Exit, Failure> {
    if let Some(clause) = spec_page::find(id) {
        return Ok(print(&spec_page::explain(clause)));
    }
    let near = spec_page::near_matches(id);
    let hint = if near.is_empty() {
        "`seamcheck spec` lists the clauses".to_owned()
    } else {
        format!("did you mean {}?", near.join(", "))
    };
    Err(usage(format!("no clause has the id {id}; {hint}")))
}
