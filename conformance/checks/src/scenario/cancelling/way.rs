//! The ways in which one compaction is answered and cancelled, as orders of what the runner says.

use crate::step::Move;
use seamcheck_protocol::answer::{Answer, AnswerKind};
use seamcheck_protocol::messages::{CancelMode, Declaration, Summarize};
use serde::{Deserialize, Serialize};

/// One way to go through a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Way {
    /// Nobody cancels.
    Natural,
    /// It is cancelled before it starts.
    Before,
    /// It is cancelled at this look of the implementation at its signal.
    AtLook(u32),
    /// Nobody cancels, the summary is blank, and the looks are counted: such a compaction ends before the last look.
    Blank,
    /// The summarizer cancels within its own call.
    InCall,
    /// Cancelled while the summary is waited for, which never comes.
    Instead,
    /// Cancelled while the summary is waited for, which comes right after.
    CancelThenAnswer,
    /// Cancelled twice, and then answered.
    CancelTwice,
    /// Cancelled, and then answered twice.
    CancelThenTwice,
    /// Answered, and cancelled right after: either may win.
    AnswerThenCancel,
    /// Answered twice; the first answer counts.
    Twice,
    /// Answered, and once more when it has ended.
    AnswerAfterEnd,
    /// Answered, and cancelled when it has ended: the end stands.
    CancelAfterEnd,
    /// Cancelled, and answered when it has ended.
    Late,
    /// Cancelled, and answered twice when it has ended.
    LateTwice,
}

/// A summary that nobody may take: it comes second.
pub(crate) const SECOND: &str = "the second answer";

impl Way {
    /// Every way that needs no count of looks.
    pub(super) const FIXED: [Self; 14] = [
        Self::Natural,
        Self::Before,
        Self::Instead,
        Self::CancelThenAnswer,
        Self::CancelTwice,
        Self::CancelThenTwice,
        Self::AnswerThenCancel,
        Self::Twice,
        Self::AnswerAfterEnd,
        Self::CancelAfterEnd,
        Self::Late,
        Self::LateTwice,
        Self::InCall,
        Self::Blank,
    ];

    /// Whether an adapter can be taken this way with this answer; `asks` is false where it never comes to a question.
    pub(super) fn is_offered(self, declaration: &Declaration, answer: &Answer, asks: bool) -> bool {
        let modes = &declaration.capabilities.cancel;
        let callback = declaration.capabilities.summarize == Summarize::Callback;
        let listens = modes.contains(&CancelMode::Async);
        let heard = callback && (listens || modes.contains(&CancelMode::InCallback));
        let settles = !matches!(answer, Answer::Pending { .. });
        // A call that has returned already, since it had to ask, cannot return what nobody can wait for.
        let told = settles && !matches!(answer, Answer::Unobservable);
        match self {
            Self::Natural => settles,
            Self::Before => true,
            Self::AtLook(_) => modes.contains(&CancelMode::AtLook) && settles,
            Self::Blank => modes.contains(&CancelMode::AtLook) && asks && matches!(answer, Answer::Text { .. }),
            Self::InCall => asks && can_cancel(answer),
            Self::Instead | Self::CancelThenAnswer | Self::CancelTwice | Self::CancelThenTwice => asks && heard,
            Self::Late | Self::LateTwice => asks && heard,
            Self::AnswerThenCancel => asks && heard && (told || listens && !settles),
            Self::Twice | Self::AnswerAfterEnd => asks && callback && told,
            Self::CancelAfterEnd => heard && told,
        }
    }

    /// What is said while the summary is waited for; `None` for a compaction in one step.
    pub(super) fn moves(self, declaration: &Declaration, answer: &Answer) -> Option<Vec<Move>> {
        let listens = declaration.capabilities.cancel.contains(&CancelMode::Async);
        let (first, second) = (|| Move::Answer(answer.clone()), || Move::Answer(Answer::text(SECOND)));
        Some(match self {
            Self::Natural | Self::Before | Self::AtLook(_) | Self::Blank | Self::InCall => return None,
            // An adapter that blocks must be woken.
            Self::Instead | Self::Late | Self::LateTwice if !listens => vec![Move::Cancel, Move::Fail],
            Self::Instead | Self::Late | Self::LateTwice => vec![Move::Cancel],
            Self::CancelThenAnswer => vec![Move::Cancel, first()],
            Self::CancelTwice => vec![Move::Cancel, Move::Cancel, first()],
            Self::CancelThenTwice => vec![Move::Cancel, first(), second()],
            Self::AnswerThenCancel => vec![first(), Move::Cancel],
            Self::Twice => vec![first(), second()],
            Self::AnswerAfterEnd | Self::CancelAfterEnd => vec![first()],
        })
    }

    /// Whether a summarizer that blocks until it is answered fails within its own call. One that waits asynchronously has
    /// returned from its call by then.
    pub(super) fn may_throw(self, declaration: &Declaration, answer: &Answer) -> bool {
        let capabilities = &declaration.capabilities;
        let is_woken = matches!(self, Self::Instead | Self::Late | Self::LateTwice);
        let throws = match is_woken {
            true => !capabilities.answers.contains(&AnswerKind::Reject),
            false => matches!(answer, Answer::Throw { .. } | Answer::Panic { .. }),
        };
        throws && !capabilities.cancel.contains(&CancelMode::Async)
    }

    /// What is said when the compaction has ended; nothing in most ways.
    pub(super) fn late_moves(self, answer: &Answer) -> Vec<Move> {
        let (first, second) = (|| Move::Answer(answer.clone()), || Move::Answer(Answer::text(SECOND)));
        match self {
            Self::AnswerAfterEnd => vec![second()],
            Self::CancelAfterEnd => vec![Move::Cancel],
            Self::Late => vec![first()],
            Self::LateTwice => vec![first(), second()],
            _ => Vec::new(),
        }
    }
}

/// The same answer, given by a summarizer that cancels.
pub(super) fn cancelling(answer: &Answer) -> Answer {
    match answer.clone() {
        Answer::Text { text, .. } => Answer::Text { text, cancel: true },
        Answer::Throw { message, .. } => Answer::Throw { message, cancel: true },
        Answer::Reject { message, .. } => Answer::Reject { message, cancel: true },
        Answer::Chain { depth, text, .. } => Answer::Chain { depth, text, cancel: true },
        Answer::Pending { .. } => Answer::Pending { cancel: true },
        other => other,
    }
}

fn can_cancel(answer: &Answer) -> bool {
    cancelling(answer) != *answer
}
