//! The served reference, method by method.

#![expect(clippy::unwrap_used, clippy::panic, reason = "every line of this file is a test")]

mod support;

use seamcheck_mutants::{by_name, reference};
use seamcheck_protocol::implementation::Implementation;
use seamcheck_reference::Json;
use support::{outcome, parse, refusal, session};

/// 0 old user, 1 assistant with two calls, 2 and 3 their results, 4 recent user.
const MESSAGES: &str = r#"[{"id":"u","role":"user","content":"a long old question"},
{"id":"a","role":"assistant","content":[{"type":"toolCall","id":"x","name":"n","arguments":{"k":[1,"\ud800"]}},{"type":"toolCall","id":"y","name":"n","arguments":{}}]},
{"id":"rx","role":"toolResult","toolCallId":"x","toolName":"n","content":"one","isError":false},
{"id":"ry","role":"toolResult","toolCallId":"y","toolName":"n","content":"two","isError":true},
{"id":"v","role":"user","content":"b"}]"#;

const OPTIONS: &str =
    r#"{"maxUnits":50,"targetUnits":40,"summaryMaxUnits":20,"retainRecentMessages":1,"summaryId":"s","recordId":"c"}"#;

fn one_line(text: &str) -> String {
    text.replace('\n', "")
}

fn context() -> String {
    format!(r#"{{"requirements":[{{"id":"q","content":"z"}}],"messages":{}}}"#, one_line(MESSAGES))
}

#[tokio::test]
async fn units_groups_diagnose_and_boundary_answer_by_the_spec() {
    session(reference(), async |wire| {
        let one = r#"{"context":{"requirements":[{"id":"r","content":"AB"}],"messages":[{"id":"u","role":"user","content":"\ud83d\ude00"}]}}"#;
        assert_eq!(wire.call("units", one).await, Ok(parse(r#"{"units":12}"#)));
        let messages = one_line(MESSAGES);
        let groups = r#"{"groups":[["message",0,1],["toolRound",1,4],["message",4,5]]}"#;
        assert_eq!(wire.call("groups", &format!(r#"{{"messages":{messages}}}"#)).await, Ok(parse(groups)));
        let open = r#"{"messages":[{"id":"","role":"user","content":"a"},{"id":"a","role":"assistant","content":[{"type":"toolCall","id":"x","name":"n","arguments":{}}]}]}"#;
        let found = r#"{"diagnostics":[["INVALID_MESSAGE",0],["MISSING_TOOL_RESULT",1]]}"#;
        assert_eq!(wire.call("diagnose", open).await, Ok(parse(found)));
        let params = format!(r#"{{"context":{},"options":{OPTIONS}}}"#, context());
        assert_eq!(wire.call("boundary", &params).await, Ok(parse(r#"{"boundary":4}"#)));
    })
    .await;
}

#[tokio::test]
async fn a_refusal_carries_the_code_of_the_spec() {
    session(reference(), async |wire| {
        for (method, params, code) in [
            ("build", r#"{"context":{"json":"{"}}"#, "not-json"),
            ("build", r#"{"context":{"requirements":null}}"#, "CONTEXT_INVALID_INPUT"),
            ("units", r#"{"context":{"messages":null}}"#, "CONTEXT_INVALID_TRANSCRIPT"),
            ("groups", r#"{"messages":{"json":"[1e999"}}"#, "not-json"),
            ("boundary", r#"{"context":{},"options":{"targetUnits":0}}"#, "CONTEXT_INVALID_BUDGET"),
            ("boundary", r#"{"context":{},"options":{"json":""}}"#, "not-json"),
            ("cut", r#"{"messages":[{}],"budget":0}"#, "refused"),
            ("inspect", r#"{"handle":"h1"}"#, "unknown-handle"),
        ] {
            let answer = wire.answer(method, params).await;
            assert_eq!(answer, parse(&format!(r#"{{"error":{{"code":"{code}"}}}}"#)), "{method} {params}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_cut_keeps_whole_groups_of_the_newest_messages() {
    session(reference(), async |wire| {
        let messages = one_line(MESSAGES);
        let kept = async |wire: &mut support::Wire, budget: u64| {
            let cut = wire.call("cut", &format!(r#"{{"messages":{messages},"budget":{budget}}}"#)).await.unwrap();
            let Some(Json::Array(kept)) = cut.get("kept") else { panic!("{cut}") };
            kept.iter().map(|piece| piece.get("index").unwrap().to_string()).collect::<Vec<_>>()
        };
        let whole = wire.call("measure", &format!(r#"{{"messages":{messages}}}"#)).await.unwrap();
        let Some(Json::Number(whole)) = whole.get("units") else { panic!("{whole}") };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
        let whole = *whole as u64;
        assert_eq!(kept(wire, whole).await, ["0", "1", "2", "3", "4"]);
        assert_eq!(kept(wire, whole - 1).await, ["1", "2", "3", "4"]);
        assert_eq!(kept(wire, 20).await, ["4"]);
        assert_eq!(kept(wire, 0).await, [""; 0]);
        // A part of a round has a cost, though nothing would be cut there.
        let orphan = r#"{"messages":[{"id":"r","role":"toolResult","toolCallId":"x","toolName":"n","content":"","isError":false}]}"#;
        assert_eq!(wire.call("measure", orphan).await, Ok(parse(r#"{"units":10}"#)));
    })
    .await;
}

#[tokio::test]
async fn a_compaction_makes_a_new_context_and_leaves_the_old_one() {
    session(reference(), async |wire| {
        wire.call("build", &format!(r#"{{"context":{}}}"#, context())).await.unwrap();
        let before = wire.call("inspect", r#"{"handle":"h1"}"#).await.unwrap();
        wire.ask("compact", &format!(r#"{{"handle":"h1","options":{OPTIONS}}}"#)).await;
        let asked = wire.receive().await;
        let request = asked.get("params").unwrap().get("request").unwrap();
        assert_eq!(request.get("boundary"), Some(&Json::Number(4.0)));
        assert_eq!(wire.call("inspect", r#"{"handle":"h1"}"#).await, Ok(before.clone()));
        wire.send(r#"{"jsonrpc":"2.0","id":"s1","result":{"kind":"chain","depth":64,"text":" \ud800"}}"#).await;
        let result = outcome(&wire.receive().await).unwrap();
        assert_eq!(result.get("handle"), Some(&"h2".into()));
        assert_eq!(result.get("looks"), Some(&Json::Number(4.0)));
        let after = wire.call("inspect", r#"{"handle":"h2"}"#).await.unwrap();
        let after = after.get("context").unwrap();
        assert_eq!(after.get("summary"), Some(&parse(r#"{"id":"s","content":" \ud800"}"#)));
        assert_eq!(after.get("compactions"), Some(&Json::Array(vec![result.get("record").unwrap().clone()])));
        assert_eq!(wire.call("inspect", r#"{"handle":"h1"}"#).await, Ok(before));
    })
    .await;
}

#[tokio::test]
async fn every_answer_of_a_script_is_acted_out() {
    session(reference(), async |wire| {
        wire.call("build", &format!(r#"{{"context":{}}}"#, context())).await.unwrap();
        for (script, code) in [
            (r#"{"kind":"value","value":null}"#, "CONTEXT_SUMMARY_INVALID"),
            (r#"{"kind":"value","value":{"json":"[1e999]"}}"#, "CONTEXT_SUMMARY_INVALID"),
            (r#"{"kind":"throw","message":"CONTEXT_CANCELLED"}"#, "CONTEXT_SUMMARIZER_FAILED"),
            (r#"{"kind":"throw","cancel":true}"#, "CONTEXT_SUMMARIZER_FAILED"),
            (r#"{"kind":"reject"}"#, "CONTEXT_SUMMARIZER_FAILED"),
            (r#"{"kind":"reject","cancel":true}"#, "CONTEXT_CANCELLED"),
            (r#"{"kind":"panic"}"#, "CONTEXT_SUMMARIZER_FAILED"),
            (r#"{"kind":"chain","depth":65,"text":"a"}"#, "CONTEXT_SUMMARIZER_FAILED"),
            (r#"{"kind":"chain","depth":4000000000,"text":"a"}"#, "CONTEXT_SUMMARIZER_FAILED"),
            (r#"{"kind":"chain","depth":1,"text":"a","cancel":true}"#, "CONTEXT_CANCELLED"),
            (r#"{"kind":"unobservable"}"#, "CONTEXT_ASYNC_VALUE_UNOBSERVABLE"),
            (r#"{"kind":"pending","cancel":true}"#, "CONTEXT_CANCELLED"),
            (r#"{"kind":"text","text":" "}"#, "CONTEXT_SUMMARY_INSUFFICIENT"),
            (r#"{"kind":"text","text":"a","cancel":true}"#, "CONTEXT_CANCELLED"),
        ] {
            wire.ask("compact", &format!(r#"{{"handle":"h1","options":{OPTIONS},"summarizer":{script}}}"#)).await;
            assert_eq!(wire.receive().await.get("method"), Some(&"summarize".into()), "{script}");
            let error = outcome(&wire.receive().await).unwrap_err();
            assert_eq!(refusal(&error), parse(&format!(r#"{{"error":{{"code":"{code}"}}}}"#)), "{script}");
        }
        // The last look is number 3, and nothing looks after it.
        for (look, ends_well) in [(0, false), (1, false), (2, false), (3, false), (4, true)] {
            let script = r#"{"kind":"text","text":"a"}"#;
            let params =
                format!(r#"{{"handle":"h1","options":{OPTIONS},"cancelAtLook":{look},"summarizer":{script}}}"#);
            wire.ask("compact", &params).await;
            let mut answer = wire.receive().await;
            if look > 0 {
                answer = wire.receive().await;
            }
            assert_eq!(outcome(&answer).is_ok(), ends_well, "look {look}: {answer}");
        }
    })
    .await;
}

/// The old context before, and after an answer that comes when its compaction has been cancelled.
async fn around_a_late_answer<I: Implementation>(implementation: I) -> (Json, Json) {
    let mut seen = None;
    session(implementation, async |wire| {
        wire.call("build", &format!(r#"{{"context":{}}}"#, context())).await.unwrap();
        let before = wire.call("inspect", r#"{"handle":"h1"}"#).await.unwrap();
        let compaction = wire.ask("compact", &format!(r#"{{"handle":"h1","options":{OPTIONS}}}"#)).await;
        wire.receive().await;
        wire.send(&format!(r#"{{"jsonrpc":"2.0","method":"cancel","params":{{"compaction":{compaction}}}}}"#)).await;
        let error = outcome(&wire.receive().await).unwrap_err();
        assert_eq!(refusal(&error), parse(r#"{"error":{"code":"CONTEXT_CANCELLED"}}"#));
        wire.send(r#"{"jsonrpc":"2.0","id":"s1","result":{"kind":"text","text":"late"}}"#).await;
        seen = Some((before, wire.call("inspect", r#"{"handle":"h1"}"#).await.unwrap()));
    })
    .await;
    seen.unwrap()
}

#[tokio::test]
async fn a_late_answer_reaches_whoever_waits_and_changes_nothing_in_the_reference() {
    let (before, after) = around_a_late_answer(reference()).await;
    assert_eq!(before, after);
    let (before, after) = around_a_late_answer(by_name("cancel-late-answer-lands").unwrap()).await;
    assert_ne!(before, after);
}
