//! `seamcheck run`: from the command line to a certificate.

use super::select::Selected;
use super::{Failure, complain, print, usage};
use crate::adapter::Adapter;
use crate::bounded;
use crate::cli::RunArguments;
use crate::command::{CommandLine, quoted};
use crate::exit_code::Exit;
use crate::expectations::{self, Expectations, Known};
use crate::in_flight::InFlight;
use crate::replay::ReplayFolder;
use crate::report::certificate::{About, Certificate};
use crate::report::output::{Output, Places};
use crate::report::output_file::OutputFile;
use crate::report::progress::Progress;
use crate::report::tally::Tally;
use crate::run::{self, Mismatch, Settings};
use crate::session::Timeouts;
use seamcheck_checks::case::Case;
use seamcheck_checks::check::Check;
use seamcheck_checks::{registry, vectors};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

pub(super) fn certify(arguments: &RunArguments) -> Result<Exit, Failure> {
    let command = command(&arguments.adapter)?;
    let selected = Selected::new(&arguments.select)?;
    let expectations = arguments.expectations.as_deref().map(read_expectations).transpose().map_err(usage)?;
    let files = Files::prepare(arguments)?;
    let output = Output::prepare(&places(arguments)).map_err(usage)?;
    if let Some(option) = files.expectations.as_ref().and_then(|file| output.taken(&file.place())) {
        return Err(usage(format!("{option} and --write-expectations both name one file; choose another")));
    }
    let selection = selected.entry(arguments.cases);
    let Selected { selectors, checks, transcripts } = selected;
    let in_flight = in_flight(arguments.in_flight_dir.as_deref())?;
    let settings = Arc::new(Settings {
        select: selectors,
        seed: arguments.select.seed,
        generated: arguments.cases,
        corpus: transcripts,
        shrink: arguments.shrink_seconds,
        jobs: arguments.jobs,
        in_flight: in_flight.as_ref().map(|in_flight| in_flight.folder().to_owned()),
    });
    let shard = settings.select.shard;
    let expected = expectations.as_ref();
    let about =
        About { command: &command, seed: settings.seed, selection, shard, expectations: expected, checks: &checks };
    let timeouts = Timeouts { idle: arguments.timeout_seconds, ..Timeouts::default() };
    let started = Instant::now();
    let mut adapter = Adapter::new(command.clone(), timeouts);
    let watched = expected.into_iter().flat_map(Expectations::cases).map(|case| (case.to_owned(), None)).collect();
    let tally = Tally { watched, ..Tally::default() };
    let tally =
        run_all(&mut adapter, &checks, &settings, tally, arguments.quiet).map_err(|Mismatch(words)| usage(words))?;
    let idle = tally.started.is_some() && tally.ended && tally.incomplete.is_none() && tally.cases.run() == 0;
    if idle && shard.is_none() {
        return Err(usage("no case can be run; use more --cases, another --level or a wider --clause"));
    }
    let replays = files.write_replays(&tally, arguments);
    let mut certificate = Certificate::new(tally, &about);
    let (replays, mut unwritten) = replays;
    for example in &mut certificate.counterexamples {
        example.replay = replays.get(&*example.check).cloned();
    }
    let printed = print(&output.printed(&certificate));
    if !arguments.quiet {
        // Nobody need read it.
        let _ = writeln!(io::stderr(), "finished in {:.1} s", started.elapsed().as_secs_f64());
    }
    unwritten.extend(output.write(&certificate).err());
    unwritten.extend(files.write_expectations(&certificate, expected).err());
    let exit = certificate.verdict.exit.max(printed);
    if unwritten.is_empty() {
        return Ok(exit);
    }
    Err(Failure { exit: exit.max(Exit::Incomplete), words: unwritten.join("\n") })
}

/// The adapter given after `--`, or the built-in reference.
pub(super) fn command(words: &[OsString]) -> Result<CommandLine, Failure> {
    let built_in = || {
        CommandLine::built_in().map_err(|error| Failure {
            exit: Exit::Incomplete,
            words: format!(
                "cannot find this program to start the built-in reference: {error}; name an adapter after `--`"
            ),
        })
    };
    CommandLine::new(words).map_or_else(built_in, Ok)
}

/// A file of expectations is written by hand.
const MOST_EXPECTATIONS_BYTES: u64 = 4 << 20;

fn read_expectations(path: &Path) -> Result<Expectations, String> {
    let name = path.display();
    let text = bounded::read(path, MOST_EXPECTATIONS_BYTES)
        .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
        .map_err(|error| format!("cannot read the expectations {name}: {error}"))?;
    // Reading them takes its time.
    let names_one = text.contains("vector/");
    let vectors = if names_one { embedded_vectors() } else { Vec::new() };
    let vectors = vectors.into_iter().map(|case| case.name).collect();
    let known = Known { checks: &registry::checks(), vectors: &vectors };
    Expectations::read(&text, &known).map_err(|words| format!("the expectations {name} are wrong:\n{words}"))
}

/// A folder that was named must be usable; without one the run goes on.
fn in_flight(named: Option<&Path>) -> Result<Option<InFlight>, Failure> {
    match (InFlight::prepare(named), named) {
        (Ok(in_flight), _) => Ok(Some(in_flight)),
        (Err(words), Some(_)) => Err(usage(words)),
        (Err(words), None) => {
            complain(&format!("{words}; the run goes on without"));
            Ok(None)
        }
    }
}

fn places(arguments: &RunArguments) -> Places {
    Places {
        json: arguments.json.clone(),
        markdown: arguments.markdown.clone(),
        junit: arguments.junit.clone(),
        html: arguments.html.clone(),
        github: arguments.github,
        quiet: arguments.quiet,
    }
}

/// Files that the run writes beside its reports, each known to be writable before it begins.
struct Files {
    expectations: Option<OutputFile>,
    replays: Option<ReplayFolder>,
}

impl Files {
    fn prepare(arguments: &RunArguments) -> Result<Self, Failure> {
        let expectations = arguments.write_expectations.as_deref();
        let expectations = expectations.map(|path| OutputFile::prepare("--write-expectations", path));
        Ok(Self {
            expectations: expectations.transpose().map_err(usage)?,
            replays: arguments.replay_dir.as_deref().map(ReplayFolder::prepare).transpose().map_err(usage)?,
        })
    }

    /// The command that replays the counterexample of each check, and what could not be written.
    fn write_replays(&self, tally: &Tally, arguments: &RunArguments) -> (BTreeMap<&'static str, String>, Vec<String>) {
        let (mut commands, mut unwritten) = (BTreeMap::new(), Vec::new());
        let adapter = CommandLine::new(&arguments.adapter).map(|adapter| format!(" -- {}", adapter.display()));
        let adapter = adapter.unwrap_or_default();
        let Some(folder) = &self.replays else { return (commands, unwritten) };
        for example in &tally.counterexamples {
            match folder.write(example) {
                Ok(path) => {
                    let path = quoted(&path.to_string_lossy());
                    commands.insert(example.check.id, format!("seamcheck replay {path}{adapter}"));
                }
                Err(words) => unwritten.push(words),
            }
        }
        (commands, unwritten)
    }

    fn write_expectations(self, certificate: &Certificate, known: Option<&Expectations>) -> Result<(), String> {
        let Some(file) = self.expectations else { return Ok(()) };
        file.write(&expectations::write(certificate, known))
    }
}

/// The run, until it ends or somebody stops it; then the adapter goes with it.
fn run_all(
    adapter: &mut Adapter,
    checks: &[&'static Check],
    settings: &Arc<Settings>,
    mut tally: Tally,
    quiet: bool,
) -> Result<Tally, Mismatch> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime needs no more than the process that was started has");
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

pub(super) fn embedded_vectors() -> Vec<Case> {
    vectors::cases().expect("the vectors are part of this program, and a test reads them all")
}

/// Ends when the run is to be stopped.
pub(super) async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // Without a handler the signal ends the program, which closes the adapter's input.
        if let (Ok(mut ended), Ok(mut hung_up), Ok(mut quit)) =
            (signal(SignalKind::terminate()), signal(SignalKind::hangup()), signal(SignalKind::quit()))
        {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = quit.recv() => {}
                _ = ended.recv() => {}
                _ = hung_up.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
