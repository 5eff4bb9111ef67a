//! One adapter under test: bytes to it as they are to be, its lines back, each held to the protocol.
//!
//! Unlike a session it forgives nothing and recovers from nothing: the first thing that should not be ends the
//! check. It reads with a clock, and writes without waiting, so that neither side can block the other.

use super::Stop;
use crate::command::CommandLine;
use crate::link::{Incoming, Link};
use crate::process::{Process, exit};
use seamcheck_protocol::envelope::{ErrorObject, METHOD_NOT_FOUND, Message};
use seamcheck_protocol::messages::{Declaration, Level, method};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

/// Characters of a line that are shown.
const EXCERPT_CHARS: usize = 160;
/// How long an adapter has for its first word.
const START: Duration = Duration::from_secs(30);
/// A context that every implementation takes, and messages that every trimmer takes.
const MESSAGES: &str = r#"[{"id":"u","role":"user","content":"a"}]"#;

/// An adapter under test.
pub(super) struct Kit {
    process: Process,
    writing: mpsc::UnboundedSender<Write>,
    reading: mpsc::UnboundedReceiver<Incoming>,
    declaration: Option<Declaration>,
    asked: u64,
    limit: Duration,
    heard: bool,
}

enum Write {
    Bytes(Vec<u8>),
    Pause(Duration),
    Close,
}

/// A line of the adapter that is a message.
#[derive(Debug)]
pub(super) enum Said {
    /// An answer.
    Answer(Answer),
    /// `summarize`, by a request or, without an id, by a notification.
    Asked { id: Option<Value>, compaction: Value },
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    /// The id as it stands in the line.
    pub id: String,
    /// What came of it.
    pub outcome: Result<Box<RawValue>, ErrorObject>,
}

impl Kit {
    /// Starts the adapter, which may be silent for so long when it owes an answer.
    pub(super) fn start(command: &CommandLine, limit: Duration, environment: &[(&str, &str)]) -> Result<Self, String> {
        let (process, stdin, stdout) = Process::spawn(command, environment).map_err(|fault| fault.words)?;
        let (writing, todo) = mpsc::unbounded_channel();
        tokio::spawn(write(stdin, todo));
        let (_, mut lines) = Link::over(stdout, tokio::io::sink()).ending_with(process.ended()).split();
        let (heard, reading) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            loop {
                let line = lines.next().await;
                let last = !matches!(line, Incoming::Line { ended: true, .. });
                if heard.send(line).is_err() || last {
                    return;
                }
            }
        });
        Ok(Self { process, writing, reading, declaration: None, asked: 0, limit, heard: false })
    }

    /// Shakes hands as a good runner does.
    pub(super) async fn initialize(&mut self) -> Result<&Declaration, Stop> {
        self.line(&initialize("0", r#"["1"]"#));
        let result = self.answer("0").await?.result("`initialize`")?;
        let declaration = serde_json::from_str(result.get())
            .map_err(|error| Stop::Fault(format!("the result of `initialize` does not fit: {error}")))?;
        Ok(self.declaration.insert(declaration))
    }

    /// What it declared; a check that needs this starts behind the handshake.
    pub(super) fn declares(&self, judge: impl FnOnce(&Declaration) -> bool) -> bool {
        self.declaration.as_ref().is_some_and(judge)
    }

    /// Writes these bytes, and flushes.
    pub(super) fn bytes(&self, bytes: impl Into<Vec<u8>>) {
        // An adapter that is gone shows itself by the end of what it says.
        let _ = self.writing.send(Write::Bytes(bytes.into()));
    }

    /// Writes a line.
    pub(super) fn line(&self, text: &str) {
        self.bytes(format!("{text}\n"));
    }

    /// Lets what was written arrive before anything else is.
    pub(super) fn pause(&self) {
        let _ = self.writing.send(Write::Pause(Duration::from_millis(20)));
    }

    /// Closes the adapter's input.
    pub(super) fn close(&self) {
        let _ = self.writing.send(Write::Close);
    }

    /// An id that has not been used.
    pub(super) fn fresh_id(&mut self) -> String {
        self.asked += 1;
        format!("\"k{}\"", self.asked)
    }

    /// A request that an adapter of these levels answers at once, by a result or a refusal, with further members.
    pub(super) fn sound(&self, id: &str, more: &str) -> String {
        let levels = self.declaration.as_ref().map(|declaration| declaration.levels.as_slice()).unwrap_or_default();
        let (method, params) = if levels.contains(&Level::Cut) {
            (method::CUT, format!(r#""messages":{MESSAGES},"budget":1000000"#))
        } else if levels.contains(&Level::Exact) {
            (method::UNITS, format!(r#""context":{{"messages":{MESSAGES}}}"#))
        } else {
            (method::BUILD, format!(r#""context":{{"messages":{MESSAGES}}}"#))
        };
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}{more}}}{more}}}"#)
    }

    /// How long it may be silent: longer until it has said its first word.
    fn patience(&self) -> Duration {
        if self.heard { self.limit } else { self.limit.max(START) }
    }

    /// Whether it has not said a word.
    pub(super) fn was_silent(&self) -> bool {
        !self.heard
    }

    /// What the adapter says next, other notifications passed over and other questions answered.
    pub(super) async fn hear(&mut self) -> Result<Said, Stop> {
        let limit = self.patience();
        self.hear_within(limit).await?.ok_or_else(|| {
            Stop::Fault(format!("nothing came within {limit:?}; flush each line, and answer every request"))
        })
    }

    /// The same, or nothing if nothing comes within this time.
    pub(super) async fn hear_within(&mut self, limit: Duration) -> Result<Option<Said>, Stop> {
        loop {
            let Ok(incoming) = timeout(limit, self.reading.recv()).await else { return Ok(None) };
            self.heard = true;
            let line = match incoming {
                Some(Incoming::Line { bytes, ended: true }) => bytes,
                Some(Incoming::Line { .. }) => {
                    return Err(Stop::fault("standard output ended in the middle of a line"));
                }
                Some(Incoming::TooLong) => return Err(Stop::fault("a line over 16 MiB came back")),
                Some(Incoming::End) | None => return Err(Stop::Fault(self.ended_in_words().await)),
            };
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match Message::parse(&line) {
                Ok(Message::Response { outcome, .. }) => {
                    return Ok(Some(Said::Answer(Answer { id: raw_id(&line), outcome })));
                }
                Ok(Message::Request { id, method, params }) if method == method::SUMMARIZE => {
                    return asked(Some(id), params.as_deref()).map(Some);
                }
                Ok(Message::Notification { method, params }) if method == method::SUMMARIZE => {
                    return asked(None, params.as_deref()).map(Some);
                }
                Ok(Message::Request { id, .. }) => {
                    let error = ErrorObject::new(METHOD_NOT_FOUND, "this runner has no such method");
                    self.bytes(Message::error(id, error).to_line());
                }
                Ok(Message::Notification { .. }) => {}
                Err(error) => {
                    let words = format!("standard output holds what is no message ({error}): {}", excerpt(&line));
                    return Err(Stop::Fault(words));
                }
            }
        }
    }

    /// The next thing must be the answer with this id.
    pub(super) async fn answer(&mut self, id: &str) -> Result<Answer, Stop> {
        match self.hear().await? {
            Said::Answer(answer) if same_id(&answer.id, id) => Ok(answer),
            Said::Answer(answer) => Err(Stop::Fault(format!("the answer to the id {id} was due, and {answer} came"))),
            Said::Asked { .. } => Err(Stop::Fault(format!("the answer to the id {id} was due, and `summarize` came"))),
        }
    }

    /// The next thing must be an error with this id and this code.
    pub(super) async fn error(&mut self, id: &str, code: i64) -> Result<(), Stop> {
        let answer = self.answer(id).await?;
        match &answer.outcome {
            Err(error) if error.code == code => Ok(()),
            _ => Err(Stop::Fault(format!("the error {code} with the id {id} was due, and {answer} came"))),
        }
    }

    /// A sound request must be answered next: nothing else is left to say, and the session goes on.
    pub(super) async fn goes_on(&mut self) -> Result<(), Stop> {
        let id = self.fresh_id();
        self.line(&self.sound(&id, ""));
        self.answer(&id).await?.sound()
    }

    /// The adapter must say nothing more and end with status 0 by itself. Lines that `may` come are passed over.
    pub(super) async fn ends(&mut self, may: impl Fn(&Answer) -> bool) -> Result<(), Stop> {
        let limit = self.patience();
        loop {
            match timeout(limit, self.reading.recv()).await {
                Err(_) => return Err(Stop::Fault(format!("it still runs after {limit:?}; it must end by itself"))),
                Ok(None | Some(Incoming::End)) => break,
                Ok(Some(Incoming::Line { bytes, ended: true })) => match Message::parse(&bytes) {
                    Ok(Message::Response { outcome, .. })
                        if may(&Answer { id: raw_id(&bytes), outcome: outcome.clone() }) => {}
                    _ if bytes.iter().all(u8::is_ascii_whitespace) => {}
                    _ => return Err(Stop::Fault(format!("at its end it said {}", excerpt(&bytes)))),
                },
                Ok(Some(_)) => return Err(Stop::fault("standard output ended in the middle of a line")),
            }
        }
        match self.process.wait(limit).await {
            Some(status) if status.success() => Ok(()),
            Some(status) => {
                Err(Stop::Fault(format!("it ended with {}; it must be exit status 0", exit::in_words(status))))
            }
            None => Err(Stop::Fault(format!("it still runs after {limit:?}; it must end by itself"))),
        }
    }

    /// The last lines of standard error.
    pub(super) fn log(&self) -> Vec<String> {
        self.process.stderr_lines()
    }

    async fn ended_in_words(&mut self) -> String {
        match self.process.wait(Duration::from_secs(1)).await {
            Some(status) => format!("the adapter ended with {}; one bad line costs one answer", exit::in_words(status)),
            None => "the adapter closed its standard output".to_owned(),
        }
    }
}

impl Answer {
    /// The result.
    pub(super) fn result(self, what: &str) -> Result<Box<RawValue>, Stop> {
        match self.outcome {
            Ok(result) => Ok(result),
            Err(_) => Err(Stop::Fault(format!("{what} was answered by {self}"))),
        }
    }

    /// A result or a refusal, and no error of the protocol.
    pub(super) fn sound(&self) -> Result<(), Stop> {
        match &self.outcome {
            Err(error) if error.refusal_data().is_none() => {
                Err(Stop::Fault(format!("a sound request was answered by {self}")))
            }
            _ => Ok(()),
        }
    }

    /// The code of a refusal.
    pub(super) fn refusal(&self) -> Option<String> {
        Some(self.outcome.as_ref().err()?.refusal_data()?.code)
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.outcome {
            Ok(result) => write!(out, "the result {} with the id {}", excerpt(result.get().as_bytes()), self.id),
            Err(error) => {
                let words = String::from_utf8_lossy(error.message.0.as_wtf8()).into_owned();
                write!(out, "the error {} ({}) with the id {}", error.code, excerpt(words.as_bytes()), self.id)
            }
        }
    }
}

/// `initialize` that offers these versions.
pub(super) fn initialize(id: &str, versions: &str) -> String {
    let suite =
        format!(r#"{{"name":"seamcheck","version":"{}","specVersion":"1.0.0-draft"}}"#, env!("CARGO_PKG_VERSION"));
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{"protocolVersions":{versions},"suite":{suite}}}}}"#
    )
}

/// Whether two ids are the same value; spelling apart, so that an escape is no difference.
pub(super) fn same_id(one: &str, other: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<Value>(text).ok().filter(|id| !id.is_f64());
    one == other || (read(one).is_some() && read(one) == read(other))
}

async fn write(mut stdin: ChildStdin, mut todo: mpsc::UnboundedReceiver<Write>) {
    while let Some(write) = todo.recv().await {
        let done = match write {
            Write::Bytes(bytes) => stdin.write_all(&bytes).await.and(stdin.flush().await),
            Write::Pause(time) => {
                sleep(time).await;
                Ok(())
            }
            Write::Close => return,
        };
        if done.is_err() {
            return;
        }
    }
}

fn asked(id: Option<Value>, params: Option<&RawValue>) -> Result<Said, Stop> {
    #[derive(Deserialize)]
    struct Params {
        compaction: Value,
    }
    let params: Params = serde_json::from_str(params.map_or("{}", RawValue::get))
        .map_err(|error| Stop::Fault(format!("`summarize`: {error}")))?;
    Ok(Said::Asked { id, compaction: params.compaction })
}

/// The id of a line that is a message, as it stands there.
fn raw_id(line: &[u8]) -> String {
    #[derive(Deserialize)]
    struct Identified<'a> {
        #[serde(borrow)]
        id: Option<&'a RawValue>,
    }
    let read: Option<Identified<'_>> = serde_json::from_slice(line).ok();
    read.and_then(|line| line.id).map_or_else(|| "null".to_owned(), |id| id.get().to_owned())
}

fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * EXCERPT_CHARS)]).into_owned();
    let shown: String = text.chars().take(EXCERPT_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let more = if shown.len() < bytes.len() { " [...]" } else { "" };
    format!("{shown}{more}")
}
