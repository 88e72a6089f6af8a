//! How much of a request may still be read: of one that holds more, nothing comes but a no-bid, so that a body cannot ask for
//! memory and work without bound.

use core::cell::Cell;

use crate::limits::MAX_VALUES;

/// What is left, for the body and the texts inside of it together.
#[derive(Debug)]
pub(super) struct Left {
    values: Cell<usize>,
    is_over: Cell<bool>,
}

impl Default for Left {
    fn default() -> Left {
        Left { values: Cell::new(MAX_VALUES), is_over: Cell::new(false) }
    }
}

impl Left {
    /// Whether so many more values may be kept: an entry of a list is one, an object as many as its kind says.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "part of the loop over each list")]
    pub(super) fn takes(&self, values: usize) -> bool {
        match self.values.get().checked_sub(values) {
            Some(left) => {
                self.values.set(left);
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
