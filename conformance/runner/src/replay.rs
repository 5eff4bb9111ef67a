//! Replay files: a counterexample each, written where a run is told to, and read again.

use crate::bounded;
use crate::event::Counterexample;
use crate::report::output_file::OutputFile;
use seamcheck_checks::case_file::{CaseFile, MAX_BYTES};
use seamcheck_checks::registry;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder for replay files.
#[derive(Debug)]
pub struct ReplayFolder(PathBuf);

impl ReplayFolder {
    /// Makes the folder if it is not there, and makes sure that files can be written into it.
    ///
    /// # Errors
    /// They cannot, in words.
    pub fn prepare(folder: &Path) -> Result<Self, String> {
        fs::create_dir_all(folder).map_err(|error| {
            format!("cannot make the folder {}: {error}; choose another --replay-dir", folder.display())
        })?;
        let folder = Self(folder.to_owned());
        // It takes its own temporary file away again.
        drop(OutputFile::prepare("--replay-dir", &folder.0.join("probe.json"))?);
        Ok(folder)
    }

    /// Writes a counterexample, in the place of an older one of the same check; where it lies now.
    ///
    /// # Errors
    /// It cannot be written, in words; an older file is as it was before.
    pub fn write(&self, example: &Counterexample) -> Result<PathBuf, String> {
        let check = example.check;
        let path = self.0.join(format!("{}.json", check.id));
        let file = CaseFile::new(check.clause, check.id, &example.words, example.small.clone());
        let text = file.write().map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        OutputFile::prepare("--replay-dir", &path)?.write(&text)?;
        Ok(path)
    }
}

/// Reads a replay file.
///
/// # Errors
/// It cannot be read, is no replay file of this version, or names a check that there is not; what to do.
pub fn read(path: &Path) -> Result<CaseFile, String> {
    let name = path.display();
    // One byte more tells that it is too long, whatever it is.
    let bytes = bounded::read_start(path, MAX_BYTES as u64 + 1)
        .map_err(|error| format!("cannot read the replay file {name}: {error}"))?;
    let file = CaseFile::read(&bytes).map_err(|error| format!("{name} is no replay file: {error}"))?;
    if !file.is_in_flight()
        && !registry::checks().iter().any(|check| check.id == file.check && check.clause == file.clause)
    {
        return Err(format!(
            "{name}: this seamcheck has no check {} of the clause {}; use version {}, which wrote the file",
            file.check, file.clause, file.suite
        ));
    }
    Ok(file)
}
