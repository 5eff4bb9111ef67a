//! `seamcheck replay`: the cases of replay files once more, each judged by every check that applies.

use super::certify::{command, stopped};
use super::{Failure, print, usage};
use crate::adapter::Adapter;
use crate::cli::ReplayArguments;
use crate::exit_code::Exit;
use crate::fault::AdapterFault;
use crate::harness::{guard, guard_future};
use crate::replay;
use crate::report::replayed::{Replayed, What};
use crate::selector::Selectors;
use crate::session::Timeouts;
use seamcheck_checks::case::Unmet;
use seamcheck_checks::case_file::CaseFile;
use seamcheck_checks::check::{Check, Judgement, Observed};
use seamcheck_checks::registry;
use seamcheck_protocol::messages::{Declaration, refusal};
use std::path::PathBuf;

pub(super) fn replay(arguments: &ReplayArguments) -> Result<Exit, Failure> {
    let command = command(&arguments.adapter)?;
    // All of them are read before anything is run.
    let files: Vec<(PathBuf, CaseFile)> = arguments
        .files
        .iter()
        .map(|path| replay::read(path).map(|file| (path.clone(), file)))
        .collect::<Result<_, _>>()
        .map_err(usage)?;
    let timeouts = Timeouts { idle: arguments.timeout_seconds, ..Timeouts::default() };
    let mut adapter = Adapter::new(command, timeouts);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime needs no more than the process that was started has");
    runtime.block_on(async {
        let done = tokio::select! {
            done = replay_all(&mut adapter, &files) => done,
            () = stopped() => Err(Failure { exit: Exit::Incomplete, words: "interrupted".to_owned() }),
        };
        adapter.forget();
        done
    })
}

async fn replay_all(adapter: &mut Adapter, files: &[(PathBuf, CaseFile)]) -> Result<Exit, Failure> {
    let unusable = |fault: AdapterFault| {
        let words = format!("the adapter is not usable: {}: {}", fault.kind.name(), fault.words);
        Failure { exit: Exit::Incomplete, words }
    };
    let declared = adapter.declaration().await.map_err(unusable)?;
    let levels = Selectors::default().judged_levels(&declared.levels).map_err(usage)?;
    let declaration = Declaration { levels, ..declared };
    let mut exit = Exit::Conformant;
    for (path, file) in files {
        let what = replay_one(adapter, &declaration, file).await;
        let replayed = Replayed { path, file, declaration: &declaration, what };
        exit = exit.max(replayed.exit()).max(print(&replayed.to_string()));
    }
    if let Err(fault) = adapter.shut_down().await {
        return Err(Failure { exit: exit.max(Exit::Incomplete), ..unusable(fault) });
    }
    Ok(exit)
}

async fn replay_one(adapter: &mut Adapter, declaration: &Declaration, file: &CaseFile) -> What {
    let case = &file.case;
    match case.unmet(declaration) {
        Some(Unmet::Level) => return What::Unmet("the adapter does not declare the level that it needs"),
        Some(Unmet::Capability(reason)) => return What::Unmet(reason),
        None => {}
    }
    let outcomes = match guard_future(adapter.drive(case, declaration)).await {
        Ok(Ok(outcomes)) => outcomes,
        Ok(Err(fault)) => return What::Fault(fault),
        Err(words) => {
            adapter.forget();
            return What::Harness(words);
        }
    };
    if outcomes.iter().any(|outcome| outcome.reply.refusal_code() == Some(refusal::UNSUPPORTED)) {
        return What::Unmet("the implementation cannot express this input");
    }
    let mut checks: Vec<&'static Check> = registry::checks();
    checks.retain(|check| declaration.levels.contains(&check.level) || check.id == file.check);
    // Stable: the recorded one first, the others in the order of the spec.
    checks.sort_by_key(|check| check.id != file.check);
    let mut judgements = Vec::new();
    for check in checks {
        let observed = Observed { case, outcomes: &outcomes, declaration };
        match guard(|| check.judge(&observed)) {
            Ok(Judgement::NotReached) if check.id != file.check => {}
            Ok(judgement) => judgements.push((check, judgement)),
            Err(words) => return What::Harness(format!("judged by {}: {words}", check.id)),
        }
    }
    What::Judged(judgements, outcomes)
}
