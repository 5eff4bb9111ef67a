//! `seamcheck serve`: the built-in reference, or a broken variant of it, as an adapter.

use super::{Failure, print, usage};
use crate::built_in;
use crate::cli::ServeArguments;
use crate::exit_code::Exit;

pub(super) fn serve(arguments: &ServeArguments) -> Result<Exit, Failure> {
    if arguments.list {
        return Ok(print(&built_in::list()));
    }
    match built_in::serve(arguments.mutant.as_deref()) {
        Ok(()) => Ok(Exit::Conformant),
        Err(built_in::ServeError::Unknown(name)) => {
            Err(usage(format!("no mutant is named {name}; `seamcheck serve --list` lists them")))
        }
        Err(built_in::ServeError::Streams(error)) => {
            Err(Failure { exit: Exit::Incomplete, words: format!("serving on standard input and output: {error}") })
        }
    }
}
