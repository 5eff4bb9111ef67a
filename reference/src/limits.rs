//! `B-LIMIT-1` to `B-LIMIT-8`: every bound by name, with its value and what it counts.

/// The bounds of the profile. Everything that reads a context takes them as a value, so that a fault in
/// one of them can be built on purpose; [`Limits::SPEC`] holds the values of the spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Messages of a transcript, and message ids of one record (`B-LIMIT-1`).
    pub messages: usize,
    /// Requirements of a context (`B-LIMIT-2`).
    pub requirements: usize,
    /// Compaction records of a context (`B-LIMIT-3`).
    pub records: usize,
    /// Depth of a value in Tool arguments; the arguments object itself is at 0 (`B-LIMIT-4`).
    pub argument_depth: usize,
    /// Requirements, messages, blocks, argument keys and elements, records and compacted ids together (`B-LIMIT-5`).
    pub collection_items: usize,
    /// Code points of one string (`B-LIMIT-6`).
    pub text_code_points: usize,
    /// Code points of all strings read (`B-LIMIT-7`).
    pub aggregate_code_points: usize,
    /// Units of the whole context, and the ceiling of every budget (`B-LIMIT-8`).
    pub context_units: u64,
    /// Deferred values adopted one after another (`B-SUMMARY-6`).
    pub deferred_depth: usize,
}

impl Limits {
    /// The values of the spec.
    pub const SPEC: Self = Self {
        messages: 4_096,
        requirements: 128,
        records: 256,
        argument_depth: 32,
        collection_items: 16_384,
        text_code_points: 65_536,
        aggregate_code_points: 1_000_000,
        context_units: 1_000_000,
        deferred_depth: 64,
    };
}

/// The largest safe integer of ECMAScript, 2^53 - 1 (`B-BUILD-9`).
pub const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;
