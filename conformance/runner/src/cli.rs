//! The command line.

use crate::shard::Shard;
use crate::starter::STARTERS;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Certifies how an implementation compacts the context of an LLM agent, clause by clause.
///
/// Without a command it is `seamcheck run`: without an adapter either, it certifies the built-in reference.
#[derive(Debug, Parser)]
#[command(name = "seamcheck", version, args_conflicts_with_subcommands = true, after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to run, when nothing else is to be done.
    #[command(flatten)]
    pub run: RunArguments,
}

const EXIT_CODES: &str = "Exit codes: 0 conformant; 1 a clause is violated, or a failure that was expected is not there; 2 usage, a glob that matches nothing, \
    no cases, an unreadable corpus or expectations file; 3 incomplete, or the adapter is not usable; 4 a fault of seamcheck itself. \
    The highest wins.";

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Certify an adapter, the built-in reference by default.
    #[command(after_help = EXIT_CODES)]
    Run(Box<RunArguments>),
    /// Write a starter for an adapter of your own: a kit, an adapter that runs as it stands, and a page that says how.
    Init(InitArguments),
    /// Serve the built-in reference, or a broken variant of it, on standard input and output.
    Serve(ServeArguments),
    /// Go through the cases of replay files again, and judge them.
    #[command(after_help = REPLAY_CODES)]
    Replay(ReplayArguments),
    /// List what a run would consist of: the checks, and the cases as well.
    List(ListArguments),
    /// Put the certificates of all shards of a run together.
    Merge(MergeArguments),
    /// Print clauses of the spec.
    Explain {
        /// An id, the id of a check, or a glob: B-ROUND-2, B-TRIM-1.no-orphan, `B-CANCEL-*`.
        clause: String,
    },
    /// List the clauses of the spec: id, level, title.
    Spec,
    /// Play a hostile runner against an adapter, and say what its kit got wrong on the wire.
    KitTest(KitTestArguments),
    /// Print the manual page, or write one page a command into a folder.
    Man {
        /// The folder; it is made if it is not there.
        folder: Option<PathBuf>,
    },
    /// Print the completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print a JSON Schema.
    Schema {
        /// Of what.
        of: SchemaName,
    },
}

/// What has a JSON Schema.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SchemaName {
    /// The certificate that `run --json` writes.
    Certificate,
    /// One line between the runner and an adapter.
    Protocol,
}

const REPLAY_CODES: &str = "Exit codes: 0 every clause that is a MUST holds; 1 one is violated; 2 a file cannot be \
    read, or the adapter does not declare the level it needs; 3 an adapter fault. The highest wins.";

/// What a run is about.
#[derive(Debug, Args)]
pub struct SelectArguments {
    /// Judge at these levels only: cut, compact or exact, which includes compact, or a glob. Repeatable; all that the adapter declares by default.
    #[arg(long = "level", value_name = "GLOB")]
    pub levels: Vec<String>,
    /// Judge only clauses or checks whose id matches, such as `B-TRIM-*`. Repeatable.
    #[arg(long = "clause", value_name = "GLOB")]
    pub clauses: Vec<String>,
    /// Run only cases whose name matches, such as `vector/*` or generated/trim/1/8. Repeatable.
    #[arg(long = "case", value_name = "GLOB")]
    pub case_globs: Vec<String>,
    /// Run only every N-th case, from the K-th on. `seamcheck merge` puts the certificates of all N together.
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// What the generated cases are drawn from. The same seed gives the same run.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Put the transcripts of this file to the adapter as well: one {"messages": [...], "source"?: "..."} a line; `-` is standard input. Repeatable.
    #[arg(long, value_name = "FILE")]
    pub corpus: Vec<PathBuf>,
}

/// How to run.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// What the run is about.
    #[command(flatten)]
    pub select: SelectArguments,
    /// How many cases to generate.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CASES)]
    pub cases: u64,
    /// How many cases may be in flight at once, if the adapter says that it can hold so many. The verdict is the same.
    #[arg(long, value_name = "N", default_value = "64", value_parser = jobs)]
    pub jobs: usize,
    /// Write each case into this folder before it is sent, instead of one for temporary files: `seamcheck replay` goes through a case that ended its run.
    #[arg(long, value_name = "DIR")]
    pub in_flight_dir: Option<PathBuf>,
    /// Failures that are expected: a TOML file of [[expected]] entries with clause, check or case, kind and reason.
    #[arg(long, value_name = "FILE")]
    pub expectations: Option<PathBuf>,
    /// Write the failures of this run as such a file; every reason in it must be edited before it is used.
    #[arg(long, value_name = "FILE")]
    pub write_expectations: Option<PathBuf>,
    /// Write each counterexample to a file of this folder, for `seamcheck replay`.
    #[arg(long, value_name = "DIR")]
    pub replay_dir: Option<PathBuf>,
    /// Write the certificate as JSON to this file too.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the certificate as Markdown to this file, for a README or a pull request.
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Write the checks as JUnit XML to this file.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write the certificate as one HTML page with drawn counterexamples to this file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print annotations for GitHub too, and add the certificate to the summary of the step.
    #[arg(long)]
    pub github: bool,
    /// Print the verdict alone, and show no progress.
    #[arg(long, short)]
    pub quiet: bool,
    /// How long to make the first violation of each check smaller, at most.
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    pub shrink_seconds: Duration,
    /// How long an adapter that owes an answer may be silent.
    #[arg(long, value_name = "S", default_value = "5", value_parser = positive_seconds)]
    pub timeout_seconds: Duration,
    /// The adapter: a program and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    pub adapter: Vec<OsString>,
}

/// About 20 seconds of the built-in reference on two cores.
pub const DEFAULT_CASES: u64 = 2_500;

/// What to go through again.
#[derive(Debug, Args)]
pub struct ReplayArguments {
    /// Files that `seamcheck run --replay-dir` wrote.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How long an adapter that owes an answer may be silent.
    #[arg(long, value_name = "S", default_value = "5", value_parser = positive_seconds)]
    pub timeout_seconds: Duration,
    /// The adapter: a program and its arguments. The built-in reference by default.
    #[arg(last = true, value_name = "COMMAND")]
    pub adapter: Vec<OsString>,
}

/// What to list.
#[derive(Debug, Args)]
pub struct ListArguments {
    /// What the run is about.
    #[command(flatten)]
    pub select: SelectArguments,
    /// List the cases as well; of the generated ones so many, as `run --cases N` would.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "2500")]
    pub cases: Option<u64>,
    /// List as JSON.
    #[arg(long)]
    pub json: bool,
}

/// What to put together.
#[derive(Debug, Args)]
pub struct MergeArguments {
    /// The certificates that `seamcheck run --shard K/N --json FILE` wrote, all N of them.
    #[arg(required = true, value_name = "CERTIFICATE.json")]
    pub certificates: Vec<PathBuf>,
    /// Write the certificate of the whole as JSON to this file too.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// What to start with.
#[derive(Debug, Args)]
pub struct InitArguments {
    /// The language of the adapter.
    #[arg(long, value_name = "LANGUAGE", value_parser = languages())]
    pub lang: String,
    /// Where to write it. What is there already stays as it is.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// What to serve.
#[derive(Debug, Args)]
pub struct ServeArguments {
    /// A broken variant, by its name.
    #[arg(long, value_name = "NAME")]
    pub mutant: Option<String>,
    /// List the broken variants instead.
    #[arg(long, conflicts_with = "mutant")]
    pub list: bool,
}

/// How to try a kit.
#[derive(Debug, Args)]
pub struct KitTestArguments {
    /// Run this check only, such as K-BATCH. Repeatable.
    #[arg(long = "check", value_name = "ID")]
    pub checks: Vec<String>,
    /// List the checks instead.
    #[arg(long)]
    pub list: bool,
    /// Print the findings as JSON.
    #[arg(long)]
    pub json: bool,
    /// How long an adapter that owes an answer, or its end, may be silent.
    #[arg(long, value_name = "S", default_value = "5", value_parser = positive_seconds)]
    pub timeout_seconds: Duration,
    /// The adapter: a program and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    pub adapter: Vec<OsString>,
}

fn languages() -> PossibleValuesParser {
    PossibleValuesParser::new(STARTERS.iter().map(|starter| starter.language))
}

fn jobs(text: &str) -> Result<usize, String> {
    let jobs = text.parse().ok().filter(|jobs| (1..=1024).contains(jobs));
    jobs.ok_or_else(|| "a number from 1 to 1024 is needed".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let fault = || "a number of seconds such as 10 or 0.5 is needed".to_owned();
    let seconds: f64 = text.parse().map_err(|_| fault())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| fault())
}

fn positive_seconds(text: &str) -> Result<Duration, String> {
    let seconds = seconds(text)?;
    if seconds.is_zero() { Err("it must be more than 0".to_owned()) } else { Ok(seconds) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound_and_runs_with_or_without_its_first_word() {
        Cli::command().debug_assert();
        let bare = Cli::try_parse_from(["seamcheck", "--seed", "7", "--", "python3", "-u"]).unwrap();
        assert_eq!((bare.command.is_none(), bare.run.select.seed, bare.run.adapter.len()), (true, 7, 2));
        let run = Cli::try_parse_from(["seamcheck", "run", "--level", "cut", "--level", "exact", "--", "a"]).unwrap();
        let Some(Command::Run(run)) = run.command else { panic!("{run:?}") };
        assert_eq!(run.select.levels, ["cut", "exact"]);
    }

    #[test]
    fn a_wrong_shard_and_a_wrong_time_are_refused_with_what_would_do() {
        for (wrong, hint) in [
            (["run", "--shard", "3/2"], "2/3"),
            (["run", "--timeout-seconds", "0"], "more than 0"),
            (["run", "--shrink-seconds", "soon"], "10 or 0.5"),
        ] {
            let error = Cli::try_parse_from(["seamcheck"].into_iter().chain(wrong)).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains(hint), "{error}");
        }
    }
}
