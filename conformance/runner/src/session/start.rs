//! How a session begins: the process, the version, the declaration.

use super::{Heard, Session, Timeouts, read_outcome};
use crate::command::CommandLine;
use crate::fault::{AdapterFault, FaultKind, Trouble};
use crate::link::Link;
use crate::process::Process;
use seamcheck_protocol::envelope::{ErrorObject, INVALID_PARAMS};
use seamcheck_protocol::messages::{Declaration, InitializeParams, Level, PROTOCOL_VERSION, Suite, method};
use seamcheck_reference::SPEC_VERSION;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The only profile there is.
const PROFILE: &str = "boundary";

impl Session {
    /// Starts an adapter and shakes hands with it.
    ///
    /// # Errors
    /// It cannot be started, is not ready in time, or does not speak the protocol.
    pub async fn start(command: &CommandLine, timeouts: Timeouts) -> Result<Self, AdapterFault> {
        let (process, link) = Process::start(command)?;
        let mut session = Self::new(link, Some(process), timeouts);
        match session.initialize().await {
            Ok(()) => Ok(session),
            Err(trouble) => Err(session.explain(trouble).await),
        }
    }

    /// Shakes hands over streams that are there already.
    ///
    /// # Errors
    /// The other side does not speak the protocol.
    pub async fn over(link: Link, timeouts: Timeouts) -> Result<Self, AdapterFault> {
        let mut session = Self::new(link, None, timeouts);
        match session.initialize().await {
            Ok(()) => Ok(session),
            Err(trouble) => Err(session.explain(trouble).await),
        }
    }

    async fn initialize(&mut self) -> Result<(), Trouble> {
        let params = InitializeParams {
            protocol_versions: vec![PROTOCOL_VERSION.to_owned()],
            suite: Suite {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                spec_version: SPEC_VERSION.to_owned(),
            },
        };
        let mut conversation = self.conversation();
        conversation.send(method::INITIALIZE, &params);
        let start = self.shared.timeouts.start;
        let heard = conversation.listen(start).await.map_err(|trouble| match trouble.kind {
            FaultKind::IdleTimeout => {
                let words = format!("`initialize` was not answered within {start:?}");
                Trouble::new(FaultKind::StartTimeout, words)
            }
            FaultKind::EndOfFile => Trouble { words: "before it had answered `initialize`".to_owned(), ..trouble },
            _ => trouble,
        })?;
        let Heard::Answer { outcome, .. } = heard else {
            return Err(Trouble::invalid_message("`summarize` before `initialize` was answered"));
        };
        if let Err(error) = &outcome
            && error.code == INVALID_PARAMS
        {
            return Err(no_common_version(error));
        }
        let levels_in_words = outcome.as_ref().ok().and_then(|result| names_of_levels(result));
        let declaration: Declaration = read_outcome(outcome, method::INITIALIZE)?
            .map_err(|refused| Trouble::bad_result(format!("`initialize` was refused as {}", refused.code)))?;
        if declaration.protocol_version != PROTOCOL_VERSION {
            let version = &declaration.protocol_version;
            let words =
                format!("the adapter chose protocol version {version:?}; only {PROTOCOL_VERSION:?} was offered");
            return Err(Trouble::bad_result(words));
        }
        if !declaration.profiles.iter().any(|profile| profile == PROFILE) {
            let words = format!("the adapter declares the profiles {:?}; it needs {PROFILE:?}", declaration.profiles);
            return Err(Trouble::bad_result(words));
        }
        if declaration.levels.is_empty() {
            let declared = levels_in_words.unwrap_or_default();
            let known = Level::ALL.map(Level::as_str).join(", ");
            let words = format!(
                "the adapter declares the levels [{declared}], and this version of seamcheck knows {known}; \
                 declare one of these, or use a newer seamcheck"
            );
            return Err(Trouble::bad_result(words));
        }
        self.declaration = declaration.into();
        Ok(())
    }
}

/// The levels as they were declared, unknown ones included.
fn names_of_levels(result: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    struct Names {
        levels: Vec<String>,
    }
    let names: Names = serde_json::from_str(result.get()).ok()?;
    Some(names.levels.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", "))
}

/// An adapter that speaks none of the versions answers by an error.
fn no_common_version(error: &ErrorObject) -> Trouble {
    let message = String::from_utf8_lossy(error.message.0.as_wtf8()).into_owned();
    let words = format!(
        "this runner speaks protocol version {PROTOCOL_VERSION:?} alone; use an adapter or a seamcheck of another \
         version. `initialize` was answered by {message} ({})",
        error.code
    );
    Trouble::new(FaultKind::ProtocolError { code: error.code }, words)
}

/// What is known before the handshake: nothing.
pub(super) fn undeclared() -> Declaration {
    Declaration {
        protocol_version: String::new(),
        name: String::new(),
        version: String::new(),
        language: String::new(),
        profiles: Vec::new(),
        levels: Vec::new(),
        capabilities: seamcheck_protocol::messages::Capabilities::default(),
        max_in_flight: 1,
    }
}
