//! `seamcheck explain`: clauses of the spec.

use super::{Failure, print, usage};
use crate::exit_code::Exit;
use crate::selector::{matches, near};
use crate::spec_page;

pub(super) fn explain(id: &str) -> Result<Exit, Failure> {
    if let Some(clause) = spec_page::find(id) {
        return Ok(print(&spec_page::explain(clause)));
    }
    let matching = spec_page::clauses().filter(|clause| matches(id, clause.id));
    let matching: Vec<String> = matching.map(spec_page::explain).collect();
    if matching.is_empty() {
        let what = if id.contains('*') { "no clause matches" } else { "no clause has the id" };
        return Err(usage(format!("{what} {id}; {}", near(id))));
    }
    Ok(print(&matching.join("\n")))
}
