//! Lists of names that a later version may add to: what is not known is passed over, never an error, so that
//! a newer adapter meets an older runner. Single names (`keeps`, `summarize`) are closed: an unknown one changes
//! what the known ones mean.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::marker::PhantomData;

/// Reads a list of names and keeps those that are known.
pub(crate) fn known<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    Ok(names.into_iter().filter_map(|name| serde_json::from_value(name.into()).ok()).collect())
}

/// The schema of one such name.
pub(crate) struct OpenName<T>(PhantomData<T>);

impl<T: JsonSchema> JsonSchema for OpenName<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Open{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let known = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [known, { "description": "A name of a later version, passed over.", "type": "string" }] })
    }
}
