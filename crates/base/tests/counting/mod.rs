//! An allocator that counts allocations per thread, because the main thread of the test program may allocate during a
//! test.

#![expect(unsafe_code, reason = "counting allocations takes a global allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// How many allocations and reallocations `run` makes on this thread.
pub(crate) fn allocations_of(run: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    run();
    ALLOCATIONS.get() - before
}

/// The bytes of the largest allocation that `run` makes on this thread.
pub(crate) fn largest_allocation_of(run: impl FnOnce()) -> usize {
    LARGEST.set(0);
    run();
    LARGEST.get()
}

thread_local! {
    /// Needs no allocation and no destructor, so the allocator can use it at any time.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes to the system allocator. The default implementations of `realloc` and `alloc_zeroed` call
// `alloc`.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        LARGEST.set(LARGEST.get().max(layout.size()));
        // SAFETY: the caller guarantees what the system allocator requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller guarantees what the system allocator requires.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
