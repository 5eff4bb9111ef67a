//! Writing a report to a file: all of it or nothing, and an impossible place is known before the run.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A file that will be written. Until then nothing stands in its place.
#[derive(Debug)]
pub(crate) struct OutputFile {
    /// The option that names the file, for what is said when it cannot be written.
    option: &'static str,
    target: PathBuf,
    /// What is renamed to the target; `None` where the target is a device or a pipe, which is written as it is.
    temporary: Option<PathBuf>,
    file: File,
}

impl OutputFile {
    /// Makes sure that the file can be written. A link is followed.
    ///
    /// # Errors
    /// It cannot, in words.
    pub(crate) fn prepare(option: &'static str, named: &Path) -> Result<Self, String> {
        let fault =
            |error: io::Error| format!("cannot write {}: {error}; choose another {option} file", named.display());
        let existing = fs::metadata(named).ok();
        let names_folder = named.as_os_str().as_encoded_bytes().ends_with(b"/");
        if names_folder || existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(fault(io::ErrorKind::IsADirectory.into()));
        }
        if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
            let file = File::options().write(true).open(named).map_err(fault)?;
            return Ok(Self { option, target: named.to_owned(), temporary: None, file });
        }
        let target = if existing.is_some() { fs::canonicalize(named).map_err(fault)? } else { named.to_owned() };
        if target.file_name().is_none() {
            return Err(fault(io::ErrorKind::InvalidFilename.into()));
        }
        let temporary = target.with_file_name(temporary_name());
        let file = File::create(&temporary).map_err(fault)?;
        Ok(Self { option, target, temporary: Some(temporary), file })
    }

    /// The option that names it.
    pub(crate) fn option(&self) -> &'static str {
        self.option
    }

    /// Where it will stand, whatever the way there.
    pub(crate) fn place(&self) -> PathBuf {
        let folder = self.target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).unwrap_or_default();
        folder.join(self.target.file_name().unwrap_or_default())
    }

    /// Writes the whole text, and only then lets it stand under its name.
    ///
    /// # Errors
    /// It could not be written; a file is as it was before.
    pub(crate) fn write(mut self, text: &str) -> Result<(), String> {
        let written = self.file.write_all(text.as_bytes());
        let renamed = written.and_then(|()| match &self.temporary {
            // Some file systems say only then that they are full.
            Some(temporary) => self.file.sync_all().and_then(|()| fs::rename(temporary, &self.target)),
            None => Ok(()),
        });
        renamed.map_err(|error| {
            let place = self.target.display();
            format!("cannot write {place}: {error}; make room there or choose another {} file", self.option)
        })
    }
}

/// In the same folder as the target, so that renaming does not cross a file system; several reports of one run may
/// lie in one folder.
fn temporary_name() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!(".seamcheck-{}-{}.tmp", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // It is gone already when it has been renamed.
            let _ = fs::remove_file(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("seamcheck-{name}-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        folder
    }

    #[test]
    fn a_place_that_cannot_be_written_is_known_at_once_and_nothing_is_left_behind() {
        let folder = folder("output");
        for impossible in [folder.join("none/certificate.json"), folder.clone()] {
            let words = OutputFile::prepare("--json", &impossible).unwrap_err();
            assert!(words.contains("cannot write") && words.contains("--json"), "{words}");
        }
        drop(OutputFile::prepare("--json", &folder.join("certificate.json")).unwrap());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir(&folder).unwrap();
    }

    #[test]
    fn reports_in_one_folder_do_not_meet_and_what_stood_there_stays_until_the_whole_is_written() {
        let folder = folder("several");
        fs::write(folder.join("a"), "old").unwrap();
        let [a, b] = ["a", "b"].map(|name| OutputFile::prepare("--html", &folder.join(name)).unwrap());
        assert_eq!(fs::read_to_string(folder.join("a")).unwrap(), "old");
        a.write("new a").unwrap();
        b.write("new b").unwrap();
        assert_eq!(fs::read_to_string(folder.join("a")).unwrap(), "new a");
        assert_eq!(fs::read_to_string(folder.join("b")).unwrap(), "new b");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_device_is_written_as_it_is_and_a_link_is_followed() {
        let device = OutputFile::prepare("--json", Path::new("/dev/null")).unwrap();
        assert!(device.temporary.is_none(), "renaming a file over a device would destroy it");
        let folder = folder("link");
        fs::write(folder.join("real.json"), "old").unwrap();
        std::os::unix::fs::symlink("real.json", folder.join("link.json")).unwrap();
        let file = OutputFile::prepare("--json", &folder.join("link.json")).unwrap();
        assert_eq!(file.target, fs::canonicalize(folder.join("real.json")).unwrap());
        drop(file);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_device_is_an_error_that_says_what_to_do() {
        let full = OutputFile::prepare("--junit", Path::new("/dev/full")).unwrap();
        let words = full.write("report").unwrap_err();
        assert!(words.contains("/dev/full") && words.contains("make room") && words.contains("--junit"), "{words}");
    }
}
