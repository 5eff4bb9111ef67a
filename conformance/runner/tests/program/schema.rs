//! The schema of the certificate: it is what the types say, and real certificates of several kinds fit it.

use crate::{certify_toy, seamcheck};
use serde_json::Value;

fn schema() -> Value {
    serde_json::from_str(&seamcheck(&["schema", "certificate"]).stdout).unwrap()
}

#[test]
fn the_schema_in_the_repository_is_the_one_that_the_program_prints() {
    let kept = include_str!("../../certificate.schema.json");
    let advice = "write it anew: seamcheck schema certificate > conformance/runner/certificate.schema.json";
    assert!(seamcheck(&["schema", "certificate"]).stdout == kept, "{advice}");
}

#[test]
fn certificates_of_every_kind_fit_the_schema() {
    let schema = schema();
    for (mode, cases, more) in [
        ("keeps-all", "6", &[][..]),
        ("keeps-last-n", "6", &[]),
        ("keeps-last-n", "6", &["--clause", "B-TRIM-1"]),
        ("exits", "2", &[]),
        ("exits-at-once", "1", &[]),
        ("bad-json", "1", &[]),
    ] {
        let (_, certificate) = certify_toy(mode, cases, more);
        assert_eq!(faults(&schema, &schema, &certificate, "certificate"), Vec::<String>::new(), "{mode}");
    }
}

#[test]
fn a_certificate_that_lacks_a_field_or_has_one_more_does_not_fit() {
    let schema = schema();
    let (_, certificate) = certify_toy("keeps-last-n", "6", &[]);
    let broken = |change: fn(&mut Value)| {
        let mut broken = certificate.clone();
        change(&mut broken);
        faults(&schema, &schema, &broken, "certificate").join("; ")
    };
    assert_eq!(
        broken(|one| drop(one["adapter"].as_object_mut().unwrap().remove("name"))),
        "certificate.adapter lacks name"
    );
    assert_eq!(broken(|one| one["more"] = 1.into()), "certificate.more is not in the schema");
    assert!(broken(|one| one["seed"] = "1".into()).contains("certificate.seed"));
    assert!(broken(|one| one["checks"][0]["verdict"] = "perfect".into()).contains("certificate.checks[0].verdict"));
}

/// Where a value does not fit: the part of JSON Schema that the schema uses, and no member beyond those it names.
fn faults(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix("#/$defs/")) {
        return faults(root, &root["$defs"][name], value, place);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[choice].as_array() {
            let fits = choices.iter().any(|one| faults(root, one, value, place).is_empty());
            return if fits { vec![] } else { vec![format!("{place} fits none of the choices")] };
        }
    }
    if let Some(expected) = schema.get("const") {
        return if expected == value { vec![] } else { vec![format!("{place} is not {expected}")] };
    }
    if let Some(names) = schema["enum"].as_array() {
        return if names.contains(value) { vec![] } else { vec![format!("{place} is none of {names:?}")] };
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        // Anything goes.
        _ => return vec![],
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !kinds.contains(&kind) {
        return vec![format!("{place} is {kind}, not {kinds:?}")];
    }
    match value {
        Value::Array(elements) => {
            let each = elements.iter().enumerate();
            each.flat_map(|(index, one)| faults(root, &schema["items"], one, &format!("{place}[{index}]"))).collect()
        }
        Value::Object(members) => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let missing = required.filter(|name| !members.contains_key(*name));
            let mut found: Vec<String> = missing.map(|name| format!("{place} lacks {name}")).collect();
            for (name, member) in members {
                let place = format!("{place}.{name}");
                match (schema["properties"].get(name), schema.get("additionalProperties")) {
                    (Some(schema), _) | (None, Some(schema)) => found.extend(faults(root, schema, member, &place)),
                    (None, None) => found.push(format!("{place} is not in the schema")),
                }
            }
            found
        }
        _ => vec![],
    }
}
