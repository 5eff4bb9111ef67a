//! A hostile runner: it plays badly with an adapter, and says check by check what the adapter's kit got wrong.
//!
//! It judges the wire and the process, never the implementation: a refusal is as good as a result, and what an
//! implementation does not show is not observable. Each check has a process of its own, so that one fault is
//! one finding. `conformance/protocol/KITS.md` lists the checks and what to do about each.

mod cancels;
mod ending;
mod handles;
mod handshake;
mod kit;
mod lines;
mod messages;
mod questions;
pub mod report;

use crate::command::CommandLine;
use kit::Kit;
use report::{Finding, Report, Verdict};
use seamcheck_protocol::messages::{Declaration, Level, Summarize};
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// An adapter that is told to print prints the value of this variable.
pub const STRAY_VARIABLE: &str = "SEAMCHECK_STRAY";

/// One thing that a kit must do.
pub struct KitCheck {
    /// Its name, stable over versions.
    pub id: &'static str,
    /// What must hold.
    pub title: &'static str,
    needs: Needs,
    run: Run,
}

type Run = for<'a> fn(&'a mut Kit) -> Pin<Box<dyn Future<Output = Done> + 'a>>;
type Done = Result<(), Stop>;

/// What a check asks of the adapter, and in which state it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// A session behind the handshake.
    Nothing,
    /// A process before the handshake.
    Handshake,
    /// The same, told to print.
    StrayPrints,
    /// Live contexts: the level `compact` or `exact`.
    Contexts,
    /// A summarizer that asks, on top.
    Questions,
}

/// Why a check did not come to its end.
#[derive(Debug)]
enum Stop {
    /// The adapter did what it must not.
    Fault(String),
    /// The implementation does not show it.
    Unseen(String),
}

impl Stop {
    fn fault(words: &str) -> Self {
        Self::Fault(words.to_owned())
    }

    fn unseen(words: &str) -> Self {
        Self::Unseen(words.to_owned())
    }

    /// The same, with what it came after.
    fn after(self, cause: &str) -> Self {
        match self {
            Self::Fault(words) => Self::Fault(format!("after {cause}: {words}")),
            unseen => unseen,
        }
    }
}

const fn check(id: &'static str, title: &'static str, needs: Needs, run: Run) -> KitCheck {
    KitCheck { id, title, needs, run }
}

/// Every check, in the order in which they are run.
pub fn checks() -> impl Iterator<Item = &'static KitCheck> {
    let families: [&[KitCheck]; 7] = [
        const { &handshake::CHECKS },
        const { &lines::CHECKS },
        const { &messages::CHECKS },
        const { &handles::CHECKS },
        const { &questions::CHECKS },
        const { &cancels::CHECKS },
        const { &ending::CHECKS },
    ];
    families.into_iter().flatten()
}

/// Tries an adapter with these checks.
///
/// # Errors
/// The adapter does not come as far as the handshake, in words that say what to do.
pub async fn run(command: &CommandLine, selected: &[&'static KitCheck], limit: Duration) -> Result<Report, String> {
    let declaration = introduce(command, limit).await?;
    let mut findings = Vec::new();
    for check in selected {
        findings.push(Finding::new(check, try_one(command, check, &declaration, limit).await));
    }
    Ok(Report::new(command, &declaration, findings))
}

/// What the adapter declares to a good runner.
async fn introduce(command: &CommandLine, limit: Duration) -> Result<Declaration, String> {
    let mut kit = Kit::start(command, limit, &[])?;
    let words = match kit.initialize().await {
        Ok(declaration) if !declaration.levels.is_empty() => return Ok(declaration.clone()),
        Ok(_) => return Err("the adapter declares no level; `levels` must hold one of cut, compact, exact".to_owned()),
        Err(Stop::Fault(words) | Stop::Unseen(words)) => words,
    };
    // An answer that comes only now lay in a buffer.
    let silent = kit.was_silent();
    kit.close();
    if silent && let Ok(Some(_)) = kit.hear_within(limit).await {
        return Err("`initialize` was answered only when standard input was closed; flush each line".to_owned());
    }
    let log = kit.log().last().map(|line| format!("; its last words on standard error: {line}")).unwrap_or_default();
    Err(format!("no handshake: {words}{log}"))
}

async fn try_one(command: &CommandLine, check: &KitCheck, declared: &Declaration, limit: Duration) -> Verdict {
    let contexts = declared.levels.iter().any(|level| *level != Level::Cut);
    if matches!(check.needs, Needs::Contexts | Needs::Questions) && !contexts {
        return Verdict::NotApplicable("neither `compact` nor `exact` is declared".to_owned());
    }
    if check.needs == Needs::Questions && declared.capabilities.summarize == Summarize::Scripted {
        return Verdict::NotApplicable("the adapter is `scripted` and asks nothing".to_owned());
    }
    let environment: &[(&str, &str)] =
        if check.needs == Needs::StrayPrints { &[(STRAY_VARIABLE, ending::STRAY_TEXT)] } else { &[] };
    let mut kit = match Kit::start(command, limit, environment) {
        Ok(kit) => kit,
        Err(words) => return Verdict::Fault { words, log: Vec::new() },
    };
    let done = async {
        if !matches!(check.needs, Needs::Handshake | Needs::StrayPrints) {
            kit.initialize().await?;
        }
        (check.run)(&mut kit).await
    };
    match done.await {
        Ok(()) => Verdict::Pass,
        Err(Stop::Unseen(words)) => Verdict::NotObservable(words),
        Err(Stop::Fault(words)) => Verdict::Fault { words, log: kit.log() },
    }
}
