//! How a compaction is told to stop (`B-CANCEL-1` to `B-CANCEL-5`). The trait exists so that every look
//! at the signal can be counted, and the signal turned at any of them.

use std::future::Future;
use std::pin::Pin;
use tokio_util::sync::CancellationToken;

/// A signal that is off until it is turned on, once and for good.
pub trait Cancellation {
    /// One look: whether the signal is on.
    fn is_cancelled(&self) -> bool;

    /// Ends when the signal is turned on, at once if it is on already.
    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + '_>>;
}

impl Cancellation for CancellationToken {
    fn is_cancelled(&self) -> bool {
        CancellationToken::is_cancelled(self)
    }

    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        Box::pin(CancellationToken::cancelled(self))
    }
}
