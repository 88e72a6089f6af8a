//! How much of a request may still be read: of one that holds more, nothing comes but a no-bid, so that a body cannot ask for
//! memory and work without bound.

use core::cell::Cell;

use crate::limits::MAX_ENTRIES;

/// What is left, for the body and the texts inside of it together.
#[derive(Debug)]
pub(super) struct Left {
    entries: Cell<usize>,
    is_over: Cell<bool>,
}

impl Default for Left {
    fn default() -> Left {
        Left { entries: Cell::new(MAX_ENTRIES), is_over: Cell::new(false) }
    }
}

impl Left {
    /// Whether one more entry of a list may be kept.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "part of the loop over each list")]
    pub(super) fn takes_entry(&self) -> bool {
        match self.entries.get().checked_sub(1) {
            Some(left) => {
                self.entries.set(left);
                true
            }
            None => self.give_up(),
        }
    }

    /// Notes that something is left out; false.
    #[cold]
    #[inline(never)]
    pub(super) fn give_up(&self) -> bool {
        self.is_over.set(true);
        false
    }

    /// Whether something was left out.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }
}
