//! A counting allocator for the whole program.
//!
//! Each allocation adds to a number. This costs all compared programs the same time.
#![allow(unsafe_code, reason = "an allocator is unsafe by definition")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU32, Ordering};

use wasm_bindgen::prelude::wasm_bindgen;

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
static ALLOCATIONS: AtomicU32 = AtomicU32::new(0);

/// Allocations and reallocations since the start, modulo 2^32.
#[wasm_bindgen]
#[must_use]
pub fn bench_allocations() -> u32 {
    ALLOCATIONS.load(Ordering::Relaxed)
}

fn count() {
    // There is one thread, so a load and a store suffice. They cost less than an atomic addition.
    ALLOCATIONS.store(ALLOCATIONS.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

// SAFETY: every call goes to `System` unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}
