//! The kinds of fault: one for each way in which building refuses, and for each diagnostic.

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// The context is no object.
    ContextNotObject,
    /// `requirements` is `null` or another thing that is no array.
    RequirementsNotArray,
    /// The summary is neither `null` nor an object.
    SummaryNotObject,
    /// `messages` is `null` or another thing that is no array: `INVALID_TRANSCRIPT`.
    MessagesNotArray,
    /// `compactions` is `null` or another thing that is no array.
    RecordsNotArray,
    /// A requirement is no object.
    RequirementNotObject,
    /// A message is no object.
    MessageNotObject,
    /// A block is no object.
    BlockNotObject,
    /// A record is no object.
    RecordNotObject,
    /// Any field is absent.
    MissingField,
    /// Any field, or a compacted message id, has another type than it must have.
    WrongType,
    /// An id or a name is blank, or the content of a requirement is.
    BlankText,
    /// The content of the summary is blank.
    BlankSummary,
    /// Any text is one code point too long; some of them are blank besides.
    TextTooLong,
    /// A role that does not exist.
    UnknownRole,
    /// A block type that does not exist.
    UnknownBlockType,
    /// The name of a call or a result is absent, no string or blank.
    EmptyToolName,
    /// Arguments are absent, no object, or hold a number that is not finite.
    InvalidToolArguments,
    /// Two requirements with one id.
    DuplicateRequirementId,
    /// Two records with one id.
    DuplicateRecordId,
    /// A boundary or a count of units that is no safe integer in range.
    NotInteger,
    /// A record with another number of ids than its boundary says.
    RecordLength,
    /// 129 requirements.
    TooManyRequirements,
    /// 4,097 messages.
    TooManyMessages,
    /// 257 records.
    TooManyRecords,
    /// 4,097 message ids in one record.
    TooManyCompactedIds,
    /// Over 16,384 collection items, by the arguments of a call or by blocks.
    TooManyItems,
    /// Over 1,000,000 code points, by requirements, blocks or a record.
    TooManyCodePoints,
    /// Over 1,000,000 units, with every other limit kept.
    TooManyUnits,
    /// A value in arguments one level too deep.
    ArgumentsTooDeep,
    /// A number in arguments that is not finite.
    NotFinite,
    /// Two faults in the members of one object, whose order decides (`B-JSON-3`).
    ArgumentRace,
    /// A call id used twice.
    DuplicateToolCallId,
    /// A second result for one call.
    DuplicateToolResult,
    /// A result without a call.
    OrphanToolResult,
    /// A result before its call.
    ToolResultBeforeCall,
    /// A result before its call whose content is no text besides: it hides that the call waits (`B-LINK-7`).
    BrokenResultBeforeCall,
    /// A call without a result.
    MissingToolResult,
    /// A result under another name than its call.
    ToolNameMismatch,
}

impl Fault {
    /// Every kind.
    pub const ALL: [Self; 39] = [
        Self::ContextNotObject,
        Self::RequirementsNotArray,
        Self::SummaryNotObject,
        Self::MessagesNotArray,
        Self::RecordsNotArray,
        Self::RequirementNotObject,
        Self::MessageNotObject,
        Self::BlockNotObject,
        Self::RecordNotObject,
        Self::MissingField,
        Self::WrongType,
        Self::BlankText,
        Self::BlankSummary,
        Self::TextTooLong,
        Self::UnknownRole,
        Self::UnknownBlockType,
        Self::EmptyToolName,
        Self::InvalidToolArguments,
        Self::DuplicateRequirementId,
        Self::DuplicateRecordId,
        Self::NotInteger,
        Self::RecordLength,
        Self::TooManyRequirements,
        Self::TooManyMessages,
        Self::TooManyRecords,
        Self::TooManyCompactedIds,
        Self::TooManyItems,
        Self::TooManyCodePoints,
        Self::TooManyUnits,
        Self::ArgumentsTooDeep,
        Self::NotFinite,
        Self::ArgumentRace,
        Self::DuplicateToolCallId,
        Self::DuplicateToolResult,
        Self::OrphanToolResult,
        Self::ToolResultBeforeCall,
        Self::BrokenResultBeforeCall,
        Self::MissingToolResult,
        Self::ToolNameMismatch,
    ];

    /// Whether it is a fault of linkage alone, which is judged after the shape of every message.
    pub fn is_linkage(self) -> bool {
        matches!(
            self,
            Self::DuplicateToolCallId
                | Self::DuplicateToolResult
                | Self::OrphanToolResult
                | Self::ToolResultBeforeCall
                | Self::MissingToolResult
                | Self::ToolNameMismatch
        )
    }
}
