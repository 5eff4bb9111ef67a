//! What JSON-RPC lets a runner send and what a broken one may: unknown members in every message, odd ids, lines
//! that are no messages. Each costs one answer at most, and the session goes on.

#![expect(clippy::unwrap_used, reason = "every line of this file is a test")]

mod toy;

use seamcheck_protocol::serve::serve;
use serde_json::{Value, json};
use toy::Toy;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersions":["1"],"suite":{"name":"t","version":"0","specVersion":"0"}}}"#;
const BUILD: &str = r#"{"jsonrpc":"2.0","id":"b","method":"build","params":{"context":"old"}}"#;
const SHUTDOWN: &str = r#"{"jsonrpc":"2.0","id":"end","method":"shutdown"}"#;

/// What is answered to these lines between a handshake and the shutdown, which are both answered.
async fn answers(lines: &[&str]) -> Vec<Value> {
    let input = [&[INITIALIZE], lines, &[SHUTDOWN, ""]].concat().join("\n");
    let mut output = Vec::new();
    serve(Toy, input.as_bytes(), &mut output).await.unwrap();
    let text = String::from_utf8(output).unwrap();
    let mut answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.remove(0)["id"], "i");
    assert_eq!(answers.pop().unwrap(), json!({"jsonrpc": "2.0", "id": "end", "result": {}}));
    answers
}

#[tokio::test]
async fn unknown_members_are_ignored_in_every_message() {
    let deep = "[".repeat(5_000) + &"]".repeat(5_000);
    let more = format!(r#""new":{deep},"trace":{{"a":[1]}}"#);
    let initialize = format!(
        r#"{{{more},"jsonrpc":"2.0","id":0,"method":"initialize","params":{{{more},"protocolVersions":["2","1"],"suite":{{{more},"name":"t","version":"0","specVersion":"0"}}}}}}"#
    );
    let request = |id: u32, method: &str, params: &str| {
        format!(r#"{{{more},"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{more},{params}}}}}"#)
    };
    let lines = [
        initialize,
        request(1, "build", r#""context":"old""#),
        request(2, "inspect", r#""handle":"h1""#),
        request(3, "units", r#""context":1"#),
        request(4, "cut", r#""messages":[],"budget":1"#),
        request(
            5,
            "compact",
            &format!(r#""handle":"h1","options":{{}},"summarizer":{{{more},"kind":"text","text":"a"}}"#),
        ),
        request(6, "compact", r#""handle":"h1","options":{}"#),
        format!(r#"{{{more},"jsonrpc":"2.0","method":"cancel","params":{{{more},"compaction":99}}}}"#),
        format!(r#"{{{more},"jsonrpc":"2.0","id":"s1","result":{{{more},"kind":"text","text":"b"}}}}"#),
        request(7, "compact", r#""handle":"h1","options":{}"#),
        format!(r#"{{{more},"jsonrpc":"2.0","id":"s2","error":{{{more},"code":1,"message":"no"}}}}"#),
        request(8, "release", r#""handle":"h1""#),
        request(9, "shutdown", r#""why":null"#),
    ]
    .join("\n");
    let mut output = Vec::new();
    serve(Toy, lines.as_bytes(), &mut output).await.unwrap();
    let text = String::from_utf8(output).unwrap();
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seen: Vec<String> = answers
        .iter()
        .map(|answer| match (answer.get("method"), answer.get("result"), &answer["error"]["data"]["code"]) {
            (Some(method), ..) => method.to_string(),
            (_, Some(_), _) => format!("{} ok", answer["id"]),
            (.., code) => format!("{} {code}", answer["id"]),
        })
        .collect();
    assert_eq!(
        seen.join(", ").replace('"', ""),
        "0 ok, 1 ok, 2 ok, 3 ok, 4 unsupported, summarize, 5 ok, summarize, 6 ok, summarize, \
         7 CONTEXT_SUMMARIZER_FAILED, 8 ok, 9 ok"
    );
}

#[tokio::test]
async fn an_id_comes_back_as_it_came_or_is_refused_as_none() {
    let ask = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"units","params":{{"context":1}}}}"#);
    for id in [
        r#""""#,
        r#""1""#,
        r#""\u00e9 \"""#,
        "0",
        "-1",
        "9007199254740993",
        "-9223372036854775808",
        "18446744073709551615",
    ] {
        let found = answers(&[&ask(id)]).await;
        assert_eq!(found[0]["id"], serde_json::from_str::<Value>(id).unwrap(), "{id}");
        assert_eq!(found[0]["result"], json!({"units": 1}));
    }
    for id in [
        "1.5",
        "1.0",
        "1e2",
        "1e999",
        "18446744073709551616",
        "123456789012345678901234567890",
        "null",
        "true",
        "[1]",
        "{}",
    ] {
        let found = answers(&[&ask(id)]).await;
        assert_eq!((&found[0]["id"], &found[0]["error"]["code"]), (&Value::Null, &json!(-32600)), "{id}");
    }
}

#[tokio::test]
async fn parameters_that_do_not_fit_are_named_and_cost_one_answer() {
    for method in
        ["build", "inspect", "release", "units", "groups", "diagnose", "boundary", "cut", "measure", "compact"]
    {
        for params in
            ["", r#","params":{}"#, r#","params":null"#, r#","params":[]"#, r#","params":7"#, r#","params":"x""#]
        {
            let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"{params}}}"#);
            let found = answers(&[&line]).await;
            assert_eq!((&found[0]["id"], &found[0]["error"]["code"]), (&json!(1), &json!(-32602)), "{line}");
            assert!(found[0]["error"]["message"].as_str().unwrap().starts_with("params: "), "{line}");
        }
    }
}

#[tokio::test]
async fn what_is_no_message_of_jsonrpc_is_refused_with_no_id() {
    for (line, code) in [
        (r#"{"id":1,"method":"units"}"#, -32600),
        (r#"{"jsonrpc":2.0,"id":1,"method":"units"}"#, -32600),
        (r#"{"jsonrpc":"2","id":1,"method":"units"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"units"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#, -32600),
        ("[]", -32600),
        ("null", -32600),
        ("7", -32600),
        (r#""{}""#, -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"units\"", -32700),
        ("{}{}", -32700),
        (r#"{"id":1,"method":"units""#, -32700),
        ("[1,", -32700),
        ("{'jsonrpc':'2.0'}", -32700),
    ] {
        let found = answers(&[line]).await;
        assert_eq!(found.len(), 1, "{line}");
        assert_eq!((&found[0]["id"], &found[0]["error"]["code"]), (&Value::Null, &json!(code)), "{line}");
    }
}

#[tokio::test]
async fn what_needs_no_answer_has_none() {
    let silent = [
        r#"{"jsonrpc":"2.0","method":"progress","params":[1]}"#,
        r#"{"jsonrpc":"2.0","method":"units","params":{"context":1}}"#,
        r#"{"jsonrpc":"2.0","method":"shutdown"}"#,
        r#"{"jsonrpc":"2.0","method":"cancel"}"#,
        r#"{"jsonrpc":"2.0","method":"cancel","params":7}"#,
        r#"{"jsonrpc":"2.0","method":"cancel","params":{"compaction":{}}}"#,
        r#"{"jsonrpc":"2.0","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"s1","error":{"code":1,"message":"no"}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}"#,
        "",
        "\t \r",
    ];
    assert_eq!(answers(&[&[BUILD], &silent[..]].concat()).await.len(), 1);
}
