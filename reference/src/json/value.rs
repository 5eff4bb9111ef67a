//! Looking at one value of a document: `B-JSON-1` (numbers), `B-JSON-2` (last duplicate wins) and
//! `B-JSON-3` (the order of keys).

use super::syntax::{Document, Node, index};
use crate::text::{Text, TextBuilder};
use std::cmp::Ordering;

/// What kind of JSON value it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// Any number token
    Number,
    /// A string
    String,
    /// An array
    Array,
    /// An object
    Object,
}

impl Kind {
    /// The kind with its article, for messages: `an array`.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// One value of a [`Document`]; copying it copies a reference.
#[derive(Debug, Clone, Copy)]
pub struct Value<'a> {
    document: &'a Document<'a>,
    node: u32,
}

impl<'s> Document<'s> {
    /// The outermost value.
    pub fn root<'a>(&'a self) -> Value<'a>
    where
        's: 'a,
    {
        Value { document: self, node: 0 }
    }
}

impl<'a> Value<'a> {
    /// Which kind of value it is.
    pub fn kind(self) -> Kind {
        match self.token().as_bytes()[0] {
            b'n' => Kind::Null,
            b't' | b'f' => Kind::Bool,
            b'"' => Kind::String,
            b'[' => Kind::Array,
            b'{' => Kind::Object,
            _ => Kind::Number,
        }
    }

    /// The boolean, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.token().starts_with('t'))
    }

    /// The number as binary64, infinite where the token is too large, if it is one (`B-JSON-1`).
    pub fn as_number(self) -> Option<f64> {
        if self.kind() != Kind::Number {
            return None;
        }
        let token = self.token();
        let end = token.find(|c: char| !matches!(c, '-' | '+' | '.' | 'e' | 'E' | '0'..='9')).unwrap_or(token.len());
        Some(token[..end].parse().expect("the grammar of JSON numbers is within that of f64"))
    }

    /// The string, if it is one.
    pub fn as_text(self) -> Option<Text> {
        (self.kind() == Kind::String).then(|| decode(string_body(self.token())))
    }

    /// Whether it is a string of exactly these characters.
    pub fn is_str(self, text: &str) -> bool {
        if self.kind() != Kind::String {
            return false;
        }
        let body = string_body(self.token());
        if body.contains('\\') { decode(body).as_wtf8() == text.as_bytes() } else { body == text }
    }

    /// The elements of an array in order; nothing for any other value.
    pub fn elements(self) -> impl Iterator<Item = Value<'a>> {
        let range = if self.kind() == Kind::Array { self.children() } else { 0..0 };
        siblings(self.document, range)
    }

    /// The members of an object, each key once, in ECMAScript's own-key order (`B-JSON-2`, `B-JSON-3`):
    /// array indexes ascending, then the others at the place of their first mention; a repeated key
    /// holds its last value. Nothing for any other value.
    pub fn members(self) -> impl Iterator<Item = (Text, Value<'a>)> {
        let document = self.document;
        self.member_nodes().into_iter().map(move |member| {
            let key = Value { document, node: member.key };
            (decode(string_body(key.token())), Value { document, node: document.node(member.last).next_of_key() })
        })
    }

    /// How many different keys an object has.
    pub fn member_count(self) -> usize {
        self.member_nodes().len()
    }

    /// The value of a key, the last one if it is repeated; `None` if it is absent or this is no object.
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        self.raw_members().filter(|(name, _)| name.is_str(key)).last().map(|(_, value)| value)
    }

    /// The JSON text of this value as it stands in the document.
    pub fn source(self) -> &'a str {
        let token = self.token();
        let length = match self.kind() {
            Kind::String => string_body(token).len() + 2,
            Kind::Array | Kind::Object => container_length(token),
            _ => token.find(|c: char| c.is_ascii_whitespace() || matches!(c, ',' | ']' | '}')).unwrap_or(token.len()),
        };
        &token[..length]
    }

    /// Whether a number in it is not finite, at any depth; values hidden by a repeated key do not count.
    pub(crate) fn holds_infinity(self) -> bool {
        let end = self.node().next;
        let somewhere = (self.node..end).any(|node| !Value { document: self.document, node }.is_finite());
        somewhere && self.holds_visible_infinity()
    }

    fn holds_visible_infinity(self) -> bool {
        let mut open = vec![self];
        while let Some(value) = open.pop() {
            if !value.is_finite() {
                return true;
            }
            open.extend(value.elements());
            open.extend(value.members().map(|(_, member)| member));
        }
        false
    }

    fn is_finite(self) -> bool {
        self.as_number().is_none_or(f64::is_finite)
    }

    fn raw_members(self) -> impl Iterator<Item = (Value<'a>, Value<'a>)> {
        let range = if self.kind() == Kind::Object { self.children() } else { 0..0 };
        let mut nodes = siblings(self.document, range);
        std::iter::from_fn(move || Some((nodes.next()?, nodes.next()?)))
    }

    fn member_nodes(self) -> Vec<Member> {
        let document = self.document;
        let mut members: Vec<Member> =
            self.raw_members().map(|(key, _)| Member { key: key.node, last: key.node }).collect();
        // A stable sort keeps equal keys in the order of the text: the first gives the place, the last the value.
        members.sort_by(|left, right| compare_keys(document, left.key, right.key));
        members.dedup_by(|later, first| {
            let same = compare_keys(document, later.key, first.key) == Ordering::Equal;
            if same {
                first.last = later.last;
            }
            same
        });
        members.sort_by_key(|member| {
            array_index(string_body(Value { document, node: member.key }.token()))
                .map_or((1, member.key), |position| (0, position))
        });
        members
    }

    fn children(self) -> std::ops::Range<u32> {
        self.node + 1..self.node().next
    }

    fn node(self) -> Node {
        self.document.node(self.node)
    }

    fn token(self) -> &'a str {
        &self.document.source[index(self.node().start)..]
    }
}

/// A key of an object: the node of its first mention, and of its last.
#[derive(Clone, Copy)]
struct Member {
    key: u32,
    last: u32,
}

impl Document<'_> {
    fn node(&self, node: u32) -> Node {
        self.nodes[index(node)]
    }
}

impl Node {
    /// A key is a scalar, so that the node after it is the member's value.
    fn next_of_key(self) -> u32 {
        self.next
    }
}

fn siblings<'a>(document: &'a Document<'a>, range: std::ops::Range<u32>) -> impl Iterator<Item = Value<'a>> {
    let mut node = range.start;
    std::iter::from_fn(move || {
        (node < range.end).then(|| {
            let value = Value { document, node };
            node = value.node().next;
            value
        })
    })
}

fn compare_keys(document: &Document<'_>, left: u32, right: u32) -> Ordering {
    let left = string_body(Value { document, node: left }.token());
    let right = string_body(Value { document, node: right }.token());
    if left.contains('\\') || right.contains('\\') { decode(left).cmp(&decode(right)) } else { left.cmp(right) }
}

/// An array index of ECMAScript: a canonical decimal from 0 to 2^32 - 2.
fn array_index(key: &str) -> Option<u32> {
    let canonical = key == "0" || (key.starts_with(|c: char| matches!(c, '1'..='9')) && key.len() <= 10);
    let number: u32 = if canonical { key.parse().ok()? } else { return escaped_index(key) };
    (number < u32::MAX).then_some(number)
}

/// A digit may be written as an escape.
fn escaped_index(key: &str) -> Option<u32> {
    // Ten digits as escapes take sixty bytes; a longer key is no array index.
    if !key.starts_with('\\') && !key.contains("\\u003") || key.len() > 60 {
        return None;
    }
    let decoded = decode(key);
    decoded.as_str().filter(|plain| !plain.contains('\\')).and_then(array_index)
}

/// The characters between the quotes that open `token`.
fn string_body(token: &str) -> &str {
    let bytes = token.as_bytes();
    let mut end = 1;
    while bytes[end] != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    &token[1..end]
}

fn container_length(token: &str) -> usize {
    let bytes = token.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    loop {
        match bytes[at] {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b'"' => at += string_body(&token[at..]).len() + 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
}

fn decode(body: &str) -> Text {
    if !body.contains('\\') {
        return Text::from(body);
    }
    let mut builder = TextBuilder::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        builder.push_str(&rest[..at]);
        let escape = rest.as_bytes()[at + 1];
        let length = if escape == b'u' { 6 } else { 2 };
        builder.push(match escape {
            b'b' => 0x08,
            b'f' => 0x0C,
            b'n' => 0x0A,
            b'r' => 0x0D,
            b't' => 0x09,
            b'u' => u32::from_str_radix(&rest[at + 2..at + 6], 16).expect("the reader saw four hexadecimal digits"),
            plain => u32::from(plain),
        });
        rest = &rest[at + length..];
    }
    builder.push_str(rest);
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(source: &str) -> Vec<String> {
        let document = Document::parse(source.as_bytes()).unwrap();
        document.root().members().map(|(key, value)| format!("{key}={}", value.source())).collect()
    }

    #[test]
    fn keys_come_in_own_key_order_and_the_last_duplicate_wins() {
        assert_eq!(keys(r#"{"b":1,"10":2,"a":3,"2":4,"b":5}"#), ["2=4", "10=2", "b=5", "a=3"]);
        assert_eq!(
            keys(r#"{"4294967295":1,"4294967294":2,"01":3,"0":4}"#),
            ["0=4", "4294967294=2", "4294967295=1", "01=3"]
        );
        assert_eq!(keys(r#"{"x":1,"\u0037":2,"7":3}"#), ["7=3", "x=1"]);
    }

    #[test]
    fn a_pair_split_over_two_escapes_is_joined() {
        let document = Document::parse(br#""\ud83d\ude00\ud83dx""#).unwrap();
        assert_eq!(document.root().as_text().unwrap().code_points(), 3);
    }

    #[test]
    fn hidden_infinities_do_not_count() {
        let check = |source: &str| Document::parse(source.as_bytes()).unwrap().root().holds_infinity();
        assert!(check(r#"{"a":[1e999]}"#));
        assert!(!check(r#"{"a":[1e999],"a":1}"#));
    }
}
