//! The cases in flight: several at once on one process, as many as the adapter says that it can hold.
//!
//! When the process is lost, none of the cases in flight has a verdict. Each is run again alone, and that is its
//! first verdict; what then goes well was not to blame, and if no case is, the session is.

use super::feed::Planned;
use super::judge::Seen;
use super::repeat;
use crate::adapter::Adapter;
use crate::drive::{Driven, drive};
use crate::fault::{AdapterFault, Trouble};
use crate::harness::guard_future;
use crate::in_flight::name_of;
use crate::session::Conversation;
use seamcheck_protocol::messages::Declaration;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::task::JoinSet;

/// Names of cases that are shown for one fault.
const NAMED_CASES: usize = 8;

/// What became of a case in flight.
#[derive(Debug)]
pub(super) enum Landed {
    /// It was driven to its end.
    Seen(Seen),
    /// The adapter failed on it.
    Fault { place: u64, planned: Planned, fault: AdapterFault },
    /// The harness failed on it.
    Broken { place: u64, planned: Planned, words: String },
}

/// A fault that no case alone brings about, and the place of the first case that it met.
#[derive(Debug)]
pub(super) struct Unclaimed {
    pub(super) place: u64,
    pub(super) during: String,
    pub(super) fault: AdapterFault,
}

/// The cases in flight.
pub(super) struct Flight {
    declaration: Arc<Declaration>,
    tasks: JoinSet<Flown>,
    folder: Option<PathBuf>,
    /// Files whose case has landed.
    free: Vec<usize>,
}

/// A case that has been flown.
pub(super) struct Flown {
    place: u64,
    planned: Planned,
    /// The number of its file.
    file: usize,
    /// How it went, or the words of a panic of the harness.
    driven: Result<(Driven, Option<String>), String>,
    conversation: Conversation,
}

impl Flight {
    pub(super) fn new(declaration: &Arc<Declaration>, folder: Option<PathBuf>) -> Self {
        Self { declaration: Arc::clone(declaration), tasks: JoinSet::new(), folder, free: Vec::new() }
    }

    /// How many are in flight.
    pub(super) fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Starts a case; `twice` repeats it, to see whether it goes the same way.
    pub(super) async fn start(
        &mut self,
        adapter: &mut Adapter,
        place: u64,
        mut planned: Planned,
        twice: bool,
    ) -> Option<Landed> {
        let file = self.free.pop().unwrap_or(self.tasks.len());
        if let (Some(folder), Some(text)) = (&self.folder, planned.text.take()) {
            let (name, half) = (folder.join(name_of(file)), folder.join(format!(".{}", name_of(file))));
            // A disk that is full since the run began must not end it: the file is for the case that something else does.
            let _ = std::fs::write(&half, text).and_then(|()| std::fs::rename(&half, &name));
        }
        let mut conversation = match adapter.conversation().await {
            Ok(conversation) => conversation,
            Err(fault) => return Some(Landed::Fault { place, planned, fault }),
        };
        let declaration = Arc::clone(&self.declaration);
        self.tasks.spawn(async move {
            let driven = guard_future(async {
                let driven = drive(&mut conversation, &planned.case, &declaration).await;
                if !twice || driven.trouble.is_some() {
                    return (driven, None);
                }
                let again = drive(&mut conversation, &planned.case, &declaration).await;
                let differs = repeat::difference(&driven.outcomes, &again.outcomes);
                (Driven { trouble: again.trouble, ..driven }, differs)
            });
            let driven = driven.await;
            Flown { place, planned, file, driven, conversation }
        });
        None
    }

    /// The next that has flown. A call that is dropped loses nothing.
    pub(super) async fn next(&mut self) -> Option<Flown> {
        // A task ends early only when the runtime does: panics are caught inside.
        let flown = self.tasks.join_next().await.and_then(Result::ok);
        self.free.extend(flown.iter().map(|flown| flown.file));
        flown
    }

    /// Those that land with it: it alone, or all in flight when the process is lost.
    pub(super) async fn land(&mut self, adapter: &mut Adapter, flown: Flown) -> (Vec<Landed>, Option<Unclaimed>) {
        match sort(flown) {
            Sorted::Landed(landed) => (vec![landed], None),
            Sorted::Usable { place, planned, trouble } => {
                let fault = adapter.describe(trouble);
                (vec![Landed::Fault { place, planned, fault }], None)
            }
            Sorted::Lost { place, planned, trouble } => self.recover(adapter, place, planned, trouble).await,
        }
    }

    async fn recover(
        &mut self,
        adapter: &mut Adapter,
        place: u64,
        planned: Planned,
        trouble: Trouble,
    ) -> (Vec<Landed>, Option<Unclaimed>) {
        adapter.break_off(&trouble);
        let mut landed = Vec::new();
        let mut unfinished = vec![(place, planned)];
        while let Some(flown) = self.next().await {
            match sort(flown) {
                Sorted::Landed(one) => landed.push(one),
                Sorted::Usable { place, planned, .. } | Sorted::Lost { place, planned, .. } => {
                    unfinished.push((place, planned));
                }
            }
        }
        unfinished.sort_by_key(|(place, _)| *place);
        let was_alone = adapter.conversations() == 1;
        let fault = adapter.end(trouble).await;
        if was_alone && let Some((place, planned)) = unfinished.pop() {
            landed.push(Landed::Fault { place, planned, fault });
            return (landed, None);
        }
        let first = unfinished.first().map_or(place, |(place, _)| *place);
        let during = names(&unfinished);
        let mut claimed = false;
        for (place, planned) in unfinished {
            let alone = self.alone(adapter, place, planned).await;
            claimed |= matches!(&alone, Landed::Fault { fault: found, .. } if found.kind == fault.kind);
            landed.push(alone);
        }
        let unclaimed = (!claimed).then_some(Unclaimed { place: first, during, fault });
        (landed, unclaimed)
    }

    async fn alone(&self, adapter: &mut Adapter, place: u64, planned: Planned) -> Landed {
        match guard_future(adapter.drive(&planned.case, &self.declaration)).await {
            Ok(Ok(outcomes)) => Landed::Seen(Seen { place, planned, outcomes, differs: None }),
            Ok(Err(fault)) => Landed::Fault { place, planned, fault },
            Err(words) => {
                adapter.forget();
                Landed::Broken { place, planned, words }
            }
        }
    }
}

enum Sorted {
    Landed(Landed),
    /// A fault after which the process goes on.
    Usable {
        place: u64,
        planned: Planned,
        trouble: Trouble,
    },
    /// A fault that costs the process.
    Lost {
        place: u64,
        planned: Planned,
        trouble: Trouble,
    },
}

fn sort(flown: Flown) -> Sorted {
    let Flown { place, planned, driven, conversation, .. } = flown;
    match driven {
        // What it has left open is nobody's: answers to it are passed over.
        Err(words) => Sorted::Landed(Landed::Broken { place, planned, words }),
        Ok((Driven { outcomes, trouble: None }, differs)) => {
            Sorted::Landed(Landed::Seen(Seen { place, planned, outcomes, differs }))
        }
        Ok((Driven { trouble: Some(trouble), .. }, _)) => {
            if trouble.kind.leaves_session_usable() && !conversation.has_compaction_running() {
                Sorted::Usable { place, planned, trouble }
            } else {
                Sorted::Lost { place, planned, trouble }
            }
        }
    }
}

fn names(unfinished: &[(u64, Planned)]) -> String {
    let names: Vec<&str> = unfinished.iter().take(NAMED_CASES).map(|(_, planned)| planned.case.name.as_str()).collect();
    let more = unfinished.len().saturating_sub(NAMED_CASES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}; run alone, none of them fails so", names.join(", "))
}
