//! A correct trimmer in a few lines, served at the level `cut`: keeps the newest messages, never half of a Tool round.

use seamcheck_protocol::implementation::{Implementation, Refusal};
use seamcheck_protocol::messages::{Capabilities, CutResult, Declaration, Keeps, Kept, Level};
use seamcheck_protocol::payload::{Payload, WireText};
use seamcheck_reference::{Document, Text, Value};
use std::collections::HashMap;

struct Trimmer;

impl Implementation for Trimmer {
    type State = ();

    fn declare(&self) -> Declaration {
        let capabilities = Capabilities { measure: true, keeps: Keeps::Suffix, ..Capabilities::default() };
        Declaration { capabilities, ..Declaration::new("example-trimmer", "1.0.0", &[Level::Cut]) }
    }

    fn measure(&self, messages: &Payload) -> Result<u64, Refusal> {
        Ok(read(messages)?.root().elements().map(units).sum())
    }

    fn cut(&self, messages: &Payload, budget: u64) -> Result<CutResult, Refusal> {
        let document = read(messages)?;
        let messages: Vec<Value<'_>> = document.root().elements().collect();
        let inside =
            inside(&messages).ok_or_else(|| Refusal::new("unsupported", "other messages than those of the IR"))?;
        let (mut left, mut start) = (messages.iter().copied().map(units).sum::<u64>(), 0);
        while start < messages.len() && (left > budget || inside[start]) {
            left -= units(messages[start]);
            start += 1;
        }
        let kept = messages.iter().enumerate().skip(start).map(|(index, message)| Kept {
            index: index as u64,
            id: text(*message, "id").map(WireText),
            message: Some(Payload::raw(message.source())),
            blocks: None,
        });
        Ok(CutResult { kept: kept.collect() })
    }
}

fn read(messages: &Payload) -> Result<Document<'_>, Refusal> {
    Document::parse(messages.text().as_bytes()).map_err(|error| Refusal::new("not-json", error.to_string()))
}

fn units(message: Value<'_>) -> u64 {
    message.source().len() as u64
}

fn text(holder: Value<'_>, key: &str) -> Option<Text> {
    holder.get(key)?.as_text()
}

/// Of each message, whether a call before it waits for its result at it or after it.
fn inside(messages: &[Value<'_>]) -> Option<Vec<bool>> {
    let (mut waiting, mut inside) = (HashMap::<Text, u32>::new(), Vec::new());
    for message in messages {
        inside.push(waiting.values().any(|calls| *calls > 0));
        match message.get("role")? {
            role if role.is_str("toolResult") => {
                waiting.entry(text(*message, "toolCallId")?).and_modify(|calls| *calls = calls.saturating_sub(1));
            }
            role if role.is_str("assistant") => {
                for call in message.get("content")?.elements().filter(|block| block.get("name").is_some()) {
                    *waiting.entry(text(call, "id")?).or_default() += 1;
                }
            }
            role if role.is_str("user") => {}
            _ => return None,
        }
    }
    Some(inside)
}

fn main() -> std::io::Result<()> {
    seamcheck_protocol::serve::serve_stdio(Trimmer)
}
