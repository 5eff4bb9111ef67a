//! Lines to and from an adapter. Both directions go on by themselves, so that neither side can block the
//! other by a full pipe; what comes in is read only as far as somebody listens.

use seamcheck_protocol::envelope::MAX_LINE_BYTES;
use seamcheck_protocol::lines::write_lines;
use std::io;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, BufReader};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

const READ_BUFFER_BYTES: usize = 64 * 1024;
/// Few, since each may be as long as a line may be.
const LINES_AHEAD: usize = 4;

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
    outgoing: mpsc::UnboundedSender<String>,
    incoming: mpsc::Receiver<Incoming>,
    reading: JoinHandle<()>,
    writing: JoinHandle<io::Result<()>>,
}

impl Link {
    /// Over these streams, which it takes for good.
    pub fn over(
        input: impl AsyncRead + Unpin + Send + 'static,
        output: impl AsyncWrite + Unpin + Send + 'static,
    ) -> Self {
        let (outgoing, lines) = mpsc::unbounded_channel();
        let (heard, incoming) = mpsc::channel(LINES_AHEAD);
        let reading = tokio::spawn(read(BufReader::with_capacity(READ_BUFFER_BYTES, input), heard));
        let writing = tokio::spawn(write_lines(lines, output, |_| {}));
        Self { outgoing, incoming, reading, writing }
    }

    /// Sends a line. An adapter that is gone shows itself by the end of what it says.
    pub fn send(&self, line: String) {
        let _ = self.outgoing.send(line);
    }

    /// The next line. A call that is dropped loses nothing.
    pub async fn receive(&mut self) -> Incoming {
        self.incoming.recv().await.unwrap_or(Incoming::End)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.reading.abort();
        self.writing.abort();
    }
}

async fn read(mut input: impl AsyncBufRead + Unpin, heard: mpsc::Sender<Incoming>) {
    loop {
        let line = read_line(&mut input).await.unwrap_or(Incoming::End);
        let last = !matches!(line, Incoming::Line { ended: true, .. });
        if heard.send(line).await.is_err() || last {
            return;
        }
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
        let mut link = Link::over(input, tokio::io::sink());
        let mut all = Vec::new();
        loop {
            let incoming = link.receive().await;
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
        let mut link = Link::over(input, tokio::io::sink());
        assert!(matches!(link.receive().await, Incoming::Line { bytes, ended: true } if bytes.len() == MAX_LINE_BYTES));
        assert_eq!(link.receive().await, Incoming::TooLong);
        drop(writing.await.unwrap());
    }
}
