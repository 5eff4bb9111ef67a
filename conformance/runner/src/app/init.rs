//! `seamcheck init`: a starter for an adapter of one's own.

use super::{Failure, print, usage};
use crate::cli::InitArguments;
use crate::exit_code::Exit;
use crate::starter::{InitError, Starter};

pub(super) fn init(arguments: &InitArguments) -> Result<Exit, Failure> {
    let starter = Starter::of(&arguments.lang).expect("the command line takes only languages that have a starter");
    let files = starter.write(&arguments.folder).map_err(|error| match error {
        InitError::Place(words) => usage(words),
        InitError::System(words) => Failure { exit: Exit::Incomplete, words },
    })?;
    let folder = arguments.folder.display();
    let list = files.iter().map(|path| format!("  {path}\n")).collect::<String>();
    let commands = starter.commands.iter().map(|command| format!("  $ {command}\n")).collect::<String>();
    Ok(print(&format!("{folder}:\n{list}next:\n  $ cd {folder}\n{commands}")))
}
