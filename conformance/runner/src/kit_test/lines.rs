//! How lines arrive: in pieces, in heaps, with odd ends, too long, in no encoding.

use super::kit::{Kit, Said};
use super::{Done, KitCheck, Needs, Stop, check};
use seamcheck_protocol::envelope::{INVALID_REQUEST, MAX_LINE_BYTES, PARSE_ERROR};
use seamcheck_protocol::messages::Level;

/// Just under the limit of 16 MiB.
const LONG_BYTES: usize = MAX_LINE_BYTES - 100 * 1024;
const DEEP_LEVELS: usize = 100_000;

pub(super) const CHECKS: [KitCheck; 13] = [
    check("K-FLUSH", "each line is flushed when it is written", Needs::Nothing, |kit| Box::pin(flush(kit))),
    check("K-SPLIT", "a request that arrives byte by byte is answered once", Needs::Nothing, |kit| {
        Box::pin(split(kit))
    }),
    check("K-PACKED", "several requests in one write are answered each, in order", Needs::Nothing, |kit| {
        Box::pin(packed(kit))
    }),
    check("K-BACKLOG", "requests queue while nobody reads the answers", Needs::Nothing, |kit| Box::pin(backlog(kit))),
    check("K-CRLF", "a line may end with a carriage return and a line feed", Needs::Nothing, |kit| Box::pin(crlf(kit))),
    check("K-EMPTY", "empty lines are ignored", Needs::Nothing, |kit| Box::pin(empty(kit))),
    check("K-SEPARATORS", "only a line feed ends a line, no separator of Unicode", Needs::Nothing, |kit| {
        Box::pin(separators(kit))
    }),
    check("K-BOM", "a byte order mark costs one answer at most", Needs::Nothing, |kit| Box::pin(byte_order_mark(kit))),
    check("K-LONG-LINE", "a line of 15.9 MiB is read", Needs::Nothing, |kit| Box::pin(long_line(kit))),
    check("K-OVERLONG", "a line over 16 MiB is answered -32600 with the id null", Needs::Nothing, |kit| {
        Box::pin(overlong(kit))
    }),
    check(
        "K-BAD-JSON",
        "a line that is no UTF-8 or no JSON is answered -32700 with the id null",
        Needs::Nothing,
        |kit| Box::pin(bad_json(kit)),
    ),
    check("K-DEEP", "JSON of 100,000 levels costs one answer at most", Needs::Nothing, |kit| Box::pin(deep(kit))),
    check("K-SURROGATES", "lone surrogates come back as they went in", Needs::Nothing, |kit| Box::pin(surrogates(kit))),
];

async fn flush(kit: &mut Kit) -> Done {
    // Nothing follows that would push the answer out.
    kit.pause();
    kit.goes_on().await
}

async fn split(kit: &mut Kit) -> Done {
    let id = kit.fresh_id();
    let line = format!("{}\n", kit.sound(&id, r#","new":"é 😀""#));
    for (place, byte) in line.bytes().enumerate() {
        kit.bytes([byte]);
        if place % 50 == 25 || byte > 0x7F {
            kit.pause();
        }
    }
    kit.answer(&id).await?.sound()?;
    kit.goes_on().await
}

async fn packed(kit: &mut Kit) -> Done {
    let ids: Vec<String> = (0..5).map(|_| kit.fresh_id()).collect();
    let text = ids.iter().map(|id| kit.sound(id, "") + "\n").collect::<String>();
    // The last one is cut in two, so that a reader that takes a write for a line notices.
    let (whole, rest) = text.split_at(text.len() - 20);
    kit.bytes(whole);
    kit.pause();
    kit.bytes(rest);
    for id in &ids {
        kit.answer(id).await?.sound()?;
    }
    kit.goes_on().await
}

async fn backlog(kit: &mut Kit) -> Done {
    let padding = format!(r#","new":"{}""#, "x".repeat(8 * 1024));
    let ids: Vec<String> = (0..256).map(|_| kit.fresh_id()).collect();
    for id in &ids {
        kit.line(&kit.sound(id, &padding));
    }
    for id in &ids {
        kit.answer(id).await?.sound()?;
    }
    kit.goes_on().await
}

async fn crlf(kit: &mut Kit) -> Done {
    let id = kit.fresh_id();
    kit.bytes(format!("{}\r\n\r\n", kit.sound(&id, "")));
    kit.answer(&id).await?.sound()?;
    kit.goes_on().await
}

async fn empty(kit: &mut Kit) -> Done {
    kit.bytes("\n\n  \n\t\r\n\n");
    kit.goes_on().await
}

async fn separators(kit: &mut Kit) -> Done {
    let id = kit.fresh_id();
    kit.line(&kit.sound(&id, ",\"new\":\"a\u{2028}b\u{2029}c\u{85}d\u{7f}\""));
    kit.answer(&id).await?.sound()?;
    kit.goes_on().await
}

async fn byte_order_mark(kit: &mut Kit) -> Done {
    let id = kit.fresh_id();
    kit.line(&format!("\u{feff}{}", kit.sound(&id, "")));
    costs_one_answer(kit, &id).await
}

async fn long_line(kit: &mut Kit) -> Done {
    let id = kit.fresh_id();
    kit.line(&kit.sound(&id, ",\"new\":1").replacen(
        "\"new\":1",
        &format!("\"new\":\"{}\"", "x".repeat(LONG_BYTES)),
        1,
    ));
    kit.answer(&id).await?.sound()?;
    kit.goes_on().await
}

async fn overlong(kit: &mut Kit) -> Done {
    let id = kit.fresh_id();
    let padding = format!(r#","new":"{}""#, "x".repeat(MAX_LINE_BYTES / 2 + 1));
    kit.line(&kit.sound(&id, &padding));
    kit.error("null", INVALID_REQUEST).await?;
    kit.goes_on().await
}

async fn bad_json(kit: &mut Kit) -> Done {
    let cut_off = kit.sound("1", "");
    let lines: [&[u8]; 6] = [
        b"hello",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,",
        b"{'jsonrpc':'2.0'}",
        b"{}{}",
        b"{\"a\":\"\xff\"}",
        &cut_off.as_bytes()[1..],
    ];
    for line in lines {
        kit.bytes([line, b"\n"].concat());
        let shown = String::from_utf8_lossy(line).into_owned();
        kit.error("null", PARSE_ERROR).await.map_err(|stop| stop.after(&shown))?;
    }
    kit.goes_on().await
}

async fn deep(kit: &mut Kit) -> Done {
    let nested = format!("{}{}", "[".repeat(DEEP_LEVELS), "]".repeat(DEEP_LEVELS));
    let id = kit.fresh_id();
    kit.line(&kit.sound(&id, &format!(r#","new":{nested}"#)));
    costs_one_answer(kit, &id).await?;
    let id = kit.fresh_id();
    kit.line(&kit.sound(&id, "").replace(r#""role":"user""#, &format!(r#""role":"user","new":{nested}"#)));
    costs_one_answer(kit, &id).await
}

/// Whatever the answer is, it is this request's or nobody's, and the session goes on.
async fn costs_one_answer(kit: &mut Kit, id: &str) -> Done {
    match kit.hear().await? {
        Said::Answer(answer) if super::kit::same_id(&answer.id, id) => {}
        Said::Answer(answer) if answer.id == "null" && answer.outcome.is_err() => {}
        Said::Answer(answer) => {
            return Err(Stop::Fault(format!("an answer to the id {id} was due, and {answer} came")));
        }
        Said::Asked { .. } => return Err(Stop::fault("`summarize` came, and no compaction runs")),
    }
    kit.goes_on().await
}

async fn surrogates(kit: &mut Kit) -> Done {
    const TEXT: &str = r"a\ud800b\udc00c\ud83d\ude00";
    let id = kit.fresh_id();
    let messages = format!(r#"[{{"id":"u","role":"user","content":"{TEXT}"}}]"#);
    let trims = kit.declares(|declaration| declaration.levels == [Level::Cut]);
    let request = if trims {
        format!(r#""method":"cut","params":{{"messages":{messages},"budget":1000000}}"#)
    } else {
        format!(r#""method":"build","params":{{"context":{{"messages":{messages}}}}}"#)
    };
    kit.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},{request}}}"#));
    let mut answer = kit.answer(&id).await?;
    if let Some(code) = answer.refusal() {
        return Err(Stop::Unseen(format!("the implementation refuses lone surrogates ({code})")));
    }
    if !trims {
        let handle = super::handles::handle_of(&answer.result("`build`")?)?;
        let id = kit.fresh_id();
        kit.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"inspect","params":{{"handle":{handle}}}}}"#));
        answer = kit.answer(&id).await?;
    }
    let result = answer.result("the request")?;
    let shown = result.get().to_ascii_lowercase();
    if trims && !shown.contains("\"content\"") {
        return Err(Stop::unseen("`cut` does not give the messages back"));
    }
    // In the raw form the backslash is escaped once more.
    if !shown.contains(r"a\ud800b\udc00c") && !shown.contains(r"a\\ud800b\\udc00c") {
        return Err(Stop::Fault(format!("{TEXT} came back otherwise, in {}", &shown[..shown.len().min(300)])));
    }
    kit.goes_on().await
}
