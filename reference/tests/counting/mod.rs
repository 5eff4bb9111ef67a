//! An allocator that counts what the current thread holds, and the most that it held.

#![expect(unsafe_code, reason = "an allocator cannot be written without it; it only counts and passes on")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(change: isize) {
    // A thread that is ending has no counters any more, and nothing of it is measured.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + change);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

fn signed(size: usize) -> isize {
    isize::try_from(size).unwrap_or(isize::MAX)
}

// SAFETY: every call is passed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(signed(layout.size()));
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-signed(layout.size()));
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    // The default realloc allocates, copies and frees, so that both blocks are counted while they exist.
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most that the work held at once, over what was held before.
pub(crate) fn peak_bytes_of(work: impl FnOnce()) -> usize {
    let before = HELD.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    work();
    usize::try_from(PEAK.with(Cell::get) - before).unwrap_or_default()
}
