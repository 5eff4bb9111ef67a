//! Everything but certifying an adapter of one's own.

use crate::{scratch, seamcheck};

#[test]
fn the_built_in_reference_is_a_child_process_like_any_other_and_holds() {
    let run = seamcheck(&["--cases", "0", "--clause", "B-UNIT-*", "--clause", "B-CANCEL-*"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("seamcheck serve (built in)"), "{}", run.stdout);
}

#[test]
fn a_mutant_is_stopped() {
    let program = env!("CARGO_BIN_EXE_seamcheck");
    let mutant = ["serve", "--mutant", "text-counts-bytes"];
    let run = seamcheck(&[&["--cases", "0", "--clause", "B-TEXT-2", "--", program], &mutant[..]].concat());
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("VIOLATION of B-TEXT-2.vectors (MUST)"), "{}", run.stdout);
}

#[test]
fn serve_lists_the_mutants_and_does_not_serve_one_that_there_is_not() {
    let list = seamcheck(&["serve", "--list"]);
    assert!(
        list.code == 0 && list.stdout.lines().any(|line| line.starts_with("text-counts-bytes ")),
        "{}",
        list.stdout
    );
    let unknown = seamcheck(&["serve", "--mutant", "perfect"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("--list"), "{}", unknown.stderr);
}

#[test]
fn a_clause_is_explained_and_a_wrong_one_has_its_neighbours_named() {
    let clause = seamcheck(&["explain", "b-round-2"]);
    assert!(clause.code == 0 && clause.stdout.starts_with("B-ROUND-2 Overlapping rounds merge\n"), "{}", clause.stdout);
    assert!(clause.stdout.contains("Reason: "), "{}", clause.stdout);
    let wrong = seamcheck(&["explain", "B-ROUND-22"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("did you mean B-ROUND-2"), "{}", wrong.stderr);
}

#[test]
fn the_clauses_are_listed_with_their_levels() {
    let list = seamcheck(&["spec"]).stdout;
    assert!(list.lines().any(|line| line.split_whitespace().take(2).eq(["B-TRIM-1", "cut"])), "{list}");
}

#[test]
fn what_is_wrong_with_the_command_line_is_said_before_anything_is_run() {
    let none = seamcheck(&["--clause", "B-NONE-*"]);
    assert!(none.code == 2 && none.stderr.contains("B-NONE-*"), "{}", none.stderr);
    let place = scratch("no-such-folder").join("certificate.json");
    let unwritable = seamcheck(&["--json", place.to_str().unwrap()]);
    assert!(unwritable.code == 2 && unwritable.stdout.is_empty(), "{}", unwritable.stdout);
    assert!(unwritable.stderr.contains("certificate.json"), "{}", unwritable.stderr);
    assert_eq!(seamcheck(&["--level", "all"]).code, 2);
    assert_eq!(seamcheck(&["--no-such-option"]).code, 2);
}

#[test]
fn the_schema_of_the_protocol_is_the_file_beside_its_page() {
    let schema = seamcheck(&["schema", "protocol"]);
    let file = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol/schema.json")).unwrap();
    assert!(schema.code == 0 && schema.stdout == file);
    let unknown = seamcheck(&["schema", "song"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("protocol"), "{}", unknown.stderr);
}

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = seamcheck(&["--help"]).stdout;
    let list = help.split_once("Commands:\n").unwrap().1.split("\n\n").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).filter(|name| name != "help").collect()
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let commands = commands();
    assert!(commands.len() >= 5, "{commands:?}");
    let page = seamcheck(&["man"]);
    assert!(page.code == 0 && page.stdout.contains(".TH seamcheck 1"), "{}{}", page.stdout, page.stderr);
    let folder = scratch("man");
    // It is made where it is not there.
    assert_eq!(seamcheck(&["man", folder.to_str().unwrap()]).code, 0);
    for command in &commands {
        assert!(page.stdout.replace("\\-", "-").contains(&format!("seamcheck-{command}(1)")), "{command}");
        let own = std::fs::read_to_string(folder.join(format!("seamcheck-{command}.1"))).unwrap();
        assert!(own.contains(".SH SYNOPSIS"), "{command}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let impossible = seamcheck(&["man", "/dev/null/man"]);
    assert!(impossible.code == 2 && impossible.stderr.contains("/dev/null/man"), "{}", impossible.stderr);
}

#[test]
fn the_completions_of_every_shell_name_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = seamcheck(&["completions", shell]);
        assert_eq!(script.code, 0, "{}", script.stderr);
        for command in commands() {
            assert!(script.stdout.contains(&command), "{shell} does not know {command}");
        }
    }
    assert_eq!(seamcheck(&["completions", "abacus"]).code, 2);
}
