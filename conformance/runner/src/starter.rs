//! The starters that `seamcheck init` writes: for each language the kit, an adapter that is certified as it stands,
//! and a page with the commands. They are a part of this program, the very files of `conformance/adapters/`.
//! Absent on purpose: a way to overwrite anything.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What is written for one language.
#[derive(Debug)]
pub struct Starter {
    /// As `--lang` names it.
    pub language: &'static str,
    /// What to do next, in the new folder: one command a line.
    pub commands: &'static [&'static str],
    /// Paths in the new folder, and what stands there.
    files: &'static [(&'static str, &'static str)],
}

/// A file of `conformance/adapters/`.
macro_rules! adapters {
    ($path:literal) => {
        include_str!(concat!("../../adapters/", $path))
    };
}

/// Every starter, in the order in which they are listed. A further language has its entry here and nowhere else.
pub const STARTERS: &[Starter] = &[
    Starter {
        language: "python",
        commands: &["seamcheck run -- python3 adapter.py"],
        files: &[
            ("README.md", adapters!("python/starter/README.md")),
            ("adapter.py", adapters!("python/example_trimmer.py")),
            ("seamcheck_kit.py", adapters!("python/seamcheck_kit.py")),
        ],
    },
    Starter {
        language: "javascript",
        commands: &["seamcheck run -- node adapter.mjs"],
        files: &[
            ("README.md", adapters!("javascript/starter/README.md")),
            ("adapter.mjs", adapters!("javascript/starter/adapter.mjs")),
            ("seamcheck_kit.d.mts", adapters!("javascript/seamcheck_kit.d.mts")),
            ("seamcheck_kit.mjs", adapters!("javascript/seamcheck_kit.mjs")),
        ],
    },
    Starter {
        language: "go",
        commands: &["go build -o adapter .", "seamcheck run -- ./adapter"],
        files: &[
            ("README.md", adapters!("go/starter/README.md")),
            ("go.mod", adapters!("go/starter/go.mod")),
            ("main.go", adapters!("go/example_trimmer/main.go")),
            ("seamcheck/go.mod", adapters!("go/go.mod")),
            ("seamcheck/payload.go", adapters!("go/payload.go")),
            ("seamcheck/seamcheck.go", adapters!("go/seamcheck.go")),
        ],
    },
    Starter {
        language: "rust",
        commands: &["cargo build --release", "seamcheck run -- target/release/adapter"],
        files: &[
            ("README.md", adapters!("rust/starter/README.md")),
            ("Cargo.toml", adapters!("rust/starter/Cargo.toml")),
            ("src/main.rs", adapters!("rust/example_trimmer.rs")),
        ],
    },
];

/// Where the crates of this project lie, as `rust/starter/Cargo.toml` says it.
const CHECKOUT_FROM_STARTER: &str = "../../../../";

/// Why nothing was written.
#[derive(Debug)]
pub enum InitError {
    /// Something is there already, or the place is none; in words.
    Place(String),
    /// The system said no; in words.
    System(String),
}

impl Starter {
    /// The starter of a language.
    pub fn of(language: &str) -> Option<&'static Self> {
        STARTERS.iter().find(|starter| starter.language == language)
    }

    /// Writes it into a folder, which is made if it is not there. Where it is not, it appears at once and complete.
    /// Gives the paths of the files, in that folder.
    ///
    /// # Errors
    /// A file is there already, or cannot be written. Whatever was written until then is removed.
    pub fn write(&self, folder: &Path) -> Result<Vec<&'static str>, InitError> {
        if folder.is_dir() {
            if let Some((path, _)) = self.files.iter().find(|(path, _)| folder.join(path).symlink_metadata().is_ok()) {
                let place = folder.join(path);
                return Err(InitError::Place(format!("{} is there already; choose another folder", place.display())));
            }
            self.fill(folder)?;
        } else {
            self.make(folder)?;
        }
        Ok(self.files.iter().map(|(path, _)| *path).collect())
    }

    /// A folder beside the new one is filled and takes its name.
    fn make(&self, folder: &Path) -> Result<(), InitError> {
        let place = |words: &str| InitError::Place(format!("{}: {words}", folder.display()));
        if folder.symlink_metadata().is_ok() {
            return Err(place("it is there already and no folder; choose another name"));
        }
        let Some(name) = folder.file_name() else { return Err(place("it names no folder; choose another name")) };
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !parent.is_dir() {
            return Err(InitError::Place(format!("{} is no folder; make it first", parent.display())));
        }
        let unfinished = parent.join(format!(".{}-{}.tmp", name.to_string_lossy(), std::process::id()));
        fs::create_dir(&unfinished).map_err(|error| system(&unfinished, &error))?;
        let made = self.fill(&unfinished).and_then(|()| {
            // Onto a folder that somebody has filled meanwhile this fails.
            fs::rename(&unfinished, folder).map_err(|error| system(folder, &error))
        });
        if made.is_err() {
            // Nothing else can be done about a failure.
            let _ = fs::remove_dir_all(&unfinished);
        }
        made
    }

    /// Writes every file, or none.
    fn fill(&self, folder: &Path) -> Result<(), InitError> {
        let mut written = Written::default();
        for (path, text) in self.files {
            written.add(folder, path, &localized(text)).map_err(|(place, error)| system(&place, &error))?;
        }
        written.keep();
        Ok(())
    }
}

fn system(place: &Path, error: &io::Error) -> InitError {
    InitError::System(format!("cannot write {}: {error}; nothing was written", place.display()))
}

/// The text with the place of this project's crates.
fn localized(text: &str) -> String {
    if !text.contains(CHECKOUT_FROM_STARTER) {
        return text.to_owned();
    }
    let checkout = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let checkout = checkout.canonicalize().unwrap_or_else(|_| PathBuf::from("/path/to/a/checkout/of/seamcheck"));
    text.replace(CHECKOUT_FROM_STARTER, &format!("{}/", checkout.display()).replace('\\', "/"))
}

/// What has been made so far; it goes again unless it is kept.
#[derive(Default)]
struct Written {
    /// Files and folders in the order in which they were made.
    made: Vec<PathBuf>,
}

impl Written {
    fn add(&mut self, folder: &Path, path: &str, text: &str) -> Result<(), (PathBuf, io::Error)> {
        let place = folder.join(path);
        let parents = place.parent().into_iter().flat_map(Path::ancestors).take_while(|parent| *parent != folder);
        for parent in parents.collect::<Vec<_>>().into_iter().rev().filter(|parent| !parent.is_dir()) {
            fs::create_dir(parent).map_err(|error| (parent.to_owned(), error))?;
            self.made.push(parent.to_owned());
        }
        let file = File::options().write(true).create_new(true).open(&place);
        let mut file = file.map_err(|error| (place.clone(), error))?;
        self.made.push(place.clone());
        file.write_all(text.as_bytes()).map_err(|error| (place, error))
    }

    fn keep(mut self) {
        self.made.clear();
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        for place in self.made.iter().rev() {
            // A folder into which somebody else has put something stays.
            let _ = if place.is_dir() { fs::remove_dir(place) } else { fs::remove_file(place) };
        }
    }
}
