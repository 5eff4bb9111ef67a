//! Workflow commands of GitHub: an annotation for each of the first violations and faults, and a summary. A line of
//! an adapter must not pass for a command, so that commands are stopped around everything else that is printed.

use super::certificate::{Certificate, CheckVerdict};
use super::safe_text::shortened;
use crate::command::sha256_hex;
use std::fmt::Write;

/// GitHub shows ten annotations of a kind in a step.
const SHOWN_ANNOTATIONS: usize = 10;
/// Characters of one annotation.
const WORDS_CHARACTERS: usize = 1_000;

/// The printed certificate, in which no line is a command, and behind it the annotations.
pub(super) fn annotated(printed: &str, certificate: &Certificate, salt: &str) -> String {
    // Not to be guessed by what is printed: it depends on all of it and on the moment.
    let token = format!("seamcheck-{}", &sha256_hex(format!("{salt}{printed}").as_bytes())[..32]);
    format!("::stop-commands::{token}\n{printed}::{token}::\n{}", annotations(certificate))
}

fn annotations(certificate: &Certificate) -> String {
    let mut all: Vec<(&str, String, String)> = Vec::new();
    let violated = certificate.checks.iter().filter(|check| check.verdict == CheckVerdict::Violation);
    for check in violated {
        let example = certificate.counterexamples.iter().find(|example| example.check == check.id);
        let words = example.map(|example| &example.words).or(check.violations.first().map(|first| &first.words));
        let (kind, level) = if check.must { ("error", "MUST") } else { ("warning", "SHOULD") };
        let story = example.map(|example| format!("\n{}", example.story.join("\n"))).unwrap_or_default();
        let words = format!("{}{story}", words.map(String::as_str).unwrap_or_default());
        all.push((kind, format!("{} ({level}) is violated", check.id), words));
    }
    for fault in &certificate.faults {
        all.push((
            "error",
            format!("adapter fault: {}", fault.kind),
            format!("during {}: {}", fault.during, fault.words),
        ));
    }
    for fault in &certificate.harness_faults {
        all.push(("error", "harness fault".to_owned(), fault.clone()));
    }
    // What fails the step comes first.
    all.sort_by_key(|(kind, ..)| *kind != "error");
    let mut out = String::new();
    for (kind, title, words) in all.iter().take(SHOWN_ANNOTATIONS) {
        command(&mut out, kind, title, words);
    }
    let kind = if certificate.verdict.exit_code == 0 { "notice" } else { "error" };
    let hidden = all.len().saturating_sub(SHOWN_ANNOTATIONS);
    let more = if hidden > 0 { format!("; {hidden} findings more are in the report") } else { String::new() };
    command(&mut out, kind, "seamcheck", &format!("{}{more}", certificate.verdict.words));
    out
}

fn command(out: &mut String, kind: &str, title: &str, words: &str) {
    let words: Vec<String> = words.lines().map(|line| shortened(line, WORDS_CHARACTERS)).collect();
    let words: String = words.join("\n").chars().take(WORDS_CHARACTERS).collect();
    // Writing to a string never fails.
    let _ = writeln!(out, "::{kind} title={}::{}", property(&shortened(title, 200)), data(&words));
}

/// What stands behind the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value in front of it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_or_a_property_is_escaped() {
        let mut out = String::new();
        command(&mut out, "error", "a:b,c%\r\nd", "50%: x,\n::set-output name=a::b");
        assert_eq!(out, "::error title=a%3Ab%2Cc%25\\u{d} d::50%25: x,%0A::set-output name=a::b\n");
        assert_eq!((property("a\r\n%"), data("a\r")), ("a%0D%0A%25".to_owned(), "a%0D".to_owned()));
    }
}
