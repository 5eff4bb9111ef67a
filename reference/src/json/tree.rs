//! The owned form of JSON, for the arguments of Tool calls and for answers. Its depth is bounded by
//! `B-LIMIT-4` wherever it comes from outside, so that walking it may recurse.

use super::value::{Kind, Value};
use crate::text::Text;

/// An owned JSON value. Numbers are finite.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A finite binary64
    Number(f64),
    /// A string
    String(Text),
    /// An array
    Array(Vec<Json>),
    /// An object
    Object(Object),
}

/// The members of an object: each key once, in the order they are visited.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Object(Vec<(Text, Json)>);

impl Object {
    /// The members in order.
    pub fn members(&self) -> &[(Text, Json)] {
        &self.0
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.0.iter().find(|(name, _)| name.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// Adds a member whose key is known to be new.
    pub(crate) fn push(&mut self, key: Text, value: Json) {
        self.0.push((key, value));
    }
}

/// Members in this order; a repeated key keeps its place and takes the last value (`B-JSON-2`).
impl<K: Into<Text>> FromIterator<(K, Json)> for Object {
    fn from_iter<I: IntoIterator<Item = (K, Json)>>(members: I) -> Self {
        let mut places = std::collections::HashMap::new();
        let mut object = Self::default();
        for (key, value) in members {
            let key = key.into();
            let place = *places.entry(key.clone()).or_insert(object.0.len());
            match object.0.get_mut(place) {
                Some(member) => member.1 = value,
                None => object.push(key, value),
            }
        }
        object
    }
}

impl Json {
    /// An object of these members.
    pub fn object<const N: usize>(members: [(&str, Json); N]) -> Self {
        Self::Object(members.into_iter().collect())
    }

    /// The member of an object, or `None`.
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Self::Object(object) => object.get(key),
            _ => None,
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<Text> for Json {
    fn from(text: Text) -> Self {
        Self::String(text)
    }
}

impl From<bool> for Json {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(elements: Vec<T>) -> Self {
        Self::Array(elements.into_iter().map(Into::into).collect())
    }
}

/// Counts and indexes, all below 2^53.
impl From<usize> for Json {
    #[expect(clippy::cast_precision_loss, reason = "every count of the profile is far below 2^53")]
    fn from(number: usize) -> Self {
        Self::Number(number as f64)
    }
}

impl Value<'_> {
    /// An owned copy, or `None` when it nests deeper than `depth` containers or holds a number that is
    /// not finite.
    pub fn to_json(self, depth: usize) -> Option<Json> {
        Some(match self.kind() {
            Kind::Null => Json::Null,
            Kind::Bool => Json::Bool(self.as_bool()?),
            Kind::Number => Json::Number(self.as_number().filter(|number| number.is_finite())?),
            Kind::String => Json::String(self.as_text()?),
            Kind::Array => {
                let depth = depth.checked_sub(1)?;
                Json::Array(self.elements().map(|element| element.to_json(depth)).collect::<Option<_>>()?)
            }
            Kind::Object => {
                let depth = depth.checked_sub(1)?;
                let members = self.members().map(|(key, value)| Some((key, value.to_json(depth)?)));
                Json::Object(Object(members.collect::<Option<_>>()?))
            }
        })
    }
}
