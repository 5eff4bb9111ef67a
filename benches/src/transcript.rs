//! Transcripts of a given size. Every round has two calls and is interrupted by a user message; the texts
//! mix ASCII, two-byte and astral characters, about 220 units a message.

use seamcheck_reference::Json;

/// A context of this many messages, as JSON text.
pub fn context(messages: usize) -> String {
    to_context((0..messages).map(|index| message(index, messages)).collect())
}

/// The most messages that the limits allow, all of them rounds nested in each other.
pub fn nested(messages: usize) -> String {
    let rounds = messages / 2;
    // One argument a call: with three, 2,048 calls would be over the limit on items.
    let arguments = |call: usize| Json::object([("path", format!("src/module_{call}.rs").as_str().into())]);
    let calls = (0..rounds).map(|round| assistant(round, vec![block(round, arguments(round))]));
    let results = (0..rounds).rev().map(|round| result(rounds + round, round));
    to_context(calls.chain(results).collect())
}

fn to_context(messages: Vec<Json>) -> String {
    Json::object([("messages", Json::Array(messages))]).to_string()
}

/// Five messages a turn: a question, two calls, an interruption, two results.
fn message(index: usize, messages: usize) -> Json {
    let turn = index - index % 5;
    // The last turn may be cut short: no call may be left open.
    let is_whole = turn + 5 <= messages;
    match index % 5 {
        1 if is_whole => assistant(index, [turn, turn + 1].map(|call| block(call, arguments(call))).to_vec()),
        3 if is_whole => result(index, turn + 1),
        4 if is_whole => result(index, turn),
        _ => Json::object([("id", id('u', index)), ("role", "user".into()), ("content", text(index, 200).into())]),
    }
}

fn assistant(index: usize, calls: Vec<Json>) -> Json {
    let said = Json::object([("type", "text".into()), ("text", text(index, 80).into())]);
    let blocks = std::iter::once(said).chain(calls).collect();
    Json::object([("id", id('a', index)), ("role", "assistant".into()), ("content", Json::Array(blocks))])
}

fn block(call: usize, arguments: Json) -> Json {
    Json::object([
        ("type", "toolCall".into()),
        ("id", id('c', call)),
        ("name", "read_file".into()),
        ("arguments", arguments),
    ])
}

fn arguments(call: usize) -> Json {
    Json::object([
        ("path", format!("src/module_{call}.rs").as_str().into()),
        ("lines", Json::Array(vec![call.into(), (call + 40).into()])),
        ("ratio", Json::Number(0.1)),
    ])
}

fn result(index: usize, call: usize) -> Json {
    Json::object([
        ("id", id('r', index)),
        ("role", "toolResult".into()),
        ("toolCallId", id('c', call)),
        ("toolName", "read_file".into()),
        ("content", text(index, 220).into()),
        ("isError", false.into()),
    ])
}

fn id(kind: char, index: usize) -> Json {
    format!("{kind}{index}").as_str().into()
}

fn text(index: usize, code_points: usize) -> seamcheck_reference::Text {
    const SAID: &str = "let total = ledger.sum(); // größer als zwölf, 合計 😀\n";
    let characters: String = SAID.chars().cycle().skip(index % 50).take(code_points).collect();
    characters.into()
}
