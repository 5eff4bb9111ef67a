//! What one act did to the messages: a line of words, a cell for each message, and the cuts.

use super::{BOX_WIDTH, Grid, LEFT, Label, TOP};
use crate::report::scene::Act;
use serde::Serialize;

/// Height of a cell.
const CELL: usize = 22;
/// Height of a line of words, and the width of a character in it.
const LINE: usize = 16;
const CHARACTER: usize = 8;
/// Lines of words over a strip.
const LINES: usize = 3;

/// One act, laid out.
#[derive(Debug, Serialize)]
pub(in crate::report::html) struct Strip {
    steps: String,
    lines: Vec<Label>,
    cells: Vec<Cell>,
    /// The line that cells would stand on, where there are none but cuts.
    baseline: Option<usize>,
    cuts: Vec<Cut>,
    right: usize,
    /// Where the next one begins.
    #[serde(skip)]
    pub(super) bottom: usize,
}

#[derive(Debug, Serialize)]
struct Cell {
    x: usize,
    y: usize,
    middle: usize,
    text_y: usize,
    fate: &'static str,
    marked: bool,
}

#[derive(Debug, Serialize)]
struct Cut {
    x: usize,
    /// Where its name stands.
    name_y: usize,
    /// Through the lanes, if it is the main one, and through its own strip; the words between stay free.
    path: String,
    main: bool,
    label: &'static str,
}

impl Strip {
    pub(super) fn new(grid: &Grid, act: &Act, top: usize, main: bool) -> Self {
        let (first, last) = (act.first_step, act.last_step);
        let steps = if first == last { format!("step {first}") } else { format!("steps {first}–{last}") };
        let room = (grid.width - LEFT) / CHARACTER;
        let words = wrapped(&format!("{} → {}", act.asked, act.reply), room, LINES);
        let place = |(text, line): (String, usize)| Label { x: LEFT, y: top + 12 + LINE * line, text };
        let lines: Vec<Label> = words.into_iter().zip(0..).map(place).collect();
        let y = top + LINE * lines.len() + 4;
        let cells: Vec<Cell> = grid
            .columns
            .iter()
            .zip(&act.fates)
            .map(|((index, x), fate)| Cell {
                x: *x,
                y,
                middle: x + BOX_WIDTH / 2,
                text_y: y + 15,
                fate: fate.word(),
                marked: act.marked.contains(index),
            })
            .collect();
        let has_strip = !cells.is_empty() || !act.cuts.is_empty();
        let label = if act.asked.starts_with("cut") { "cut" } else { "boundary" };
        let cut = |place: &usize| {
            let x = grid.cut(*place);
            let through = if main { format!("M{x} {}V{}", TOP - 20, grid.bottom + 4) } else { String::new() };
            let path = format!("{through}M{x} {}V{}", y - 3, y + CELL + 3);
            Cut { x, name_y: TOP - 26, path, main, label }
        };
        Self {
            steps,
            lines,
            baseline: (cells.is_empty() && has_strip).then_some(y + CELL / 2),
            cells,
            cuts: act.cuts.iter().filter(|place| **place <= grid.messages).map(cut).collect(),
            right: grid.cut(grid.messages),
            bottom: if has_strip { y + CELL + 18 } else { y + 10 },
        }
    }
}

/// Words over at most so many lines of so many characters.
pub(super) fn wrapped(text: &str, room: usize, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let used = lines.last().map_or(0, |line| line.chars().count());
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if used == 0 || used + 1 + length <= room => {
                if used > 0 {
                    line.push(' ');
                }
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let shown = lines.len().min(most);
    let cut_off = lines.len() > most;
    lines.truncate(shown);
    for line in &mut lines {
        *line = crate::report::safe_text::shortened(line, room.max(2));
    }
    if let (true, Some(last)) = (cut_off, lines.last_mut()) {
        last.push('…');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_and_what_does_not_fit_is_cut_with_a_mark() {
        assert_eq!(wrapped("one two three", 7, 3), ["one two", "three"]);
        assert_eq!(wrapped("one two three", 5, 2), ["one", "two…"]);
        assert_eq!(wrapped("a-very-long-word b", 6, 2), ["a-ver…", "b"]);
    }
}
