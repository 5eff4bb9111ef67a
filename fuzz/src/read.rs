//! Raw bytes into the JSON reader, the diagnostics and the builder: no panic, and what was built builds again.

use seamcheck_reference::{Context, Document, Transcript, diagnose};

/// The property over one input.
///
/// # Panics
/// When the property does not hold.
pub fn run(bytes: &[u8]) {
    let Ok(document) = Document::parse(bytes) else { return };
    let root = document.root();
    let messages = root.get("messages").unwrap_or(root);
    let findings = diagnose(messages);
    let transcript = Transcript::from_json(messages);
    assert!(findings.is_empty() || transcript.is_err(), "a transcript with findings was accepted: {findings:?}");
    if let Ok(context) = Context::from_json(root) {
        let text = context.to_json().to_string();
        let again = Document::parse(text.as_bytes()).expect("what is written is JSON");
        assert_eq!(Context::from_json(again.root()).expect("what was built builds again"), context);
    }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::random_bytes;

    #[test]
    fn smoke_over_random_bytes_and_mutated_contexts() {
        const SEED_TEXT: &[u8] = br#"{"requirements":[{"id":"q","content":"x"}],"summary":{"id":"s","content":"\ud800"},"messages":[{"id":"a","role":"assistant","content":[{"type":"toolCall","id":"c","name":"n","arguments":{"k":[1e3,-0,null,{"k":"\u0000"}]}}]},{"id":"r","role":"toolResult","toolCallId":"c","toolName":"n","content":"","isError":false}],"compactions":[]}"#;
        run(SEED_TEXT);
        for seed in 1..3_000_u64 {
            let noise = random_bytes(seed, 24);
            run(&noise);
            // A few bytes of a good context are exchanged, dropped or doubled.
            let mut text = SEED_TEXT.to_vec();
            for change in noise.chunks_exact(4) {
                if text.is_empty() {
                    break;
                }
                let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % text.len();
                match change[2] % 4 {
                    0 => text[at] = change[3],
                    1 => drop(text.remove(at)),
                    2 => text.insert(at, b"{}[]\",:0\\"[usize::from(change[3] % 9)]),
                    _ => text.truncate(at.max(1)),
                }
            }
            run(&text);
        }
    }
}
