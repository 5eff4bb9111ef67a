//! `B-JSON-2` and `B-JSON-5`: what must not change the verdict on a context, planted into its text. Unknown
//! fields, and members that a later one of the same key hides, hold what would be a fault if it counted.

use crate::raw::RawJson;
use seamcheck_reference::Text;

/// Adds decoys to the objects of a context: the context itself, requirements, summary, messages, blocks and
/// records, not the arguments, whose keys are all known. `selector` decides where and which; none of
/// them changes any answer.
pub fn add_decoys(context: &mut RawJson, selector: u64) {
    let mut selector = selector;
    visit(context, "", &mut selector);
}

fn visit(value: &mut RawJson, key: &str, selector: &mut u64) {
    match value {
        RawJson::Array(elements) if key != "arguments" => {
            elements.iter_mut().for_each(|element| visit(element, key, selector));
        }
        RawJson::Object(members) if key != "arguments" => {
            for (name, member) in members.iter_mut() {
                // No name of a field has a half of a pair in it.
                let name = name.as_str().unwrap_or_default().to_owned();
                visit(member, &name, selector);
            }
            // A multiplier of Knuth's; only that the places differ matters.
            *selector = selector.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            decorate(members, *selector >> 40);
        }
        _ => {}
    }
}

fn decorate(members: &mut Vec<(Text, RawJson)>, choice: u64) {
    if choice & 3 == 0 {
        members.insert(0, ("extra".into(), decoy(choice >> 2)));
    }
    if choice & 3 == 1 {
        members.push(("tool_calls".into(), decoy(choice >> 2)));
    }
    if choice & 3 <= 1
        && let Some((key, _)) = members.iter().find(|(key, _)| key.as_str() == Some("id")).cloned()
    {
        // The member that counts comes later.
        members.insert(0, (key, decoy(choice >> 5)));
    }
}

fn decoy(choice: u64) -> RawJson {
    match choice % 6 {
        0 => RawJson::token("1e999"),
        1 => RawJson::token("null"),
        2 => RawJson::text(" "),
        3 => RawJson::Array((0..20).map(|_| RawJson::token("-1e400")).collect()),
        4 => (0..60).fold(RawJson::token("0"), |inner, _| RawJson::Array(vec![inner])),
        _ => RawJson::object([("role", RawJson::text("system")), ("", RawJson::token("false"))]),
    }
}
