//! The adapter of a run: one process at a time, started again after a fault that it cannot go on from.

use crate::command::CommandLine;
use crate::drive::{Driven, drive};
use crate::fault::{AdapterFault, Trouble};
use crate::session::{Session, Timeouts};
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
}

impl Adapter {
    /// An adapter that is not started yet.
    pub fn new(command: CommandLine, timeouts: Timeouts) -> Self {
        Self { command, timeouts, session: None, declared: None, restarts: 0 }
    }

    /// How it is started.
    pub fn command(&self) -> &CommandLine {
        &self.command
    }

    /// How often it was started again.
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// What it declares; it is started if need be.
    ///
    /// # Errors
    /// It does not start, or declares something else than the first time.
    pub async fn declaration(&mut self) -> Result<Declaration, AdapterFault> {
        self.ready().await.map(|session| session.declaration().clone())
    }

    /// Goes through a case to its end.
    ///
    /// # Errors
    /// A fault of the adapter, which then has no verdict on the case.
    pub async fn drive(&mut self, case: &Case, declaration: &Declaration) -> Result<Vec<Outcome>, AdapterFault> {
        let Driven { outcomes, trouble } = drive(self.ready().await?, case, declaration).await;
        match trouble {
            None => Ok(outcomes),
            Some(trouble) => Err(self.explain(trouble).await),
        }
    }

    /// Drops the session as it is, since nothing is known about its state.
    pub fn forget(&mut self) {
        self.session = None;
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
        self.restarts += u64::from(self.declared.is_some());
        let session = Session::start(&self.command, self.timeouts).await?;
        let declared = self.declared.get_or_insert_with(|| session.declaration().clone());
        if declared != session.declaration() {
            let words = "started again, the adapter declares something else than before";
            return Err(session.explain(Trouble::bad_result(words)).await);
        }
        Ok(session)
    }

    async fn explain(&mut self, trouble: Trouble) -> AdapterFault {
        match self.session.take() {
            Some(session) if trouble.kind.leaves_session_usable() => {
                let fault = session.describe(trouble);
                self.session = Some(session);
                fault
            }
            Some(session) => session.explain(trouble).await,
            None => AdapterFault { kind: trouble.kind, words: trouble.words, stderr: Vec::new() },
        }
    }
}
