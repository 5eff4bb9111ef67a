//! A list of values of the IR inside a case file, written and read as one value.

use super::json;
use seamcheck_reference::Json;
use serde::de::Error as _;
use serde::{Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(list: &[Json], serializer: S) -> Result<S::Ok, S::Error> {
    json::serialize(&Json::Array(list.to_vec()), serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Json>, D::Error> {
    match json::deserialize(deserializer)? {
        Json::Array(list) => Ok(list),
        _ => Err(D::Error::custom("expected a list of messages")),
    }
}
