//! A JSON text as a tree that can be edited without losing what a parser would: duplicate keys, number
//! tokens, escapes, the order of members. Faults in reading are edits of what is read.

use seamcheck_reference::{Document, Json, Text};
use std::fmt;

/// Deeper texts are left as they are: only unknown fields nest that deep, and recursion must end.
const MAX_DEPTH: usize = 200;

/// One value, its scalars and keys as tokens of the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Raw {
    Scalar(String),
    Array(Vec<Raw>),
    Object(Vec<(String, Raw)>),
}

impl Raw {
    /// The tree of a text, or `None` when it is no JSON or nests deeper than any edit reaches.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Document::parse(text.as_bytes()).ok()?;
        let mut scanner = Scanner { text, at: 0 };
        scanner.value(MAX_DEPTH)
    }

    pub(crate) fn string(text: &Text) -> Self {
        Self::Scalar(Json::String(text.clone()).to_string())
    }

    /// The string, decoded.
    pub(crate) fn text(&self) -> Option<Text> {
        match self {
            Self::Scalar(token) => decode(token),
            Self::Array(_) | Self::Object(_) => None,
        }
    }

    /// Whether it is a string of exactly these characters.
    pub(crate) fn is_str(&self, text: &str) -> bool {
        self.text().is_some_and(|own| own.as_str() == Some(text))
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Scalar(token) if token == "null")
    }

    /// The number, if it is one.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Scalar(token) => {
                token.parse().ok().filter(|_| token.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
            }
            Self::Array(_) | Self::Object(_) => None,
        }
    }

    /// The member of an object that counts: the last of its key.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().rfind(|(name, _)| names(name, key)).map(|(_, value)| value)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        let Self::Object(members) = self else { return None };
        members.iter_mut().rfind(|(name, _)| names(name, key)).map(|(_, value)| value)
    }

    /// Sets a member of an object, whose other mentions go.
    pub(crate) fn set(&mut self, key: &str, value: Self) {
        if let Self::Object(members) = self {
            members.retain(|(name, _)| !names(name, key));
            members.push((format!("\"{key}\""), value));
        }
    }

    pub(crate) fn elements(&self) -> &[Self] {
        match self {
            Self::Array(elements) => elements,
            Self::Scalar(_) | Self::Object(_) => &[],
        }
    }

    pub(crate) fn elements_mut(&mut self) -> &mut [Self] {
        match self {
            Self::Array(elements) => elements,
            Self::Scalar(_) | Self::Object(_) => &mut [],
        }
    }

    /// The elements of a member that is an array.
    pub(crate) fn list(&self, key: &str) -> &[Self] {
        self.get(key).map_or(&[], Self::elements)
    }

    pub(crate) fn list_mut(&mut self, key: &str) -> &mut [Self] {
        self.get_mut(key).map_or(&mut [], Self::elements_mut)
    }

    /// This value and everything in it, the outermost first.
    pub(crate) fn walk(&mut self, visit: &mut impl FnMut(&mut Self)) {
        visit(self);
        match self {
            Self::Scalar(_) => {}
            Self::Array(elements) => elements.iter_mut().for_each(|element| element.walk(visit)),
            Self::Object(members) => members.iter_mut().for_each(|(_, value)| value.walk(visit)),
        }
    }

    /// Every Tool-call block of a context's messages.
    pub(crate) fn calls_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        self.list_mut("messages").iter_mut().filter(|message| has_role(message, "assistant")).flat_map(|message| {
            message
                .list_mut("content")
                .iter_mut()
                .filter(|block| block.get("type").is_some_and(|kind| kind.is_str("toolCall")))
        })
    }

    /// The arguments of every Tool call.
    pub(crate) fn arguments_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        self.calls_mut().filter_map(|call| call.get_mut("arguments"))
    }

    /// Every string that must not be blank: ids and names everywhere, and the content of requirements and
    /// the summary.
    pub(crate) fn visit_solid_texts(&mut self, visit: &mut impl FnMut(&mut Self)) {
        self.list_mut("requirements").iter_mut().for_each(|entry| visit_fields(entry, visit, &["id", "content"]));
        if let Some(summary) = self.get_mut("summary") {
            visit_fields(summary, visit, &["id", "content"]);
        }
        for message in self.list_mut("messages") {
            visit_fields(message, visit, &["id", "toolCallId", "toolName"]);
            if has_role(message, "assistant") {
                message.list_mut("content").iter_mut().for_each(|block| visit_fields(block, visit, &["id", "name"]));
            }
        }
        for record in self.list_mut("compactions") {
            visit_fields(record, visit, &["id", "summaryId"]);
            for id in record.list_mut("compactedMessageIds").iter_mut().filter(|id| id.text().is_some()) {
                visit(id);
            }
        }
    }

    /// Every string that the profile reads, those inside arguments and their keys not included.
    pub(crate) fn visit_texts(&mut self, visit: &mut impl FnMut(&mut Self)) {
        self.visit_solid_texts(visit);
        for message in self.list_mut("messages") {
            if let Some(content) = message.get_mut("content").filter(|content| content.text().is_some()) {
                visit(content);
            }
            for block in message.list_mut("content") {
                if let Some(text) = block.get_mut("text").filter(|text| text.text().is_some()) {
                    visit(text);
                }
            }
        }
    }
}

fn visit_fields(record: &mut Raw, visit: &mut impl FnMut(&mut Raw), names: &[&str]) {
    for name in names {
        if let Some(value) = record.get_mut(name).filter(|value| value.text().is_some()) {
            visit(value);
        }
    }
}

pub(crate) fn has_role(message: &Raw, role: &str) -> bool {
    message.get("role").is_some_and(|own| own.is_str(role))
}

pub(crate) fn decode(token: &str) -> Option<Text> {
    Document::parse(token.as_bytes()).ok()?.root().as_text()
}

fn names(token: &str, key: &str) -> bool {
    if token.contains('\\') {
        decode(token).is_some_and(|name| name.as_str() == Some(key))
    } else {
        &token[1..token.len() - 1] == key
    }
}

impl fmt::Display for Raw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(token) => out.write_str(token),
            Self::Array(elements) => {
                out.write_str("[")?;
                for (index, element) in elements.iter().enumerate() {
                    write!(out, "{}{element}", if index == 0 { "" } else { "," })?;
                }
                out.write_str("]")
            }
            Self::Object(members) => {
                out.write_str("{")?;
                for (index, (key, value)) in members.iter().enumerate() {
                    write!(out, "{}{key}:{value}", if index == 0 { "" } else { "," })?;
                }
                out.write_str("}")
            }
        }
    }
}

/// Walks a text that is known to be JSON.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl Scanner<'_> {
    fn value(&mut self, depth: usize) -> Option<Raw> {
        let depth = depth.checked_sub(1)?;
        match self.peek() {
            b'[' => {
                let mut elements = Vec::new();
                self.at += 1;
                while self.peek() != b']' {
                    elements.push(self.value(depth)?);
                    self.skip_comma();
                }
                self.at += 1;
                Some(Raw::Array(elements))
            }
            b'{' => {
                let mut members = Vec::new();
                self.at += 1;
                while self.peek() != b'}' {
                    let key = self.token();
                    self.peek();
                    self.at += 1;
                    members.push((key, self.value(depth)?));
                    self.skip_comma();
                }
                self.at += 1;
                Some(Raw::Object(members))
            }
            _ => Some(Raw::Scalar(self.token())),
        }
    }

    /// The next byte that is no space; the text has one wherever a value or its end is due.
    fn peek(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        while bytes[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        bytes[self.at]
    }

    fn skip_comma(&mut self) {
        if self.peek() == b',' {
            self.at += 1;
        }
    }

    fn token(&mut self) -> String {
        let first = self.peek();
        let bytes = self.text.as_bytes();
        let start = self.at;
        self.at += 1;
        if first == b'"' {
            while bytes[self.at] != b'"' {
                self.at += if bytes[self.at] == b'\\' { 2 } else { 1 };
            }
            self.at += 1;
        } else {
            while self.at < bytes.len()
                && !matches!(bytes[self.at], b',' | b']' | b'}')
                && !bytes[self.at].is_ascii_whitespace()
            {
                self.at += 1;
            }
        }
        self.text[start..self.at].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_with_its_duplicates_tokens_and_escapes() {
        let text = r#" {"b":[1.0,-0,1e999, "\ud800\"" ],"a":{},"b":[ ],"\u0061":null}"#;
        let raw = Raw::parse(text).unwrap();
        assert_eq!(raw.to_string(), r#"{"b":[1.0,-0,1e999,"\ud800\""],"a":{},"b":[],"\u0061":null}"#);
        assert_eq!(raw.get("b"), Some(&Raw::Array(vec![])));
        assert!(raw.get("a").unwrap().is_null());
        assert!(Raw::parse("[1,]").is_none());
        assert!(Raw::parse(&"[".repeat(100_000)).is_none());
        assert!(Raw::parse(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000))).is_none());
    }
}
