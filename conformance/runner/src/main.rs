//! The program `seamcheck`.

use clap::Parser;
use seamcheck::cli::Cli;
use seamcheck::exit_code::Exit;
use seamcheck::{app, harness};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let exit = harness::guard(|| app::run(cli)).unwrap_or_else(|words| {
        app::complain(&format!("a fault of the harness itself, please report it: {words}"));
        Exit::Harness
    });
    exit.into()
}
