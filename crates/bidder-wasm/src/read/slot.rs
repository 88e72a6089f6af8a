//! What the pass leaves of each value that is asked for: where it stands in the text, not what it means.
//!
//! An object is a block of slots, one for each attribute of its kind and one in front that leads to the next object of the same
//! list. A list of scalars is a run of slots. What was not there is a slot of zeros.
#![allow(clippy::inline_always, reason = "small steps of the loop over each object or list")]
#![allow(clippy::cast_possible_truncation, reason = "a request has at most 2^20 bytes, and half as many values")]

/// One value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Slot {
    /// Offset of a scalar's first byte; place of an object's block, of a list's first item.
    place: u32,
    /// In the upper 24 bits the offset behind a scalar, or how many items a list has; in the lower eight a byte for its
    /// [`Sort`].
    rest: u32,
}

/// What a value is, as far as its first byte tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Not there.
    Absent,
    /// A string without escapes.
    Plain,
    /// A string with escapes.
    Escaped,
    Number,
    True,
    False,
    Null,
    /// An object whose attributes have been read.
    Object,
    /// A list that has been read.
    List,
    /// An object or a list where none is due: checked, not read.
    Opaque,
}

impl Slot {
    /// A list or object where none is due.
    pub(super) const OPAQUE: Slot = Slot { place: 0, rest: b'?' as u32 };

    /// A scalar that starts with `first`; a string with escapes has a backslash for that.
    #[inline(always)]
    pub(super) fn scalar(first: u8, start: usize, end: usize) -> Slot {
        Slot { place: start as u32, rest: (end as u32) << 8 | u32::from(first) }
    }

    /// An object whose attributes are in that block.
    pub(super) fn object(block: usize) -> Slot {
        Slot::scalar(b'{', block, 0)
    }

    /// A list: of scalars in a run, or of objects, each of which leads to the next.
    pub(super) fn list(first: usize, items: usize) -> Slot {
        Slot::scalar(b'[', first, items)
    }

    #[inline(always)]
    pub(super) fn is_absent(self) -> bool {
        self.rest == 0
    }

    /// Whether that is its first byte; a backslash is that of a string with escapes.
    #[inline(always)]
    pub(super) fn is(self, first: u8) -> bool {
        self.rest as u8 == first
    }

    /// Whether it is a number.
    #[inline(always)]
    pub(super) fn is_number(self) -> bool {
        matches!(self.rest as u8, b'-' | b'0'..=b'9')
    }

    /// Whether it is a string or a number.
    #[inline(always)]
    pub(super) fn is_text(self) -> bool {
        self.is(b'"') || self.is(b'\\') || self.is_number()
    }

    #[inline(always)]
    pub(super) fn sort(self) -> Sort {
        match self.rest as u8 {
            0 => Sort::Absent,
            b'"' => Sort::Plain,
            b'\\' => Sort::Escaped,
            b'-' | b'0'..=b'9' => Sort::Number,
            b't' => Sort::True,
            b'f' => Sort::False,
            b'n' => Sort::Null,
            b'{' => Sort::Object,
            b'[' => Sort::List,
            _ => Sort::Opaque,
        }
    }

    /// See [`Slot::place`].
    #[inline(always)]
    pub(super) fn place(self) -> usize {
        self.place as usize
    }

    /// The offset behind a scalar; how many items a list has.
    #[inline(always)]
    pub(super) fn end(self) -> usize {
        (self.rest >> 8) as usize
    }

    /// Where the attributes are, of an object.
    #[inline(always)]
    pub(super) fn block(self) -> Option<usize> {
        if self.rest as u8 == b'{' { Some(self.place()) } else { None }
    }
}

/// The slots of one text. Kept between texts: they allocate only for a text that holds more than any before it.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// Those that are in use, and empty ones behind them.
    all: Vec<Slot>,
    used: usize,
}

/// More than any object has: the first of all slots stay empty and are the block of an object that is not there.
const EMPTY_BLOCK: usize = 64;

impl Slots {
    /// Forgets what was there.
    pub(super) fn clear(&mut self) {
        self.all.iter_mut().take(self.used).for_each(|slot| *slot = Slot::default());
        self.used = 0;
        self.block(EMPTY_BLOCK);
    }

    /// A block of that many empty slots.
    #[inline(always)]
    pub(super) fn block(&mut self, slots: usize) -> usize {
        let block = self.used;
        self.used += slots;
        if self.used > self.all.len() {
            self.grow();
        }
        block
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.all.resize(2 * self.used + 1, Slot::default());
    }

    /// Where the next slot that is pushed will be.
    pub(super) fn end(&self) -> usize {
        self.used
    }

    #[inline(always)]
    pub(super) fn push(&mut self, slot: Slot) {
        if self.used == self.all.len() {
            self.grow();
        }
        self.set(self.used, slot);
        self.used += 1;
    }

    /// Overwrites one: of duplicate names the last one counts.
    #[inline(always)]
    pub(super) fn set(&mut self, place: usize, slot: Slot) {
        if let Some(kept) = self.all.get_mut(place) {
            *kept = slot;
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, place: usize) -> Slot {
        self.all.get(place).copied().unwrap_or_default()
    }

    /// The block there.
    #[inline(always)]
    pub(super) fn attributes<const SLOTS: usize>(&self, block: usize) -> &[Slot; SLOTS] {
        const { assert!(SLOTS <= EMPTY_BLOCK) };
        self.all.get(block..).and_then(|rest| rest.first_chunk()).unwrap_or(&[Slot { place: 0, rest: 0 }; SLOTS])
    }

    /// The slots of a run.
    pub(super) fn run(&self, list: Slot) -> &[Slot] {
        self.all.get(list.place()..).and_then(|rest| rest.get(..list.end())).unwrap_or_default()
    }

    /// The blocks of a list of objects; of an object by itself, its own; none of anything else.
    pub(super) fn blocks(&self, list: Slot) -> impl Iterator<Item = usize> {
        let (first, mut left) = match list.sort() {
            Sort::Object => (list.place(), 1),
            Sort::List => (list.place(), list.end()),
            _ => (0, 0),
        };
        let mut next = first;
        core::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let block = next;
            next = self.get(block).place();
            Some(block)
        })
    }

    /// Has the object in block `last` lead to the one in block `next`.
    pub(super) fn link(&mut self, last: usize, next: usize) {
        self.set(last, Slot::object(next));
    }
}
