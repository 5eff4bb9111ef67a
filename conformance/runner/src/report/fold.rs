//! Faults that are alike: an adapter that fails in the same way in every case is told of once.

use crate::fault::FaultEntry;

/// Adapter faults that are kept in words, of those that are alike the first.
const KEPT_FAULTS: usize = 20;
/// Cases that ended in a fault like one that is kept, which are named.
const KEPT_PLACES: usize = 5;

/// Adds a fault to those that are told of: to one that it is like, or to the end.
pub(crate) fn add(faults: &mut Vec<FaultEntry>, fault: FaultEntry) {
    if let Some(known) = faults.iter_mut().find(|known| are_alike(known, &fault)) {
        known.more_like_it += 1 + fault.more_like_it;
        let room = KEPT_PLACES.saturating_sub(known.also_during.len());
        known.also_during.extend(std::iter::once(fault.during).chain(fault.also_during).take(room));
    } else if faults.len() < KEPT_FAULTS {
        faults.push(fault);
    }
}

/// Whether two faults differ in nothing but numbers: ids, addresses, times, lines of a log.
fn are_alike(left: &FaultEntry, right: &FaultEntry) -> bool {
    left.kind == right.kind
        && without_numbers(&left.words) == without_numbers(&right.words)
        // The lines before the last may be of cases that went well.
        && left.stderr.last().map(|line| without_numbers(line)) == right.stderr.last().map(|line| without_numbers(line))
}

/// `0x7f3a` and `12` are a number each.
fn without_numbers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut in_number = false;
    for c in text.chars() {
        let is_number = c.is_ascii_digit() || (in_number && (c.is_ascii_hexdigit() || c == 'x'));
        if !is_number {
            plain.push(c);
        } else if !in_number {
            plain.push('#');
        }
        in_number = is_number;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(words: &str, stderr: &[&str]) -> FaultEntry {
        FaultEntry {
            kind: "exited".to_owned(),
            during: "a case".to_owned(),
            ordinal: None,
            words: words.to_owned(),
            stderr: stderr.iter().map(|line| (*line).to_owned()).collect(),
            more_like_it: 0,
            also_during: Vec::new(),
        }
    }

    #[test]
    fn faults_that_differ_in_numbers_alone_are_alike_and_others_are_not() {
        let first = fault("answer to 12", &["a log", "KeyError at 0x7f3a2c"]);
        assert!(are_alike(&first, &fault("answer to 9", &["KeyError at 0x55ee10"])));
        assert!(!are_alike(&first, &fault("answer to 9", &["TypeError at 0x55ee10"])));
        assert!(!are_alike(&first, &fault("no answer to 9", &["KeyError at 0x7f3a2c"])));
        assert!(!are_alike(&first, &FaultEntry { kind: "signal".to_owned(), ..first.clone() }));
    }
}
