//! The JSON Schema of the protocol, from the types of `messages.rs` and `answer.rs`: the whole of `schema.json`.
//!
//! It describes one line of the wire, and each method by name: `build.request`, `build.result` and so on. What a
//! schema cannot say is on the page: which answer belongs to which question, when each may come, and what the
//! spec makes of a payload. Unknown members are allowed everywhere but in the raw form of a payload.

use crate::answer::Answer;
use crate::envelope::{ErrorObject, IdSchema};
use crate::messages::{
    BoundaryParams, BoundaryResult, CancelParams, CompactParams, CompactResult, ContextParams, CutParams, CutResult,
    Declaration, DiagnoseResult, Empty, GroupsResult, HandleParams, HandleResult, InitializeParams, InspectResult,
    MessagesParams, PROTOCOL_VERSION, REFUSAL_CODE, RefusalData, RenderResult, SummarizeParams, UnitsResult, method,
};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// Describes the parts of one method.
type Part = fn(&mut SchemaGenerator) -> Value;

/// Every request: its method, its parameters, its result.
const REQUESTS: [(&str, Part, Part); 14] = [
    (method::INITIALIZE, part::<InitializeParams>, part::<Declaration>),
    (method::BUILD, part::<ContextParams>, part::<HandleResult>),
    (method::INSPECT, part::<HandleParams>, part::<InspectResult>),
    (method::RENDER, part::<HandleParams>, part::<RenderResult>),
    (method::RELEASE, part::<HandleParams>, part::<Empty>),
    (method::UNITS, part::<ContextParams>, part::<UnitsResult>),
    (method::GROUPS, part::<MessagesParams>, part::<GroupsResult>),
    (method::DIAGNOSE, part::<MessagesParams>, part::<DiagnoseResult>),
    (method::BOUNDARY, part::<BoundaryParams>, part::<BoundaryResult>),
    (method::CUT, part::<CutParams>, part::<CutResult>),
    (method::MEASURE, part::<MessagesParams>, part::<UnitsResult>),
    (method::COMPACT, part::<CompactParams>, part::<CompactResult>),
    (method::SUMMARIZE, part::<SummarizeParams>, part::<Answer>),
    (method::SHUTDOWN, part::<Empty>, part::<Empty>),
];

/// Every notification: its method, its parameters.
const NOTIFICATIONS: [(&str, Part); 2] =
    [(method::CANCEL, part::<CancelParams>), (method::SUMMARIZE, part::<SummarizeParams>)];

/// The schema, ready to be printed.
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let id = part::<IdSchema>(&mut generator);
    let mut lines = Map::new();
    for (method, params, result) in REQUESTS {
        let params = params(&mut generator);
        lines.insert(format!("{method}.request"), message(method, Some(&id), &params));
        lines.insert(format!("{method}.result"), response(&id, &json!({ "result": result(&mut generator) }), "result"));
    }
    for (method, params) in NOTIFICATIONS {
        let params = params(&mut generator);
        lines.insert(format!("{method}.notification"), message(method, None, &params));
    }
    lines.insert("error".to_owned(), error(&mut generator));
    let any = lines.keys().map(|name| json!({ "$ref": format!("#/$defs/{name}") })).collect::<Vec<_>>();
    let mut definitions = generator.take_definitions(true);
    definitions.append(&mut lines);
    sorted(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("urn:seamcheck:protocol:{PROTOCOL_VERSION}"),
        "title": format!("The fixture protocol of Seamcheck, version {PROTOCOL_VERSION}: one line of the wire"),
        "description": "Generated from the types; PROTOCOL.md is normative. A line that fits none of these is one of \
            a later version, or a fault.",
        "anyOf": any,
        "$defs": definitions
    }))
}

/// `schema.json` as it lies beside the page.
pub fn schema_text() -> String {
    let mut text = serde_json::to_string_pretty(&schema()).expect("a value of JSON always serializes");
    text.push('\n');
    text
}

fn part<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

/// A request, or without an id a notification. Parameters may be absent where none is required.
fn message(method: &str, id: Option<&Value>, params: &Value) -> Value {
    let mut properties = json!({ "jsonrpc": { "const": "2.0" }, "method": { "const": method }, "params": params });
    let mut required = vec!["jsonrpc", "method"];
    if method != method::SHUTDOWN {
        required.push("params");
    }
    let mut schema = Map::from_iter([("type".to_owned(), json!("object"))]);
    if let Some(id) = id {
        properties["id"] = id.clone();
        required.push("id");
    } else {
        schema.insert("not".to_owned(), json!({ "required": ["id"] }));
    }
    schema.insert("properties".to_owned(), properties);
    schema.insert("required".to_owned(), json!(required));
    Value::Object(schema)
}

fn response(id: &Value, outcome: &Value, field: &str) -> Value {
    let mut properties = json!({ "jsonrpc": { "const": "2.0" }, "id": id });
    properties[field] = outcome[field].clone();
    json!({ "type": "object", "properties": properties, "required": ["jsonrpc", "id", field] })
}

/// An error whose data is a refusal's when its code says so. The id is null when the line could not be read.
fn error(generator: &mut SchemaGenerator) -> Value {
    let id = json!({ "anyOf": [part::<IdSchema>(generator), { "type": "null" }] });
    let refusal = part::<RefusalData>(generator);
    let error = json!({
        "allOf": [part::<ErrorObject>(generator)],
        "if": { "properties": { "code": { "const": REFUSAL_CODE } } },
        "then": { "properties": { "data": refusal }, "required": ["data"] }
    });
    response(&id, &json!({ "error": error }), "error")
}

/// Members by name, whatever order the map of this build keeps.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        Value::Object(members) => {
            let mut members: Vec<_> = members.into_iter().map(|(name, value)| (name, sorted(value))).collect();
            members.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Object(members.into_iter().collect())
        }
        other => other,
    }
}
