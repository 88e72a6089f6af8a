//! A counting allocator for the whole module.
//!
//! Each allocation adds to two numbers. This costs all compared programs the same time.
#![allow(unsafe_code, reason = "an allocator is unsafe by definition")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

/// Allocations and reallocations since the start.
pub fn count() -> u64 {
    ALLOCATIONS.load(Ordering::Relaxed)
}

/// Bytes of all allocations; a reallocation counts with its new size.
pub fn bytes() -> u64 {
    BYTES.load(Ordering::Relaxed)
}

fn add(bytes: usize) {
    // There is one thread, so a load and a store suffice. They cost less than an atomic addition.
    ALLOCATIONS.store(ALLOCATIONS.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    BYTES.store(BYTES.load(Ordering::Relaxed) + bytes as u64, Ordering::Relaxed);
}

// SAFETY: every call goes to `System` unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}
