//! The exit codes of the program. When several apply, the highest wins.

/// An exit code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// Everything that was judged holds.
    #[default]
    Conformant = 0,
    /// A clause is violated.
    Violation = 1,
    /// The command line, a selector or a corpus is wrong, or there is nothing to run.
    Usage = 2,
    /// The run is incomplete, or the adapter is not usable.
    Incomplete = 3,
    /// The harness itself failed.
    Harness = 4,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
