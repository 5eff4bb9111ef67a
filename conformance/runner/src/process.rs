//! An adapter as a child process in a process group of its own, so that nothing it starts outlives the run.
//!
//! Its three streams are served at the same time, whatever the session does: lines in, lines out, and the
//! tail of its standard error. Nothing here knows what a line means.

pub mod exit;
mod tail;

use crate::command::CommandLine;
use crate::fault::{AdapterFault, FaultKind, Trouble};
use crate::link::Link;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tail::Tail;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long a process that closed its output may take to end by itself.
const EXIT_GRACE: Duration = Duration::from_secs(1);
/// How long what is left of standard error is waited for once the process is gone. Another process may hold it open.
const STDERR_GRACE: Duration = Duration::from_millis(200);

/// A running adapter. Dropping it kills its process group.
#[derive(Debug)]
pub struct Process {
    group: Arc<ProcessGroup>,
    ended: Ended,
    kill: Arc<Notify>,
    stderr: Arc<Mutex<Tail>>,
    stderr_drained: JoinHandle<()>,
}

/// Whether the process has ended, and how; `None` within is an exit status that the system does not tell.
pub type Ended = watch::Receiver<Option<Option<ExitStatus>>>;

impl Process {
    /// Starts the command.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(command: &CommandLine) -> Result<(Self, Link), AdapterFault> {
        let (process, stdin, stdout) = Self::spawn(command, &[])?;
        let link = Link::over(stdout, stdin).ending_with(process.ended());
        Ok((process, link))
    }

    /// Starts the command with these variables in its environment, and leaves its input and output to the caller.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn spawn(
        command: &CommandLine,
        environment: &[(&str, &str)],
    ) -> Result<(Self, ChildStdin, ChildStdout), AdapterFault> {
        let mut starting = Command::new(&command.program);
        starting.args(&command.arguments).envs(environment.iter().copied()).kill_on_drop(true);
        starting.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        starting.process_group(0);
        let mut child = starting.spawn().map_err(|error| {
            let program = command.program.to_string_lossy();
            let words = format!("cannot start `{program}`: {error}; check the command after `--`");
            AdapterFault { kind: FaultKind::StartFailed, words, stderr: Vec::new() }
        })?;
        let group = Arc::new(ProcessGroup::of(&child));
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three streams were asked for as pipes, and none has been taken");
        };
        let tail = Arc::new(Mutex::new(Tail::default()));
        let stderr_drained = tokio::spawn(drain(stderr, Arc::clone(&tail)));
        let kill = Arc::new(Notify::new());
        let (tell, ended) = watch::channel(None);
        tokio::spawn(supervise(child, Arc::clone(&group), Arc::clone(&kill), tell));
        Ok((Self { group, ended, kill, stderr: tail, stderr_drained }, stdin, stdout))
    }

    /// Tells when the process has ended.
    pub fn ended(&self) -> Ended {
        self.ended.clone()
    }

    /// Ends the process and says everything that is known about the fault. The end of the output is not a
    /// fault by itself: what became of the process is.
    pub async fn explain(mut self, trouble: Trouble) -> AdapterFault {
        let Trouble { mut kind, mut words } = trouble;
        if kind == FaultKind::EndOfFile {
            match self.status(EXIT_GRACE).await {
                Some(status) => {
                    words = format!("the adapter ended with {} {words}", exit::in_words(status));
                    kind = exit::fault_of(status);
                }
                None => words = format!("the adapter closed its standard output and lives on {words}"),
            }
        }
        self.kill().await;
        AdapterFault { kind, words, stderr: self.stderr_lines() }
    }

    /// Waits for the process to end by itself, and kills what is left of its group.
    pub async fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let status = self.status(limit).await;
        self.kill().await;
        status
    }

    /// The last lines of standard error so far.
    pub fn stderr_lines(&self) -> Vec<String> {
        // A panic while it was held cannot have broken it: every state of a tail is a good one.
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).lines()
    }

    async fn status(&mut self, limit: Duration) -> Option<ExitStatus> {
        let ended = timeout(limit, self.ended.wait_for(Option::is_some)).await;
        (*ended.ok()?.ok()?)?
    }

    async fn kill(&mut self) {
        self.group.kill();
        self.kill.notify_one();
        let _ = self.status(EXIT_GRACE).await;
        let _ = timeout(STDERR_GRACE, &mut self.stderr_drained).await;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.group.kill();
        self.kill.notify_one();
        self.stderr_drained.abort();
    }
}

/// Waits for the end of the process, however it comes. What it has started ends with it: a child of the adapter's
/// that holds the pipe open would else hide that the adapter is gone.
async fn supervise(
    mut child: Child,
    group: Arc<ProcessGroup>,
    kill: Arc<Notify>,
    tell: watch::Sender<Option<Option<ExitStatus>>>,
) {
    let status = tokio::select! {
        status = child.wait() => status,
        () = kill.notified() => {
            // It fails when the process has ended already, which is what is wanted.
            let _ = child.start_kill();
            child.wait().await
        }
    };
    group.kill();
    let _ = tell.send(Some(status.ok()));
}

async fn drain(mut stderr: impl AsyncRead + Unpin, tail: Arc<Mutex<Tail>>) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = stderr.read(&mut buffer).await {
        tail.lock().unwrap_or_else(PoisonError::into_inner).push(&buffer[..count]);
    }
}

/// The group that the child leads. It is killed once: after that its number may be another's.
#[derive(Debug)]
struct ProcessGroup {
    #[cfg(unix)]
    id: Mutex<Option<rustix::process::Pid>>,
}

impl ProcessGroup {
    #[cfg(unix)]
    fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
        Self { id: Mutex::new(id) }
    }

    #[cfg(unix)]
    fn kill(&self) {
        if let Some(id) = self.id.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // It fails when no process of the group is left, which is what is wanted.
            let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
        }
    }

    #[cfg(not(unix))]
    fn of(_child: &Child) -> Self {
        Self {}
    }

    #[cfg(not(unix))]
    #[expect(clippy::unused_self, reason = "there are no process groups here: the child alone is killed")]
    fn kill(&self) {}
}
