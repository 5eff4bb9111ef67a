//! Writing the certificate to a file: all of it or nothing, and an impossible place is known before the run.

use super::certificate::Certificate;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that will be written. Until then nothing stands in its place.
#[derive(Debug)]
pub struct JsonFile {
    target: PathBuf,
    /// What is renamed to the target; `None` where the target is a device or a pipe, which is written as it is.
    temporary: Option<PathBuf>,
    file: File,
}

impl JsonFile {
    /// Makes sure that the file can be written. A link is followed.
    ///
    /// # Errors
    /// It cannot, in words.
    pub fn prepare(named: &Path) -> Result<Self, String> {
        let fault = |error: io::Error| format!("cannot write {}: {error}; choose another --json file", named.display());
        let existing = fs::metadata(named).ok();
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(fault(io::ErrorKind::IsADirectory.into()));
        }
        if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
            let file = File::options().write(true).open(named).map_err(fault)?;
            return Ok(Self { target: named.to_owned(), temporary: None, file });
        }
        let target = if existing.is_some() { fs::canonicalize(named).map_err(fault)? } else { named.to_owned() };
        if target.file_name().is_none() {
            return Err(fault(io::ErrorKind::InvalidFilename.into()));
        }
        // In the same folder, so that renaming does not cross a file system.
        let temporary = target.with_file_name(format!(".seamcheck-{}.tmp", std::process::id()));
        let file = File::create(&temporary).map_err(fault)?;
        Ok(Self { target, temporary: Some(temporary), file })
    }

    /// Writes the certificate.
    ///
    /// # Errors
    /// It could not be written; a file is as it was before.
    pub fn write(self, certificate: &Certificate) -> Result<(), String> {
        let fault = |error: io::Error| format!("cannot write {}: {error}", self.target.display());
        let mut writer = BufWriter::new(&self.file);
        serde_json::to_writer_pretty(&mut writer, certificate).map_err(|error| fault(error.into()))?;
        writer.write_all(b"\n").and_then(|()| writer.flush()).map_err(fault)?;
        drop(writer);
        match &self.temporary {
            Some(temporary) => fs::rename(temporary, &self.target).map_err(fault),
            None => Ok(()),
        }
    }
}

impl Drop for JsonFile {
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

    #[test]
    fn a_place_that_cannot_be_written_is_known_at_once_and_nothing_is_left_behind() {
        let folder = std::env::temp_dir().join(format!("seamcheck-json-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        for impossible in [folder.join("none/certificate.json"), folder.clone()] {
            let words = JsonFile::prepare(&impossible).unwrap_err();
            assert!(words.contains("cannot write") && words.contains("--json"), "{words}");
        }
        drop(JsonFile::prepare(&folder.join("certificate.json")).unwrap());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir(&folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_device_is_written_as_it_is_and_a_link_is_followed() {
        let device = JsonFile::prepare(Path::new("/dev/null")).unwrap();
        assert!(device.temporary.is_none(), "renaming a file over a device would destroy it");
        let folder = std::env::temp_dir().join(format!("seamcheck-link-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("real.json"), "old").unwrap();
        std::os::unix::fs::symlink("real.json", folder.join("link.json")).unwrap();
        let file = JsonFile::prepare(&folder.join("link.json")).unwrap();
        assert_eq!(file.target, fs::canonicalize(folder.join("real.json")).unwrap());
        drop(file);
        fs::remove_dir_all(&folder).unwrap();
    }
}
