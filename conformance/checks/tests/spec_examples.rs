//! The examples of the family TRIM on the spec page, judged by the checks themselves.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use seamcheck_checks::judge_cut;
use seamcheck_protocol::messages::Keeps;
use seamcheck_reference::{Document, Json, Value};

const PAGE: &str = include_str!("../../../reference/SPEC/boundary.md");

#[test]
fn every_trim_example_of_the_spec_is_what_the_checks_say() {
    let mut count = 0;
    for section in PAGE.split("\n### ").filter(|section| section.starts_with("B-TRIM-")) {
        for block in section.split("```json\n").skip(1) {
            let document = Document::parse(block.split("\n```").next().unwrap().as_bytes()).unwrap();
            let (request, response) =
                (document.root().get("request").unwrap(), document.root().get("response").unwrap());
            let expected = response.get("ok").unwrap().get("violations").unwrap().to_json(2).unwrap();
            assert_eq!(violations(request), expected, "{section}");
            count += 1;
        }
    }
    assert!(count >= 7, "only {count} examples were found");
}

fn violations(request: Value<'_>) -> Json {
    let Some(Json::Array(messages)) = request.get("messages").unwrap().to_json(40) else { panic!("no messages") };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "indexes in the examples are small")]
    let kept: Vec<u64> =
        request.get("kept").unwrap().elements().map(|index| index.as_number().unwrap() as u64).collect();
    let keeps = if request.get("keeps").unwrap().is_str("suffix") { Keeps::Suffix } else { Keeps::Subset };
    judge_cut(&messages, &kept, keeps).into_iter().map(|(clause, _)| clause).collect::<Vec<_>>().into()
}
