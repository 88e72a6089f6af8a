//! Counts the values of one request, so that a body cannot demand unbounded memory and work.
//!
//! A request above the limit gets a no-bid; the caller decides that.

use core::cell::Cell;

use base::limits::MAX_VALUES;

/// How many values the body and the JSON texts inside it may still hold.
#[derive(Debug)]
pub(super) struct SizeLimit {
    values_left: Cell<usize>,
    is_exceeded: Cell<bool>,
}

impl Default for SizeLimit {
    fn default() -> SizeLimit {
        SizeLimit { values_left: Cell::new(MAX_VALUES), is_exceeded: Cell::new(false) }
    }
}

impl SizeLimit {
    /// Takes that many values from the limit. If there are too few left, takes none and returns false.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "part of the loop over each list")]
    pub(super) fn try_take(&self, values: usize) -> bool {
        match self.values_left.get().checked_sub(values) {
            Some(rest) => {
                self.values_left.set(rest);
                true
            }
            None => self.exceed(),
        }
    }

    /// Whether that many values are left.
    pub(super) fn has_left(&self, values: usize) -> bool {
        self.values_left.get() >= values
    }

    /// Notes that the reader left something out. Returns false.
    #[cold]
    #[inline(never)]
    pub(super) fn exceed(&self) -> bool {
        self.is_exceeded.set(true);
        false
    }

    /// Whether the reader left something out.
    pub(super) fn is_exceeded(&self) -> bool {
        self.is_exceeded.get()
    }
}
