//! Compaction under every summarizer and every point of cancellation: the old context never changes, and
//! nothing is deep-copied that stays.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use proptest::prelude::*;
use seamcheck_generate::{Plan, Settings, drawn};
use seamcheck_reference::{
    Answer, Cancellation, Code, CompactOptions, Compaction, Context, Document, Error, Json, Summarizer,
    SummarizerFailure, SummaryRequest, compact,
};
use std::cell::Cell;
use std::future::{Future, pending, poll_fn, ready};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll, Waker};

/// A signal that counts the looks at it and turns at one of them. Waiting on it counts as well.
struct Counting {
    looks: Cell<usize>,
    turn_at: usize,
}

impl Counting {
    fn turning_at(turn_at: usize) -> Self {
        Self { looks: Cell::new(0), turn_at }
    }

    fn look(&self) -> bool {
        let look = self.looks.get();
        self.looks.set(look + 1);
        look >= self.turn_at
    }
}

impl Cancellation for Counting {
    fn is_cancelled(&self) -> bool {
        self.look()
    }

    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        Box::pin(poll_fn(|_| if self.look() { Poll::Ready(()) } else { Poll::Pending }))
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Does {
    Text,
    Late,
    Blank,
    Number,
    Throw,
    Reject,
    Panic,
    PanicLater,
    Never,
    Unobservable,
    Deferred(usize),
}

const EVERYTHING: [Does; 12] = [
    Does::Text,
    Does::Late,
    Does::Blank,
    Does::Number,
    Does::Throw,
    Does::Reject,
    Does::Panic,
    Does::PanicLater,
    Does::Never,
    Does::Unobservable,
    Does::Deferred(64),
    Does::Deferred(65),
];

impl Summarizer for Does {
    fn summarize<'a>(&'a self, _: SummaryRequest, _: &'a dyn Cancellation) -> Result<Answer<'a>, SummarizerFailure> {
        let text = || Answer::Value("short".into());
        let failure = || SummarizerFailure::new("CONTEXT_CANCELLED");
        Ok(match *self {
            Self::Text => text(),
            Self::Late => Answer::Deferred(Box::pin(async move {
                later().await;
                Ok(text())
            })),
            Self::Blank => Answer::Value("\u{FEFF}".into()),
            Self::Number => Answer::Value(Json::Number(1.0)),
            Self::Throw => return Err(failure()),
            Self::Reject => Answer::Deferred(Box::pin(ready(Err(failure())))),
            Self::Panic => panic!("at once"),
            Self::PanicLater => Answer::Deferred(Box::pin(async {
                later().await;
                panic!("later")
            })),
            Self::Never => Answer::Deferred(Box::pin(pending())),
            Self::Unobservable => Answer::Unobservable,
            Self::Deferred(depth) => (0..depth).fold(text(), |inner, _| Answer::Deferred(Box::pin(ready(Ok(inner))))),
        })
    }
}

/// Ends when it is looked at for the third time.
fn later() -> impl Future<Output = ()> {
    let mut left = 2;
    poll_fn(move |_| {
        left -= 1;
        if left < 0 { Poll::Ready(()) } else { Poll::Pending }
    })
}

/// Drives a compaction; `None` when it waits for ever.
fn run(
    context: &Context,
    options: &CompactOptions,
    does: Does,
    signal: &Counting,
) -> Option<Result<Compaction, Error>> {
    let mut future = pin!(compact(context, options, &does, signal));
    let mut task = TaskContext::from_waker(Waker::noop());
    (0..8).find_map(|_| match future.as_mut().poll(&mut task) {
        Poll::Ready(outcome) => Some(outcome),
        Poll::Pending => None,
    })
}

fn build(json: &Json) -> Context {
    let text = json.to_string();
    Context::from_json(Document::parse(text.as_bytes()).unwrap().root()).unwrap()
}

/// Options under which every context with a message is compacted.
fn options(context: &Context) -> Option<CompactOptions> {
    let max = usize::try_from(context.units().get()).unwrap().checked_sub(1).filter(|max| *max >= 30)?;
    let options = Json::object([
        ("targetUnits", max.into()),
        ("summaryMaxUnits", 30_usize.into()),
        ("retainRecentMessages", 0_usize.into()),
        ("maxUnits", max.into()),
        ("summaryId", "new-summary".into()),
        ("recordId", "new-record".into()),
    ]);
    let text = options.to_string();
    Some(CompactOptions::from_json(Document::parse(text.as_bytes()).unwrap().root()).unwrap())
}

fn expected_code(does: Does) -> Option<Code> {
    match does {
        Does::Text | Does::Late | Does::Deferred(64) => None,
        Does::Blank => Some(Code::SummaryInsufficient),
        Does::Number => Some(Code::SummaryInvalid),
        Does::Unobservable => Some(Code::AsyncValueUnobservable),
        _ => Some(Code::SummarizerFailed),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn b_state_1_no_summarizer_and_no_cancellation_changes_the_context(plan in drawn::<Plan>(Settings::SMALL)) {
        std::panic::set_hook(Box::new(|_| {}));
        let context = build(&plan.build().context_json());
        let before = context.to_json();
        let Some(options) = options(&context) else { return Ok(()) };
        for does in EVERYTHING {
            for turn_at in 0.. {
                let signal = Counting::turning_at(turn_at);
                let outcome = run(&context, &options, does, &signal);
                prop_assert_eq!(&context.to_json(), &before, "{:?} cancelled at look {}", does, turn_at);
                let turned = signal.looks.get() > turn_at;
                match outcome {
                    None => prop_assert!(does == Does::Never && !turned),
                    Some(Ok(Compaction::Unchanged(_))) => prop_assert!(false, "the context is over its threshold"),
                    Some(Ok(Compaction::Compacted { context: next, record })) => {
                        prop_assert!(!turned && expected_code(does).is_none());
                        prop_assert_eq!(next.records().last(), Some(&record));
                        prop_assert_eq!(next.records().len(), context.records().len() + 1);
                    }
                    Some(Err(error)) if error.code() == Code::BoundaryUnavailable => {}
                    Some(Err(error)) if turned => prop_assert_eq!(error.code(), Code::Cancelled),
                    Some(Err(error)) => prop_assert_eq!(Some(error.code()), expected_code(does), "{:?}", does),
                }
                if !turned || turn_at > 40 {
                    break;
                }
            }
        }
    }

    #[test]
    fn b_compact_7_what_is_kept_is_shared_and_not_copied(plan in drawn::<Plan>(Settings::SMALL)) {
        let context = build(&plan.build().context_json());
        let Some(options) = options(&context) else { return Ok(()) };
        let outcome = run(&context, &options, Does::Text, &Counting::turning_at(usize::MAX));
        if let Some(Ok(Compaction::Compacted { context: next, .. })) = outcome {
            let (old, kept) = (context.transcript().messages(), next.transcript().messages());
            let suffix = &old[old.len() - kept.len()..];
            prop_assert!(kept.iter().zip(suffix).all(|(kept, old)| Arc::ptr_eq(kept, old)));
            prop_assert!(next.records().iter().zip(context.records()).all(|(kept, old)| Arc::ptr_eq(kept, old)));
            prop_assert!(std::ptr::eq(context.requirements(), next.requirements()));
        }
    }
}

#[test]
fn b_cancel_1_to_4_each_look_is_heeded_in_turn() {
    let context = build(&Json::object([(
        "messages",
        Json::Array(vec![Json::object([
            ("id", "u1".into()),
            ("role", "user".into()),
            ("content", "a long first message that is worth compacting".into()),
        ])]),
    )]));
    let options = options(&context).unwrap();
    let looks = Counting::turning_at(usize::MAX);
    assert!(matches!(run(&context, &options, Does::Text, &looks), Some(Ok(Compaction::Compacted { .. }))));
    // Before, once the call has returned, once the answer has settled, and before the result is shown.
    assert_eq!(looks.looks.get(), 4);
    for look in 0..4 {
        let code = run(&context, &options, Does::Text, &Counting::turning_at(look)).unwrap().unwrap_err().code();
        assert_eq!(code, Code::Cancelled, "look {look}");
    }
}

#[test]
fn b_cancel_3_a_call_that_fails_at_once_beats_the_cancellation() {
    let plan = Plan::from_seed(1, 1, &Settings::DEFAULT);
    let context = build(&plan.build().context_json());
    let options = options(&context).unwrap();
    // Look 0 is before the call; look 1 would be after it.
    let failed = |does| run(&context, &options, does, &Counting::turning_at(1)).unwrap().unwrap_err().code();
    assert_eq!(failed(Does::Throw), Code::SummarizerFailed);
    assert_eq!(failed(Does::Panic), Code::SummarizerFailed);
    assert_eq!(failed(Does::Reject), Code::Cancelled);
    assert_eq!(failed(Does::Never), Code::Cancelled);
}
