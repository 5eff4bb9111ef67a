//! Lines to and from an adapter. What goes out waits in a queue of its own, so that neither side can block the
//! other by a full pipe; what comes in is read only as far as somebody listens.

use crate::process::Ended;
use seamcheck_protocol::envelope::MAX_LINE_BYTES;
use seamcheck_protocol::lines::write_lines;
use std::io;
use std::pin::Pin;
use std::time::Duration;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, BufReader};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

const READ_BUFFER_BYTES: usize = 64 * 1024;
/// How long what a process has left behind in its output is read once it has ended. Only a process outside its
/// group can still hold the output open.
const LEFTOVERS: Duration = Duration::from_millis(500);

/// What came in.
#[derive(Debug, PartialEq, Eq)]
pub enum Incoming {
    /// A line without its end; `ended` is false when the stream stopped in the middle of it.
    Line {
        /// Its bytes.
        bytes: Vec<u8>,
        /// Whether its end was seen.
        ended: bool,
    },
    /// A line that is longer than allowed. Nothing follows.
    TooLong,
    /// The stream has ended or failed. Nothing follows.
    End,
}

/// Both directions.
#[derive(Debug)]
pub struct Link {
    outgoing: Outgoing,
    incoming: Lines,
}

/// What goes out. The last one that is dropped closes the adapter's input.
#[derive(Debug, Clone)]
pub struct Outgoing(mpsc::UnboundedSender<String>);

/// What comes in.
pub struct Lines {
    input: Pin<Box<dyn AsyncBufRead + Send>>,
    /// Of the process behind the stream, if there is one.
    ended: Option<Ended>,
    /// The writer of the other direction, which has no use without this one.
    writing: JoinHandle<io::Result<()>>,
}

impl Link {
    /// Over these streams, which it takes for good.
    pub fn over(
        input: impl AsyncRead + Unpin + Send + 'static,
        output: impl AsyncWrite + Unpin + Send + 'static,
    ) -> Self {
        let (outgoing, lines) = mpsc::unbounded_channel();
        let writing = tokio::spawn(write_lines(lines, output, |_| {}));
        let input = Box::pin(BufReader::with_capacity(READ_BUFFER_BYTES, input));
        Self { outgoing: Outgoing(outgoing), incoming: Lines { input, ended: None, writing } }
    }

    /// The same, over the streams of a process: its end is the end of what comes in, whoever else holds the pipe.
    #[must_use]
    pub fn ending_with(mut self, ended: Ended) -> Self {
        self.incoming.ended = Some(ended);
        self
    }

    /// The two directions.
    pub fn split(self) -> (Outgoing, Lines) {
        (self.outgoing, self.incoming)
    }
}

impl Outgoing {
    /// Sends a line. An adapter that is gone shows itself by the end of what it says.
    pub fn send(&self, line: String) {
        let _ = self.0.send(line);
    }
}

impl Lines {
    /// The next line. A call that is dropped may lose a part of one.
    pub async fn next(&mut self) -> Incoming {
        let Self { input, ended, .. } = self;
        let reading = read_line(input);
        let Some(ended) = ended else { return reading.await.unwrap_or(Incoming::End) };
        let mut reading = std::pin::pin!(reading);
        let over = async {
            // One that has gone without a word has ended as well.
            let _ = ended.wait_for(Option::is_some).await;
        };
        tokio::select! {
            biased;
            line = &mut reading => line,
            () = over => timeout(LEFTOVERS, reading).await.unwrap_or(Ok(Incoming::End)),
        }
        .unwrap_or(Incoming::End)
    }
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Lines").field("ended", &self.ended).finish_non_exhaustive()
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.writing.abort();
    }
}

/// Unlike the protocol crate's reader it reports a line that is too long before its end, which may never come.
async fn read_line(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Incoming> {
    let limit = MAX_LINE_BYTES + 1;
    let mut bytes = Vec::new();
    input.take(limit as u64).read_until(b'\n', &mut bytes).await?;
    let ended = bytes.last() == Some(&b'\n');
    Ok(match bytes.len() {
        0 => Incoming::End,
        length if length == limit && !ended => Incoming::TooLong,
        _ => {
            bytes.truncate(bytes.len() - usize::from(ended));
            Incoming::Line { bytes, ended }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn heard(input: &'static [u8]) -> Vec<Incoming> {
        let (_, mut lines) = Link::over(input, tokio::io::sink()).split();
        let mut all = Vec::new();
        loop {
            let incoming = lines.next().await;
            let last = incoming == Incoming::End;
            all.push(incoming);
            if last {
                return all;
            }
        }
    }

    fn line(text: &str, ended: bool) -> Incoming {
        Incoming::Line { bytes: text.as_bytes().to_vec(), ended }
    }

    #[tokio::test]
    async fn a_line_that_the_stream_breaks_off_is_told_apart() {
        assert_eq!(
            heard(b"a\n\nbroken").await,
            [line("a", true), line("", true), line("broken", false), Incoming::End]
        );
    }

    #[tokio::test]
    async fn a_line_at_the_limit_passes_and_one_that_never_ends_is_reported_at_once() {
        let (input, mut writer) = tokio::io::duplex(1 << 16);
        let writing = tokio::spawn(async move {
            let mut text = vec![b'x'; MAX_LINE_BYTES];
            text.push(b'\n');
            text.extend(vec![b'y'; MAX_LINE_BYTES + 1]);
            tokio::io::AsyncWriteExt::write_all(&mut writer, &text).await.unwrap();
            // The stream stays open: the report must not wait for more.
            writer
        });
        let (_, mut lines) = Link::over(input, tokio::io::sink()).split();
        assert!(matches!(lines.next().await, Incoming::Line { bytes, ended: true } if bytes.len() == MAX_LINE_BYTES));
        assert_eq!(lines.next().await, Incoming::TooLong);
        drop(writing.await.unwrap());
    }
}
