//! Hostile input gives a named error, never a panic or an abort, and memory stays in proportion.

use counting::peak_bytes_of;
use seamcheck_reference::{Code, Context, Document, Transcript, diagnose};

mod counting;

/// What building, grouping and diagnosing say: a code, or the syntax error.
fn outcome(source: &[u8]) -> Result<Option<Code>, String> {
    let document = Document::parse(source).map_err(|error| error.to_string())?;
    // The report has an entry for each fault, so that it is only asked for where there are messages.
    if let Some(messages) = document.root().get("messages") {
        let _ = diagnose(messages);
        let _ = Transcript::from_json(messages);
    }
    Ok(Context::from_json(document.root()).err().map(|error| error.code()))
}

fn nested(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

fn with_arguments(arguments: &str) -> String {
    format!(
        r#"{{"messages":[{{"id":"a","role":"assistant","content":[{{"type":"toolCall","id":"c","name":"n","arguments":{arguments}}}]}},{{"id":"r","role":"toolResult","toolCallId":"c","toolName":"n","content":"","isError":false}}]}}"#
    )
}

#[test]
fn b_json_5_a_dropped_field_may_nest_without_bound() {
    let source = format!(r#"{{"dropped":{},"messages":[]}}"#, nested(100_000));
    assert_eq!(outcome(source.as_bytes()), Ok(None));
}

#[test]
fn b_limit_4_arguments_that_nest_too_deep_are_over_the_limit() {
    let source = with_arguments(&format!(r#"{{"a":{}}}"#, nested(100_000)));
    assert_eq!(outcome(source.as_bytes()), Ok(Some(Code::LimitExceeded)));
}

#[test]
fn a_context_that_is_only_brackets_is_no_object() {
    assert_eq!(outcome(nested(100_000).as_bytes()), Ok(Some(Code::InvalidInput)));
}

#[test]
fn b_json_1_an_infinite_number_is_refused() {
    let source = with_arguments(r#"{"a":1e999}"#);
    assert_eq!(outcome(source.as_bytes()), Ok(Some(Code::InvalidTranscript)));
}

#[test]
fn b_json_2_a_hidden_duplicate_is_not_judged() {
    let source = with_arguments(&format!(r#"{{"a":1e999,"a":{},"a":1}}"#, nested(100_000)));
    assert_eq!(outcome(source.as_bytes()), Ok(None));
}

#[test]
fn b_json_4_what_is_no_json_is_named_with_its_place() {
    let cases: [(&[u8], &str); 9] = [
        (b"", "the text ends inside a value at byte 0"),
        (b"{\"a\":\xFF}", "invalid UTF-8 at byte 5"),
        (b"\xEF\xBB\xBF{}", "expected a value at byte 0"),
        (b"\"a\x00b\"", "raw control character 0x00 in a string; write it as \\u0000 at byte 2"),
        (b"{\"a\":1,}", "expected a key in double quotes at byte 7"),
        (b"[1 2]", "expected `,` or `]` at byte 3"),
        (b"NaN", "expected a value at byte 0"),
        (br#""\x""#, "unknown escape in a string at byte 2"),
        (b"1 1", "text after the value at byte 2"),
    ];
    for (source, expected) in cases {
        assert_eq!(outcome(source), Err(expected.to_owned()));
    }
}

#[test]
fn nul_and_every_other_escape_is_ordinary_text() {
    let source = br#"{"messages":[{"id":"\u0000","role":"user","content":"\ud800\u0000"}]}"#;
    assert_eq!(outcome(source), Ok(None));
}

#[test]
fn memory_stays_within_eight_times_the_input_and_a_mebibyte() {
    const TEN_MEGABYTES: usize = 10_000_000;
    let users = |count: usize| {
        let message = r#"{"id":"u","role":"user","content":""},"#;
        format!(r#"{{"messages":[{}{}]}}"#, message.repeat(count - 1), message.trim_end_matches(','))
    };
    let distinct_keys: String = (0..1_000_000).map(|key| format!("\"{key:x}\":0,")).collect();
    let inputs = [
        ("opening brackets", "[".repeat(TEN_MEGABYTES)),
        ("nested arrays", nested(TEN_MEGABYTES / 2)),
        ("nested objects", "{\"\":".repeat(TEN_MEGABYTES / 5)),
        ("zeros", format!("[{}0]", "0,".repeat(TEN_MEGABYTES / 2))),
        ("deep arguments", with_arguments(&format!("{{\"a\":{}}}", nested(TEN_MEGABYTES / 2)))),
        ("wide arguments", with_arguments(&format!("{{\"a\":[{}0]}}", "0,".repeat(TEN_MEGABYTES / 2)))),
        ("distinct keys", with_arguments(&format!("{{{distinct_keys}\"z\":0}}"))),
        ("duplicate keys", with_arguments(&format!("{{{}\"a\":0}}", "\"a\":0,".repeat(TEN_MEGABYTES / 6)))),
        ("escaped quotes", format!("\"{}\"", "\\\"".repeat(TEN_MEGABYTES / 2))),
        ("commas in text", format!("\"{}\"", ",".repeat(TEN_MEGABYTES))),
        ("many small messages", users(4_096)),
        ("too many messages", users(TEN_MEGABYTES / 40)),
        (
            "one long text",
            format!(r#"{{"messages":[{{"id":"u","role":"user","content":"{}"}}]}}"#, "x".repeat(TEN_MEGABYTES)),
        ),
    ];
    for (name, source) in inputs {
        let limit = 8 * source.len() + (1 << 20);
        let peak = peak_bytes_of(|| {
            let _ = std::hint::black_box(outcome(source.as_bytes()));
        });
        assert!(peak <= limit, "{name}: {peak} bytes for {} bytes of input, the limit is {limit}", source.len());
    }
}
