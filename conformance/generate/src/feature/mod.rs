//! What a built context shows, so that a run can say how often each clause was truly reached. Found from the
//! planted facts and the texts, never by a stage.

mod structure;
mod texts;

use crate::built::Built;
use std::collections::BTreeSet;

/// Something about a context that implementations get wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// An assistant message with several calls.
    ParallelCalls,
    /// Results of one round in another order than its calls.
    OutOfOrderResults,
    /// A round within another.
    NestedRounds,
    /// Rounds that overlap in part.
    InterleavedRounds,
    /// Rounds that belong together only through one between them.
    ChainedRounds,
    /// A round that starts right behind the end of another.
    AdjacentRounds,
    /// A user message inside a round.
    UserInsideRound,
    /// An assistant message without calls, inside a round.
    AssistantInsideRound,
    /// An assistant message with blocks but no calls.
    AssistantWithoutCalls,
    /// An assistant message without blocks.
    EmptyBlockList,
    /// A user message or a result without content.
    EmptyContent,
    /// Two messages with one id.
    DuplicateMessageId,
    /// One id for a message, a call, a requirement, a summary or a record, two of them at least.
    SharedId,
    /// An id that is the name of a property every object has.
    PropertyNameId,
    /// A summary.
    Summary,
    /// Requirements.
    Requirements,
    /// Compaction records.
    Records,
    /// A call without a result.
    OpenCall,
    /// A call id used again.
    ReusedCallId,
    /// A result without a call.
    OrphanResult,
    /// A code point above U+FFFF.
    Astral,
    /// A high surrogate by itself.
    LoneHigh,
    /// A low surrogate by itself.
    LoneLow,
    /// A low surrogate right before a high one.
    ReversedPair,
    /// A text that ends with a high surrogate, and the next block starts with a low one.
    SplitPair,
    /// Combining marks.
    Combining,
    /// U+200D
    ZeroWidthJoiner,
    /// Regional indicators.
    Flag,
    /// Conjoining jamo.
    Jamo,
    /// U+FEFF
    ByteOrderMark,
    /// U+0000
    Nul,
    /// U+FFFE, U+FFFF and their like.
    Noncharacter,
    /// Bidi controls.
    Bidi,
    /// Content that is blank and not empty.
    BlankContent,
    /// A text of nothing but characters that only look blank.
    BlankLookalike,
    /// Backslashes and quotes.
    Escapes,
    /// A text over 200 code points.
    LongText,
    /// A key that is an array index.
    IndexKey,
    /// The empty key.
    EmptyKey,
    /// The key `__proto__`.
    ProtoKey,
    /// Arguments down to the depth limit.
    DeepestArguments,
    /// A number that is written with an exponent.
    ExponentNumber,
    /// A number below zero, or -0.
    NegativeNumber,
    /// `true`, `false` and `null`.
    Constants,
}

impl Feature {
    /// Every feature.
    pub const ALL: [Self; 44] = [
        Self::ParallelCalls,
        Self::OutOfOrderResults,
        Self::NestedRounds,
        Self::InterleavedRounds,
        Self::ChainedRounds,
        Self::AdjacentRounds,
        Self::UserInsideRound,
        Self::AssistantInsideRound,
        Self::AssistantWithoutCalls,
        Self::EmptyBlockList,
        Self::EmptyContent,
        Self::DuplicateMessageId,
        Self::SharedId,
        Self::PropertyNameId,
        Self::Summary,
        Self::Requirements,
        Self::Records,
        Self::OpenCall,
        Self::ReusedCallId,
        Self::OrphanResult,
        Self::Astral,
        Self::LoneHigh,
        Self::LoneLow,
        Self::ReversedPair,
        Self::SplitPair,
        Self::Combining,
        Self::ZeroWidthJoiner,
        Self::Flag,
        Self::Jamo,
        Self::ByteOrderMark,
        Self::Nul,
        Self::Noncharacter,
        Self::Bidi,
        Self::BlankContent,
        Self::BlankLookalike,
        Self::Escapes,
        Self::LongText,
        Self::IndexKey,
        Self::EmptyKey,
        Self::ProtoKey,
        Self::DeepestArguments,
        Self::ExponentNumber,
        Self::NegativeNumber,
        Self::Constants,
    ];
}

impl Built {
    /// What this context shows.
    pub fn features(&self) -> BTreeSet<Feature> {
        let mut features = BTreeSet::new();
        structure::note(self, &mut features);
        texts::note(self, &mut features);
        features
    }

    /// Whether a round overlaps another in part.
    pub fn has_interleaved_rounds(&self) -> bool {
        structure::pairs(&self.rounds).any(|(left, right)| right.assistant < left.last() && left.last() < right.last())
    }
}
