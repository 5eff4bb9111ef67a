//! `seamcheck run`: from the command line to a certificate.

use super::{Failure, print, usage};
use crate::adapter::Adapter;
use crate::cli::RunArguments;
use crate::command::CommandLine;
use crate::corpus;
use crate::exit_code::Exit;
use crate::report::certificate::{About, Certificate};
use crate::report::output::{Output, Places};
use crate::report::progress::Progress;
use crate::report::tally::Tally;
use crate::run::{self, Mismatch, Settings};
use crate::selector::Selectors;
use crate::session::Timeouts;
use seamcheck_checks::case::Case;
use seamcheck_checks::check::Check;
use seamcheck_checks::{registry, vectors};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

pub(super) fn certify(arguments: RunArguments) -> Result<Exit, Failure> {
    let command = match CommandLine::new(&arguments.adapter) {
        Some(command) => command,
        None => CommandLine::built_in().map_err(|error| Failure {
            exit: Exit::Incomplete,
            words: format!(
                "cannot find this program to start the built-in reference: {error}; name an adapter after `--`"
            ),
        })?,
    };
    let selectors = Selectors::new(&arguments.clauses);
    let checks: Vec<&'static Check> = registry::checks();
    if let Some(glob) = selectors.unmatched(&checks) {
        return Err(usage(format!(
            "--clause {glob} matches no clause and no check; `seamcheck spec` lists the clauses"
        )));
    }
    let checks: Vec<&'static Check> = checks.into_iter().filter(|check| selectors.selects(check)).collect();
    let mut transcripts = Vec::new();
    for path in &arguments.corpus {
        transcripts.extend(corpus::read(path).map_err(|error| usage(error.to_string()))?);
    }
    let RunArguments { json, markdown, junit, html, github, quiet, .. } = arguments;
    let output = Output::prepare(&Places { json, markdown, junit, html, github, quiet }).map_err(usage)?;
    let settings = Arc::new(Settings {
        levels: arguments.levels,
        seed: arguments.seed,
        generated: arguments.cases,
        corpus: transcripts,
        shrink: arguments.shrink_seconds,
        jobs: arguments.jobs,
    });
    let about = About {
        command: &command,
        seed: settings.seed,
        selectors: &arguments.clauses,
        expectations: None,
        partial: !selectors.is_everything() || settings.generated == 0,
        checks: &checks,
    };
    let timeouts = Timeouts { idle: arguments.timeout_seconds, ..Timeouts::default() };
    let started = Instant::now();
    let mut adapter = Adapter::new(command.clone(), timeouts);
    let tally = run_all(&mut adapter, &checks, &settings, quiet).map_err(|Mismatch(words)| usage(words))?;
    if tally.started.is_some() && tally.ended && tally.incomplete.is_none() && tally.cases.run() == 0 {
        return Err(usage("no case can be run; use more --cases, another --level or a wider --clause"));
    }
    let certificate = Certificate::new(tally, &about);
    let printed = print(&output.printed(&certificate));
    if !quiet {
        // Nobody need read it.
        let _ = writeln!(io::stderr(), "finished in {:.1} s", started.elapsed().as_secs_f64());
    }
    let unwritten = |words| Failure { exit: certificate.verdict.exit.max(Exit::Incomplete), words };
    output.write(&certificate).map_err(unwritten)?;
    Ok(certificate.verdict.exit.max(printed))
}

/// The run, until it ends or somebody stops it; then the adapter goes with it.
fn run_all(
    adapter: &mut Adapter,
    checks: &[&'static Check],
    settings: &Arc<Settings>,
    quiet: bool,
) -> Result<Tally, Mismatch> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime needs no more than the process that was started has");
    let mut tally = Tally::default();
    let mut progress = Progress::new(quiet, settings.generated);
    runtime.block_on(async {
        let mut tell = |event| {
            progress.take(&event);
            tally.take(event);
        };
        tokio::select! {
            ended = run::run(adapter, checks, embedded_vectors, settings, &mut tell) => ended,
            () = stopped() => Ok(()),
        }
    })?;
    progress.clear();
    // Inside the runtime, which its streams belong to.
    runtime.block_on(async { adapter.forget() });
    Ok(tally)
}

fn embedded_vectors() -> Vec<Case> {
    vectors::cases().expect("the vectors are part of this program, and a test reads them all")
}

/// Ends when the run is to be stopped.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // Without a handler the signal ends the program, which closes the adapter's input.
        if let (Ok(mut ended), Ok(mut hung_up)) = (signal(SignalKind::terminate()), signal(SignalKind::hangup())) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = ended.recv() => {}
                _ = hung_up.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
