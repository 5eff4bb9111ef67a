//! The smallest implementation that shows everything a session does. A context is its JSON text, units
//! are its bytes, and compacting replaces it by the summary.

use seamcheck_protocol::answer::Answer;
use seamcheck_protocol::implementation::{Asked, Compacted, Compacting, Host, Implementation, Refusal};
use seamcheck_protocol::messages::{CancelMode, Capabilities, Declaration, InspectResult, Level, PROTOCOL_VERSION};
use seamcheck_protocol::payload::Payload;
use seamcheck_reference::Json;

pub(crate) struct Toy;

impl Implementation for Toy {
    type State = Payload;

    fn declare(&self) -> Declaration {
        Declaration {
            protocol_version: PROTOCOL_VERSION.to_owned(),
            name: "toy".to_owned(),
            version: "0".to_owned(),
            language: String::new(),
            profiles: vec!["boundary".to_owned()],
            levels: vec![Level::Compact],
            capabilities: Capabilities {
                cancel: vec![CancelMode::AtLook, CancelMode::Async],
                ..Capabilities::default()
            },
            max_in_flight: 2,
        }
    }

    fn build(&self, context: &Payload) -> Result<Payload, Refusal> {
        Ok(context.clone())
    }

    fn inspect(&self, state: &Payload) -> InspectResult {
        InspectResult { context: state.clone(), native: None }
    }

    fn units(&self, context: &Payload) -> Result<u64, Refusal> {
        assert_ne!(context.text(), "\"panic\"");
        Ok(context.text().len() as u64)
    }

    fn compact<'a>(&'a self, state: &'a Payload, options: &'a Payload, host: &'a Host) -> Compacting<'a, Payload> {
        Box::pin(async move {
            assert_ne!(options.text(), "\"panic\"");
            if options.text() == "\"look twice\"" {
                for _ in 0..2 {
                    if host.signal().is_cancelled() {
                        return Err(Refusal::new("CONTEXT_CANCELLED", "seen"));
                    }
                }
            }
            let answer = match host.ask(state.clone()) {
                Asked::Now(answer) => answer,
                Asked::Later(answer) => tokio::select! {
                    biased;
                    () = host.signal().cancelled() => return Err(Refusal::new("CONTEXT_CANCELLED", "while waiting")),
                    answer = answer => answer.map_err(|_| Refusal::new("refused", "the runner is gone"))?,
                },
            };
            match answer {
                Answer::Text { text, .. } => {
                    let state = Payload::from(Json::from(text.0));
                    Ok(Compacted::New { record: state.clone(), state })
                }
                _ => Err(Refusal::new("CONTEXT_SUMMARIZER_FAILED", "no text")),
            }
        })
    }
}
