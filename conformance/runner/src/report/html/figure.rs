//! A scene laid out: every box, arc and line of the drawing with its place in pixels. The template only writes
//! them down. Columns are messages, lanes are who speaks; below stands what was done, one strip each.

mod links;
mod strip;

use crate::report::counted;
use crate::report::safe_text::shortened;
use crate::report::scene::{Act, Role, Scene, SceneMessage};
use links::{Arc, Band, arc, bands, stubs};
use serde::Serialize;
pub(super) use strip::Strip;

/// Width of a message's box, and from one box to the next.
const BOX_WIDTH: usize = 128;
const PITCH: usize = 142;
const BOX_HEIGHT: usize = 48;
/// Where the names of the lanes stand.
const LEFT: usize = 88;
/// Where the lanes begin: above are the numbers of the messages and the name of the cut.
const TOP: usize = 44;
const LANE_PITCH: usize = 64;
/// Between the assistant and the Tools, where the arcs are.
const ARC_ROOM: usize = 56;
/// A drawing is at least so wide, so that the words under it have room.
const LEAST_WIDTH: usize = 460;
/// Characters that fit into a box.
const BOX_CHARACTERS: usize = 16;

/// A drawing.
#[derive(Debug, Serialize)]
pub(super) struct Figure {
    /// Tells its ids apart from those of the other drawings of the page.
    pub(super) key: String,
    title: String,
    /// The drawing in words.
    desc: String,
    width: usize,
    height: usize,
    lanes: Vec<Lane>,
    summary: Option<Summary>,
    bands: Vec<Band>,
    gaps: Vec<Label>,
    boxes: Vec<MessageBox>,
    arcs: Vec<Arc>,
    stubs: Vec<Label>,
    strips: Vec<Strip>,
}

#[derive(Debug, Serialize)]
struct Lane {
    name: &'static str,
    y: usize,
    height: usize,
    text_y: usize,
}

#[derive(Debug, Serialize)]
struct Summary {
    x: usize,
    y: usize,
    height: usize,
    lines: Vec<Label>,
}

#[derive(Debug, Serialize)]
pub(super) struct Label {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) text: String,
}

#[derive(Debug, Serialize)]
struct MessageBox {
    index: usize,
    role: &'static str,
    x: usize,
    y: usize,
    middle: usize,
    id: String,
    words: String,
    /// The whole, for who points at it.
    title: String,
    marked: bool,
}

impl Figure {
    /// Lays out a scene.
    pub(super) fn new(key: String, scene: &Scene) -> Self {
        let grid = Grid::new(scene);
        // The act that breaks something is the one that is drawn over the lanes.
        let broken = scene.acts.iter().position(|act| !act.marked.is_empty() && !act.cuts.is_empty());
        let whole = |act: &Act| !act.cuts.is_empty() && !act.asked.starts_with("groups");
        let main = broken.or_else(|| scene.acts.iter().position(whole));
        let marked = |index: usize| scene.acts.iter().any(|act| act.marked.contains(&index));
        let mut y = grid.bottom + 34;
        let mut strips = Vec::new();
        for (number, act) in scene.acts.iter().enumerate() {
            let strip = Strip::new(&grid, act, y, main == Some(number));
            y = strip.bottom;
            strips.push(strip);
        }
        Self {
            key,
            title: format!("{}, {}", scene.title, counted(scene.length as u64, "message")),
            desc: describe(scene),
            width: grid.width,
            height: y + 4,
            lanes: grid.lanes(),
            summary: scene.summary.as_deref().map(|text| grid.summary(text)),
            bands: main.map(|main| bands(&grid, scene, &scene.acts[main].parted)).unwrap_or_default(),
            gaps: grid.gaps(scene),
            boxes: scene.messages.iter().map(|message| grid.message(message, marked(message.index))).collect(),
            arcs: (0..scene.pairs.len()).map(|number| arc(&grid, scene, number, main)).collect(),
            stubs: stubs(&grid, scene),
            strips,
        }
    }
}

/// Where columns and lanes are.
#[derive(Debug)]
pub(super) struct Grid {
    /// The index and the left edge of each message that is shown.
    columns: Vec<(usize, usize)>,
    width: usize,
    /// Below the last lane.
    bottom: usize,
    has_other: bool,
    messages: usize,
    /// Between the assistant and the Tools.
    arc_room: usize,
}

impl Grid {
    fn new(scene: &Scene) -> Self {
        let mut x = LEFT + if scene.summary.is_some() { PITCH } else { 0 };
        let mut columns = Vec::new();
        let mut expected = 0;
        for message in &scene.messages {
            // Room to say how many are not shown.
            x += if message.index > expected { PITCH / 2 } else { 0 };
            columns.push((message.index, x));
            x += PITCH;
            expected = message.index + 1;
        }
        x += if scene.length > expected { PITCH / 2 } else { 0 };
        let has_other = scene.messages.iter().any(|message| message.role == Role::Other);
        let has_calls = scene.messages.iter().any(|message| !message.calls.is_empty());
        let arc_room = if has_calls { ARC_ROOM } else { 0 };
        let bottom = TOP + 3 * LANE_PITCH + arc_room - 8 + if has_other { LANE_PITCH } else { 0 };
        // The name of a cut at the end needs room.
        Self { columns, width: (x + 34).max(LEAST_WIDTH), bottom, has_other, messages: scene.length, arc_room }
    }

    /// The left edge of a message's box, if it is shown.
    fn left(&self, index: usize) -> Option<usize> {
        self.columns.iter().find(|(shown, _)| *shown == index).map(|(_, x)| *x)
    }

    fn middle(&self, index: usize) -> usize {
        self.left(index).unwrap_or(LEFT) + BOX_WIDTH / 2
    }

    /// Where a cut before this message goes.
    fn cut(&self, place: usize) -> usize {
        let half_gap = (PITCH - BOX_WIDTH) / 2;
        let next = self.columns.iter().find(|(index, _)| *index >= place);
        next.map_or_else(|| self.columns.last().map_or(LEFT, |(_, x)| x + BOX_WIDTH + half_gap), |(_, x)| x - half_gap)
    }

    fn lane_top(&self, role: Role) -> usize {
        TOP + match role {
            Role::User => 0,
            Role::Assistant => LANE_PITCH,
            Role::Tool => 2 * LANE_PITCH + self.arc_room,
            Role::Other => 3 * LANE_PITCH + self.arc_room,
        }
    }

    fn lanes(&self) -> Vec<Lane> {
        let mut lanes = vec![("User", Role::User), ("Assistant", Role::Assistant), ("Tool", Role::Tool)];
        if self.has_other {
            lanes.push(("No role", Role::Other));
        }
        let lane = |(name, role)| {
            let y = self.lane_top(role);
            Lane { name, y: y - 4, height: BOX_HEIGHT + 8, text_y: y + BOX_HEIGHT / 2 + 4 }
        };
        lanes.into_iter().map(lane).collect()
    }

    fn summary(&self, text: &str) -> Summary {
        const LINES: usize = 5;
        let lines = strip::wrapped(text, BOX_CHARACTERS, LINES).into_iter().zip(0..);
        let place = |(text, line): (String, usize)| Label { x: LEFT + BOX_WIDTH / 2, y: TOP + 46 + 16 * line, text };
        Summary { x: LEFT, y: TOP, height: self.bottom - TOP - 8, lines: lines.map(place).collect() }
    }

    fn gaps(&self, scene: &Scene) -> Vec<Label> {
        let mut gaps = Vec::new();
        let mut expected = 0;
        let y = TOP + LANE_PITCH + BOX_HEIGHT + ARC_ROOM / 2;
        for (index, x) in &self.columns {
            if *index > expected {
                gaps.push(Label { x: x - PITCH / 4, y, text: format!("+{}", index - expected) });
            }
            expected = index + 1;
        }
        if scene.length > expected {
            gaps.push(Label { x: self.cut(expected) + PITCH / 4, y, text: format!("+{}", scene.length - expected) });
        }
        gaps
    }

    fn message(&self, message: &SceneMessage, marked: bool) -> MessageBox {
        let x = self.left(message.index).unwrap_or(LEFT);
        let words = match message.calls.as_slice() {
            [] => message.text.clone(),
            calls => format!("calls {}", calls.join(", ")),
        };
        MessageBox {
            index: message.index,
            role: role_name(message.role),
            x,
            y: self.lane_top(message.role),
            middle: x + BOX_WIDTH / 2,
            id: shortened(&message.id, BOX_CHARACTERS - if marked { 3 } else { 0 }),
            words: shortened(&words, BOX_CHARACTERS),
            title: message_words(message),
            marked,
        }
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
        Role::Other => "other",
    }
}

fn message_words(message: &SceneMessage) -> String {
    let calls = match message.calls.as_slice() {
        [] => String::new(),
        calls => format!(" calls {}", calls.join(", ")),
    };
    let text = if message.text.is_empty() { String::new() } else { format!(" says {}", message.text) };
    format!("message {}, {} {}{text}{calls}", message.index, role_name(message.role), message.id)
}

/// The drawing in words, for who does not see it.
fn describe(scene: &Scene) -> String {
    let count = scene.length;
    let mut words = format!("{} of {count} message{}. ", scene.title, if count == 1 { "" } else { "s" });
    for message in &scene.messages {
        words = format!("{words}{}. ", message_words(message));
    }
    for pair in &scene.pairs {
        words = format!("{words}Message {} answers a call of message {}. ", pair.result, pair.call);
    }
    for act in &scene.acts {
        words = format!("{words}Step {}: {}: {}", act.first_step, act.asked, act.reply);
        for cut in &act.cuts {
            words = format!("{words}; cut before message {cut}");
        }
        for pair in act.parted.iter().map(|number| &scene.pairs[*number]) {
            words = format!("{words}; the call of message {} and its result {} are parted", pair.call, pair.result);
        }
        words.push_str(". ");
    }
    words.trim_end().to_owned()
}
