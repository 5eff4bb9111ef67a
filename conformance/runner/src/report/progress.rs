//! A line on standard error that shows how far a run is, for a person at a terminal.

use crate::event::{CaseVerdict, Event};
use seamcheck_checks::check::Judgement;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_millis(200);

/// Shows how far a run is.
#[derive(Debug)]
pub struct Progress {
    shown: bool,
    last: Instant,
    cases: u64,
    violations: u64,
    faults: u64,
}

impl Progress {
    /// Shows nothing unless standard error is a terminal.
    pub fn new() -> Self {
        Self { shown: io::stderr().is_terminal(), last: Instant::now(), cases: 0, violations: 0, faults: 0 }
    }

    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        let mut doing = "cases";
        match event {
            Event::CaseEnded(case) => {
                self.cases += 1;
                match &case.verdict {
                    CaseVerdict::Fault(_) => self.faults += 1,
                    CaseVerdict::Judged(judgements) => {
                        let violated = |judged: &&(_, Judgement)| matches!(judged.1, Judgement::Violated(_));
                        self.violations += judgements.iter().filter(violated).count() as u64;
                    }
                    _ => {}
                }
            }
            Event::Counterexample(_) => doing = "cases, making violations smaller",
            Event::Ended { .. } => return self.clear(),
            _ => {}
        }
        if self.shown && self.last.elapsed() >= EVERY {
            self.last = Instant::now();
            // A progress line that cannot be shown is no reason to stop.
            let _ = write!(
                io::stderr(),
                "\r\x1b[K{} {doing}, {} violations, {} adapter faults",
                self.cases,
                self.violations,
                self.faults
            );
        }
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}
