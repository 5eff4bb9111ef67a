//! A live context: what a handle stands for. Absent on purpose: immutability, which the reference's
//! [`Context`] has and a faulty implementation must be able to break.

use seamcheck_protocol::answer::AnswerKind;
use seamcheck_protocol::implementation::Refusal;
use seamcheck_protocol::messages::{
    CancelMode, Capabilities, Declaration, InspectResult, Keeps, Level, PROTOCOL_VERSION, Shown, ShownKind, Summarize,
    refusal,
};
use seamcheck_protocol::payload::{Payload, WireText};
use seamcheck_reference::json::SyntaxError;
use seamcheck_reference::{Code, Context, Document, Error, Json};
use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// A live context. Clones are the same one.
#[derive(Debug, Clone)]
pub struct Live(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    context: RefCell<Context>,
    /// What is shown instead, where a fault has made what no [`Context`] can hold.
    shown: RefCell<Option<Json>>,
    /// The JSON text that it was built from.
    source: String,
}

impl Live {
    pub(crate) fn new(context: Context, source: &str) -> Self {
        let (context, shown) = (RefCell::new(context), RefCell::new(None));
        Self(Rc::new(Inner { context, shown, source: source.to_owned() }))
    }

    /// The valid context as it is now.
    pub(crate) fn context(&self) -> Context {
        self.0.context.borrow().clone()
    }

    pub(crate) fn source(&self) -> &str {
        &self.0.source
    }

    /// The context in the IR as it is now.
    pub(crate) fn to_json(&self) -> Json {
        let shown = self.0.shown.borrow();
        shown.as_ref().map_or_else(|| self.0.context.borrow().to_json(), Json::clone)
    }

    /// Changes the live context, to something valid or not.
    pub(crate) fn overwrite(&self, json: Json) {
        match rebuild(&json) {
            Ok(context) => {
                self.0.context.replace(context);
                self.0.shown.replace(None);
            }
            Err(_) => {
                self.0.shown.replace(Some(json));
            }
        }
    }
}

/// Reads a context from its own JSON.
pub(crate) fn rebuild(json: &Json) -> Result<Context, Error> {
    let text = json.to_string();
    let document = Document::parse(text.as_bytes()).expect("what the reference writes is JSON");
    Context::from_json(document.root())
}

/// What is shown of a context, and a digest of it.
pub(crate) fn inspect(json: &Json) -> InspectResult {
    let mut hasher = DefaultHasher::new();
    json.to_string().hash(&mut hasher);
    InspectResult { context: Payload::from(json), native: Some(format!("{:016x}", hasher.finish())) }
}

/// What a model would be shown of a context: the requirements, the summary, the messages.
pub(crate) fn render(json: &Json) -> Vec<Shown> {
    let list = |name| match json.get(name) {
        Some(Json::Array(elements)) => elements.as_slice(),
        _ => &[],
    };
    let shown = |kind| move |value: &Json| Shown { kind, value: Payload::from(value) };
    let summary = json.get("summary").filter(|summary| **summary != Json::Null);
    let requirements = list("requirements").iter().map(shown(ShownKind::Requirement));
    let messages = list("messages").iter().map(shown(ShownKind::Message));
    requirements.chain(summary.map(shown(ShownKind::Summary))).chain(messages).collect()
}

/// The declaration of the reference; a mutant declares the same under its own name.
pub(crate) fn declare(name: &str) -> Declaration {
    Declaration {
        protocol_version: PROTOCOL_VERSION.to_owned(),
        name: name.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        language: "rust".to_owned(),
        profiles: vec!["boundary".to_owned()],
        levels: Level::ALL.to_vec(),
        capabilities: Capabilities {
            raw_json: true,
            native: true,
            measure: true,
            render: true,
            keeps: Keeps::Suffix,
            summarize: Summarize::Callback,
            answers: AnswerKind::ALL.to_vec(),
            cancel: vec![CancelMode::AtLook, CancelMode::InCallback, CancelMode::Async],
        },
        max_in_flight: 64,
    }
}

/// Reads a payload's text.
pub(crate) fn parse(text: &str) -> Result<Document<'_>, Refusal> {
    Document::parse(text.as_bytes()).map_err(|error: SyntaxError| Refusal::new(refusal::NOT_JSON, error.to_string()))
}

#[expect(clippy::needless_pass_by_value, reason = "it is a leaf of map_err")]
pub(crate) fn refuse(error: Error) -> Refusal {
    coded(error.code(), &error.to_string())
}

pub(crate) fn coded(code: Code, words: &str) -> Refusal {
    Refusal { code: code.as_str().to_owned(), message: WireText::from(words) }
}
