//! `B-JSON-1`, `B-JSON-2` and `B-JSON-5`: JSON text that the IR cannot hold, such as number tokens that are not
//! finite, and keys that stand twice. Bad syntax is absent: a token is written as it is given.

use seamcheck_reference::{Json, Text};
use std::fmt::{self, Write};

/// A tree that is written as JSON text. Keys may repeat and stand in any order.
#[derive(Debug, Clone, PartialEq)]
pub enum RawJson {
    /// A token that is written as it is: `1e999`, `true`.
    Token(String),
    /// A string.
    Text(Text),
    /// An array.
    Array(Vec<RawJson>),
    /// An object.
    Object(Vec<(Text, RawJson)>),
}

/// A step from a value to one inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seg {
    /// Into a member.
    Key(&'static str),
    /// Into an element.
    At(usize),
}

impl RawJson {
    /// A token.
    pub fn token(token: &str) -> Self {
        Self::Token(token.to_owned())
    }

    /// A string.
    pub fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    /// An object of these members.
    pub fn object<const N: usize>(members: [(&str, Self); N]) -> Self {
        Self::Object(members.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    /// The value at a place; of a repeated key the last, since that is the one that counts.
    pub fn at(&mut self, path: &[Seg]) -> Option<&mut Self> {
        path.iter().try_fold(self, |value, seg| match (seg, value) {
            (Seg::At(index), Self::Array(elements)) => elements.get_mut(*index),
            (Seg::Key(key), Self::Object(members)) => {
                members.iter_mut().rev().find(|(name, _)| name.as_str() == Some(*key)).map(|(_, value)| value)
            }
            _ => None,
        })
    }

    /// Puts another value at a place, if there is one.
    pub fn set(&mut self, path: &[Seg], value: Self) {
        if let Some(place) = self.at(path) {
            *place = value;
        }
    }

    /// Removes a member, if there is one.
    pub fn remove(&mut self, path: &[Seg], key: &str) {
        if let Some(Self::Object(members)) = self.at(path) {
            members.retain(|(name, _)| name.as_str() != Some(key));
        }
    }

    /// Adds elements behind those of an array, or nothing where there is none.
    pub fn extend(&mut self, path: &[Seg], values: impl IntoIterator<Item = Self>) {
        if let Some(Self::Array(elements)) = self.at(path) {
            elements.extend(values);
        }
    }

    /// Adds a member behind the others of an object, whether or not the key is there.
    pub fn push_member(&mut self, path: &[Seg], key: &str, value: Self) {
        if let Some(Self::Object(members)) = self.at(path) {
            members.push((key.into(), value));
        }
    }
}

impl From<&Json> for RawJson {
    fn from(value: &Json) -> Self {
        match value {
            Json::Null | Json::Bool(_) | Json::Number(_) => Self::Token(value.to_string()),
            Json::String(text) => Self::Text(text.clone()),
            Json::Array(elements) => Self::Array(elements.iter().map(Self::from).collect()),
            Json::Object(object) => {
                Self::Object(object.members().iter().map(|(key, value)| (key.clone(), value.into())).collect())
            }
        }
    }
}

/// Compact ASCII JSON text.
impl fmt::Display for RawJson {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(token) => out.write_str(token),
            Self::Text(text) => write_text(text, out),
            Self::Array(elements) => {
                out.write_char('[')?;
                for (index, element) in elements.iter().enumerate() {
                    write!(out, "{}{element}", comma(index))?;
                }
                out.write_char(']')
            }
            Self::Object(members) => {
                out.write_char('{')?;
                for (index, (key, value)) in members.iter().enumerate() {
                    out.write_str(comma(index))?;
                    write_text(key, out)?;
                    write!(out, ":{value}")?;
                }
                out.write_char('}')
            }
        }
    }
}

fn comma(index: usize) -> &'static str {
    if index == 0 { "" } else { "," }
}

/// `Json` writes a string as ASCII, every look-alike escaped.
fn write_text(text: &Text, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(out, "{}", Json::String(text.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_keys_and_tokens_are_written_as_they_stand() {
        let value = RawJson::object([
            ("a", RawJson::token("1e999")),
            ("a", RawJson::Array(vec![RawJson::Text(Text::from_utf16(&[0xD800])), RawJson::token("-0")])),
        ]);
        assert_eq!(value.to_string(), r#"{"a":1e999,"a":["\ud800",-0]}"#);
    }

    #[test]
    fn the_last_of_a_repeated_key_is_the_one_that_is_edited() {
        let mut value = RawJson::object([("a", RawJson::token("1")), ("a", RawJson::token("2"))]);
        value.set(&[Seg::Key("a")], RawJson::token("3"));
        assert_eq!(value.to_string(), r#"{"a":1,"a":3}"#);
    }
}
