//! `seamcheck kit-test`: a hostile runner against an adapter's kit.

use super::{Failure, print, usage};
use crate::cli::KitTestArguments;
use crate::command::CommandLine;
use crate::exit_code::Exit;
use crate::kit_test::{self, KitCheck};

pub(super) fn kit_test(arguments: &KitTestArguments) -> Result<Exit, Failure> {
    if arguments.list {
        return Ok(print(
            &kit_test::checks().map(|check| format!("{:<20} {}\n", check.id, check.title)).collect::<String>(),
        ));
    }
    let unknown = |name: &&String| !kit_test::checks().any(|check| check.id == name.as_str());
    if let Some(name) = arguments.checks.iter().find(unknown) {
        return Err(usage(format!("--check {name} names no check; `seamcheck kit-test --list` lists them")));
    }
    let selected =
        |check: &&KitCheck| arguments.checks.is_empty() || arguments.checks.iter().any(|name| name == check.id);
    let selected: Vec<&'static KitCheck> = kit_test::checks().filter(selected).collect();
    let command = CommandLine::new(&arguments.adapter)
        .ok_or_else(|| usage("name the adapter after `--`, as in `seamcheck kit-test -- python3 adapter.py`"))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime needs no more than the process that was started has");
    let report = runtime
        .block_on(kit_test::run(&command, &selected, arguments.timeout_seconds))
        .map_err(|words| Failure { exit: Exit::Incomplete, words })?;
    let text = if arguments.json {
        serde_json::to_string_pretty(&report).expect("texts and lists always serialize") + "\n"
    } else {
        report.to_string()
    };
    Ok(report.exit().max(print(&text)))
}
