//! How an adapter is started: its program, its arguments, and a digest of what they name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

/// A program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    /// The program: a path, or a name that is looked up on `PATH`.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// How it is shown, when that is not the command itself.
    label: Option<String>,
}

impl CommandLine {
    /// The adapter given after `--`, or `None` when nothing is.
    pub fn new(words: &[OsString]) -> Option<Self> {
        let (program, arguments) = words.split_first()?;
        Some(Self { program: program.clone(), arguments: arguments.to_vec(), label: None })
    }

    /// The reference, as a child process like any other adapter.
    ///
    /// # Errors
    /// The system does not say where this program lies.
    pub fn built_in() -> io::Result<Self> {
        let program = std::env::current_exe()?.into_os_string();
        Ok(Self { program, arguments: vec!["serve".into()], label: Some("seamcheck serve (built in)".to_owned()) })
    }

    /// For a person to read, and to paste into a shell.
    pub fn display(&self) -> String {
        self.label.clone().unwrap_or_else(|| {
            let words = std::iter::once(&self.program).chain(&self.arguments);
            words.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
        })
    }

    /// Digests of the files that the command names: the program, and every argument that is a file. What an
    /// interpreter loads beyond them is not known here.
    pub fn digests(&self) -> Vec<FileDigest> {
        let program = find_program(&self.program);
        let arguments = self.arguments.iter().map(PathBuf::from).filter(|path| path.is_file());
        program.into_iter().chain(arguments).filter_map(|path| digest(&path)).collect()
    }
}

/// A file that an adapter is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileDigest {
    /// The file's name, without the folders above it.
    pub file: String,
    /// Of its content, in hexadecimal.
    pub sha256: String,
}

/// SHA-256 in hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn digest(path: &Path) -> Option<FileDigest> {
    let mut hasher = HashWriter(Sha256::new());
    io::copy(&mut std::fs::File::open(path).ok()?, &mut hasher).ok()?;
    Some(FileDigest { file: path.file_name()?.to_string_lossy().into_owned(), sha256: hex(&hasher.0.finalize()) })
}

struct HashWriter(Sha256);

impl io::Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn find_program(program: &OsStr) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return path.is_file().then(|| path.to_owned());
    }
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(path)).find(|path| path.is_file())
}

/// A word as a shell reads it as one.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(words: &[&str]) -> CommandLine {
        CommandLine::new(&words.iter().map(OsString::from).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_command_is_shown_so_that_it_can_be_pasted() {
        assert_eq!(command(&["python3", "a b.py", "it's"]).display(), r"python3 'a b.py' 'it'\''s'");
        assert_eq!(CommandLine::new(&[]), None);
    }

    #[test]
    fn the_program_and_the_files_among_the_arguments_are_digested() {
        let file = std::env::temp_dir().join(format!("seamcheck-digest-{}", std::process::id()));
        std::fs::write(&file, "abc").unwrap();
        let digests = command(&["no-such-program-here", "--flag", file.to_str().unwrap()]).digests();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(digests.len(), 1);
        assert_eq!(digests[0].sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(digests[0].sha256, sha256_hex(b"abc"));
    }
}
