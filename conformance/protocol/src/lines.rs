//! Lines over a byte stream, as both sides read them: bounded, and never lost in a flood.

use crate::envelope::MAX_LINE_BYTES;
use std::io;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

/// What [`read_line`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// A line is in the buffer, without its end. The last one of a stream may lack the end.
    Whole,
    /// A line over [`MAX_LINE_BYTES`] has been skipped; the buffer is empty.
    TooLong,
    /// The stream has ended.
    End,
}

/// Reads the next line into `line`, which is cleared first and never holds more than [`MAX_LINE_BYTES`].
/// A call that is dropped half-way loses what it had read.
///
/// # Errors
/// Whatever the stream fails with.
pub async fn read_line(input: &mut (impl AsyncBufRead + Unpin), line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    let mut too_long = false;
    let mut seen = false;
    loop {
        let available = input.fill_buf().await?;
        if available.is_empty() {
            break;
        }
        seen = true;
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        too_long |= line.len() + part.len() > MAX_LINE_BYTES;
        if too_long {
            line.clear();
        } else {
            line.extend_from_slice(part);
        }
        let consumed = end.map_or(available.len(), |end| end + 1);
        input.consume(consumed);
        if end.is_some() {
            break;
        }
    }
    Ok(match (seen, too_long) {
        (false, _) => Line::End,
        (true, true) => Line::TooLong,
        (true, false) => Line::Whole,
    })
}

/// Writes the lines that arrive, flushing whenever none waits, until every sender is gone; `written` is told
/// the bytes of each.
///
/// # Errors
/// Whatever the stream fails with, for one a reader that is gone.
pub async fn write_lines(
    mut lines: mpsc::UnboundedReceiver<String>,
    mut output: impl AsyncWrite + Unpin,
    written: impl Fn(usize),
) -> io::Result<()> {
    while let Some(line) = lines.recv().await {
        output.write_all(line.as_bytes()).await?;
        written(line.len());
        while let Ok(line) = lines.try_recv() {
            output.write_all(line.as_bytes()).await?;
            written(line.len());
        }
        output.flush().await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::BufReader;

    async fn lines_of(input: &[u8]) -> Vec<(Line, String)> {
        // A tiny buffer, so that lines span many reads.
        let mut input = BufReader::with_capacity(3, input);
        let mut line = Vec::new();
        let mut found = Vec::new();
        loop {
            let kind = read_line(&mut input, &mut line).await.unwrap();
            if kind == Line::End {
                return found;
            }
            found.push((kind, String::from_utf8(line.clone()).unwrap()));
        }
    }

    #[tokio::test]
    async fn an_empty_line_and_a_last_line_without_its_end_are_lines() {
        let found = lines_of(b"one two\n\nlast").await;
        assert_eq!(found.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>(), ["one two", "", "last"]);
    }

    #[tokio::test]
    async fn a_line_at_the_limit_passes_and_one_byte_more_is_skipped_whole() {
        let mut input = vec![b'a'; MAX_LINE_BYTES];
        input.push(b'\n');
        input.extend(vec![b'b'; MAX_LINE_BYTES + 1]);
        input.extend(b"\nnext\n");
        let mut input = BufReader::new(input.as_slice());
        let mut line = Vec::new();
        assert_eq!(read_line(&mut input, &mut line).await.unwrap(), Line::Whole);
        assert_eq!(line.len(), MAX_LINE_BYTES);
        assert_eq!(read_line(&mut input, &mut line).await.unwrap(), Line::TooLong);
        assert_eq!(read_line(&mut input, &mut line).await.unwrap(), Line::Whole);
        assert_eq!(line, b"next");
    }
}
