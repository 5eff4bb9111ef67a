//! Reading a file that somebody names, which may be a device without an end.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// All bytes of a file.
///
/// # Errors
/// It cannot be read, or is longer than that.
pub fn read(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        return Err(io::Error::other(format!("it is longer than {most_bytes} bytes")));
    }
    Ok(bytes)
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
