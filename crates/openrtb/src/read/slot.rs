//! Slots: the position and JSON type of each value that the pass keeps. [`super::values`] converts the values.
//!
//! - An object is a block of slots: one link to the next object of the same list, then one slot for each attribute.
//! - A list of scalars is a run of slots.
//! - An absent value is a slot of zeros.
#![allow(clippy::inline_always, reason = "small steps of the loop over each object or list")]
#![allow(clippy::cast_possible_truncation, reason = "a request has at most 2^20 bytes and half as many values")]

use core::cell::Cell;
use core::ops::Range;

/// One value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Slot {
    /// Of a scalar, the offset of its first byte. Of an object, the index of its block. Of a list, the index of its
    /// first item or block.
    start: u32,
    /// Upper 24 bits: the offset after a scalar, or the length of a list. Lower 8 bits: the first byte of the value,
    /// which gives the [`JsonType`].
    end_and_type: u32,
}

/// Instead of the first byte of a skipped object or list: see [`JsonType::Skipped`].
pub(super) const SKIPPED: u8 = b'?';
/// Instead of the first byte of a list of objects with other items, which are left out.
const INCOMPLETE: u8 = b'(';

/// Instead of the first byte, for numbers of protobuf. No value in JSON begins with these letters.
const INTEGER: u8 = b'i';
const DOUBLE: u8 = b'd';

/// The JSON type of a value, as the pass found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonType {
    /// No value.
    Absent,
    /// A string without escapes.
    String,
    /// A string with escapes.
    EscapedString,
    Number,
    True,
    False,
    Null,
    /// An object with a block.
    Object,
    /// A list with items or blocks.
    List,
    /// An object or a list that the attribute does not take: checked, and its position kept. Also numbers of protobuf.
    Skipped,
}

impl Slot {
    /// A scalar. `first` is its first byte; for a string with escapes, pass a backslash instead of the quote.
    #[inline(always)]
    pub(super) fn scalar(first: u8, start: usize, end: usize) -> Slot {
        Slot { start: start as u32, end_and_type: (end as u32) << 8 | u32::from(first) }
    }

    /// An integer of protobuf. As the encoding demands, only the lower 32 bits count.
    pub(super) fn integer(value: u64) -> Slot {
        Slot { start: value as u32, end_and_type: u32::from(INTEGER) }
    }

    /// A double of protobuf; `bits` is the index of the slot with its bits.
    pub(super) fn double(bits: usize) -> Slot {
        Slot::scalar(DOUBLE, bits, 0)
    }

    /// A slot that holds 64 bits instead of a value.
    pub(super) fn of_bits(bits: u64) -> Slot {
        Slot { start: bits as u32, end_and_type: (bits >> 32) as u32 }
    }

    /// The bits in [`Slot::of_bits`].
    pub(super) fn bits(self) -> u64 {
        u64::from(self.end_and_type) << 32 | u64::from(self.start)
    }

    /// The integer in [`Slot::integer`]; `None` for other values.
    pub(super) fn as_integer(self) -> Option<i64> {
        self.starts_with(INTEGER).then(|| i64::from(self.start.cast_signed()))
    }

    /// The index in [`Slot::double`]; `None` for other values.
    pub(super) fn as_double(self) -> Option<usize> {
        self.starts_with(DOUBLE).then_some(self.start())
    }

    /// The link of the first object of a list to the second, which also has the block of the last object.
    pub(super) fn link(second: usize, last: usize) -> Slot {
        Slot::scalar(b'{', second, last)
    }

    /// An object with this block.
    pub(super) fn object(block: usize) -> Slot {
        Slot::scalar(b'{', block, 0)
    }

    /// A list with its first item or block at `first`.
    pub(super) fn list(first: usize, items: usize) -> Slot {
        Slot::scalar(b'[', first, items)
    }

    /// Like [`Slot::list`], for a list of objects with other items, which are left out.
    pub(super) fn incomplete_list(first: usize, items: usize) -> Slot {
        Slot::scalar(INCOMPLETE, first, items)
    }

    /// Whether this is an [`Slot::incomplete_list`].
    pub(super) fn is_incomplete(self) -> bool {
        self.starts_with(INCOMPLETE)
    }

    #[inline(always)]
    pub(super) fn is_absent(self) -> bool {
        self.end_and_type == 0
    }

    /// Compares the first byte. A string with escapes starts with a backslash.
    #[inline(always)]
    pub(super) fn starts_with(self, first: u8) -> bool {
        self.end_and_type as u8 == first
    }

    /// Whether the value is a number.
    #[inline(always)]
    pub(super) fn is_number(self) -> bool {
        matches!(self.end_and_type as u8, b'-' | b'0'..=b'9')
    }

    /// Whether the value is a string, or a number in JSON.
    #[inline(always)]
    pub(super) fn is_text(self) -> bool {
        self.starts_with(b'"') || self.starts_with(b'\\') || self.is_number()
    }

    #[inline(always)]
    pub(super) fn json_type(self) -> JsonType {
        match self.end_and_type as u8 {
            0 => JsonType::Absent,
            b'"' => JsonType::String,
            b'\\' => JsonType::EscapedString,
            b'-' | b'0'..=b'9' => JsonType::Number,
            b't' => JsonType::True,
            b'f' => JsonType::False,
            b'n' => JsonType::Null,
            b'{' => JsonType::Object,
            b'[' | INCOMPLETE => JsonType::List,
            _ => JsonType::Skipped,
        }
    }

    /// Of a scalar, the offset of its first byte. Of an object or list, the index of its block or first item.
    #[inline(always)]
    pub(super) fn start(self) -> usize {
        self.start as usize
    }

    /// The offset after a scalar, or the length of a list.
    #[inline(always)]
    pub(super) fn end_or_len(self) -> usize {
        (self.end_and_type >> 8) as usize
    }

    /// The block of an object. `None` for other values.
    #[inline(always)]
    pub(super) fn block(self) -> Option<usize> {
        if self.end_and_type as u8 == b'{' { Some(self.start()) } else { None }
    }
}

/// The slots of one JSON text. They keep their memory for the next text.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// The used slots, then empty slots.
    all: Vec<Slot>,
    used: usize,
    /// Whether a value has another form than the specification says: see [`super::odd`].
    is_odd: Cell<bool>,
}

/// Length of the block at index 0, which stays empty and stands for an absent object. No kind has more slots.
const EMPTY_BLOCK: usize = 64;

impl Slots {
    /// Removes the slots of the last text.
    pub(super) fn clear(&mut self) {
        self.all.iter_mut().take(self.used).for_each(|slot| *slot = Slot::default());
        self.used = 0;
        self.is_odd.set(false);
        self.add_block(EMPTY_BLOCK);
    }

    /// Notes that a value has another form than the specification says.
    pub(super) fn note_odd(&self) {
        self.is_odd.set(true);
    }

    /// Whether a value has another form than the specification says.
    #[inline(always)]
    pub(super) fn is_odd(&self) -> bool {
        self.is_odd.get()
    }

    /// Adds a block of empty slots and returns its index.
    #[inline(always)]
    pub(super) fn add_block(&mut self, slots: usize) -> usize {
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

    /// The index of the next new slot.
    pub(super) fn len(&self) -> usize {
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

    /// Overwrites a slot: the last of duplicate keys counts.
    #[inline(always)]
    pub(super) fn set(&mut self, index: usize, slot: Slot) {
        if let Some(current) = self.all.get_mut(index) {
            *current = slot;
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> Slot {
        self.all.get(index).copied().unwrap_or_default()
    }

    /// The slots of the block at `block`.
    #[inline(always)]
    pub(super) fn attributes<const SLOTS: usize>(&self, block: usize) -> &[Slot; SLOTS] {
        const { assert!(SLOTS <= EMPTY_BLOCK) };
        self.all
            .get(block..)
            .and_then(|rest| rest.first_chunk())
            .unwrap_or(&[Slot { start: 0, end_and_type: 0 }; SLOTS])
    }

    /// The slots of a list of scalars.
    pub(super) fn items(&self, list: Slot) -> &[Slot] {
        self.all.get(list.start()..).and_then(|rest| rest.get(..list.end_or_len())).unwrap_or_default()
    }

    /// The blocks of a list of objects. A single object counts as a list of one. Empty for other values.
    pub(super) fn blocks(&self, list: Slot) -> impl Iterator<Item = usize> {
        let (first, mut blocks_left) = match list.json_type() {
            JsonType::Object => (list.start(), 1),
            JsonType::List => (list.start(), list.end_or_len()),
            _ => (0, 0),
        };
        let mut next = first;
        core::iter::from_fn(move || {
            blocks_left = blocks_left.checked_sub(1)?;
            let block = next;
            next = self.get(block).start();
            Some(block)
        })
    }

    /// The positions of the texts of an object that is read with [`Action::Whole`](super::rows::Action::Whole), the one
    /// that counts first in front. As no object is behind it in a list, its first slot is one text or a list of them.
    pub(super) fn texts(&self, block: usize) -> Range<usize> {
        let own = self.get(block);
        if own.json_type() == JsonType::List { own.start()..own.start() + own.end_or_len() } else { block..block + 1 }
    }

    /// Puts the texts of the object in block `over` in front of those of the object in block `under`.
    pub(super) fn put_in_front(&mut self, over: usize, under: usize) {
        let first = self.used;
        for index in self.texts(over).chain(self.texts(under)) {
            self.push(self.get(index));
        }
        self.set(under, Slot::list(first, self.used - first));
    }

    /// Links the object in block `last` to the object in block `next`.
    pub(super) fn link(&mut self, last: usize, next: usize) {
        self.set(last, Slot::object(next));
    }
}
