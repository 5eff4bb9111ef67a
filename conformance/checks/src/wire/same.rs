//! When two JSON values are the same: numbers as doubles, keys in any order, text by code unit.

use seamcheck_reference::{Json, Text};
use std::collections::HashMap;

/// Whether both are the same value.
pub fn same(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Array(left), Json::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Json::Object(left), Json::Object(right)) => {
            let right: HashMap<&Text, &Json> = right.members().iter().map(|(key, value)| (key, value)).collect();
            left.members().len() == right.len()
                && left.members().iter().all(|(key, value)| right.get(key).is_some_and(|other| same(value, other)))
        }
        _ => left == right,
    }
}
