//! What links messages: an arc from each call to its result, a band over what a cut parts, and calls that stay open.

use super::{ARC_ROOM, BOX_CHARACTERS, BOX_HEIGHT, BOX_WIDTH, Grid, Label};
use crate::report::safe_text::shortened;
use crate::report::scene::{Role, Scene, SceneMessage};
use serde::Serialize;

/// What should have stayed together.
#[derive(Debug, Serialize)]
pub(in crate::report::html) struct Band {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    middle: usize,
}

/// From a call to its result.
#[derive(Debug, Serialize)]
pub(in crate::report::html) struct Arc {
    path: String,
    tool: Label,
    title: String,
    parted: bool,
    /// Where the cut goes through it.
    crossing: Option<(usize, usize)>,
}

/// Bands over the messages of parted pairs; those that overlap are one.
pub(super) fn bands(grid: &Grid, scene: &Scene, parted: &[usize]) -> Vec<Band> {
    let mut ranges: Vec<(usize, usize)> =
        parted.iter().map(|number| (scene.pairs[*number].call, scene.pairs[*number].result)).collect();
    ranges.sort_unstable();
    let mut merged: Vec<(usize, usize)> = Vec::new();
    for (start, end) in ranges {
        match merged.last_mut().filter(|last| last.1 >= start) {
            Some(last) => last.1 = last.1.max(end),
            None => merged.push((start, end)),
        }
    }
    let band = |(start, end)| {
        let (left, right) = (grid.middle(start) - BOX_WIDTH / 2 - 5, grid.middle(end) + BOX_WIDTH / 2 + 5);
        let y = grid.lane_top(Role::User) - 9;
        let height = grid.bottom - y + 4;
        Band { x: left, y, width: right - left, height, middle: left.midpoint(right) }
    };
    merged.into_iter().map(band).collect()
}

/// The arc of this pair.
pub(super) fn arc(grid: &Grid, scene: &Scene, number: usize, main: Option<usize>) -> Arc {
    let pair = &scene.pairs[number];
    let (x1, x2) = (grid.middle(pair.call), grid.middle(pair.result));
    let (y1, y2) = (grid.lane_top(Role::Assistant) + BOX_HEIGHT, grid.lane_top(Role::Tool) - 7);
    // Several calls of one message leave it side by side.
    let siblings: Vec<usize> = (0..scene.pairs.len()).filter(|one| scene.pairs[*one].call == pair.call).collect();
    let place = siblings.iter().position(|one| *one == number).unwrap_or_default();
    let x1 = x1 + 12 * place - 6 * (siblings.len() - 1).min(BOX_WIDTH / 12 - 1);
    let (bend1, bend2) = (y1 + ARC_ROOM, y2 - ARC_ROOM);
    let act = main.map(|main| &scene.acts[main]);
    let parted = act.is_some_and(|act| act.parted.contains(&number));
    let crossing = act.filter(|_| parted).and_then(|act| {
        let inside = act.cuts.iter().copied().find(|cut| pair.call < *cut && *cut <= pair.result)?;
        let cut = grid.cut(inside);
        Some((cut, height_at([x1, x1, x2, x2], [y1, bend1, bend2, y2], cut)))
    });
    let tool = Label { x: x2 + 6, y: y2 - 8, text: shortened(&pair.tool, BOX_CHARACTERS - 4) };
    let title = format!("call {} of message {}, its result is message {}", pair.id, pair.call, pair.result);
    Arc { path: format!("M{x1} {y1}C{x1} {bend1} {x2} {bend2} {x2} {y2}"), tool, title, parted, crossing }
}

/// The height of a curve at this place; it goes from left to right.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "pixels")]
fn height_at(xs: [usize; 4], ys: [usize; 4], wanted: usize) -> usize {
    let at = |points: [usize; 4], t: f64| {
        let weights = [(1.0 - t).powi(3), 3.0 * t * (1.0 - t).powi(2), 3.0 * t.powi(2) * (1.0 - t), t.powi(3)];
        points.iter().zip(weights).map(|(point, weight)| *point as f64 * weight).sum::<f64>()
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..20 {
        let middle = f64::midpoint(low, high);
        if at(xs, middle) < wanted as f64 { low = middle } else { high = middle }
    }
    at(ys, low) as usize
}

/// Calls that nothing answers. Of a transcript of which not all is shown, nobody can say.
pub(super) fn stubs(grid: &Grid, scene: &Scene) -> Vec<Label> {
    if scene.messages.len() < scene.length {
        return Vec::new();
    }
    let open = |message: &&SceneMessage| {
        message.calls.len() > scene.pairs.iter().filter(|pair| pair.call == message.index).count()
    };
    let y = grid.lane_top(Role::Assistant) + BOX_HEIGHT;
    let stub = |message: &SceneMessage| Label { x: grid.middle(message.index) + 40, y, text: "open".to_owned() };
    scene.messages.iter().filter(open).map(stub).collect()
}
