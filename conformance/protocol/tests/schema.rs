//! `schema.json` is what the types say, and what travels fits it: every line of the session on the page, each kind
//! of answer. The small validator here knows what the document uses and stops at anything else.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use seamcheck_protocol::schema::{schema, schema_text};
use serde_json::{Value, json};
use std::collections::HashMap;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/schema.json");
const PAGE: &str = include_str!("../PROTOCOL.md");

#[test]
fn the_file_is_what_the_types_say() {
    if std::env::var_os("SEAMCHECK_BLESS").is_some() {
        std::fs::write(FILE, schema_text()).unwrap();
    }
    let written = std::fs::read_to_string(FILE).unwrap();
    assert!(written == schema_text(), "run this test with SEAMCHECK_BLESS=1 to write schema.json anew");
}

#[test]
fn every_line_of_the_session_on_the_page_fits_but_those_that_are_wrong_on_purpose() {
    let schema = schema();
    let session = PAGE.split_once("```text\n").unwrap().1.split_once("```").unwrap().0;
    let (mut asked, mut wrong, mut checked) = (HashMap::new(), Vec::new(), 0);
    for line in session.lines() {
        let (side, text) = line.split_at(2);
        // Lone surrogates are no text for serde_json; their place does not matter here.
        let Ok(message) = serde_json::from_str::<Value>(&text.replace("\\ud800", "\\ufffd")) else {
            wrong.push(text);
            continue;
        };
        let name = match (&message["method"], message.get("id")) {
            (Value::String(method), Some(id)) => {
                asked.insert(format!("{}{id}", &side[..1]), method.clone());
                format!("{method}.request")
            }
            (Value::String(method), None) => format!("{method}.notification"),
            _ if message.get("error").is_some() => "error".to_owned(),
            (_, id) => {
                let asker = if side == "> " { "<" } else { ">" };
                let method = id.and_then(|id| asked.get(&format!("{asker}{id}")));
                method.map_or_else(|| "none".to_owned(), |method| format!("{method}.result"))
            }
        };
        match schema["$defs"].get(&name).map(|rule| fits(&schema, rule, &message)) {
            Some(Ok(())) => {
                assert_eq!(fits(&schema, &schema, &message), Ok(()), "{line}");
                checked += 1;
            }
            _ if side == "> " => wrong.push(text),
            other => panic!("{name}: {other:?}: {line}"),
        }
    }
    let wrong: Vec<String> = wrong.iter().map(|line| line.chars().take(60).collect()).collect();
    assert_eq!(
        wrong,
        [
            r#"{"jsonrpc":"2.0","id":20,"method":"translate","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":21,"method":"units","params":{}}"#,
            r#"[{"jsonrpc":"2.0","id":22,"method":"shutdown"}]"#,
            "not json",
        ]
    );
    assert_eq!(checked, session.lines().count() - wrong.len());
}

#[test]
fn the_schema_tells_right_from_wrong() {
    let schema = schema();
    let answer = |value: Value| fits(&schema, &schema["$defs"]["Answer"], &value).is_ok();
    for right in [
        json!({"kind": "text", "text": "a", "cancel": true, "new": 1}),
        json!({"kind": "value", "value": null}),
        json!({"kind": "throw"}),
        json!({"kind": "chain", "depth": 65, "text": ""}),
        json!({"kind": "unobservable"}),
        json!({"kind": "pending", "cancel": true}),
    ] {
        assert!(answer(right.clone()), "{right}");
    }
    for wrong in [json!({"kind": "text"}), json!({"kind": "song"}), json!({"kind": "chain", "text": ""}), json!("text")]
    {
        assert!(!answer(wrong.clone()), "{wrong}");
    }
    let line = |value: Value| fits(&schema, &schema, &value).is_ok();
    let declaration = json!({"protocolVersion": "1", "name": "a", "version": "1", "profiles": ["boundary", "new"],
        "levels": ["cut", "new"], "capabilities": {"answers": ["song"], "cancel": ["later"], "new": {}}});
    assert!(line(json!({"jsonrpc": "2.0", "id": 1, "result": declaration})));
    let refusal =
        |data: Value| json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "", "data": data}});
    assert!(line(refusal(json!({"code": "refused"}))) && !line(refusal(json!({}))));
    assert!(line(json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": ""}})));
    let cut = |id: Value, budget: Value| {
        let params = json!({"messages": {"json": "["}, "budget": budget});
        json!({"jsonrpc": "2.0", "id": id, "method": "cut", "params": params})
    };
    assert!(line(cut(json!("a"), json!(0))) && line(cut(json!(-1), json!(0))));
    assert!(!line(cut(Value::Null, json!(0))) && !line(cut(json!(1.5), json!(0))));
    assert!(!line(cut(json!(1_u64 << 53), json!(0))) && !line(cut(json!(1), json!(-1))));
    assert!(!line(json!({"jsonrpc": "1.0", "id": 1, "method": "shutdown"})));
}

/// Whether the value fits the rule, or why not. Formats and annotations say nothing.
fn fits(root: &Value, rule: &Value, value: &Value) -> Result<(), String> {
    let Value::Object(rule) = rule else {
        return if rule == &json!(true) { Ok(()) } else { Err(format!("{value} fits nothing")) };
    };
    let all = |rules: &Value| rules.as_array().unwrap().iter().map(|rule| fits(root, rule, value)).collect::<Vec<_>>();
    for (keyword, argument) in rule {
        let holds = match keyword.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" | "default" | "format" | "then" => true,
            "$ref" => {
                fits(root, root.pointer(&argument.as_str().unwrap()[1..]).unwrap(), value)?;
                true
            }
            "const" => value == argument,
            "enum" => argument.as_array().unwrap().contains(value),
            "type" => match argument {
                Value::Array(types) => types.iter().any(|name| is_a(name, value)),
                name => is_a(name, value),
            },
            "minimum" => value.as_f64().is_none_or(|number| number >= argument.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= argument.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= argument.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= argument.as_u64().unwrap()),
            "required" => {
                let names = argument.as_array().unwrap();
                value
                    .as_object()
                    .is_none_or(|members| names.iter().all(|name| members.contains_key(name.as_str().unwrap())))
            }
            "properties" => {
                for (name, rule) in argument.as_object().unwrap() {
                    if let Some(member) = value.get(name) {
                        fits(root, rule, member).map_err(|why| format!("{name}: {why}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(argument, &json!(false));
                let known = rule["properties"].as_object().unwrap();
                value.as_object().is_none_or(|members| members.keys().all(|name| known.contains_key(name)))
            }
            "items" => {
                let mut items = value.as_array().into_iter().flatten().skip(prefix(rule).len());
                items.try_for_each(|item| fits(root, argument, item))?;
                true
            }
            "prefixItems" => {
                let mut pairs = value.as_array().into_iter().flatten().zip(prefix(rule));
                pairs.try_for_each(|(item, rule)| fits(root, rule, item))?;
                true
            }
            "anyOf" => all(argument).iter().any(Result::is_ok),
            "oneOf" => all(argument).iter().filter(|fit| fit.is_ok()).count() == 1,
            "allOf" => all(argument).iter().all(Result::is_ok),
            "not" => fits(root, argument, value).is_err(),
            "if" => fits(root, argument, value).is_err() || fits(root, &rule["then"], value).is_ok(),
            other => panic!("the validator of this test does not know `{other}`"),
        };
        if !holds {
            return Err(format!("{keyword} {argument} does not hold for {value}"));
        }
    }
    Ok(())
}

fn prefix(rule: &serde_json::Map<String, Value>) -> &[Value] {
    rule.get("prefixItems").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn is_a(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("no type is named {other}"),
    }
}
