//! `seamcheck man` and `seamcheck completions`: what a package puts beside the program, made from the command line.

use super::{Failure, print, usage};
use crate::cli::Cli;
use crate::exit_code::Exit;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io;
use std::path::Path;

/// Prints the page of the program, or writes the pages of the program and of each command into a folder.
pub(super) fn man(folder: Option<&Path>) -> Result<Exit, Failure> {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command())
            .render(&mut page)
            .map_err(|error| unwritten("the manual page", &error))?;
        return Ok(print(&String::from_utf8_lossy(&page)));
    };
    std::fs::create_dir_all(folder)
        .map_err(|error| usage(format!("cannot make the folder {}: {error}", folder.display())))?;
    clap_mangen::generate_to(Cli::command(), folder)
        .map_err(|error| unwritten(&folder.display().to_string(), &error))?;
    Ok(Exit::Conformant)
}

/// Prints the completions for a shell.
pub(super) fn completions(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "seamcheck", &mut script);
    print(&String::from_utf8_lossy(&script))
}

fn unwritten(place: &str, error: &io::Error) -> Failure {
    Failure { exit: Exit::Incomplete, words: format!("cannot write {place}: {error}") }
}
