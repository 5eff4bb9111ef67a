//! `seamcheck merge`: the certificates of all shards of a run become one.

use super::{Failure, print, usage};
use crate::bounded;
use crate::cli::MergeArguments;
use crate::exit_code::Exit;
use crate::merge;
use crate::report::certificate::Certificate;
use crate::report::output::{Output, Places};
use std::path::Path;

pub(super) fn merge(arguments: &MergeArguments) -> Result<Exit, Failure> {
    let mut parts = Vec::new();
    for path in &arguments.certificates {
        parts.push((path.display().to_string(), read(path).map_err(usage)?));
    }
    let certificate = merge::merge(parts).map_err(usage)?;
    if certificate.cases.run() == 0 && certificate.incomplete.is_none() {
        return Err(usage(
            "no case was run in any of the shards; use more --cases, another --level or a wider --clause",
        ));
    }
    let places = Places { json: arguments.json.clone(), ..Places::default() };
    let output = Output::prepare(&places).map_err(usage)?;
    let printed = print(&output.printed(&certificate));
    let unwritten = |words| Failure { exit: certificate.verdict.exit.max(Exit::Incomplete), words };
    output.write(&certificate).map_err(unwritten)?;
    Ok(certificate.verdict.exit.max(printed))
}

/// More than any certificate has.
const MOST_BYTES: u64 = 256 << 20;

fn read(path: &Path) -> Result<Certificate, String> {
    let name = path.display();
    let bytes =
        bounded::read(path, MOST_BYTES).map_err(|error| format!("cannot read the certificate {name}: {error}"))?;
    serde_json::from_slice(&bytes).map_err(|error| {
        format!("{name} is no certificate of this version: {error}; `seamcheck run --shard K/N --json FILE` writes one")
    })
}
