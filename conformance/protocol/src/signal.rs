//! A cancellation that counts the looks at it and can turn at any of them.

use std::cell::Cell;
use std::rc::Rc;
use tokio::sync::Notify;

/// The cancellation of one compaction. Clones are the same signal.
#[derive(Debug, Clone, Default)]
pub struct Signal(Rc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    cancelled: Cell<bool>,
    looks: Cell<u32>,
    turn_at: Cell<Option<u32>>,
    turned: Notify,
}

impl Signal {
    /// A signal that is on from the start, or turns on at the look with this number, counted from 0.
    pub fn new(cancelled: bool, turn_at_look: Option<u32>) -> Self {
        let signal = Self::default();
        signal.0.cancelled.set(cancelled);
        signal.0.turn_at.set(turn_at_look);
        signal
    }

    /// Turns the signal on.
    pub fn cancel(&self) {
        self.0.cancelled.set(true);
        self.0.turned.notify_waiters();
    }

    /// One look: whether the signal is on.
    pub fn is_cancelled(&self) -> bool {
        let look = self.0.looks.get();
        self.0.looks.set(look + 1);
        if self.0.turn_at.get() == Some(look) {
            self.cancel();
        }
        self.0.cancelled.get()
    }

    /// Ends when the signal is turned on, at once if it is on already. Waiting is no look.
    pub async fn cancelled(&self) {
        let turned = self.0.turned.notified();
        let mut turned = std::pin::pin!(turned);
        // Registered before the flag is read, so that no turn is missed in between.
        turned.as_mut().enable();
        if !self.0.cancelled.get() {
            turned.await;
        }
    }

    /// How often it was looked at.
    pub fn looks(&self) -> u32 {
        self.0.looks.get()
    }
}
