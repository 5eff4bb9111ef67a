//! `B-JSON-4`: what is JSON text at all. One pass, no recursion, eight bytes a value.
//!
//! A node keeps where its value starts and which node follows its whole subtree; while a container is
//! open, the second field links to the container around it, so that depth costs no further memory.
//! Strings and numbers are decoded only when asked for (see `value.rs`).

use std::fmt;

/// One JSON text, read as `JSON.parse` would accept it: any depth, duplicate keys kept, UTF-8 only.
#[derive(Debug)]
pub struct Document<'s> {
    pub(super) source: &'s str,
    pub(super) nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Offset in bytes of the value's first character.
    pub(super) start: u32,
    /// The node after this value and everything in it.
    pub(super) next: u32,
}

/// Why a text is not JSON (`not-json` on the wire; none of the ten codes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntaxError {
    offset_bytes: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    NotUtf8,
    TooLarge,
    End,
    Expected(&'static str),
    ControlCharacter(u8),
    Escape,
    Trailing,
}

impl SyntaxError {
    /// Where reading stopped, in bytes from the start.
    pub fn offset_bytes(&self) -> usize {
        self.offset_bytes
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::NotUtf8 => write!(out, "invalid UTF-8")?,
            Kind::TooLarge => write!(out, "text of 4 GiB or more; split it")?,
            Kind::End => write!(out, "the text ends inside a value")?,
            Kind::Expected(what) => write!(out, "expected {what}")?,
            Kind::ControlCharacter(byte) => {
                write!(out, "raw control character 0x{byte:02x} in a string; write it as \\u{byte:04x}")?;
            }
            Kind::Escape => write!(out, "unknown escape in a string")?,
            Kind::Trailing => write!(out, "text after the value")?,
        }
        write!(out, " at byte {}", self.offset_bytes)
    }
}

impl std::error::Error for SyntaxError {}

const NO_PARENT: u32 = u32::MAX;

impl<'s> Document<'s> {
    /// Reads one JSON text.
    ///
    /// # Errors
    /// A [`SyntaxError`] at the first byte that `JSON.parse` would refuse, or that is not UTF-8.
    pub fn parse(source: &'s [u8]) -> Result<Self, SyntaxError> {
        if u32::try_from(source.len()).is_err() {
            return Err(SyntaxError { offset_bytes: source.len(), kind: Kind::TooLarge });
        }
        let text = std::str::from_utf8(source)
            .map_err(|error| SyntaxError { offset_bytes: error.valid_up_to(), kind: Kind::NotUtf8 })?;
        let mut reader = Reader { bytes: source, at: 0, nodes: Vec::new(), parent: NO_PARENT };
        reader.nodes.reserve_exact(count_values(source));
        reader.read()?;
        Ok(Self { source: text, nodes: reader.nodes })
    }
}

/// At least as many values and keys as the text can hold, so that the nodes are allocated once.
fn count_values(source: &[u8]) -> usize {
    let mut count = 1;
    let mut in_string = false;
    let mut escaped = false;
    for &byte in source {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
        } else {
            in_string = byte == b'"';
            count += usize::from(matches!(byte, b'[' | b'{' | b',' | b':'));
        }
    }
    count
}

struct Reader<'s> {
    bytes: &'s [u8],
    at: usize,
    nodes: Vec<Node>,
    parent: u32,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), SyntaxError> {
        loop {
            if self.open_value()? {
                continue;
            }
            // A value has ended: close what ends with it, or go on to the next member or element.
            if self.close_values()? {
                return Ok(());
            }
        }
    }

    /// Reads a scalar or an opening bracket; true when a container is now open and a value must follow.
    fn open_value(&mut self) -> Result<bool, SyntaxError> {
        self.skip_space();
        let start = self.at;
        match self.peek() {
            Some(b'{') => {
                self.open_container();
                if self.skip_to(b'}') {
                    return Ok(false);
                }
                self.read_key()?;
                return Ok(true);
            }
            Some(b'[') => {
                self.open_container();
                return Ok(!self.skip_to(b']'));
            }
            Some(b'"') => self.read_string()?,
            Some(b't') => self.read_word(b"true")?,
            Some(b'f') => self.read_word(b"false")?,
            Some(b'n') => self.read_word(b"null")?,
            Some(b'-' | b'0'..=b'9') => self.read_number()?,
            _ => return Err(self.expected("a value")),
        }
        self.push_scalar(start);
        Ok(false)
    }

    /// After a value: true when the document is complete, false when another value follows.
    fn close_values(&mut self) -> Result<bool, SyntaxError> {
        loop {
            self.skip_space();
            if self.parent == NO_PARENT {
                return if self.at == self.bytes.len() { Ok(true) } else { Err(self.fault(Kind::Trailing)) };
            }
            let open = index(self.parent);
            let is_object = self.bytes[index(self.nodes[open].start)] == b'{';
            match (self.peek(), is_object) {
                (Some(b','), _) => {
                    self.at += 1;
                    if is_object {
                        self.read_key()?;
                    }
                    return Ok(false);
                }
                (Some(b'}'), true) | (Some(b']'), false) => self.close_container(),
                (_, true) => return Err(self.expected("`,` or `}`")),
                (_, false) => return Err(self.expected("`,` or `]`")),
            }
        }
    }

    fn read_key(&mut self) -> Result<(), SyntaxError> {
        self.skip_space();
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.expected("a key in double quotes"));
        }
        self.read_string()?;
        self.push_scalar(start);
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.expected("`:`"));
        }
        self.at += 1;
        Ok(())
    }

    fn open_container(&mut self) {
        let node = count(self.nodes.len());
        self.nodes.push(Node { start: count(self.at), next: self.parent });
        self.parent = node;
        self.at += 1;
    }

    fn close_container(&mut self) {
        let after = count(self.nodes.len());
        let node = &mut self.nodes[index(self.parent)];
        self.parent = node.next;
        node.next = after;
        self.at += 1;
    }

    /// Closes the container just opened if the next character is its end.
    fn skip_to(&mut self, close: u8) -> bool {
        self.skip_space();
        let found = self.peek() == Some(close);
        if found {
            self.close_container();
        }
        found
    }

    fn push_scalar(&mut self, start: usize) {
        let next = count(self.nodes.len() + 1);
        self.nodes.push(Node { start: count(start), next });
    }

    fn read_string(&mut self) -> Result<(), SyntaxError> {
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err(self.fault(Kind::End)),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.read_escape()?;
                }
                Some(byte) if byte < 0x20 => return Err(self.fault(Kind::ControlCharacter(byte))),
                Some(_) => self.at += 1,
            }
        }
    }

    fn read_escape(&mut self) -> Result<(), SyntaxError> {
        match self.peek() {
            None => return Err(self.fault(Kind::End)),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    match self.peek() {
                        Some(byte) if byte.is_ascii_hexdigit() => self.at += 1,
                        _ => return Err(self.expected("four hexadecimal digits")),
                    }
                }
            }
            Some(_) => return Err(self.fault(Kind::Escape)),
        }
        Ok(())
    }

    fn read_word(&mut self, word: &'static [u8]) -> Result<(), SyntaxError> {
        if !self.bytes[self.at..].starts_with(word) {
            return Err(self.expected("a value"));
        }
        self.at += word.len();
        Ok(())
    }

    fn read_number(&mut self) -> Result<(), SyntaxError> {
        self.at += usize::from(self.peek() == Some(b'-'));
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.read_digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.read_digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.read_digits()?;
        }
        Ok(())
    }

    fn read_digits(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { Err(self.expected("a digit")) } else { Ok(()) }
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn expected(&self, what: &'static str) -> SyntaxError {
        self.fault(if self.at < self.bytes.len() { Kind::Expected(what) } else { Kind::End })
    }

    fn fault(&self, kind: Kind) -> SyntaxError {
        SyntaxError { offset_bytes: self.at, kind }
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).expect("a text below 4 GiB has fewer nodes and offsets than u32 holds")
}

pub(super) fn index(number: u32) -> usize {
    usize::try_from(number).expect("usize holds at least 32 bits on the supported platforms")
}
