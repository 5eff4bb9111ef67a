//! A bar on standard error that shows how far a run is, for a person at a terminal; elsewhere nothing.

use crate::event::{CaseVerdict, Event, Family};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use seamcheck_checks::check::Judgement;

/// With the bar once it is known how many cases there are; the vectors come before.
const COUNTED: &str = "{bar:30} {pos}/{len} generated cases{msg} {eta_precise}";
const UNCOUNTED: &str = "{spinner} {msg} {elapsed_precise}";

/// Shows how far a run is.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    vectors: u64,
    violations: u64,
    faults: u64,
    /// Whether the cases are through, and violations are made smaller.
    shrinking: bool,
}

impl Progress {
    /// Shows nothing when it is to be quiet, or when standard error is no terminal.
    pub fn new(quiet: bool, generated: u64) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(generated), target);
        let progress = Self { bar, vectors: 0, violations: 0, faults: 0, shrinking: false };
        progress.style(UNCOUNTED);
        progress
    }

    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::CaseEnded(case) => {
                match case.family {
                    Family::Vector => self.vectors += 1,
                    Family::Generated if self.bar.position() == 0 => {
                        self.style(COUNTED);
                        self.bar.inc(1);
                    }
                    Family::Generated => self.bar.inc(1),
                    Family::Corpus => {}
                }
                match &case.verdict {
                    CaseVerdict::Fault(_) => self.faults += 1,
                    CaseVerdict::Judged(judgements) => {
                        let violated = |judged: &&(_, Judgement)| matches!(judged.1, Judgement::Violated(_));
                        self.violations += judgements.iter().filter(violated).count() as u64;
                    }
                    _ => {}
                }
            }
            // The first tells only what was found; with tries it has been made smaller.
            Event::Counterexample(found) if found.tries > 0 && !self.shrinking => {
                self.shrinking = true;
                self.style(UNCOUNTED);
            }
            Event::Ended { .. } => return self.clear(),
            _ => {}
        }
        self.bar.set_message(self.words());
        if self.shrinking || self.bar.position() == 0 {
            self.bar.tick();
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn words(&self) -> String {
        let found = format!("{} violations, {} adapter faults", self.violations, self.faults);
        if self.shrinking {
            format!("making violations smaller: {found}")
        } else if self.bar.position() == 0 {
            format!("{} vectors, {found}", self.vectors)
        } else {
            format!(", {found}")
        }
    }

    fn style(&self, template: &str) {
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.progress_chars("=> "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_templates_are_sound() {
        for template in [COUNTED, UNCOUNTED] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
