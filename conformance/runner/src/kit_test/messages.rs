//! Lines that are JSON and no message, or a message that JSON-RPC has its own word on: ids, methods, parameters.

use super::kit::{Kit, Said, same_id};
use super::{Done, KitCheck, Needs, Stop, check};
use seamcheck_protocol::envelope::{INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND};
use seamcheck_protocol::messages::Level;

pub(super) const CHECKS: [KitCheck; 10] = [
    check("K-BATCH", "a batch is answered -32600 with the id null", Needs::Nothing, |kit| Box::pin(batch(kit))),
    check("K-VERSION", "a message of another JSON-RPC is answered -32600 with the id null", Needs::Nothing, |kit| {
        Box::pin(version(kit))
    }),
    check("K-NO-MESSAGE", "JSON that is no message is answered -32600 with the id null", Needs::Nothing, |kit| {
        Box::pin(no_message(kit))
    }),
    check("K-IDS", "an id comes back as it came, type and value", Needs::Nothing, |kit| Box::pin(ids(kit))),
    check(
        "K-ODD-IDS",
        "an id that is none comes back as it came or is answered -32600 with the id null",
        Needs::Nothing,
        |kit| Box::pin(odd_ids(kit)),
    ),
    check("K-METHOD", "an unknown method is answered -32601", Needs::Nothing, |kit| Box::pin(unknown_method(kit))),
    check("K-NOTIFICATION", "a message without an id is never answered", Needs::Nothing, |kit| {
        Box::pin(notifications(kit))
    }),
    check("K-PARAMS", "parameters that are absent or do not fit are answered -32602", Needs::Nothing, |kit| {
        Box::pin(params(kit))
    }),
    check("K-MEMBERS", "unknown members are ignored", Needs::Nothing, |kit| Box::pin(members(kit))),
    check("K-RESPONSE", "a response to no question is ignored", Needs::Nothing, |kit| Box::pin(responses(kit))),
];

async fn batch(kit: &mut Kit) -> Done {
    let request = kit.sound("1", "");
    for line in ["[]".to_owned(), format!("[{request}]"), format!("[{request},{request}]"), "[1]".to_owned()] {
        refused_as_no_message(kit, &line).await?;
    }
    kit.goes_on().await
}

async fn version(kit: &mut Kit) -> Done {
    let request = kit.sound("1", "");
    for other in [r#""jsonrpc":"1.0","#, r#""jsonrpc":2.0,"#, r#""jsonrpc":null,"#, ""] {
        refused_as_no_message(kit, &request.replace(r#""jsonrpc":"2.0","#, other)).await?;
    }
    kit.goes_on().await
}

async fn no_message(kit: &mut Kit) -> Done {
    for line in [
        "{}",
        "null",
        "true",
        "7",
        r#""text""#,
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
    ] {
        refused_as_no_message(kit, line).await?;
    }
    kit.goes_on().await
}

async fn refused_as_no_message(kit: &mut Kit, line: &str) -> Done {
    kit.line(line);
    kit.error("null", INVALID_REQUEST).await.map_err(|stop| stop.after(line))
}

async fn ids(kit: &mut Kit) -> Done {
    let long = format!("\"{}\"", "i".repeat(10_000));
    let ids =
        ["0", "-1", "9007199254740991", "-9007199254740991", r#""""#, r#""0""#, r#""null""#, r#""é \"\\ 😀""#, &long];
    for id in ids {
        kit.line(&kit.sound(id, ""));
        kit.answer(id).await?.sound()?;
    }
    kit.goes_on().await
}

async fn odd_ids(kit: &mut Kit) -> Done {
    for id in ["null", "true", "[1]", r#"{"a":1}"#, "1.5", "9007199254740993", "18446744073709551617", "1e400"] {
        kit.line(&kit.sound(id, ""));
        let Said::Answer(answer) = kit.hear().await? else {
            return Err(Stop::fault("`summarize` came, and no compaction runs"));
        };
        let refused = answer.id == "null" && answer.outcome.as_ref().is_err_and(|error| error.code == INVALID_REQUEST);
        if !refused && !same_id(&answer.id, id) {
            return Err(Stop::Fault(format!("the id {id} was answered by {answer}")));
        }
    }
    kit.goes_on().await
}

async fn unknown_method(kit: &mut Kit) -> Done {
    let methods = [
        "frobnicate",
        "",
        "rpc.discover",
        "__init__",
        "constructor",
        "toString",
        "__proto__",
        "declaration",
        "serve",
        "cancel",
        "summarize",
    ];
    for method in methods {
        let id = kit.fresh_id();
        kit.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{}}}}"#));
        kit.error(&id, METHOD_NOT_FOUND).await.map_err(|stop| stop.after(&format!("the method {method:?}")))?;
    }
    kit.goes_on().await
}

async fn notifications(kit: &mut Kit) -> Done {
    for method in [
        "progress",
        "$/cancelRequest",
        "initialize",
        "build",
        "cut",
        "units",
        "compact",
        "release",
        "shutdown",
        "summarize",
    ] {
        kit.line(&format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{}}}}"#));
    }
    kit.line(r#"{"jsonrpc":"2.0","method":"progress","params":[1]}"#);
    kit.line(r#"{"jsonrpc":"2.0","method":"progress"}"#);
    kit.goes_on().await
}

async fn params(kit: &mut Kit) -> Done {
    let mut wrong: Vec<(&str, &str)> = Vec::new();
    if kit.declares(|declaration| declaration.levels.contains(&Level::Cut)) {
        wrong.extend(["{}", r#"{"messages":[]}"#, r#"{"messages":[],"budget":"1"}"#].map(|params| ("cut", params)));
        wrong.extend(
            [r#"{"messages":[],"budget":-1}"#, r#"{"messages":[],"budget":1.5}"#].map(|params| ("cut", params)),
        );
        wrong.extend(["[]", r#""x""#, "7"].map(|params| ("cut", params)));
    }
    if kit.declares(|declaration| declaration.levels.iter().any(|level| *level != Level::Cut)) {
        wrong.extend(["{}", "[]", r#""x""#, "7"].map(|params| ("build", params)));
        wrong.extend(["{}", r#"{"handle":1}"#, r#"{"handle":null}"#].map(|params| ("inspect", params)));
        wrong.extend(["{}", r#"{"handle":["h1"]}"#].map(|params| ("release", params)));
        wrong.extend(["{}", r#"{"options":{}}"#].map(|params| ("compact", params)));
    }
    for (method, params) in wrong {
        let id = kit.fresh_id();
        kit.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#));
        kit.error(&id, INVALID_PARAMS)
            .await
            .map_err(|stop| stop.after(&format!("`{method}` with the params {params}")))?;
    }
    kit.goes_on().await
}

async fn members(kit: &mut Kit) -> Done {
    let id = kit.fresh_id();
    kit.line(&kit.sound(&id, r#","trace":{"json":"x"},"__proto__":{"a":1},"new":[[],null,1e-7]"#));
    kit.answer(&id).await?.sound()?;
    kit.goes_on().await
}

async fn responses(kit: &mut Kit) -> Done {
    for id in [r#""id":"s1","#, r#""id":1,"#, r#""id":null,"#, ""] {
        kit.line(&format!(r#"{{"jsonrpc":"2.0",{id}"result":{{"kind":"text","text":"stray"}}}}"#));
        kit.line(&format!(r#"{{"jsonrpc":"2.0",{id}"error":{{"code":-32601,"message":"stray"}}}}"#));
    }
    kit.goes_on().await
}
