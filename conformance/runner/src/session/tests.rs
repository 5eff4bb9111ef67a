//! Sessions with scripted adapters over streams in memory. The processes are in `tests/hostile.rs`.

use super::*;
use seamcheck_protocol::answer::Answer;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

const SHORT: Timeouts = Timeouts { start: Duration::from_secs(5), idle: Duration::from_millis(150) };

fn declaration() -> Value {
    json!({"protocolVersion": "1", "name": "toy", "version": "0", "profiles": ["boundary"], "levels": ["exact"]})
}

/// An adapter that answers each request by these lines; an empty string closes its output.
fn adapter(mut script: impl FnMut(&str, Value) -> Vec<String> + Send + 'static) -> Link {
    let (runner_side, adapter_side) = tokio::io::duplex(1 << 16);
    let (runner_input, runner_output) = tokio::io::split(runner_side);
    tokio::spawn(async move {
        let (input, mut output) = tokio::io::split(adapter_side);
        let mut lines = BufReader::new(input).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let message: Value = serde_json::from_str(&line).unwrap();
            let method = message["method"].as_str().unwrap_or_default().to_owned();
            for line in script(&method, message) {
                if line.is_empty() {
                    return;
                }
                output.write_all(format!("{line}\n").as_bytes()).await.unwrap();
            }
        }
    });
    Link::over(runner_input, runner_output)
}

#[expect(clippy::needless_pass_by_value, reason = "every caller makes the value for it")]
fn result(message: &Value, result: Value) -> String {
    json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string()
}

/// A session whose adapter shakes hands and answers everything else by the script.
async fn session(script: impl FnMut(Value) -> Vec<String> + Send + 'static) -> Conversation {
    session_within(SHORT, script).await
}

async fn session_within(
    timeouts: Timeouts,
    mut script: impl FnMut(Value) -> Vec<String> + Send + 'static,
) -> Conversation {
    let link = adapter(move |method, message| match method {
        method::INITIALIZE => vec![result(&message, declaration())],
        _ => script(message),
    });
    // It ends with the runtime of the test.
    let session = Box::leak(Box::new(Session::over(link, timeouts).await.unwrap()));
    session.conversation()
}

/// The fault of an adapter that answers `shutdown` by these lines.
async fn fault_of(lines: impl Fn(&Value) -> Vec<String> + Send + 'static) -> FaultKind {
    let mut session = session(move |message| lines(&message)).await;
    session.call::<Empty>(method::SHUTDOWN, &Empty {}).await.unwrap_err().kind
}

#[tokio::test]
async fn each_way_to_answer_wrongly_is_a_fault_of_its_own() {
    let ok = |id: Value| json!({"jsonrpc": "2.0", "id": id, "result": {}}).to_string();
    assert_eq!(fault_of(move |_| vec![ok(json!(99))]).await, FaultKind::WrongId);
    assert_eq!(fault_of(move |message| vec![ok(message["id"].to_string().into())]).await, FaultKind::WrongId);
    assert_eq!(fault_of(move |_| vec![ok(json!(1))]).await, FaultKind::DuplicateAnswer);
    assert_eq!(fault_of(|_| vec!["no json".to_owned()]).await, FaultKind::BadJson);
    assert_eq!(fault_of(|_| vec!["[]".to_owned()]).await, FaultKind::InvalidMessage);
    assert_eq!(fault_of(|_| vec!["{\"jsonrpc\":\"1.0\"}".to_owned()]).await, FaultKind::InvalidMessage);
    assert_eq!(fault_of(|message| vec![result(message, json!([]))]).await, FaultKind::BadResult);
    assert_eq!(fault_of(|_| vec![]).await, FaultKind::IdleTimeout);
    assert_eq!(fault_of(|_| vec![String::new()]).await, FaultKind::EndOfFile);
}

#[tokio::test]
async fn errors_that_are_no_refusals_are_faults_and_refusals_are_answers() {
    let error = |id: &Value, error: Value| vec![json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()];
    let broken = json!({"code": -32603, "message": "broke"});
    let unread = broken.clone();
    assert_eq!(
        fault_of(move |message| error(&message["id"], broken.clone())).await,
        FaultKind::ProtocolError { code: -32603 }
    );
    assert_eq!(fault_of(move |_| error(&Value::Null, unread.clone())).await, FaultKind::ProtocolError { code: -32603 });
    let bare = json!({"code": -32000, "message": "no"});
    assert_eq!(fault_of(move |message| error(&message["id"], bare.clone())).await, FaultKind::BadResult);
    let lost = json!({"code": -32000, "message": "no", "data": {"code": "unknown-handle"}});
    assert_eq!(fault_of(move |message| error(&message["id"], lost.clone())).await, FaultKind::BadResult);
    let refusal = json!({"code": -32000, "message": "no", "data": {"code": "refused", "looks": 2}});
    let mut session = session(move |message| error(&message["id"], refusal.clone())).await;
    let refused = session.call::<Empty>(method::CUT, &Empty {}).await.unwrap().unwrap_err();
    assert_eq!(refused, Refused { code: "refused".to_owned(), message: "no".into(), looks: Some(2) });
}

#[tokio::test]
async fn the_handshake_needs_a_version_that_was_offered_and_the_profile() {
    for (field, value) in [("protocolVersion", json!("2")), ("profiles", json!(["thread"])), ("levels", json!(["all"]))]
    {
        let link = adapter(move |_, message| {
            let mut declaration = declaration();
            declaration[field] = value.clone();
            vec![result(&message, declaration)]
        });
        assert_eq!(Session::over(link, SHORT).await.unwrap_err().kind, FaultKind::BadResult, "{field}");
    }
    let link = adapter(|_, _| vec![]);
    let timeouts = Timeouts { start: Duration::from_millis(50), ..SHORT };
    assert_eq!(Session::over(link, timeouts).await.unwrap_err().kind, FaultKind::StartTimeout);
}

#[tokio::test]
async fn noise_is_passed_over_and_does_not_stop_the_clock() {
    let noise = || vec![String::from("  "), json!({"jsonrpc": "2.0", "method": "progress"}).to_string()];
    let mut quiet = session(move |message| [noise(), vec![result(&message, json!({}))]].concat()).await;
    assert!(quiet.call::<Empty>(method::SHUTDOWN, &Empty {}).await.unwrap().is_ok());
    let mut busy = session(move |_| noise()).await;
    let answered = busy.call::<Empty>(method::SHUTDOWN, &Empty {}).await;
    assert_eq!(answered.unwrap_err().kind, FaultKind::IdleTimeout);
}

#[tokio::test]
async fn an_unknown_question_of_the_adapter_is_answered_by_an_error() {
    let question = json!({"jsonrpc": "2.0", "id": "q", "method": "time"}).to_string();
    let mut asked = None;
    let mut session = session(move |message| match message["error"]["code"].as_i64() {
        Some(code) => vec![result(asked.as_ref().unwrap(), json!({"units": -code}))],
        None => {
            asked = Some(message);
            vec![question.clone()]
        }
    })
    .await;
    let units: Value = session.call(method::UNITS, &Empty {}).await.unwrap().unwrap();
    assert_eq!(units, json!({"units": 32_601}));
}

#[tokio::test]
async fn a_summary_is_asked_only_for_the_compaction_that_runs() {
    let ask = |compaction: Value| {
        json!({"jsonrpc": "2.0", "id": "s1", "method": "summarize", "params": {"compaction": compaction, "request": {}}}).to_string()
    };
    let mut stray = session(move |_| vec![ask(json!(1))]).await;
    assert_eq!(stray.call::<Empty>(method::UNITS, &Empty {}).await.unwrap_err().kind, FaultKind::InvalidMessage);
    let mut asking = session(move |message| match message["method"].as_str() {
        Some(method::COMPACT) => vec![ask(message["id"].clone())],
        Some(method::INSPECT) => vec![result(&message, json!({}))],
        _ => vec![json!({"jsonrpc": "2.0", "id": 2, "result": message["result"]}).to_string()],
    })
    .await;
    let compaction = asking.send(method::COMPACT, &Empty {});
    // What is asked meanwhile is answered, and nothing of the compaction is lost by it.
    assert!(asking.call::<Empty>(method::INSPECT, &Empty {}).await.unwrap().is_ok());
    let Heard::Summarize { ask: Some(ask), .. } = asking.hear(false).await.unwrap() else { panic!("no question") };
    asking.answer_summarize(ask, &Answer::text("short"));
    let Heard::Answer { id, outcome } = asking.hear(false).await.unwrap() else { panic!("no answer") };
    assert_eq!((id, outcome.unwrap().get()), (compaction, r#"{"kind":"text","text":"short"}"#));
}

#[tokio::test]
async fn both_sides_may_write_more_than_a_pipe_holds_at_the_same_time() {
    let big = "x".repeat(1 << 20);
    let script = move |message| vec![result(&message, json!({"handle": big}))];
    // Silence is not the point here, and a busy machine takes its time over megabytes.
    let mut session = session_within(Timeouts { idle: Duration::from_secs(20), ..SHORT }, script).await;
    let context = json!({"context": "y".repeat(1 << 20)});
    let ids: Vec<u64> = (0..4).map(|_| session.send(method::BUILD, &context)).collect();
    for id in ids {
        let answer: Value = session.answer_to(id, method::BUILD).await.unwrap().unwrap();
        assert_eq!(answer["handle"].as_str().unwrap().len(), 1 << 20);
    }
}

#[tokio::test]
async fn unknown_members_are_ignored_in_everything_that_an_adapter_sends() {
    let more = json!({"new": {"json": "x"}, "trace": [[[1]]]});
    let with = move |mut message: Value| {
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        message
    };
    let line = move |message: Value, outcome: &str, value: Value| {
        let mut answer = with(json!({"jsonrpc": "2.0", "id": message["id"]}));
        answer[outcome] = with(value);
        answer.to_string()
    };
    let link = adapter(move |method, message| match method {
        method::INITIALIZE => vec![line(message, "result", declaration())],
        method::BUILD => vec![line(message, "result", json!({"handle": "h"}))],
        method::UNITS => {
            let mut error = json!({"code": -32000, "message": "no"});
            error["data"] = json!({"code": "refused", "new": null});
            vec![line(message, "error", error)]
        }
        _ => {
            let params = json!({"compaction": message["id"], "request": {}, "new": 1});
            let ask = json!({"jsonrpc": "2.0", "id": -7, "method": "summarize", "params": params, "new": []});
            vec![ask.to_string(), json!({"jsonrpc": "2.0", "method": "progress", "params": 7}).to_string()]
        }
    });
    let adapter = Session::over(link, SHORT).await.unwrap();
    let mut session = adapter.conversation();
    let built: Result<Value, _> = session.call(method::BUILD, &Empty {}).await.unwrap();
    assert_eq!(built.unwrap()["handle"], "h");
    assert_eq!(session.call::<Empty>(method::UNITS, &Empty {}).await.unwrap().unwrap_err().code, "refused");
    let compaction = session.send(method::COMPACT, &Empty {});
    let Heard::Summarize { ask, params } = session.hear(false).await.unwrap() else { panic!("no question") };
    assert_eq!((ask, params.compaction), (Some(json!(-7)), json!(compaction)));
}

#[tokio::test]
async fn an_answer_whose_id_is_not_the_one_that_was_asked_with_is_told_apart_whatever_it_is() {
    for id in ["1.5", "2.0", "-2", "18446744073709551618", "1e400", r#""2""#, "null", "true", "[2]", "{}"] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
        let kind = fault_of(move |_| vec![line.clone()]).await;
        assert!(matches!(kind, FaultKind::WrongId | FaultKind::InvalidMessage), "{id}: {kind:?}");
    }
    assert_eq!(fault_of(|_| vec![r#"{"jsonrpc":"2.0","result":{}}"#.to_owned()]).await, FaultKind::WrongId);
}

#[tokio::test]
async fn what_is_no_message_of_jsonrpc_is_a_fault_of_the_line() {
    for line in [
        r#"{"id":2,"result":{}}"#,
        r#"{"jsonrpc":2.0,"id":2,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":2}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":null}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":""}}"#,
        r#"{"jsonrpc":"2.0","id":2,"error":"no"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"summarize"}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"summarize"}"#,
        r#"[{"jsonrpc":"2.0","id":2,"result":{}}]"#,
        "null",
        "2",
    ] {
        assert_eq!(fault_of(move |_| vec![line.to_owned()]).await, FaultKind::InvalidMessage, "{line}");
    }
    for line in ["{\"jsonrpc\":\"2.0\",\"id\":2,", "{}{}", "\u{feff}{}", "NaN"] {
        assert_eq!(fault_of(move |_| vec![line.to_owned()]).await, FaultKind::BadJson, "{line}");
    }
}
