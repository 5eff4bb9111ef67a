//! The handshake: first, once, with a version that both speak. These checks start before it.

use super::kit::{Kit, initialize};
use super::{Done, KitCheck, Needs, Stop, check};
use seamcheck_protocol::envelope::{INVALID_PARAMS, INVALID_REQUEST};
use seamcheck_protocol::messages::{Declaration, PROTOCOL_VERSION};
use serde_json::Value;

pub(super) const CHECKS: [KitCheck; 5] = [
    check("K-INIT-FIRST", "a request before `initialize` is answered -32600", Needs::Handshake, |kit| {
        Box::pin(first(kit))
    }),
    check("K-INIT-ONCE", "a second `initialize` is answered -32600", Needs::Nothing, |kit| Box::pin(once(kit))),
    check(
        "K-INIT-VERSION",
        "an offer without a version that the adapter speaks is answered -32602",
        Needs::Handshake,
        |kit| Box::pin(no_version(kit)),
    ),
    check("K-INIT-FUTURE", "of several versions the one that the adapter speaks is chosen", Needs::Handshake, |kit| {
        Box::pin(future(kit))
    }),
    check(
        "K-DECLARATION",
        "the declaration has the members and the types of the protocol page",
        Needs::Handshake,
        |kit| Box::pin(declaration(kit)),
    ),
];

async fn first(kit: &mut Kit) -> Done {
    for (id, method) in [("1", "build"), ("\"x\"", "cut"), ("2", "frobnicate")] {
        kit.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{}}}}"#));
        kit.error(id, INVALID_REQUEST).await?;
    }
    kit.initialize().await?;
    kit.goes_on().await
}

async fn once(kit: &mut Kit) -> Done {
    kit.line(&initialize("7", r#"["1"]"#));
    kit.error("7", INVALID_REQUEST).await?;
    kit.goes_on().await
}

async fn no_version(kit: &mut Kit) -> Done {
    for versions in [r#"["0","99"]"#, "[]"] {
        kit.line(&initialize("7", versions));
        kit.error("7", INVALID_PARAMS).await?;
    }
    kit.initialize().await?;
    kit.goes_on().await
}

async fn future(kit: &mut Kit) -> Done {
    let line = initialize("7", r#"["99","1"]"#).replace(r#""params":{"#, r#""new":[1],"params":{"deadline":{"a":1},"#);
    kit.line(&line);
    let result = kit.answer("7").await?.result("`initialize`")?;
    let declaration: Declaration =
        serde_json::from_str(result.get()).map_err(|error| Stop::Fault(error.to_string()))?;
    if declaration.protocol_version == PROTOCOL_VERSION {
        Ok(())
    } else {
        Err(Stop::Fault(format!("it chose {:?}, which is not among those it speaks", declaration.protocol_version)))
    }
}

async fn declaration(kit: &mut Kit) -> Done {
    kit.line(&initialize("7", r#"["1"]"#));
    let result = kit.answer("7").await?.result("`initialize`")?;
    let declared: Value = serde_json::from_str(result.get()).map_err(|error| Stop::Fault(error.to_string()))?;
    let read: Declaration = serde_json::from_str(result.get()).map_err(|error| Stop::Fault(error.to_string()))?;
    let needs = |holds: bool, words: &str| if holds { Ok(()) } else { Err(Stop::Fault(words.to_owned())) };
    needs(!read.name.is_empty() && !read.version.is_empty(), "`name` and `version` must say what is served")?;
    needs(read.profiles.iter().any(|profile| profile == "boundary"), "`profiles` must hold \"boundary\"")?;
    needs(read.max_in_flight >= 1, "`maxInFlight` must be 1 or more")?;
    needs(!read.levels.is_empty(), "`levels` must hold one of cut, compact, exact")?;
    // An unknown name is one of a later version to the runner, and here, of a kit of this version, a slip.
    for (name, known) in [
        ("levels", &["cut", "compact", "exact"][..]),
        ("answers", &["text", "value", "throw", "reject", "panic", "chain", "unobservable", "pending"]),
        ("cancel", &["at-look", "in-callback", "async"]),
    ] {
        let list = declared.get(name).or_else(|| declared["capabilities"].get(name));
        for item in list.and_then(Value::as_array).into_iter().flatten() {
            needs(known.iter().any(|known| item == known), &format!("`{name}` holds {item}; known are {known:?}"))?;
        }
    }
    Ok(())
}
