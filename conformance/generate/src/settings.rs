//! How large and how strange generated plans are: one struct, four presets. It shapes what is drawn; a
//! plan already drawn builds without it.

/// The knobs of the generator. Counts are upper bounds; most values drawn stay far below them.
///
/// Start from a preset: `Settings { steps: 200, ..Settings::DEFAULT }`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Steps of a transcript. A step is one message; results that no step gave come on top.
    pub steps: usize,
    /// Requirements of a context.
    pub requirements: usize,
    /// Earlier compaction records.
    pub records: usize,
    /// Blocks of one assistant message.
    pub blocks: usize,
    /// Fragments of one text.
    pub fragments: usize,
    /// Repetitions of a fragment that is a run.
    pub run_length: u32,
    /// Members of one object and elements of one array in arguments.
    pub argument_members: usize,
    /// Nesting of arguments drawn branch by branch; chains down to the limit are drawn besides.
    pub argument_depth: usize,
    /// Of 100 fragments, how many come from the table of hostile text.
    pub hostile_percent: u8,
    /// Of 100 ids, how many are not simply the next fresh one.
    pub odd_id_percent: u8,
    /// Of 100 plans, how many are padded to a limit.
    pub fill_percent: u8,
    /// Whether a plan may hold what only trimming accepts: open calls at the tail, reused call ids, orphan
    /// results. Such a context is no valid one.
    pub loose: bool,
    /// Bytes of randomness that a plan from a seed or from proptest may use. When they run out, the rest of the
    /// plan is the simplest there is.
    pub entropy_bytes: usize,
}

impl Settings {
    /// At most eight steps: for exhaustive sweeps over budgets and boundaries.
    pub const SMALL: Self = Self {
        steps: 8,
        requirements: 2,
        records: 2,
        blocks: 3,
        fragments: 2,
        run_length: 20,
        argument_members: 2,
        argument_depth: 2,
        hostile_percent: 40,
        odd_id_percent: 15,
        fill_percent: 0,
        loose: false,
        entropy_bytes: 1 << 10,
    };

    /// What most checks use.
    pub const DEFAULT: Self = Self {
        steps: 40,
        requirements: 6,
        records: 6,
        blocks: 5,
        fragments: 4,
        run_length: 400,
        argument_members: 4,
        argument_depth: 5,
        hostile_percent: 40,
        odd_id_percent: 20,
        fill_percent: 0,
        loose: false,
        entropy_bytes: 8 << 10,
    };

    /// Up to the limits of the profile: 4,096 messages, 16,384 items, 1,000,000 units, 65,536 code points a
    /// text, 128 requirements, 256 records. A context may take 6 MB as ASCII JSON.
    pub const LARGE: Self = Self {
        steps: 3_000,
        requirements: 128,
        records: 256,
        blocks: 12,
        fragments: 6,
        run_length: 65_536,
        argument_members: 12,
        argument_depth: 8,
        fill_percent: 75,
        entropy_bytes: 256 << 10,
        ..Self::DEFAULT
    };

    /// Legal only for trimming, see [`Settings::loose`].
    pub const CUT: Self = Self { requirements: 0, records: 0, loose: true, ..Self::DEFAULT };
}

impl Default for Settings {
    fn default() -> Self {
        Self::DEFAULT
    }
}
