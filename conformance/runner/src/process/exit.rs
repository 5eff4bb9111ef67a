//! Exit statuses in words, and the kind of fault they make.

use crate::fault::FaultKind;
use std::process::ExitStatus;

/// The fault of a process that ended when it should not have.
pub fn fault_of(status: ExitStatus) -> FaultKind {
    match signal_of(status) {
        Some(number) => FaultKind::Signal { signal: signal_name(number) },
        None => FaultKind::Exited { status: in_words(status) },
    }
}

/// `exit status 3` or `signal SIGKILL`.
pub fn in_words(status: ExitStatus) -> String {
    match (signal_of(status), status.code()) {
        (Some(number), _) => format!("signal {}", signal_name(number)),
        (None, Some(code)) => format!("exit status {code}"),
        (None, None) => "an unknown exit status".to_owned(),
    }
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(_status: ExitStatus) -> Option<i32> {
    None
}

/// Only numbers that mean the same on every Unix are named.
fn signal_name(number: i32) -> String {
    let name = match number {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        _ => return format!("number {number}"),
    };
    name.to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn an_exit_and_a_signal_are_told_apart_and_the_signal_is_named() {
        assert_eq!(fault_of(ExitStatus::from_raw(3 << 8)), FaultKind::Exited { status: "exit status 3".to_owned() });
        assert_eq!(fault_of(ExitStatus::from_raw(9)), FaultKind::Signal { signal: "SIGKILL".to_owned() });
        assert_eq!(in_words(ExitStatus::from_raw(64)), "signal number 64");
    }
}
