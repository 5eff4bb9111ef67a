//! The adapter of a run: one process at a time, started again after a fault that it cannot go on from.

use crate::command::CommandLine;
use crate::drive::{Driven, drive};
use crate::fault::{AdapterFault, Trouble};
use crate::session::{Conversation, Session, Timeouts};
use seamcheck_checks::case::Case;
use seamcheck_checks::step::Outcome;
use seamcheck_protocol::messages::Declaration;

/// An adapter that can be started again.
#[derive(Debug)]
pub struct Adapter {
    command: CommandLine,
    timeouts: Timeouts,
    session: Option<Session>,
    /// As it was declared the first time.
    declared: Option<Declaration>,
    restarts: u64,
    /// Conversations that the process of now has had.
    conversations: u64,
    /// Whether the next start is no restart, since nothing had gone wrong.
    on_purpose: bool,
}

impl Adapter {
    /// An adapter that is not started yet.
    pub fn new(command: CommandLine, timeouts: Timeouts) -> Self {
        Self { command, timeouts, session: None, declared: None, restarts: 0, conversations: 0, on_purpose: false }
    }

    /// How it is started.
    pub fn command(&self) -> &CommandLine {
        &self.command
    }

    /// How often it was started again.
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// How many conversations the process of now has had.
    pub fn conversations(&self) -> u64 {
        self.conversations
    }

    /// What it declares; it is started if need be.
    ///
    /// # Errors
    /// It does not start, or declares something else than the first time.
    pub async fn declaration(&mut self) -> Result<Declaration, AdapterFault> {
        self.ready().await.map(|session| session.declaration().clone())
    }

    /// A conversation with it; it is started if need be.
    ///
    /// # Errors
    /// It does not start, or declares something else than the first time.
    pub async fn conversation(&mut self) -> Result<Conversation, AdapterFault> {
        let conversation = self.ready().await?.conversation();
        self.conversations += 1;
        Ok(conversation)
    }

    /// Goes through a case to its end, with nothing else in flight.
    ///
    /// # Errors
    /// A fault of the adapter, which then has no verdict on the case.
    pub async fn drive(&mut self, case: &Case, declaration: &Declaration) -> Result<Vec<Outcome>, AdapterFault> {
        let mut conversation = self.conversation().await?;
        let Driven { outcomes, trouble } = drive(&mut conversation, case, declaration).await;
        match trouble {
            None => Ok(outcomes),
            Some(trouble) if trouble.kind.leaves_session_usable() && !conversation.has_compaction_running() => {
                Err(self.describe(trouble))
            }
            Some(trouble) => Err(self.end(trouble).await),
        }
    }

    /// A fault after which the process goes on.
    pub fn describe(&self, trouble: Trouble) -> AdapterFault {
        match &self.session {
            Some(session) => session.describe(trouble),
            None => AdapterFault { kind: trouble.kind, words: trouble.words, stderr: Vec::new() },
        }
    }

    /// Ends every conversation, since one of them has met this.
    pub fn break_off(&self, trouble: &Trouble) {
        if let Some(session) = &self.session {
            session.break_off(trouble);
        }
    }

    /// Ends the process, and says everything that is known about the fault.
    pub async fn end(&mut self, trouble: Trouble) -> AdapterFault {
        match self.session.take() {
            Some(session) => session.explain(trouble).await,
            None => AdapterFault { kind: trouble.kind, words: trouble.words, stderr: Vec::new() },
        }
    }

    /// Drops the session as it is, since nothing is known about its state.
    pub fn forget(&mut self) {
        self.session = None;
    }

    /// Makes sure that the next case has a process of its own.
    pub async fn renew(&mut self) {
        self.on_purpose = self.session.is_some() || self.on_purpose;
        // How it ends is judged at the end of the run, and not over and over.
        let _ = self.shut_down().await;
    }

    /// Ends the session as the protocol says, if there is one.
    ///
    /// # Errors
    /// The adapter does not end as it should.
    pub async fn shut_down(&mut self) -> Result<(), AdapterFault> {
        match self.session.take() {
            Some(session) => session.shut_down().await,
            None => Ok(()),
        }
    }

    async fn ready(&mut self) -> Result<&mut Session, AdapterFault> {
        let session = match self.session.take() {
            Some(session) => session,
            None => self.start().await?,
        };
        Ok(self.session.insert(session))
    }

    async fn start(&mut self) -> Result<Session, AdapterFault> {
        self.restarts += u64::from(self.declared.is_some() && !std::mem::take(&mut self.on_purpose));
        self.conversations = 0;
        let session = Session::start(&self.command, self.timeouts).await?;
        let declared = self.declared.get_or_insert_with(|| session.declaration().clone());
        if declared != session.declaration() {
            let words = "started again, the adapter declares something else than before";
            return Err(session.explain(Trouble::bad_result(words)).await);
        }
        Ok(session)
    }
}
