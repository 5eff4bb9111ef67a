//! Everything that a run leaves behind: the files that were asked for, and what is printed. Every place is made sure
//! of before the run, so that nobody waits for a report that cannot be written.

use super::certificate::Certificate;
use super::output_file::OutputFile;
use super::terminal::Paint;
use super::{github, html, junit, markdown};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a file is written as: all of a certificate.
type Writing = fn(&Certificate) -> Result<String, String>;

/// Where the reports go, as the command line says.
#[derive(Debug, Default, Clone)]
pub struct Places {
    /// `--json`
    pub json: Option<PathBuf>,
    /// `--markdown`
    pub markdown: Option<PathBuf>,
    /// `--junit`
    pub junit: Option<PathBuf>,
    /// `--html`
    pub html: Option<PathBuf>,
    /// `--github`
    pub github: bool,
    /// `--quiet`
    pub quiet: bool,
}

/// Reports that can be written.
#[derive(Debug)]
pub struct Output {
    files: Vec<(OutputFile, Writing)>,
    /// The summary of the step of a workflow, to which others may have written.
    summary: Option<(PathBuf, File)>,
    github: bool,
    quiet: bool,
}

impl Output {
    /// Makes sure of every place.
    ///
    /// # Errors
    /// One cannot be written, in words.
    pub fn prepare(places: &Places) -> Result<Self, String> {
        let named: [(&'static str, &Option<PathBuf>, Writing); 4] = [
            ("--json", &places.json, json),
            ("--markdown", &places.markdown, |certificate| Ok(markdown::markdown(certificate))),
            ("--junit", &places.junit, junit::junit),
            ("--html", &places.html, html::page),
        ];
        let mut files = Vec::new();
        let mut seen: Vec<(&str, PathBuf)> = Vec::new();
        for (option, place, write) in named {
            let Some(place) = place else { continue };
            let file = OutputFile::prepare(option, place)?;
            if let Some((other, _)) = seen.iter().find(|(_, known)| *known == file.place() && !is_device(place)) {
                return Err(format!("{other} and {option} both name {}; choose another file", place.display()));
            }
            seen.push((option, file.place()));
            files.push((file, write));
        }
        let named = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|place| places.github && !place.is_empty());
        let summary = named.as_deref().map(open_summary).transpose()?;
        Ok(Self { files, summary, github: places.github, quiet: places.quiet })
    }

    /// The option of a report that would stand in this place.
    pub fn taken(&self, place: &Path) -> Option<&'static str> {
        let same = |file: &&(OutputFile, Writing)| file.0.place() == place && !is_device(place);
        self.files.iter().find(same).map(|(file, _)| file.option())
    }

    /// What goes to standard output.
    pub fn printed(&self, certificate: &Certificate) -> String {
        let paint = Paint::for_terminal(io::stdout().is_terminal());
        let text = if self.quiet {
            format!("{}\n", certificate.verdict.words)
        } else {
            certificate.painted(paint).to_string()
        };
        if self.github { github::annotated(&text, certificate, &salt()) } else { text }
    }

    /// Writes every file. One that cannot be written does not keep the others from being written.
    ///
    /// # Errors
    /// What could not be written, in words.
    pub fn write(self, certificate: &Certificate) -> Result<(), String> {
        let mut faults = Vec::new();
        for (file, write) in self.files {
            faults.extend(write(certificate).and_then(|text| file.write(&text)).err());
        }
        if let Some((place, mut file)) = self.summary {
            let written = file.write_all(markdown::markdown(certificate).as_bytes());
            let words = |error| format!("cannot write {}: {error}; make room there", place.display());
            faults.extend(written.map_err(words).err());
        }
        if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
    }
}

/// The certificate as JSON.
fn json(certificate: &Certificate) -> Result<String, String> {
    serde_json::to_string_pretty(certificate).map(|text| text + "\n").map_err(|error| error.to_string())
}

fn is_device(place: &Path) -> bool {
    std::fs::metadata(place).is_ok_and(|found| !found.is_file())
}

fn open_summary(place: &OsStr) -> Result<(PathBuf, File), String> {
    let place = PathBuf::from(place);
    match File::options().append(true).create(true).open(&place) {
        Ok(file) => Ok((place, file)),
        Err(error) => Err(format!("cannot write {}, which GITHUB_STEP_SUMMARY names: {error}", place.display())),
    }
}

fn salt() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("{} {}", now.as_nanos(), std::process::id())
}
