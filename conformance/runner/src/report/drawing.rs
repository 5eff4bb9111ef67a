//! Contexts and messages drawn for a person: one line a message, texts cut short, nothing that a terminal
//! could take for a command. What is not as the IR has it is shown as it stands.

use seamcheck_protocol::payload::Payload;
use seamcheck_reference::json::Kind;
use seamcheck_reference::{Document, Value};
use std::collections::BTreeMap;

/// Messages that are drawn; of more, the first and the last.
const DRAWN_MESSAGES: usize = 24;
/// Characters of a text that are drawn.
const TEXT_CHARS: usize = 40;
/// Characters of a value that is not drawn field by field.
const VALUE_CHARS: usize = 160;

/// Words to stand before the message with this index.
pub(super) type Marks = BTreeMap<usize, String>;

/// A context.
pub(super) fn context(payload: &Payload, marks: &Marks) -> Vec<String> {
    let Ok(document) = Document::parse(payload.text().as_bytes()) else {
        return vec![short(payload.text(), VALUE_CHARS)];
    };
    let root = document.root();
    if root.kind() != Kind::Object {
        return vec![short(root.source(), VALUE_CHARS)];
    }
    let mut lines = Vec::new();
    for (name, value) in root.members() {
        let is_list = value.kind() == Kind::Array;
        match name.as_str() {
            Some("messages") if is_list => lines.extend(message_lines(value, marks)),
            Some("requirements") if is_list && value.elements().next().is_none() => {}
            Some("compactions") if is_list && value.elements().next().is_none() => {}
            Some("summary") if value.kind() == Kind::Null => {}
            Some("requirements") if is_list => {
                lines.extend(value.elements().map(|one| format!("requirement {}", described(one))));
            }
            Some("summary") if value.kind() == Kind::Object => lines.push(format!("summary {}", described(value))),
            Some("compactions") if is_list => {
                lines.extend(value.elements().map(|one| format!("record {}", short(one.source(), VALUE_CHARS))));
            }
            name => lines.push(format!("{}: {}", name.unwrap_or("(a name)"), short(value.source(), VALUE_CHARS))),
        }
    }
    if lines.is_empty() {
        lines.push("(empty)".to_owned());
    }
    lines
}

/// Messages alone.
pub(super) fn messages(payload: &Payload) -> Vec<String> {
    match Document::parse(payload.text().as_bytes()) {
        Ok(document) if document.root().kind() == Kind::Array => message_lines(document.root(), &Marks::new()),
        _ => vec![short(payload.text(), VALUE_CHARS)],
    }
}

/// A value on one line.
pub(super) fn value(payload: &Payload) -> String {
    short(payload.text(), VALUE_CHARS)
}

/// The members of an object as `name value`, numbers and texts only.
pub(super) fn options(payload: &Payload) -> String {
    let Ok(document) = Document::parse(payload.text().as_bytes()) else { return value(payload) };
    if document.root().kind() != Kind::Object {
        return value(payload);
    }
    let members = document.root().members().map(|(name, value)| {
        format!("{} {}", String::from_utf8_lossy(name.as_wtf8()), short(value.source(), TEXT_CHARS))
    });
    members.collect::<Vec<_>>().join(", ")
}

fn message_lines(list: Value<'_>, marks: &Marks) -> Vec<String> {
    let all: Vec<Value<'_>> = list.elements().collect();
    let mut lines = Vec::new();
    let skipped = all.len().saturating_sub(DRAWN_MESSAGES);
    let hidden = DRAWN_MESSAGES / 2..DRAWN_MESSAGES / 2 + skipped;
    for (index, message) in all.iter().enumerate() {
        if let Some(mark) = marks.get(&index) {
            lines.push(format!("--- {mark} ---"));
        }
        if hidden.contains(&index) {
            if index == hidden.start {
                lines.push(format!("     ({skipped} more)"));
            }
            continue;
        }
        lines.push(format!("{index:>4} {}", message_line(*message)));
    }
    if let Some(mark) = marks.get(&all.len()) {
        lines.push(format!("--- {mark} ---"));
    }
    if all.is_empty() {
        lines.push("(no messages)".to_owned());
    }
    lines
}

fn message_line(message: Value<'_>) -> String {
    let role = message.get("role").and_then(Value::as_text);
    let content = message.get("content");
    let id = field(message, "id");
    match role.as_ref().and_then(|role| role.as_str()) {
        Some("user") => format!("user {id} {}", field(message, "content")),
        Some("assistant") if content.is_some_and(|content| content.kind() == Kind::Array) => {
            let blocks: Vec<String> = content.into_iter().flat_map(Value::elements).map(block).collect();
            let blocks = if blocks.is_empty() { "(no blocks)".to_owned() } else { blocks.join(", ") };
            format!("assistant {id} {blocks}")
        }
        Some("toolResult") => {
            let (call, tool, text) =
                (field(message, "toolCallId"), field(message, "toolName"), field(message, "content"));
            let failed = message.get("isError").and_then(Value::as_bool) == Some(true);
            format!("result {id} of {call} {tool}: {text}{}", if failed { " (error)" } else { "" })
        }
        _ => short(message.source(), VALUE_CHARS),
    }
}

fn block(block: Value<'_>) -> String {
    match block.get("type") {
        Some(kind) if kind.is_str("text") => field(block, "text"),
        Some(kind) if kind.is_str("toolCall") => {
            format!("calls {} {} {}", field(block, "id"), field(block, "name"), field(block, "arguments"))
        }
        _ => short(block.source(), TEXT_CHARS),
    }
}

fn described(value: Value<'_>) -> String {
    format!("{} {}", field(value, "id"), field(value, "content"))
}

/// A member as it stands, or a word for its absence.
fn field(value: Value<'_>, name: &str) -> String {
    value.get(name).map_or_else(|| "(absent)".to_owned(), |value| short(value.source(), TEXT_CHARS))
}

fn short(text: &str, limit: usize) -> String {
    if text.is_empty() {
        return "(nothing)".to_owned();
    }
    let mut shown: String = text.chars().take(limit).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(limit).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(text: &str) -> Payload {
        Payload::raw(text)
    }

    #[test]
    fn a_context_is_drawn_one_line_a_message_with_its_calls_and_the_boundary_marked() {
        let text = r#"{"requirements":[{"id":"r","content":"AB"}],"summary":null,"messages":[
            {"id":"u","role":"user","content":"hi\ud800"},
            {"id":"a","role":"assistant","content":[{"type":"text","text":"on it"},{"type":"toolCall","id":"c","name":"n","arguments":{"k":1}}]},
            {"id":"t","role":"toolResult","toolCallId":"c","toolName":"n","content":"","isError":true},
            {"id":"x","role":"robot"}]}"#;
        let marks = Marks::from([(1, "boundary 1".to_owned())]);
        let expected = [
            r#"requirement "r" "AB""#,
            r#"   0 user "u" "hi\ud800""#,
            "--- boundary 1 ---",
            r#"   1 assistant "a" "on it", calls "c" "n" {"k":1}"#,
            r#"   2 result "t" of "c" "n": "" (error)"#,
            r#"   3 {"id":"x","role":"robot"}"#,
        ];
        assert_eq!(context(&payload(text), &marks), expected);
    }

    #[test]
    fn what_is_no_context_is_shown_as_it_stands_and_short() {
        assert_eq!(context(&payload("{nonsense\u{1b}"), &Marks::new()), ["{nonsense "]);
        assert_eq!(context(&payload("[1]"), &Marks::new()), ["[1]"]);
        assert_eq!(context(&payload("{}"), &Marks::new()), ["(empty)"]);
        assert_eq!(messages(&payload(&"x".repeat(500)))[0].len(), VALUE_CHARS + 3);
    }

    #[test]
    fn of_a_long_transcript_the_first_and_the_last_messages_are_drawn() {
        let list = (0..100).map(|n| format!(r#"{{"id":"{n}","role":"user","content":""}}"#)).collect::<Vec<_>>();
        let lines = messages(&payload(&format!("[{}]", list.join(","))));
        assert_eq!(lines.len(), DRAWN_MESSAGES + 1);
        assert_eq!(lines[12], "     (76 more)");
        assert!(lines[13].starts_with("  88 user") && lines[24].starts_with("  99 user"), "{lines:?}");
    }
}
