//! The program: what each command does, one file each, and the exit code that it ends with.

mod certify;
mod explain;
mod init;
mod kit_test;
mod list;
mod man;
mod merge;
mod replay;
mod schema;
mod select;
mod serve;

use crate::cli::{Cli, Command};
use crate::exit_code::Exit;
use crate::spec_page;
use std::io::{self, Write};

/// Does what the command line says.
pub fn run(cli: Cli) -> Exit {
    let done = match cli.command {
        None => certify::certify(&cli.run),
        Some(Command::Init(arguments)) => init::init(&arguments),
        Some(Command::Run(arguments)) => certify::certify(&arguments),
        Some(Command::Serve(arguments)) => serve::serve(&arguments),
        Some(Command::Replay(arguments)) => replay::replay(&arguments),
        Some(Command::List(arguments)) => list::list(&arguments),
        Some(Command::Merge(arguments)) => merge::merge(&arguments),
        Some(Command::Explain { clause }) => explain::explain(&clause),
        Some(Command::KitTest(arguments)) => kit_test::kit_test(&arguments),
        Some(Command::Man { folder }) => man::man(folder.as_deref()),
        Some(Command::Completions { shell }) => Ok(man::completions(shell)),
        Some(Command::Spec) => Ok(print(&spec_page::list())),
        Some(Command::Schema { of }) => Ok(print(&schema::schema(of))),
    };
    done.unwrap_or_else(|Failure { exit, words }| {
        complain(&words);
        exit
    })
}

/// Why nothing was done.
struct Failure {
    exit: Exit,
    words: String,
}

fn usage(words: impl Into<String>) -> Failure {
    Failure { exit: Exit::Usage, words: words.into() }
}

/// Prints on standard output; a reader that has gone away has seen enough.
fn print(text: &str) -> Exit {
    match io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(&format!("cannot write to standard output: {error}"));
            Exit::Incomplete
        }
        _ => Exit::Conformant,
    }
}

/// Says on standard error what went wrong, if anybody can hear it; the exit code says it in any case.
pub fn complain(words: &str) {
    let _ = writeln!(io::stderr(), "seamcheck: {words}");
}
