//! Which clauses a run is about: globs over clause ids and check ids, `*` for any run of characters.

use seamcheck_checks::check::Check;

/// Globs. None selects everything.
#[derive(Debug, Clone, Default)]
pub struct Selectors(Vec<String>);

impl Selectors {
    /// These globs, upper and lower case alike.
    pub fn new(globs: &[String]) -> Self {
        Self(globs.iter().map(|glob| glob.to_ascii_lowercase()).collect())
    }

    /// Whether everything is selected.
    pub fn is_everything(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the check is selected, by its own id or its clause's.
    pub fn selects(&self, check: &Check) -> bool {
        self.is_everything() || self.0.iter().any(|glob| matches_check(glob, check))
    }

    /// A glob that selects none of these checks.
    pub fn unmatched(&self, checks: &[&Check]) -> Option<&str> {
        self.0.iter().find(|glob| !checks.iter().any(|check| matches_check(glob, check))).map(String::as_str)
    }
}

fn matches_check(glob: &str, check: &Check) -> bool {
    matches(glob, &check.clause.to_ascii_lowercase()) || matches(glob, &check.id.to_ascii_lowercase())
}

/// Whether the whole text matches. Greedy from the left: a later star never needs an earlier one to give back.
fn matches(glob: &str, text: &str) -> bool {
    let mut pieces = glob.split('*');
    // A split always has a first part.
    let Some(mut rest) = text.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        match rest.find(piece) {
            Some(place) => rest = &rest[place + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_run_of_characters_and_the_rest_for_itself() {
        for (glob, text) in
            [("b-trim-1", "b-trim-1"), ("b-trim-*", "b-trim-1"), ("*", ""), ("*-1*", "b-trim-10"), ("b*1*2", "b1112")]
        {
            assert!(matches(glob, text), "{glob} {text}");
        }
        for (glob, text) in
            [("b-trim-1", "b-trim-10"), ("b-trim", "b-trim-1"), ("*-2", "b-trim-1"), ("ab*ba", "aba"), ("", "a")]
        {
            assert!(!matches(glob, text), "{glob} {text}");
        }
    }
}
