//! A replayed case as plain text: what was recorded, what came of it now, the story.

use super::{story, tame};
use crate::exit_code::Exit;
use crate::fault::AdapterFault;
use seamcheck_checks::case_file::CaseFile;
use seamcheck_checks::check::{Check, Judgement};
use seamcheck_checks::step::Outcome;
use seamcheck_protocol::messages::Declaration;
use seamcheck_reference::SPEC_VERSION;
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// A case that was gone through again.
#[derive(Debug)]
pub struct Replayed<'a> {
    /// Where its file lies.
    pub path: &'a Path,
    /// The file.
    pub file: &'a CaseFile,
    /// What the adapter declares.
    pub declaration: &'a Declaration,
    /// What came of it.
    pub what: What,
}

/// What came of it.
#[derive(Debug)]
pub enum What {
    /// Every check that it reached, the recorded one first, and what was observed.
    Judged(Vec<(&'static Check, Judgement)>, Vec<Outcome>),
    /// The adapter lacks what it takes.
    Unmet(&'static str),
    /// The adapter failed.
    Fault(AdapterFault),
    /// The harness itself failed.
    Harness(String),
}

impl Replayed<'_> {
    /// The exit code for this case.
    pub fn exit(&self) -> Exit {
        match &self.what {
            What::Judged(judgements, _) => {
                let violated = |(check, judgement): &(&Check, Judgement)| {
                    check.must && matches!(judgement, Judgement::Violated(_))
                };
                if judgements.iter().any(violated) { Exit::Violation } else { Exit::Conformant }
            }
            What::Unmet(_) => Exit::Usage,
            What::Fault(_) => Exit::Incomplete,
            What::Harness(_) => Exit::Harness,
        }
    }
}

impl Display for Replayed<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let file = self.file;
        let line = |out: &mut Formatter<'_>, name: &str, value: &str| writeln!(out, "{name:<12} {}", tame(value));
        line(out, "replay", &self.path.display().to_string())?;
        line(out, "adapter", &format!("{} {}", self.declaration.name, self.declaration.version))?;
        line(out, "case", &file.case.name)?;
        if file.spec != SPEC_VERSION {
            line(out, "spec", &format!("{SPEC_VERSION}; the file was written for {}", file.spec))?;
        }
        if file.is_in_flight() {
            line(out, "recorded", "nothing: it was in flight when its run ended")?;
        } else {
            line(out, "recorded", &format!("{}: {}", file.check, file.words))?;
        }
        let result = match &self.what {
            What::Judged(judgements, outcomes) => {
                writeln!(out)?;
                for (check, judgement) in judgements {
                    writeln!(out, "{:<28} {}", check.id, words(check, judgement))?;
                }
                writeln!(out)?;
                for line in story::tell(outcomes) {
                    writeln!(out, "  {line}")?;
                }
                let recorded = judgements.iter().find(|(check, _)| check.id == file.check);
                match recorded {
                    None if file.is_in_flight() && self.exit() == Exit::Conformant => "every MUST holds".to_owned(),
                    None if file.is_in_flight() => "a MUST is violated".to_owned(),
                    Some((_, Judgement::Violated(_))) => "reproduced".to_owned(),
                    _ => "not reproduced".to_owned(),
                }
            }
            What::Unmet(reason) => format!("not run: {reason}"),
            What::Fault(fault) => {
                writeln!(out, "\nADAPTER FAULT {}: {}", fault.kind.name(), tame(&fault.words))?;
                for line in &fault.stderr {
                    writeln!(out, "  stderr: {line}")?;
                }
                "no verdict: the adapter failed".to_owned()
            }
            What::Harness(words) => format!("no verdict: a fault of the harness itself, please report it: {words}"),
        };
        writeln!(out, "\n{result}\n")
    }
}

fn words(check: &Check, judgement: &Judgement) -> String {
    match judgement {
        Judgement::NotReached => "not reached".to_owned(),
        Judgement::Holds => "holds".to_owned(),
        Judgement::Violated(words) if check.must => format!("VIOLATION: {words}"),
        Judgement::Violated(words) => format!("VIOLATION of a SHOULD: {words}"),
        Judgement::NotObservable(reason) => format!("not observable ({reason})"),
    }
}
