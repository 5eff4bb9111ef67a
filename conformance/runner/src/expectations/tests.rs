//! What is wrong with an expectations file is said by its line, before anything runs.

use super::*;
use seamcheck_checks::registry;

fn read(text: &str) -> Result<Expectations, String> {
    let vectors = ["vector/unit-requirement-small".to_owned()].into();
    Expectations::read(text, &Known { checks: &registry::checks(), vectors: &vectors })
}

const GOOD: &str = "# why\n\n[[expected]]\ncheck = \"B-TRIM-1.no-orphan\"\nkind = \"violation\"\nreason = \"issue 12\"\n\n\
    [[expected]]\ncase = \"generated/trim/1/8\"\nkind = \"exited\"\nreason = \"\"\"two\nlines\"\"\"\n\n\
    [[expected]]\nclause = \"B-CANCEL-1\"\nkind = \"not-observable\"\nreason = \"cannot be cancelled\"\n";

#[test]
fn entries_are_read_with_their_lines_and_the_digest_is_that_of_the_text() {
    let read = read(GOOD).unwrap();
    let found: Vec<_> =
        read.entries.iter().map(|one| (one.line, one.target, one.id.as_str(), one.kind.as_str())).collect();
    assert_eq!(
        found,
        [
            (3, Target::Check, "B-TRIM-1.no-orphan", "violation"),
            (8, Target::Case, "generated/trim/1/8", "exited"),
            (14, Target::Clause, "B-CANCEL-1", "not-observable"),
        ]
    );
    assert_eq!(read.entries[1].reason, "two\nlines");
    assert_eq!(read.sha256, sha256_hex(GOOD.as_bytes()));
    assert_eq!(read.cases().collect::<Vec<_>>(), ["generated/trim/1/8"]);
}

#[test]
fn what_is_wrong_is_said_by_its_line_with_what_to_do() {
    for (from, to, line, words) in [
        ("B-TRIM-1.no-orphan", "B-TRIM-1.no-orphans", 3, "did you mean B-TRIM-1.no-orphan?"),
        ("B-TRIM-1.no-orphan", "B-TRIM-*", 3, "no check has the id `B-TRIM-*`"),
        ("B-CANCEL-1", "B-CANCEL-99", 14, "did you mean B-CANCEL-"),
        ("generated/trim/1/8", "generated/trim/8", 8, "seamcheck list --cases"),
        ("generated/trim/1/8", "vector/unit-requirement-smal", 8, "no case has the id"),
        ("\"violation\"", "\"crash\"", 3, "cannot be expected to be `crash`"),
        ("\"violation\"", "\"exited\"", 3, "an adapter fault is expected of a case"),
        ("\"not-observable\"", "\"unsupported\"", 14, "one of violation"),
        ("\"issue 12\"", "\" \"", 3, "`reason` is blank"),
        ("reason = \"issue 12\"", "", 3, "`reason` is missing"),
        ("kind = \"exited\"", "", 8, "`kind` is missing"),
        ("\"issue 12\"", &format!("{PLACEHOLDER:?}"), 3, "--write-expectations put there"),
        ("check = ", "clause = \"B-TRIM-2\"\ncheck = ", 3, "exactly one of"),
        ("case = \"generated/trim/1/8\"", "", 8, "exactly one of"),
        ("reason = \"issue 12\"", "reason = \"issue 12\"\nowner = \"me\"", 7, "unknown field `owner`"),
        ("# why", "why = 1", 1, "unknown field `why`"),
        ("kind = \"violation\"", "kind = 5", 5, "invalid type"),
        ("kind = \"violation\"", "kind = ", 5, ""),
        ("clause = \"B-CANCEL-1\"", "clause = \"B-TRIM-1\"", 14, "says the same as line 3"),
        ("case = \"generated/trim/1/8\"", "check = \"B-TRIM-1.no-orphan\"", 8, ""),
    ] {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD, "{from}");
        let error = read(&text).unwrap_err();
        assert!(error.starts_with(&format!("line {line}: ")) && error.contains(words), "{words}: {error}");
    }
}

#[test]
fn entries_that_say_the_same_are_refused_and_every_fault_is_named() {
    let twice = format!("{GOOD}\n{GOOD}");
    let error = read(&twice).unwrap_err();
    assert_eq!(error.lines().count(), 3, "{error}");
    assert!(error.contains("line 21: says the same as line 3; remove one of them"), "{error}");
    assert_eq!(read("").unwrap().entries, []);
}
