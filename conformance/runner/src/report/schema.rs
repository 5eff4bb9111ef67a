//! The schema of the certificate's JSON, and the forms in it of types that belong to the protocol.
//!
//! The forms are never made: they say what the protocol's own serialization gives, and a test holds real
//! certificates against the schema.

#![expect(dead_code, reason = "the forms stand for types of another crate and are read by the schema alone")]

use super::certificate::Certificate;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

/// The schema, pretty, as the file `certificate.schema.json` has it.
pub fn certificate_schema() -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema: Schema = settings.into_generator().into_root_schema_for::<Certificate>();
    schema.insert("title".to_owned(), "The certificate of seamcheck, format 1".into());
    format!("{:#}\n", schema.to_value())
}

/// How a level stands in JSON.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Level")]
pub(super) enum LevelForm {
    /// Trimming only.
    Cut,
    /// Compacting with a summarizer.
    Compact,
    /// Units, groups, boundary, diagnostics and error codes of the spec.
    Exact,
}

/// What an adapter declares beyond its levels.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Capabilities")]
pub(super) struct CapabilitiesForm {
    /// Takes payloads as `{"json": "<text>"}`.
    raw_json: bool,
    /// `inspect` gives a digest over every native field.
    native: bool,
    /// Has the method `measure`.
    measure: bool,
    /// Has the method `render`.
    render: bool,
    /// What `cut` keeps: `suffix`, `subset` or `parts`.
    keeps: String,
    /// How it comes by a summary: `callback` or `scripted`.
    summarize: String,
    /// The kinds of answer that its summarizer can act out.
    answers: Vec<String>,
    /// When it can be cancelled: `at-look`, `in-callback`, `async`.
    cancel: Vec<String>,
}
