//! The cases in flight on disk, each before it is sent: whatever ends the runner, what it was at can be replayed.
//!
//! One file for each that may be in flight, overwritten by the next; nothing is synced, since the runner may die and
//! the machine is not expected to. Absent: what came of a case.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of files, one for each case that may be in flight. It is removed when the run has ended.
#[derive(Debug)]
pub struct InFlight {
    folder: PathBuf,
    /// Whether the folder was there before.
    given: bool,
}

impl InFlight {
    /// Makes the folder: the given one, or one of the system's for temporary files.
    ///
    /// # Errors
    /// It cannot be made or written into, in words.
    pub fn prepare(given: Option<&Path>) -> Result<Self, String> {
        let own = || std::env::temp_dir().join(format!("seamcheck-in-flight-{}", std::process::id()));
        let folder = given.map_or_else(own, Path::to_owned);
        let was_there = folder.is_dir();
        let probe = folder.join(name_of(0));
        let made =
            fs::create_dir_all(&folder).and_then(|()| fs::write(&probe, "")).and_then(|()| fs::remove_file(&probe));
        made.map_err(|error| {
            format!("cannot keep the cases in flight in {}: {error}; choose another --in-flight-dir", folder.display())
        })?;
        Ok(Self { folder, given: was_there })
    }

    /// Where the files lie.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        // A panic of the harness is a reason to look at them.
        if std::thread::panicking() {
            return;
        }
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let ours = |name: &str| name.trim_start_matches('.').starts_with(PREFIX) && name.ends_with(SUFFIX);
            if name.to_str().is_some_and(ours) {
                let _ = fs::remove_file(entry.path());
            }
        }
        if !self.given {
            // It stays where something else lies in it.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

const PREFIX: &str = "in-flight-";
const SUFFIX: &str = ".json";

/// The file of one place in flight.
pub(crate) fn name_of(place: usize) -> String {
    format!("{PREFIX}{place}{SUFFIX}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_goes_with_the_run_and_what_else_lies_there_stays() {
        let base = std::env::temp_dir().join(format!("seamcheck-flight-test-{}", std::process::id()));
        let kept = InFlight::prepare(Some(&base.join("new"))).unwrap();
        fs::write(kept.folder().join(name_of(3)), "{}").unwrap();
        drop(kept);
        assert!(!base.join("new").exists());
        let given = InFlight::prepare(Some(&base)).unwrap();
        fs::write(base.join(name_of(0)), "{}").unwrap();
        fs::write(base.join("notes"), "mine").unwrap();
        drop(given);
        assert!(base.join("notes").exists() && !base.join(name_of(0)).exists());
        fs::remove_dir_all(&base).unwrap();
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() {
        let words = InFlight::prepare(Some(Path::new("/dev/null/x"))).unwrap_err();
        assert!(words.contains("/dev/null/x") && words.contains("--in-flight-dir"), "{words}");
    }
}
