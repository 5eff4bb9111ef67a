//! Text of an adapter or of a corpus, made safe for the place where it is shown. What it says stays readable: a
//! character that would command a terminal, turn the writing direction or break XML is shown by its number.
//!
//! Escaping for HTML is not done here: the template engine does it for every value.

use std::fmt::Write;

/// Characters of one text that a report shows at most.
const SHOWN_CHARACTERS: usize = 4_000;

/// The text with every character that cannot be seen shown by its number, and cut where it gets too long.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len().min(SHOWN_CHARACTERS));
    for (number, c) in text.chars().enumerate() {
        if number == SHOWN_CHARACTERS {
            shown.push('…');
            break;
        }
        if c != '\n' && c != '\t' && is_hidden(c) {
            // Writing to a string never fails.
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// The same on one line.
pub(super) fn visible_line(text: &str) -> String {
    visible(text).replace(['\n', '\t'], " ")
}

/// Not more than so many characters, on one line.
pub(super) fn shortened(text: &str, characters: usize) -> String {
    let line = visible_line(text);
    match line.char_indices().nth(characters) {
        Some(_) => line.chars().take(characters.saturating_sub(1)).chain(['…']).collect(),
        None => line,
    }
}

/// Controls, directional marks and what XML 1.0 has no place for.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{61c}' | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// A code span of Markdown: no mention, link or markup works inside.
pub(super) fn code_span(text: &str) -> String {
    let text = visible_line(text);
    let fence = "`".repeat(longest_run(&text, '`') + 1);
    // A space on both sides is taken away again by the reader.
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    if text.is_empty() { "(nothing)".to_owned() } else { format!("{fence}{pad}{text}{pad}{fence}") }
}

/// A code block of Markdown that its text cannot end.
pub(super) fn code_block(text: &str) -> String {
    let text = visible(text);
    let fence = "`".repeat(longest_run(&text, '`').max(2) + 1);
    format!("{fence}text\n{text}\n{fence}\n")
}

fn longest_run(text: &str, wanted: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == wanted { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_shown_by_its_number_and_the_rest_as_it_is() {
        let hostile = "a\u{1b}[31m\u{202e}b\u{0}\u{fffe}é😀\n";
        assert_eq!(visible(hostile), "a\\u{1b}[31m\\u{202e}b\\u{0}\\u{fffe}é😀\n");
        assert_eq!(visible_line("a\r\nb"), "a\\u{d} b");
        assert_eq!(visible(&"x".repeat(9_999)).chars().count(), SHOWN_CHARACTERS + 1);
        assert_eq!((shortened("abcdef", 4), shortened("abcd", 4)), ("abc…".to_owned(), "abcd".to_owned()));
    }

    #[test]
    fn no_text_ends_its_own_code_span_or_code_block() {
        assert_eq!(code_span("a `b` ``c"), "```a `b` ``c```");
        assert_eq!(code_span("`x|y\n"), "`` `x|y  ``");
        assert_eq!(code_block("a\n```\nb"), "````text\na\n```\nb\n````\n");
    }
}
