//! Two values of the IR inside a case file, written and read as one list.

use super::json_list;
use seamcheck_reference::Json;
use serde::de::Error as _;
use serde::{Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(pair: &[Json; 2], serializer: S) -> Result<S::Ok, S::Error> {
    json_list::serialize(pair, serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[Json; 2], D::Error> {
    let list = json_list::deserialize(deserializer)?;
    list.try_into().map_err(|list: Vec<Json>| D::Error::invalid_length(list.len(), &"two contexts"))
}
