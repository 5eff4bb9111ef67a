//! Which part of the spec and which cases a run is about: globs over levels, clause ids, check ids and case
//! names, `*` for any run of characters, upper and lower case alike. A glob that matches nothing is an error.

use crate::shard::Shard;
use crate::spec_page;
use seamcheck_checks::check::Check;
use seamcheck_protocol::messages::Level;

/// What a run is about. Nothing given selects everything.
#[derive(Debug, Clone, Default)]
pub struct Selectors {
    /// Over levels.
    pub levels: Globs,
    /// Over clauses and checks.
    pub clauses: Globs,
    /// Over the names of cases.
    pub cases: Globs,
    /// The part of the cases.
    pub shard: Option<Shard>,
}

/// Globs as they were given.
#[derive(Debug, Clone, Default)]
pub struct Globs(Vec<String>);

impl Globs {
    /// These globs.
    pub fn new(globs: &[String]) -> Self {
        Self(globs.to_vec())
    }

    /// Whether none is given.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As they were given, in order.
    pub fn as_given(&self) -> &[String] {
        &self.0
    }

    /// Whether one of them matches one of these names, or none is given.
    pub fn select(&self, names: &[&str]) -> bool {
        self.is_empty() || self.0.iter().any(|glob| names.iter().any(|name| matches(glob, name)))
    }

    /// The first glob that matches none of these names.
    pub fn unmatched(&self, names: &[&str]) -> Option<&str> {
        let idle = |glob: &&String| !names.iter().any(|name| matches(glob, name));
        self.0.iter().find(idle).map(String::as_str)
    }
}

impl Selectors {
    /// The checks that are selected by their own id or their clause's, of these.
    ///
    /// # Errors
    /// A glob over levels or clauses matches nothing, and what would match.
    pub fn checks(&self, checks: &[&'static Check]) -> Result<Vec<&'static Check>, String> {
        if let Some(glob) = self.levels.unmatched(&Level::ALL.map(Level::as_str)) {
            return Err(format!("--level {glob} matches no level; the levels are cut, compact and exact"));
        }
        if let Some(glob) = self.clauses.unmatched(&ids(checks.iter().copied())) {
            return Err(format!("--clause {glob} matches no clause and no check; {}", near(glob)));
        }
        Ok(checks.iter().copied().filter(|check| self.clauses.select(&[check.clause, check.id])).collect())
    }

    /// The levels to judge an adapter at that declares these. `exact` promises `compact` as well.
    ///
    /// # Errors
    /// A glob selects no level that is declared, or none is declared at all.
    pub fn judged_levels(&self, declared: &[Level]) -> Result<Vec<Level>, String> {
        let implied = |level: Level, levels: &dyn Fn(Level) -> bool| {
            levels(level) || (level == Level::Compact && levels(Level::Exact))
        };
        let is_declared = |level| implied(level, &|level| declared.contains(&level));
        let is_asked = |level| implied(level, &|level: Level| self.levels.select(&[level.as_str()]));
        let has = names(declared);
        let declares = Level::ALL.into_iter().filter(|level| is_declared(*level));
        if let Some(glob) = self.levels.unmatched(&declares.clone().map(Level::as_str).collect::<Vec<_>>()) {
            let what = if glob.contains('*') { "a level that matches" } else { "the level" };
            return Err(format!("{what} {glob} is asked for, and the adapter declares: {has}"));
        }
        let levels: Vec<Level> = declares.filter(|level| is_asked(*level)).collect();
        if levels.is_empty() {
            return Err(format!("any level is asked for, and the adapter declares: {has}"));
        }
        Ok(levels)
    }

    /// Makes sure that every glob over clauses selects a check that is judged at these levels.
    ///
    /// # Errors
    /// What a glob selects belongs to other levels.
    pub fn demand_levels(&self, checks: &[&'static Check], levels: &[Level], declared: &[Level]) -> Result<(), String> {
        let judged = checks.iter().copied().filter(|check| levels.contains(&check.level));
        let Some(glob) = self.clauses.unmatched(&ids(judged)) else {
            return Ok(());
        };
        let selected = |check: &&&Check| matches(glob, check.clause) || matches(glob, check.id);
        let needed = Level::ALL.into_iter().filter(|level| checks.iter().filter(selected).any(|c| c.level == *level));
        let needed = needed.map(Level::as_str).collect::<Vec<_>>().join(" and ");
        let asked = if self.levels.is_empty() {
            String::new()
        } else {
            format!(", of which --level {} is judged", self.levels.as_given().join(" --level "))
        };
        Err(format!(
            "--clause {glob} is about the level {needed}, and the adapter declares: {}{asked}; \
             nothing of it can be judged",
            names(declared)
        ))
    }

    /// Makes sure that every glob over cases matches one of these names.
    ///
    /// # Errors
    /// A glob that matches none.
    pub fn demand_cases(&self, names: impl Iterator<Item = String>) -> Result<(), String> {
        // One name after another: a run may have more cases than fit the memory.
        let mut idle: Vec<&String> = self.cases.0.iter().collect();
        for name in names {
            idle.retain(|glob| !matches(glob, &name));
            if idle.is_empty() {
                break;
            }
        }
        match idle.first() {
            None => Ok(()),
            Some(glob) => Err(format!(
                "--case {glob} matches none of the cases of this run; they are named vector/NAME, \
                 generated/SCENARIO/SEED/INDEX or corpus/SOURCE/SCENARIO, and `seamcheck list --cases` lists them"
            )),
        }
    }

    /// Whether a case belongs to the run, by its name and its place in the whole.
    pub fn select_case(&self, name: &str, ordinal: u64) -> bool {
        self.shard.is_none_or(|shard| shard.takes(ordinal)) && self.cases.select(&[name])
    }
}

/// The ids that a glob over clauses can match.
fn ids(checks: impl Iterator<Item = &'static Check>) -> Vec<&'static str> {
    checks.flat_map(|check| [check.clause, check.id]).collect()
}

fn names(levels: &[Level]) -> String {
    levels.iter().map(|level| level.as_str()).collect::<Vec<_>>().join(", ")
}

/// What could have been meant by a glob or an id of no clause.
pub fn near(glob: &str) -> String {
    let word = glob.trim_matches('*').trim_end_matches(['-', '.']);
    let near = spec_page::near_matches(word);
    if near.is_empty() {
        return "`seamcheck spec` lists the clauses".to_owned();
    }
    format!("did you mean {}?", near.join(", "))
}

/// Whether the whole text matches, upper and lower case alike. Greedy from the left: a later star never needs an earlier one to give back.
pub fn matches(glob: &str, text: &str) -> bool {
    let (glob, text) = (glob.to_lowercase(), text.to_lowercase());
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
        for (glob, text) in [
            ("b-trim-1", "b-trim-1"),
            ("b-trim-*", "b-trim-1"),
            ("*", ""),
            ("*-1*", "b-trim-10"),
            ("b*1*2", "b1112"),
            ("B-T*", "b-trim-1"),
        ] {
            assert!(matches(glob, text), "{glob} {text}");
        }
        for (glob, text) in
            [("b-trim-1", "b-trim-10"), ("b-trim", "b-trim-1"), ("*-2", "b-trim-1"), ("ab*ba", "aba"), ("", "a")]
        {
            assert!(!matches(glob, text), "{glob} {text}");
        }
    }

    fn selectors(levels: &[&str], clauses: &[&str]) -> Selectors {
        let globs = |globs: &[&str]| Globs::new(&globs.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>());
        Selectors { levels: globs(levels), clauses: globs(clauses), ..Selectors::default() }
    }

    #[test]
    fn a_level_is_judged_when_it_is_declared_and_asked_for_and_exact_brings_compact() {
        use Level::{Compact, Cut, Exact};
        let judged = |globs: &[&str], declared: &[Level]| selectors(globs, &[]).judged_levels(declared);
        assert_eq!(judged(&[], &[Exact, Cut]).unwrap(), [Cut, Compact, Exact]);
        assert_eq!(judged(&["exact"], &[Cut, Exact]).unwrap(), [Compact, Exact]);
        assert_eq!(judged(&["c*"], &[Cut]).unwrap(), [Cut]);
        assert_eq!(judged(&["compact"], &[Exact]).unwrap(), [Compact]);
        assert!(judged(&["exact"], &[Cut]).unwrap_err().contains("the level exact is asked for"));
        assert!(judged(&["cut", "e*"], &[Cut]).unwrap_err().contains("matches e*"));
        assert!(judged(&[], &[]).is_err());
    }

    #[test]
    fn what_matches_nothing_is_named_with_what_would() {
        let all = seamcheck_checks::registry::checks();
        for (levels, clauses, words) in [
            (&["all"][..], &[][..], "--level all matches no level; the levels are cut"),
            (&[], &["B-TRIN-*"], "--clause B-TRIN-* matches no clause and no check; did you mean B-TRIM-1"),
            (&[], &["B-TRIM-*", "nothing-like-it"], "`seamcheck spec` lists"),
        ] {
            let error = selectors(levels, clauses).checks(&all).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        let links = selectors(&[], &["B-LINK-*"]);
        let error = links.demand_levels(&all, &[Level::Cut], &[Level::Cut]).unwrap_err();
        assert!(error.contains("the level exact") && error.contains("declares: cut"), "{error}");
        assert_eq!(links.demand_levels(&all, &[Level::Compact, Level::Exact], &[Level::Exact]), Ok(()));
    }
}
