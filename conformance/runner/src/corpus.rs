//! Transcripts of one's own, one JSON object a line: `{"messages": [...], "source"?: "..."}`.

use seamcheck_protocol::payload::{Payload, WireText};
use serde::Deserialize;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Far enough below the protocol's limit that a request around the messages still fits a line.
const MAX_MESSAGES_BYTES: usize = 15 * 1024 * 1024;
/// Longer than any line that could be used; a device without an end has no other.
const MAX_LINE_BYTES: u64 = 64 << 20;
/// Faults that are named before the rest is only counted.
const NAMED_FAULTS: usize = 5;

/// One transcript.
#[derive(Debug, Clone)]
pub struct Transcript {
    /// Where it comes from: as the line says, else the file and the line's number.
    pub source: String,
    /// Its messages, as they stand there.
    pub messages: Payload,
}

/// Why a corpus cannot be used.
#[derive(Debug)]
pub struct CorpusError(String);

impl fmt::Display for CorpusError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for CorpusError {}

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// The file cannot be read, or lines of it are no transcripts; each is named.
pub fn read(path: &Path) -> Result<Vec<Transcript>, CorpusError> {
    let name = path.display().to_string();
    if name == "-" {
        return read_lines(io::stdin().lock(), "standard input");
    }
    match std::fs::File::open(path) {
        Ok(file) => read_lines(BufReader::new(file), &name),
        Err(error) => Err(CorpusError(format!("cannot read the corpus {name}: {error}"))),
    }
}

fn read_lines(mut input: impl BufRead, name: &str) -> Result<Vec<Transcript>, CorpusError> {
    let mut transcripts = Vec::new();
    let mut faults = Vec::new();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        match input.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line) {
            Ok(_) if line.len() as u64 > MAX_LINE_BYTES => {
                return Err(CorpusError(format!("{name}:{number}: a line of more than {MAX_LINE_BYTES} bytes")));
            }
            Ok(0) => break,
            Ok(_) if line.iter().all(u8::is_ascii_whitespace) => {}
            Ok(_) => match read_line(&line) {
                Ok((source, messages)) => {
                    let source = source.unwrap_or_else(|| format!("{name}:{number}"));
                    transcripts.push(Transcript { source, messages });
                }
                Err(fault) => faults.push(format!("{name}:{number}: {fault}")),
            },
            Err(error) => return Err(CorpusError(format!("cannot read the corpus {name}: {error}"))),
        }
    }
    if faults.is_empty() {
        return Ok(transcripts);
    }
    let more = faults.len().saturating_sub(NAMED_FAULTS);
    let mut words = faults.into_iter().take(NAMED_FAULTS).collect::<Vec<_>>().join("\n");
    if more > 0 {
        words = format!("{words}\nand {more} lines more");
    }
    Err(CorpusError(format!("{words}\neach line must be {{\"messages\": [...], \"source\"?: \"...\"}}")))
}

#[derive(Deserialize)]
struct Line {
    messages: Payload,
    #[serde(default)]
    source: Option<WireText>,
}

fn read_line(line: &[u8]) -> Result<(Option<String>, Payload), String> {
    let text = std::str::from_utf8(line).map_err(|error| format!("invalid UTF-8 at byte {}", error.valid_up_to()))?;
    // Serde would read an array as the fields in order.
    if !text.trim_start().starts_with('{') {
        return Err("not a JSON object".to_owned());
    }
    let Line { messages, source } = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if !messages.text().starts_with('[') {
        return Err("`messages` is no array".to_owned());
    }
    if messages.text().len() > MAX_MESSAGES_BYTES {
        return Err(format!("`messages` has {} bytes, more than {MAX_MESSAGES_BYTES}", messages.text().len()));
    }
    Ok((source.map(|source| String::from_utf8_lossy(source.0.as_wtf8()).into_owned()), messages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_are_skipped_and_a_transcript_without_a_source_is_named_by_its_line() {
        let text = "\n{\"messages\":[]}\n  \n{\"source\":\"s\",\"messages\":[{\"id\":\"\\ud800\"}],\"more\":{}}";
        let transcripts = read_lines(text.as_bytes(), "c.ndjson").unwrap();
        let found: Vec<_> = transcripts.iter().map(|one| (one.source.as_str(), one.messages.text())).collect();
        assert_eq!(found, [("c.ndjson:2", "[]"), ("s", "[{\"id\":\"\\ud800\"}]")]);
    }

    #[test]
    fn every_line_that_is_no_transcript_is_named_by_its_number() {
        let bad =
            ["nonsense", "[[]]", "{}", "{\"messages\":{}}", "{\"messages\":[1,]}", "{\"messages\":[],\"source\":1}"];
        for line in bad {
            let error = read_lines(format!("{{\"messages\":[]}}\n{line}\n").as_bytes(), "c").unwrap_err();
            assert!(error.to_string().starts_with("c:2: "), "{error}");
        }
        let error = read_lines("x\n".repeat(7).as_bytes(), "c").unwrap_err().to_string();
        assert!(error.contains("c:5: ") && !error.contains("c:6: ") && error.contains("and 2 lines more"), "{error}");
    }
}
