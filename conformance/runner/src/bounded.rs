//! Reading a file that somebody names, which may be a device without an end.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// All bytes of a file.
///
/// # Errors
/// It cannot be read, or is longer than that.
pub fn read(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    let bytes = read_start(path, most_bytes + 1)?;
    if bytes.len() as u64 > most_bytes {
        return Err(io::Error::other(format!("it is longer than {most_bytes} bytes")));
    }
    Ok(bytes)
}

/// The first bytes of a file, so many at most.
///
/// # Errors
/// It cannot be read.
pub fn read_start(path: &Path, bytes: u64) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)?.take(bytes).read_to_end(&mut start)?;
    Ok(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_file_without_an_end_is_read_no_further_than_that() {
        assert_eq!(read(Path::new("/dev/null"), 10).unwrap(), b"");
        assert!(read(Path::new("/dev/zero"), 10).unwrap_err().to_string().contains("longer than 10 bytes"));
    }
}
