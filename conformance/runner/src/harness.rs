//! Panics of the harness itself, kept apart from whatever an adapter does. The default hook has printed
//! where it happened by the time it arrives here.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// Runs a judgement or the like.
///
/// # Errors
/// The words of its panic.
pub fn guard<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| words(&*payload))
}

/// Runs a future. What it borrowed may be in any state after a panic.
///
/// # Errors
/// The words of its panic.
pub async fn guard_future<T>(work: impl Future<Output = T>) -> Result<T, String> {
    let mut work = pin!(work);
    poll_fn(|task| match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(task))) {
        Ok(poll) => poll.map(Ok),
        Err(payload) => Poll::Ready(Err(words(&*payload))),
    })
    .await
}

fn words(payload: &(dyn Any + Send)) -> String {
    let words = payload.downcast_ref::<&str>().copied();
    words.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no words").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_an_error_with_its_words_now_or_later() {
        assert_eq!(guard(|| -> u8 { panic!("one") }), Err("one".to_owned()));
        let later = async {
            tokio::task::yield_now().await;
            panic!("two {}", 2)
        };
        assert_eq!(guard_future(later).await, Err::<u8, _>("two 2".to_owned()));
        assert_eq!(guard_future(async { 3 }).await, Ok(3));
    }
}
