//! `B-UNIT-1` to `B-UNIT-10` with every weight as a value, so that each can be wrong. A test holds
//! [`Weights::SPEC`] to the reference's own units.

use seamcheck_reference::json::format_number;
use seamcheck_reference::{Json, Text};

/// What each thing costs beside its text.
#[derive(Clone, Copy)]
pub(crate) struct Weights {
    pub(crate) requirement: u64,
    pub(crate) summary: u64,
    pub(crate) user: u64,
    pub(crate) assistant: u64,
    pub(crate) text_block: u64,
    pub(crate) call: u64,
    pub(crate) result: u64,
    pub(crate) result_flag: u64,
    pub(crate) null: u64,
    pub(crate) yes: u64,
    pub(crate) no: u64,
    pub(crate) string: u64,
    pub(crate) array: u64,
    pub(crate) element: u64,
    pub(crate) object: u64,
    pub(crate) member: u64,
    pub(crate) record: u64,
    /// Whether keys of arguments cost their text.
    pub(crate) keys: bool,
    /// How long a text is.
    pub(crate) text: fn(&Text) -> u64,
    /// How long a number is.
    pub(crate) number: fn(f64) -> u64,
}

impl Weights {
    pub(crate) const SPEC: Self = Self {
        requirement: 3,
        summary: 5,
        user: 4,
        assistant: 4,
        text_block: 2,
        call: 6,
        result: 6,
        result_flag: 1,
        null: 1,
        yes: 5,
        no: 6,
        string: 1,
        array: 2,
        element: 1,
        object: 2,
        member: 1,
        record: 0,
        keys: true,
        text: |text| text.code_points() as u64,
        number: |number| 1 + format_number(number).len() as u64,
    };

    /// A whole context in the IR.
    pub(crate) fn context(&self, context: &Json) -> u64 {
        let requirements: u64 = elements(context.get("requirements")).map(|entry| self.requirement(entry)).sum();
        let summary = context.get("summary").filter(|summary| **summary != Json::Null);
        let messages: u64 = elements(context.get("messages")).map(|message| self.message(message)).sum();
        let records = elements(context.get("compactions")).count() as u64;
        requirements + summary.map_or(0, |summary| self.summary(summary)) + messages + self.record * records
    }

    pub(crate) fn requirement(&self, requirement: &Json) -> u64 {
        self.requirement + self.fields(requirement, &["id", "content"])
    }

    pub(crate) fn summary(&self, summary: &Json) -> u64 {
        self.summary + self.fields(summary, &["id", "content"])
    }

    pub(crate) fn message(&self, message: &Json) -> u64 {
        match role(message) {
            Some("assistant") => {
                let blocks: u64 = elements(message.get("content")).map(|block| self.block(block)).sum();
                self.assistant + self.fields(message, &["id"]) + blocks
            }
            Some("toolResult") => {
                let texts = self.fields(message, &["id", "toolCallId", "toolName", "content"]);
                self.result + texts + self.result_flag
            }
            _ => self.user + self.fields(message, &["id", "content"]),
        }
    }

    fn block(&self, block: &Json) -> u64 {
        match block.get("arguments").filter(|_| block.get("text").is_none()) {
            Some(arguments) => self.call + self.fields(block, &["id", "name"]) + self.value(arguments),
            None => self.text_block + self.fields(block, &["text"]),
        }
    }

    fn value(&self, value: &Json) -> u64 {
        match value {
            Json::Null => self.null,
            Json::Bool(flag) => {
                if *flag {
                    self.yes
                } else {
                    self.no
                }
            }
            Json::Number(number) => (self.number)(*number),
            Json::String(text) => self.string + (self.text)(text),
            Json::Array(elements) => {
                self.array + elements.iter().map(|element| self.element + self.value(element)).sum::<u64>()
            }
            Json::Object(object) => {
                let members = object.members().iter();
                let cost = |(key, value): &(Text, Json)| {
                    self.member + if self.keys { (self.text)(key) } else { 0 } + self.value(value)
                };
                self.object + members.map(cost).sum::<u64>()
            }
        }
    }

    fn fields(&self, record: &Json, names: &[&str]) -> u64 {
        let texts = names.iter().filter_map(|name| match record.get(name) {
            Some(Json::String(text)) => Some((self.text)(text)),
            _ => None,
        });
        texts.sum()
    }
}

/// The role of a message.
pub(crate) fn role(message: &Json) -> Option<&str> {
    match message.get("role") {
        Some(Json::String(role)) => role.as_str(),
        _ => None,
    }
}

/// The elements of an array; nothing for any other value.
pub(crate) fn elements(value: Option<&Json>) -> impl Iterator<Item = &Json> {
    match value {
        Some(Json::Array(elements)) => elements.as_slice(),
        _ => &[],
    }
    .iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use seamcheck_reference::{Context, Document};

    #[test]
    fn the_weights_of_the_spec_are_the_units_of_the_reference() {
        let text = r#"{"requirements":[{"id":"r","content":"AB\ud83d\ude00\ud800"}],"summary":{"id":"s","content":"old"},
            "messages":[{"id":"u","role":"user","content":"\ud83d\ude00","toolCallId":"ignored"},
            {"id":"a","role":"assistant","content":[{"type":"text","text":"t"},{"type":"toolCall","id":"c","name":"n",
            "arguments":{"":null,"k\ud800":[true,false,-0,1e21,5e-324,"x"],"o":{"__proto__":{}}}}]},
            {"id":"t","role":"toolResult","toolCallId":"c","toolName":"n","content":"ok","isError":true}],
            "compactions":[{"id":"k","summaryId":"s","boundary":1,"compactedMessageIds":["m"],"unitsBefore":0,"unitsAfter":0}]}"#;
        let document = Document::parse(text.as_bytes()).unwrap();
        let context = Context::from_json(document.root()).unwrap();
        assert_eq!(Weights::SPEC.context(&context.to_json()), context.units().get());
    }
}
