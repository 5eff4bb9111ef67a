//! Adapters of other days meet today's runner: each works, or is refused in words that say what to do.

use crate::seamcheck;

fn run(adapter: &str, mode: &[&str]) -> crate::Run {
    let path = format!("{}/../protocol/tests/evolution/{adapter}", env!("CARGO_MANIFEST_DIR"));
    let fixed = ["run", "--cases", "12", "--timeout-seconds", "20", "--", "python3", "-S", &path];
    seamcheck(&[&fixed, mode].concat())
}

#[test]
fn yesterdays_adapter_is_asked_nothing_that_it_does_not_know_and_is_certified() {
    let run = run("adapter_v1.py", &[]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("\ncertified: spec ") && run.stdout.contains("levels cut\n"), "{}", run.stdout);
}

#[test]
fn tomorrows_adapter_is_certified_for_what_today_knows_of_it() {
    let run = run("adapter_future.py", &["both"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("\ncertified: spec ") && run.stdout.contains("levels cut\n"), "{}", run.stdout);
}

#[test]
fn an_adapter_that_cannot_be_run_is_refused_in_words_that_say_what_to_do() {
    for (mode, words) in [
        ("only-2", "speaks protocol version \"1\" alone; use an adapter or a seamcheck of another version"),
        ("chooses-2", "chose protocol version \"2\"; only \"1\" was offered"),
        (
            "unknown-levels",
            "declares the levels [\"stream\", \"audit\"], and this version of seamcheck knows cut, compact, exact; declare",
        ),
        (
            "no-levels",
            "declares the levels [], and this version of seamcheck knows cut, compact, exact; declare one of these",
        ),
        ("other-profile", "declares the profiles [\"thread\"]; it needs \"boundary\""),
        ("other-keeps", "unknown variant `window`, expected one of `suffix`, `subset`, `parts`"),
    ] {
        let run = run("adapter_future.py", &[mode]);
        assert_eq!(run.code, 3, "{mode}: {}{}", run.stdout, run.stderr);
        let said = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(words), "{mode}: {said}");
    }
}
