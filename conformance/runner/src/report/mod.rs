//! Reports: what a run tells is tallied, made into a certificate, and written down. Nothing here talks to an
//! adapter or judges anything.

pub mod certificate;
pub mod counterexample;
mod drawing;
pub mod expected;
pub(crate) mod fold;
mod github;
mod html;
mod junit;
mod markdown;
pub mod output;
pub(crate) mod output_file;
pub mod progress;
pub mod replayed;
mod safe_text;
pub mod scene;
pub mod schema;
mod story;
mod sweep;
pub mod tally;
pub mod terminal;
mod verdict;
mod wire_step;
mod words;

#[cfg(test)]
mod tests;

/// Text of an adapter or of a corpus on one line and cut short: it can neither command a terminal nor pass for a
/// line of the report.
pub(crate) fn tame(text: &str) -> String {
    const SHOWN_CHARACTERS: usize = 200;
    let mut shown: String = text
        .chars()
        .take(SHOWN_CHARACTERS)
        .map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c })
        .collect();
    if shown.len() < text.len() && text.chars().nth(SHOWN_CHARACTERS).is_some() {
        shown.push('…');
    }
    shown
}

/// `1 case`, `2 cases`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
