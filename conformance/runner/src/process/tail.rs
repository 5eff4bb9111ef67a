//! The last lines of a stream, in bounded memory whatever the stream does.

use std::collections::VecDeque;

/// Lines that are kept.
pub(super) const TAIL_LINES: usize = 40;
/// Bytes of a line that are kept; a longer one is marked.
pub(super) const TAIL_LINE_BYTES: usize = 2_000;

/// The last lines that were written, the one without an end included.
#[derive(Debug, Default)]
pub(super) struct Tail {
    lines: VecDeque<Vec<u8>>,
    open: Vec<u8>,
}

impl Tail {
    /// Takes the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let mut parts = bytes.split(|byte| *byte == b'\n');
        // A split always has a first part.
        self.extend_open(parts.next().unwrap_or_default());
        for part in parts {
            self.close_line();
            self.extend_open(part);
        }
    }

    /// The lines, the oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        let open = Some(&self.open).filter(|open| !open.is_empty());
        let whole = self.lines.iter().chain(open);
        let skipped = (self.lines.len() + usize::from(!self.open.is_empty())).saturating_sub(TAIL_LINES);
        whole.skip(skipped).map(|line| in_words(line)).collect()
    }

    fn extend_open(&mut self, part: &[u8]) {
        // One byte more than is kept shows that there was more.
        let room = (TAIL_LINE_BYTES + 1).saturating_sub(self.open.len());
        self.open.extend_from_slice(&part[..part.len().min(room)]);
    }

    fn close_line(&mut self) {
        if self.lines.len() == TAIL_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(std::mem::take(&mut self.open));
    }
}

/// Readable on any terminal: no control characters, and what was left out is marked.
fn in_words(line: &[u8]) -> String {
    let kept = &line[..line.len().min(TAIL_LINE_BYTES)];
    let text = String::from_utf8_lossy(kept);
    let mut text: String = text.trim_end().chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect();
    if line.len() > TAIL_LINE_BYTES {
        text.push_str(" [...]");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail_of(chunks: &[&[u8]]) -> Vec<String> {
        let mut tail = Tail::default();
        for chunk in chunks {
            tail.push(chunk);
        }
        tail.lines()
    }

    #[test]
    fn lines_may_arrive_in_any_pieces_and_the_last_may_lack_its_end() {
        assert_eq!(tail_of(&[b"on", b"e\ntwo\n", b"", b"thr", b"ee"]), ["one", "two", "three"]);
    }

    #[test]
    fn only_the_last_lines_are_kept_the_open_one_counted() {
        let mut text = (0..100).map(|number| format!("{number}\n")).collect::<String>();
        assert_eq!(tail_of(&[text.as_bytes()]).first().unwrap(), "60");
        text.push_str("open");
        let lines = tail_of(&[text.as_bytes()]);
        assert_eq!((lines.len(), lines[0].as_str(), lines[39].as_str()), (TAIL_LINES, "61", "open"));
    }

    #[test]
    fn a_line_that_never_ends_takes_bounded_memory_and_is_marked() {
        let mut tail = Tail::default();
        for _ in 0..1_000 {
            tail.push(&[b'x'; 4_096]);
        }
        assert_eq!(tail.open.len(), TAIL_LINE_BYTES + 1);
        assert_eq!(tail.lines(), [format!("{} [...]", "x".repeat(TAIL_LINE_BYTES))]);
    }

    #[test]
    fn control_characters_and_broken_utf8_do_not_reach_a_terminal() {
        assert_eq!(tail_of(&[b"a\x1b[2Jb\xffc\r\n"]), ["a [2Jb\u{fffd}c"]);
    }
}
