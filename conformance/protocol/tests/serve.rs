//! A served implementation on the wire, through in-memory pipes: what `PROTOCOL.md` promises of an adapter.

#![expect(clippy::unwrap_used, reason = "every line of this file is a test")]

mod toy;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, split};
use toy::Toy;

const PIPE_BYTES: usize = 1 << 16;

/// The runner's end of the wire.
struct Wire {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
}

impl Wire {
    async fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string()).await;
    }

    async fn send_text(&mut self, line: &str) {
        self.writer.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn receive(&mut self) -> Value {
        let line = self.lines.next_line().await.unwrap().expect("the adapter has hung up");
        serde_json::from_str(&line).unwrap()
    }

    async fn call(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        let answer = self.receive().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    async fn hangs_up(&mut self) {
        assert_eq!(self.lines.next_line().await.unwrap(), None);
    }
}

/// Serves the toy and plays the runner against it. The session must end by itself.
async fn session(runner: impl AsyncFnOnce(&mut Wire)) {
    let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
    let (input, output) = split(theirs);
    let play = async {
        let (reader, writer) = split(ours);
        let mut wire = Wire { lines: BufReader::new(reader).lines(), writer };
        runner(&mut wire).await;
    };
    let served = seamcheck_protocol::serve::serve(Toy, BufReader::new(input), output);
    let (served, ()) = tokio::join!(served, play);
    served.unwrap();
}

async fn initialized(runner: impl AsyncFnOnce(&mut Wire)) {
    session(async |wire| {
        let answer = wire.call(0, "initialize", initialize_params(&["1"])).await;
        assert_eq!(answer["result"]["name"], "toy");
        runner(wire).await;
    })
    .await;
}

fn initialize_params(versions: &[&str]) -> Value {
    json!({"protocolVersions": versions, "suite": {"name": "test", "version": "0", "specVersion": "0"}, "new": [1]})
}

fn compact(id: u64, extra: &Value) -> Value {
    let mut params = json!({"handle": "h1", "options": {}});
    params.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    json!({"jsonrpc": "2.0", "id": id, "method": "compact", "params": params})
}

/// A live context, as `h1`.
async fn build(wire: &mut Wire) {
    assert_eq!(wire.call(1, "build", json!({"context": "old"})).await["result"], json!({"handle": "h1"}));
}

#[tokio::test]
async fn the_handshake_chooses_the_version_and_comes_first_and_once() {
    session(async |wire| {
        assert_eq!(wire.call(1, "units", json!({"context": {}})).await["error"]["code"], -32600);
        assert_eq!(wire.call(2, "initialize", initialize_params(&["7"])).await["error"]["code"], -32602);
        let answer = wire.call(3, "initialize", initialize_params(&["7", "1"])).await;
        assert_eq!(answer["result"]["protocolVersion"], "1");
        assert_eq!(answer["result"]["levels"], json!(["compact"]));
        assert_eq!(wire.call(4, "initialize", initialize_params(&["1"])).await["error"]["code"], -32600);
        assert_eq!(wire.call(5, "shutdown", json!({})).await["result"], json!({}));
        wire.hangs_up().await;
    })
    .await;
}

#[tokio::test]
async fn what_is_no_message_is_refused_and_the_session_goes_on() {
    initialized(async |wire| {
        for (line, code) in [
            ("{\"jsonrpc\":", -32700),
            ("\u{feff}{}", -32700),
            ("{}", -32600),
            (r#"{"jsonrpc":"1.0","id":1,"method":"units"}"#, -32600),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"units"}]"#, -32600),
            (r#"["2.0",1,"units",{}]"#, -32600),
        ] {
            wire.send_text(line).await;
            let answer = wire.receive().await;
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(code)), "{line}");
        }
        wire.writer.write_all(b"{\"a\":\"\xff\"}\n").await.unwrap();
        assert_eq!(wire.receive().await["error"]["code"], -32700);
        wire.send_text("").await;
        wire.send_text(" \r").await;
        assert_eq!(wire.call(2, "frobnicate", json!({})).await["error"]["code"], -32601);
        assert_eq!(wire.call(3, "cancel", json!({"compaction": 1})).await["error"]["code"], -32601);
        assert_eq!(wire.call(4, "units", json!({})).await["error"]["code"], -32602);
        assert_eq!(wire.call(5, "units", json!([{}])).await["error"]["code"], -32602);
        wire.send(&json!({"jsonrpc": "2.0", "method": "frobnicate"})).await;
        wire.send(&json!({"jsonrpc": "2.0", "id": "s9", "result": {}})).await;
        assert_eq!(wire.call(6, "units", json!({"context": {}, "new": 1})).await["result"]["units"], 2);
    })
    .await;
}

#[tokio::test]
async fn a_line_over_the_limit_is_skipped_whole_and_answered_with_no_id() {
    initialized(async |wire| {
        let blanks = " ".repeat(seamcheck_protocol::envelope::MAX_LINE_BYTES);
        wire.send_text(&format!("{blanks}x")).await;
        let answer = wire.receive().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)));
        assert_eq!(wire.call(6, "units", json!({"context": {}})).await["result"]["units"], 2);
    })
    .await;
}

#[tokio::test]
async fn what_is_not_overridden_is_unsupported_and_a_panic_is_an_internal_error() {
    initialized(async |wire| {
        let answer = wire.call(1, "groups", json!({"messages": []})).await;
        assert_eq!(
            (&answer["error"]["code"], &answer["error"]["data"]["code"]),
            (&json!(-32000), &json!("unsupported"))
        );
        assert_eq!(wire.call(2, "units", json!({"context": "panic"})).await["error"]["code"], -32603);
        assert_eq!(wire.call(3, "units", json!({"context": "ab"})).await["result"]["units"], 4);
        build(wire).await;
        wire.send(&compact(4, &json!({"options": "panic"}))).await;
        assert_eq!(wire.receive().await["error"]["code"], -32603);
        assert_eq!(wire.call(5, "inspect", json!({"handle": "h1"})).await["result"]["context"], "old");
    })
    .await;
}

#[tokio::test]
async fn a_released_handle_is_unknown_and_is_never_issued_again() {
    initialized(async |wire| {
        build(wire).await;
        assert_eq!(wire.call(2, "release", json!({"handle": "h1"})).await["result"], json!({}));
        for (id, method) in [(3, "inspect"), (4, "release")] {
            let answer = wire.call(id, method, json!({"handle": "h1"})).await;
            assert_eq!(answer["error"]["data"]["code"], "unknown-handle", "{method}");
        }
        wire.send(&compact(5, &json!({}))).await;
        assert_eq!(wire.receive().await["error"]["data"]["code"], "unknown-handle");
        assert_eq!(wire.call(6, "build", json!({"context": 1})).await["result"]["handle"], "h2");
    })
    .await;
}

#[tokio::test]
async fn with_a_script_the_runner_is_told_and_without_one_it_is_asked() {
    initialized(async |wire| {
        build(wire).await;
        wire.send(&compact(2, &json!({"summarizer": {"kind": "text", "text": "\u{e9}"}}))).await;
        let told = wire.receive().await;
        assert_eq!((&told["method"], told.get("id")), (&json!("summarize"), None));
        assert_eq!(told["params"], json!({"compaction": 2, "request": "old"}));
        assert_eq!(
            wire.receive().await["result"],
            json!({"status": "compacted", "handle": "h2", "record": "\u{e9}", "looks": 0})
        );

        wire.send(&compact(3, &json!({}))).await;
        let asked = wire.receive().await;
        assert_eq!((&asked["method"], &asked["id"]), (&json!("summarize"), &json!("s1")));
        wire.send(&json!({"jsonrpc": "2.0", "id": "s1", "result": {"kind": "text", "text": "new"}})).await;
        assert_eq!(wire.receive().await["result"]["handle"], "h3");
        assert_eq!(wire.call(4, "inspect", json!({"handle": "h3"})).await["result"]["context"], "new");
    })
    .await;
}

#[tokio::test]
async fn an_error_in_place_of_an_answer_is_a_rejection_and_nonsense_ends_the_compaction() {
    initialized(async |wire| {
        build(wire).await;
        wire.send(&compact(2, &json!({}))).await;
        let asked = wire.receive().await;
        wire.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": 1, "message": "no"}})).await;
        assert_eq!(wire.receive().await["error"]["data"]["code"], "CONTEXT_SUMMARIZER_FAILED");

        wire.send(&compact(3, &json!({}))).await;
        let asked = wire.receive().await;
        wire.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"kind": "song"}})).await;
        let answer = wire.receive().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(3), &json!(-32602)));
        assert_eq!(wire.call(4, "units", json!({"context": 1})).await["result"]["units"], 1);
    })
    .await;
}

#[tokio::test]
async fn other_methods_are_answered_in_order_while_a_compaction_waits() {
    initialized(async |wire| {
        build(wire).await;
        wire.send(&compact(2, &json!({}))).await;
        wire.send(&compact(3, &json!({}))).await;
        wire.send(&compact(3, &json!({}))).await;
        for id in 4..8 {
            wire.send(&json!({"jsonrpc": "2.0", "id": id, "method": "units", "params": {"context": id}})).await;
        }
        assert_eq!(wire.receive().await["params"]["compaction"], 2);
        assert_eq!(wire.receive().await["params"]["compaction"], 3);
        assert_eq!(wire.receive().await["error"]["code"], -32600);
        for id in 4..8 {
            assert_eq!(wire.receive().await["id"], id);
        }
        // The later one may be answered first.
        wire.send(&json!({"jsonrpc": "2.0", "id": "s2", "result": {"kind": "text", "text": "b"}})).await;
        assert_eq!(wire.receive().await["id"], 3);
        wire.send(&json!({"jsonrpc": "2.0", "id": "s1", "result": {"kind": "text", "text": "a"}})).await;
        assert_eq!(wire.receive().await["id"], 2);
    })
    .await;
}

#[tokio::test]
async fn a_cancel_reaches_its_own_compaction_and_a_late_answer_is_consumed() {
    initialized(async |wire| {
        build(wire).await;
        for id in [2, 3] {
            wire.send(&compact(id, &json!({}))).await;
            wire.receive().await;
        }
        wire.send(&json!({"jsonrpc": "2.0", "method": "cancel", "params": {"compaction": 3}})).await;
        let answer = wire.receive().await;
        assert_eq!((&answer["id"], &answer["error"]["data"]["code"]), (&json!(3), &json!("CONTEXT_CANCELLED")));
        wire.send(&json!({"jsonrpc": "2.0", "id": "s2", "result": {"kind": "text", "text": "late"}})).await;
        wire.send(&json!({"jsonrpc": "2.0", "method": "cancel", "params": {"compaction": 3}})).await;
        wire.send(&json!({"jsonrpc": "2.0", "id": "s1", "result": {"kind": "text", "text": "a"}})).await;
        let answer = wire.receive().await;
        assert_eq!((&answer["id"], &answer["result"]["status"]), (&json!(2), &json!("compacted")));
    })
    .await;
}

#[tokio::test]
async fn a_second_answer_is_ignored_and_a_released_context_is_compacted_to_the_end() {
    initialized(async |wire| {
        build(wire).await;
        wire.send(&compact(2, &json!({}))).await;
        wire.receive().await;
        assert_eq!(wire.call(3, "release", json!({"handle": "h1"})).await["result"], json!({}));
        let answer = |text: Value| json!({"jsonrpc": "2.0", "id": "s1", "result": {"kind": "text", "text": text}});
        for text in [json!("first"), json!("second"), json!(null)] {
            wire.send(&answer(text)).await;
        }
        let ended = wire.receive().await;
        assert_eq!((&ended["id"], &ended["result"]["handle"]), (&json!(2), &json!("h2")));
        assert_eq!(wire.call(4, "inspect", json!({"handle": "h2"})).await["result"]["context"], "first");
    })
    .await;
}

#[tokio::test]
async fn of_an_answer_and_a_cancel_the_line_that_comes_first_decides() {
    initialized(async |wire| {
        build(wire).await;
        let answer = |id: &str| json!({"jsonrpc": "2.0", "id": id, "result": {"kind": "text", "text": "a"}});
        let cancel = |id: u64| json!({"jsonrpc": "2.0", "method": "cancel", "params": {"compaction": id}});
        wire.send(&compact(2, &json!({}))).await;
        wire.receive().await;
        wire.send_text(&format!("{}\n{}", answer("s1"), cancel(2))).await;
        assert_eq!(wire.receive().await["result"]["status"], "compacted");
        wire.send(&compact(3, &json!({}))).await;
        wire.receive().await;
        wire.send_text(&format!("{}\n{}", cancel(3), answer("s2"))).await;
        assert_eq!(wire.receive().await["error"]["data"]["code"], "CONTEXT_CANCELLED");
    })
    .await;
}

#[tokio::test]
async fn a_signal_turns_at_the_look_asked_for_and_the_looks_are_reported() {
    initialized(async |wire| {
        build(wire).await;
        let script = json!({"kind": "text", "text": "a"});
        for (extra, looks) in [(json!({"cancelled": true}), 1), (json!({"cancelAtLook": 1}), 2)] {
            let mut extra = extra;
            extra["summarizer"] = script.clone();
            extra["options"] = json!("look twice");
            wire.send(&compact(2, &extra)).await;
            let answer = wire.receive().await;
            assert_eq!(answer["error"]["data"], json!({"code": "CONTEXT_CANCELLED", "looks": looks}), "{extra}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_end_of_the_input_ends_the_session_and_drops_what_waits() {
    initialized(async |wire| {
        build(wire).await;
        wire.send(&compact(2, &json!({}))).await;
        wire.receive().await;
        wire.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "units", "params": {"context": 1}})).await;
        wire.writer.shutdown().await.unwrap();
        assert_eq!(wire.receive().await["id"], 3);
        wire.hangs_up().await;
    })
    .await;
}
