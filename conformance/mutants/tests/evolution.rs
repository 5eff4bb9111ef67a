//! Runners of other days meet today's served reference: a recorded session of the first release of protocol
//! version 1, and a runner that knows more than version 1.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use seamcheck_protocol::serve::serve;
use serde_json::Value;

const YESTERDAY: &str = include_str!("../../protocol/tests/evolution/session_v1.txt");
const TOMORROW: &str = include_str!("../../protocol/tests/evolution/runner_future.txt");

#[tokio::test]
async fn yesterdays_runner_finds_in_todays_answers_all_that_it_found_then() {
    let answers = answers(YESTERDAY).await;
    let recorded: Vec<&str> = said(YESTERDAY, "< ").collect();
    assert_eq!(answers.len(), recorded.len());
    for (line, answer) in recorded.into_iter().zip(answers) {
        assert_eq!(lost(&read(line), &answer), None, "{line}\nis answered today by\n{answer}");
    }
}

#[tokio::test]
async fn tomorrows_runner_is_answered_and_what_is_unknown_is_ignored_or_refused() {
    let found: Vec<String> = answers(TOMORROW)
        .await
        .iter()
        .map(|answer| match (answer["method"].as_str(), &answer["error"]["code"]) {
            (Some(method), _) => method.to_owned(),
            (None, Value::Null) => "ok".to_owned(),
            (None, code) => code.to_string(),
        })
        .collect();
    assert_eq!(found, said(TOMORROW, "< ").collect::<Vec<_>>());
}

/// What one side says, without the sign of it.
fn said<'a>(session: &'a str, sign: &'static str) -> impl Iterator<Item = &'a str> {
    session.lines().filter_map(move |line| line.strip_prefix(sign))
}

async fn answers(session: &str) -> Vec<Value> {
    let input = said(session, "> ").map(|line| format!("{line}\n")).collect::<String>();
    let mut output = Vec::new();
    serve(seamcheck_mutants::reference(), input.as_bytes(), &mut output).await.unwrap();
    String::from_utf8(output).unwrap().lines().map(read).collect()
}

/// Lone surrogates are no text for serde_json; which code unit stands there does not matter here.
fn read(line: &str) -> Value {
    serde_json::from_str(&line.replace("\\ud800", "\\ufffd")).unwrap()
}

/// The first part of what was said then that is said otherwise today, or not at all. What has come since is
/// nothing that a runner of that day looks at; words for people, versions and how
/// much an adapter can hold may change.
fn lost(then: &Value, now: &Value) -> Option<String> {
    match (then, now) {
        (Value::Object(then), Value::Object(now)) => then
            .iter()
            .filter(|(name, _)| {
                !["message", "version", "maxInFlight"].contains(&name.as_str()) || now.get(*name).is_none()
            })
            .find_map(|(name, then)| match now.get(name) {
                Some(now) => lost(then, now).map(|path| format!("{name}.{path}")),
                None => Some(name.clone()),
            }),
        // What is declared may grow; every other list is an answer.
        (Value::Array(then), Value::Array(now)) if then.iter().all(Value::is_string) => {
            then.iter().find(|item| !now.contains(item)).map(ToString::to_string)
        }
        _ => (then != now).then(|| then.to_string()),
    }
}

#[test]
fn a_member_that_is_gone_or_changed_is_noticed_and_a_new_one_is_not() {
    let then = read(r#"{"id":1,"result":{"units":6,"levels":["cut"],"groups":[["message",0,1]]}}"#);
    let lost = |now: &str| lost(&then, &read(now));
    assert_eq!(
        lost(r#"{"id":1,"new":0,"result":{"units":6,"levels":["new","cut"],"groups":[["message",0,1]]}}"#),
        None
    );
    assert_eq!(lost(r#"{"id":1,"result":{"levels":["cut"],"groups":[["message",0,1]]}}"#).unwrap(), "result.units");
    assert_eq!(
        lost(r#"{"id":1,"result":{"units":6,"levels":[],"groups":[["message",0,1]]}}"#).unwrap(),
        "result.levels.\"cut\""
    );
    assert!(lost(r#"{"id":1,"result":{"units":6,"levels":["cut"],"groups":[["message",0,2]]}}"#).is_some());
}
