//! Order of answers, and live contexts behind their handles.

use super::kit::Kit;
use super::{Done, KitCheck, Needs, Stop, check};
use serde::Deserialize;
use serde_json::value::RawValue;

pub(super) const CHECKS: [KitCheck; 5] = [
    check("K-BURST", "64 requests at once are answered each once, in their order", Needs::Nothing, |kit| {
        Box::pin(burst(kit))
    }),
    check("K-HANDLE-UNKNOWN", "a handle that was never issued is `unknown-handle`", Needs::Contexts, |kit| {
        Box::pin(unknown(kit))
    }),
    check("K-HANDLE-RELEASED", "a released handle is `unknown-handle`, at once and for good", Needs::Contexts, |kit| {
        Box::pin(released(kit))
    }),
    check("K-HANDLE-NEW", "no handle is issued twice", Needs::Contexts, |kit| Box::pin(new(kit))),
    check("K-HANDLE-LIVE", "each handle shows its own context, whatever happens to others", Needs::Contexts, |kit| {
        Box::pin(live(kit))
    }),
];

async fn burst(kit: &mut Kit) -> Done {
    let mut text = String::new();
    for id in 0..64 {
        text += &(kit.sound(&id.to_string(), "") + "\n");
    }
    kit.bytes(text);
    for id in 0..64 {
        kit.answer(&id.to_string()).await?.sound()?;
    }
    kit.goes_on().await
}

async fn unknown(kit: &mut Kit) -> Done {
    for handle in [r#""no-such-handle""#, r#""""#, r#""__proto__""#, r#""constructor""#, r#""h1""#, r#""0""#] {
        all_unknown(kit, handle).await?;
    }
    kit.goes_on().await
}

async fn released(kit: &mut Kit) -> Done {
    let handle = build(kit, "a").await?;
    release(kit, &handle).await?;
    all_unknown(kit, &handle).await?;
    build(kit, "b").await?;
    all_unknown(kit, &handle).await
}

async fn all_unknown(kit: &mut Kit, handle: &str) -> Done {
    for (method, more) in [("inspect", ""), ("release", ""), ("compact", r#","options":{}"#)] {
        let id = kit.fresh_id();
        kit.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"handle":{handle}{more}}}}}"#));
        let answer = kit.answer(&id).await?;
        if answer.refusal().as_deref() != Some("unknown-handle") {
            let words =
                format!("`{method}` of the handle {handle} must be refused as `unknown-handle`, and {answer} came");
            return Err(Stop::Fault(words));
        }
    }
    Ok(())
}

async fn new(kit: &mut Kit) -> Done {
    let mut seen = Vec::new();
    for round in 0..20 {
        let handle = build(kit, "a").await?;
        if seen.contains(&handle) {
            return Err(Stop::Fault(format!("the handle {handle} was issued a second time")));
        }
        if round % 2 == 0 {
            release(kit, &handle).await?;
        }
        seen.push(handle);
    }
    kit.goes_on().await
}

async fn live(kit: &mut Kit) -> Done {
    let (first, second) = (build(kit, "first-text").await?, build(kit, "second-text").await?);
    shows(kit, &first, "first-text").await?;
    shows(kit, &second, "second-text").await?;
    release(kit, &first).await?;
    shows(kit, &second, "second-text").await?;
    kit.goes_on().await
}

/// A live context of one message, by its handle as JSON text.
async fn build(kit: &mut Kit, content: &str) -> Result<String, Stop> {
    build_messages(kit, &format!(r#"[{{"id":"u","role":"user","content":"{content}"}}]"#)).await
}

/// A live context of these messages, by its handle as JSON text.
pub(super) async fn build_messages(kit: &mut Kit, messages: &str) -> Result<String, Stop> {
    let id = kit.fresh_id();
    kit.line(&format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"build","params":{{"context":{{"messages":{messages}}}}}}}"#
    ));
    let answer = kit.answer(&id).await?;
    match answer.refusal() {
        Some(code) => Err(Stop::Unseen(format!("the implementation refuses the context of this check ({code})"))),
        None => handle_of(&answer.result("`build`")?),
    }
}

/// The handle in a result, as JSON text.
pub(super) fn handle_of(result: &RawValue) -> Result<String, Stop> {
    #[derive(Deserialize)]
    struct Handle {
        handle: String,
    }
    let read: Result<Handle, _> = serde_json::from_str(result.get());
    let Handle { handle } = read.map_err(|error| Stop::Fault(format!("the result has no `handle`: {error}")))?;
    Ok(serde_json::Value::from(handle).to_string())
}

async fn release(kit: &mut Kit, handle: &str) -> Done {
    let id = kit.fresh_id();
    kit.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"release","params":{{"handle":{handle}}}}}"#));
    kit.answer(&id).await?.result("`release`").map(|_| ())
}

async fn shows(kit: &mut Kit, handle: &str, content: &str) -> Done {
    let shown = inspect(kit, handle).await?;
    if shown.contains(content) {
        Ok(())
    } else {
        Err(Stop::Fault(format!("{handle} was built of {content:?} and shows {shown}")))
    }
}

/// What `inspect` shows, as JSON text.
pub(super) async fn inspect(kit: &mut Kit, handle: &str) -> Result<String, Stop> {
    let id = kit.fresh_id();
    kit.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"inspect","params":{{"handle":{handle}}}}}"#));
    Ok(kit.answer(&id).await?.result("`inspect`")?.get().to_owned())
}
