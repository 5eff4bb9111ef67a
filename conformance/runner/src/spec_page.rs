//! The page of the spec, embedded: which clauses it has, and what each says.

use std::fmt::Write;

const PAGE: &str = include_str!("../../../reference/SPEC/boundary.md");

/// One clause of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clause {
    /// Its id.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The level it is judged at.
    pub level: &'static str,
    /// Everything under its heading, the heading included.
    pub text: &'static str,
}

/// The bytes of the page, for a digest.
pub fn bytes() -> &'static [u8] {
    PAGE.as_bytes()
}

/// Every clause, in the order of the page.
pub fn clauses() -> impl Iterator<Item = Clause> {
    let sections = PAGE.split("\n### ").skip(1);
    sections.filter_map(|section| {
        let end = section.find("\n## ").unwrap_or(section.len());
        let text = &section[..end];
        let (id, title) = text.lines().next()?.split_once(' ')?;
        let level = text.lines().find_map(|line| line.strip_prefix("Level: "))?;
        id.starts_with("B-").then_some(Clause { id, title, level, text })
    })
}

/// The clause with this id, or with the id of one of its checks; upper and lower case alike.
pub fn find(id: &str) -> Option<Clause> {
    let wanted = id.split('.').next().unwrap_or(id);
    clauses().find(|clause| clause.id.eq_ignore_ascii_case(wanted))
}

/// The clause for a person to read.
pub fn explain(clause: Clause) -> String {
    format!("{}\n", clause.text.trim_end())
}

/// Every clause on a line of its own.
pub fn list() -> String {
    let mut list = String::new();
    for Clause { id, title, level, .. } in clauses() {
        // Writing to a string never fails.
        let _ = writeln!(list, "{id:<13} {level:<8} {title}");
    }
    list
}

/// The family of a clause: B-TRIM of B-TRIM-1.
pub fn family(clause: &str) -> &str {
    clause.rsplit_once('-').map_or(clause, |(family, _)| family)
}

/// Ids that are nearly this one, the nearest first.
pub fn near_matches(id: &str) -> Vec<&'static str> {
    const SHOWN: usize = 5;
    let wanted = id.split('.').next().unwrap_or(id).to_ascii_uppercase();
    let mut near: Vec<(usize, &str)> = clauses().map(|clause| (distance(&wanted, clause.id), clause.id)).collect();
    let of_family = |id: &str| family(id) == wanted || family(id) == format!("B-{wanted}");
    near.retain(|(distance, id)| *distance <= 3 || of_family(id));
    // Stable: what is equally near stays in the order of the page.
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().map(|(_, id)| id).take(SHOWN).collect()
}

/// Insertions, deletions and replacements from one text to the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (line, source) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, target) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(source != *target);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clause_of_the_page_is_found_with_its_level_and_ends_before_the_next_heading() {
        let all: Vec<Clause> = clauses().collect();
        assert!(all.len() > 80, "{}", all.len());
        for clause in all {
            assert!(["cut", "compact", "exact"].contains(&clause.level), "{clause:?}");
            assert_eq!(clause.text.matches("\n## ").count() + clause.text.matches("\n### ").count(), 0);
        }
        assert_eq!(find("b-round-2.vectors").unwrap().title, "Overlapping rounds merge");
        assert_eq!(find("B-ROUND"), None);
    }

    #[test]
    fn a_wrong_id_has_the_nearest_ones_first_and_a_family_its_members() {
        assert_eq!(near_matches("B-ROUN-2")[0], "B-ROUND-2");
        assert_eq!(near_matches("round"), ["B-ROUND-1", "B-ROUND-2", "B-ROUND-3", "B-ROUND-4"]);
        assert!(near_matches("nothing like any of them").is_empty());
    }
}
