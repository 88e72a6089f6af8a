//! A cursor moves forward through a text and loads bytes without a bounds check.
//!
//! - No load is out of bounds: [`PADDING`] zero bytes follow each text, and a cursor never moves over a zero byte. So
//!   it stops at the end of the text at the latest, and longer loads end in the padding.
//! - A cursor moves over bytes beyond ASCII only if the whole text is known to be UTF-8. So a cursor at the end of the
//!   text proves that the text is UTF-8.
//!
//! Only the code in this file ensures both rules, in whatever order other files call it.
#![allow(unsafe_code, reason = "loads without a bounds check, and bytes that are known to be UTF-8")]

use core::cell::Cell;
use core::marker::PhantomData;
use core::ptr::NonNull;

use base::limits::INPUT_ROOM;
use bumpalo::Bump;
use bumpalo::collections::Vec;

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
use super::lane_portable::Lane;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::lane_wasm::Lane;
#[cfg(target_arch = "x86_64")]
use super::lane_x86::Lane;

/// Zero bytes after a text: the size of the largest load.
pub(crate) const PADDING: usize = INPUT_ROOM;

/// The bytes of a text with [`PADDING`] after them. Nothing else can write to them.
#[derive(Debug)]
pub(in crate::read) struct Padded<'a> {
    /// The text and its padding.
    bytes: &'a [u8],
    /// Bytes without the padding.
    length: usize,
    /// Whether the text is known to be UTF-8. Checked at the first byte beyond ASCII.
    is_utf8: Cell<bool>,
}

impl<'a> Padded<'a> {
    /// Copies `bytes` into the arena.
    pub(in crate::read) fn copied(bytes: &[u8], arena: &'a Bump) -> Padded<'a> {
        let mut copy = Vec::with_capacity_in(bytes.len() + PADDING, arena);
        copy.extend_from_slice_copy(bytes);
        copy.extend_from_slice_copy(&[0; PADDING]);
        Padded { bytes: copy.into_bump_slice(), length: bytes.len(), is_utf8: Cell::new(false) }
    }

    /// Uses the first `length` bytes of a buffer in place, or fewer to leave room for the padding. The padding
    /// overwrites the bytes after them.
    pub(in crate::read) fn within(buffer: &'a mut [u8], length: usize) -> Padded<'a> {
        let length = length.min(buffer.len().saturating_sub(PADDING));
        match buffer.get_mut(length..length + PADDING) {
            Some(padding) => padding.fill(0),
            None => return Padded { bytes: &[0; PADDING], length: 0, is_utf8: Cell::new(false) },
        }
        Padded { bytes: buffer, length, is_utf8: Cell::new(false) }
    }

    /// The text without the padding.
    pub(in crate::read) fn bytes(&self) -> &'a [u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// The first byte of the text, which the padding follows.
    pub(in crate::read) fn pointer(&self) -> NonNull<u8> {
        NonNull::from(self.bytes).cast()
    }

    /// A cursor at the start.
    #[inline(always)]
    pub(super) fn start(&self) -> Cursor<'a> {
        Cursor { pointer: self.pointer(), text: PhantomData }
    }

    /// Whether the whole text is UTF-8. A positive answer is kept.
    #[inline(never)]
    pub(super) fn is_utf8(&self) -> bool {
        if !self.is_utf8.get() {
            self.is_utf8.set(simdutf8::basic::from_utf8(self.bytes()).is_ok());
        }
        self.is_utf8.get()
    }

    /// The text as a string, if `end` is at the text's end.
    pub(super) fn checked_text(&self, end: Cursor<'a>) -> Option<Text<'a>> {
        if self.offset(end) != self.length {
            return None;
        }
        // SAFETY: `end` moved over the whole text, so it is ASCII or known to be UTF-8.
        let text = unsafe { core::str::from_utf8_unchecked(self.bytes()) };
        Some(Text { text, is_ascii: !self.is_utf8.get() })
    }

    /// The offset of `at` from the start.
    #[inline(always)]
    pub(super) fn offset(&self, at: Cursor<'a>) -> usize {
        at.pointer.addr().get().wrapping_sub(self.start().pointer.addr().get())
    }
}

/// A checked text.
#[derive(Debug, Clone, Copy)]
pub(in crate::read) struct Text<'a> {
    text: &'a str,
    /// If true, every offset is a character boundary.
    is_ascii: bool,
}

impl<'a> Text<'a> {
    /// The bytes as a text, if they are UTF-8.
    pub(in crate::read) fn of_utf8(bytes: &'a [u8]) -> Option<Text<'a>> {
        let all = bytes.iter().fold(0, |all, byte| all | byte);
        let text = if all < 0x80 {
            // SAFETY: no byte is beyond ASCII.
            unsafe { core::str::from_utf8_unchecked(bytes) }
        } else {
            simdutf8::basic::from_utf8(bytes).ok()?
        };
        Some(Text { text, is_ascii: all < 0x80 })
    }

    /// The whole text.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(in crate::read) fn all(self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// The bytes between two offsets; empty if they are out of range.
    #[inline(always)]
    pub(in crate::read) fn bytes(self, from: usize, to: usize) -> &'a [u8] {
        self.text.as_bytes().get(from..to).unwrap_or_default()
    }

    /// The string between two offsets; empty if they are out of range or inside a character.
    #[inline(always)]
    pub(in crate::read) fn slice(self, from: usize, to: usize) -> &'a str {
        if self.is_ascii && from <= to && to <= self.text.len() {
            // SAFETY: the range is within the text, and each byte is a character.
            return unsafe { self.text.get_unchecked(from..to) };
        }
        self.text.get(from..to).unwrap_or_default()
    }
}

/// A position in a [`Padded`] text, at its end at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    pointer: NonNull<u8>,
    text: PhantomData<&'a [u8]>,
}

/// A short name without escapes, in the form for a lookup.
#[derive(Debug, Clone, Copy)]
pub(in crate::read) struct Key {
    /// The name, filled up with zeros.
    name: Lane,
    length: usize,
}

/// Longest name of a [`Key`], so that its closing quote is in the same lane.
pub(super) const MAX_KEY_BYTES: usize = 15;

/// For each length of a name, the mask that clears the other bytes of a lane.
static NAME_MASKS: [[u8; 16]; 16] = {
    let mut masks = [[0; 16]; 16];
    let mut length = 0;
    #[allow(clippy::indexing_slicing, reason = "at compile time")]
    while length < 16 {
        masks[length] = (u128::MAX >> (8 * (15 - length)) >> 8).to_le_bytes();
        length += 1;
    }
    masks
};

impl<'a> Cursor<'a> {
    /// The byte at the cursor; 0 at the end.
    #[inline(always)]
    pub(super) fn byte(self) -> u8 {
        // SAFETY: the cursor is at the text's end at most, and the padding follows.
        unsafe { self.pointer.read() }
    }

    /// Whether the next two bytes are `pair`.
    #[inline(always)]
    pub(super) fn is_at(self, pair: [u8; 2]) -> bool {
        // SAFETY: as in `byte`; a byte array needs no alignment.
        unsafe { self.pointer.cast::<[u8; 2]>().read() == pair }
    }

    #[inline(always)]
    fn lane(self) -> Lane {
        // SAFETY: as in `byte`; the padding is as long as a lane.
        Lane::load(unsafe { self.pointer.cast::<[u8; 16]>().as_ref() })
    }

    /// Moves forward by `count` bytes.
    ///
    /// # Safety
    /// None of the next `count` bytes is 0. They are ASCII, or the text is UTF-8.
    #[inline(always)]
    unsafe fn advance(self, count: usize) -> Cursor<'a> {
        // SAFETY: a 0 follows the text, and it is not among the bytes.
        Cursor { pointer: unsafe { self.pointer.add(count) }, ..self }
    }

    /// Moves over one byte if it is ASCII and not 0. Otherwise it stays.
    #[inline(always)]
    pub(super) fn next(self) -> Cursor<'a> {
        let count = usize::from(self.byte().cast_signed() > 0);
        // SAFETY: the line above checked the byte.
        unsafe { self.advance(count) }
    }

    /// Moves over `pair`. `None` if other bytes follow.
    #[inline(always)]
    pub(super) fn after(self, pair: [u8; 2]) -> Option<Cursor<'a>> {
        debug_assert!(pair.iter().all(|byte| (1..0x80).contains(byte)));
        // SAFETY: the bytes are `pair`, without 0 and ASCII only.
        if self.is_at(pair) { Some(unsafe { self.advance(2) }) } else { None }
    }

    /// Moves over `three`. `None` if other bytes follow.
    #[inline(always)]
    pub(super) fn after_three(self, three: [u8; 3]) -> Option<Cursor<'a>> {
        debug_assert!(three.iter().all(|byte| (1..0x80).contains(byte)));
        let [a, b, c] = three;
        // SAFETY: as in `byte`; a byte array needs no alignment.
        let four = u32::from_le_bytes(unsafe { self.pointer.cast::<[u8; 4]>().read() });
        // SAFETY: the bytes are `three`, without 0 and ASCII only.
        if four & 0xFF_FFFF == u32::from_le_bytes([a, b, c, 0]) { Some(unsafe { self.advance(3) }) } else { None }
    }

    /// Moves to the first special byte of the next 16 bytes, or over all 16 if none is special.
    #[inline(always)]
    pub(super) fn special_in_lane(self) -> Cursor<'a> {
        let specials = self.lane().specials();
        // SAFETY: no special byte is among them, and they are at most 16.
        unsafe { self.advance((specials | 1 << 16).trailing_zeros() as usize) }
    }

    /// Reads a name and the colon directly after its quote. `None` if the name has more than [`MAX_KEY_BYTES`], an
    /// escape or a byte beyond ASCII, or if no colon follows.
    #[inline(always)]
    pub(super) fn key(self) -> Option<(Key, Cursor<'a>)> {
        let lane = self.lane();
        let specials = lane.specials();
        if specials == 0 {
            return None;
        }
        let length = specials.trailing_zeros() as usize;
        // SAFETY: no special byte is among them.
        let value = unsafe { self.advance(length) }.after(*b"\":")?;
        Some((Key::masked(lane, length), value))
    }

    /// Moves to the next special byte: a quote, a backslash, a control character or the text's end. A byte beyond ASCII
    /// is special, too, unless `text` is known to be UTF-8.
    #[inline(always)]
    pub(super) fn next_special(self, text: &Padded<'a>) -> Cursor<'a> {
        // SAFETY: zeros and bytes beyond ASCII are special.
        let at = unsafe { self.advance_to(Lane::specials) };
        // A cursor of another text has a larger offset.
        if at.byte() < 0x80 || !text.is_utf8.get() || text.offset(self) > text.length {
            return at;
        }
        // SAFETY: zeros are special, and the text is UTF-8.
        unsafe { at.advance_to(|lane| lane.specials() & !lane.not_ascii()) }
    }

    /// Moves over digits, byte by byte: lanes would be slower because most numbers are short.
    #[inline(always)]
    pub(super) fn digits_end(self) -> Cursor<'a> {
        let mut at = self;
        while u32::from(at.byte()).wrapping_sub(u32::from(b'0')) < 10 {
            // SAFETY: the byte is a digit.
            at = unsafe { at.advance(1) };
        }
        at
    }

    /// Moves to the next byte whose bit is set.
    ///
    /// # Safety
    /// `bits` sets the bits of zero bytes and, unless the text is UTF-8, of bytes beyond ASCII.
    #[inline(always)]
    unsafe fn advance_to(self, bits: impl Fn(Lane) -> u32) -> Cursor<'a> {
        let mut at = self;
        loop {
            let found = bits(at.lane());
            if found != 0 {
                // SAFETY: no byte before it has a bit set.
                return unsafe { at.advance(found.trailing_zeros() as usize) };
            }
            // SAFETY: none of the 16 bytes has a bit set.
            at = unsafe { at.advance(16) };
        }
    }

    /// Moves over whitespace.
    #[inline(always)]
    pub(super) fn skip_whitespace(self) -> Cursor<'a> {
        if self.byte() > b' ' { self } else { self.skip_all_whitespace() }
    }

    #[inline(never)]
    fn skip_all_whitespace(self) -> Cursor<'a> {
        let mut at = self;
        while matches!(at.byte(), b' ' | b'\t' | b'\n' | b'\r') {
            at = at.next();
        }
        at
    }
}

impl Key {
    #[inline(always)]
    fn masked(lane: Lane, length: usize) -> Key {
        #[allow(clippy::indexing_slicing, reason = "the index is at most 15")]
        let mask = &NAME_MASKS[length & 15];
        Key { name: lane.and(mask), length }
    }

    /// The key of a decoded name. `None` if the name is too long or contains a zero byte, which pads short names.
    pub(in crate::read) fn of(name: &[u8]) -> Option<Key> {
        let mut bytes = [0; 16];
        bytes.get_mut(..name.len())?.copy_from_slice(name);
        if name.len() > MAX_KEY_BYTES || name.contains(&0) {
            return None;
        }
        Some(Key::masked(Lane::load(&bytes), name.len()))
    }

    /// The input of the hash: the first eight bytes and the length of the name.
    #[inline(always)]
    pub(in crate::read) fn head_and_length(self) -> (u64, usize) {
        (self.name.head(), self.length)
    }

    /// Whether the key equals a name that is filled up with zeros.
    #[inline(always)]
    pub(in crate::read) fn equals(self, name: &[u8; 16]) -> bool {
        self.name.equals(name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lane_portable;
    use super::*;

    /// Every byte value in every position of a lane.
    #[test]
    fn lane_equals_the_portable_lane() {
        for first in 0..=u8::MAX {
            let bytes: [u8; 16] = core::array::from_fn(|index| first.wrapping_add(u8::try_from(index * 17).unwrap()));
            let mut other = bytes;
            other.rotate_left(usize::from(first % 16));
            let (lane, portable) = (Lane::load(&bytes), lane_portable::Lane::load(&bytes));
            assert_eq!(lane.specials(), portable.specials());
            assert_eq!(lane.not_ascii(), portable.not_ascii());
            assert_eq!(lane.head(), portable.head());
            assert_eq!(lane.and(&other).head(), portable.and(&other).head());
            assert_eq!(lane.equals(&other), portable.equals(&other));
            assert!(lane.equals(&bytes) && portable.equals(&bytes));
        }
    }

    #[test]
    fn only_special_bytes_are_special() {
        for byte in 0..=u8::MAX {
            for index in 0..16 {
                let mut bytes = [b'a'; 16];
                bytes[index] = byte;
                let special = matches!(byte, b'"' | b'\\' | 0..b' ' | 0x80..);
                assert_eq!(Lane::load(&bytes).specials(), u32::from(special) << index, "{byte}");
            }
        }
    }

    #[test]
    fn a_key_equals_only_its_own_name() {
        let arena = Bump::new();
        let key = |text: &str| Padded::copied(text.as_bytes(), &arena).start().key().map(|(key, _)| key);
        let equals = |text: &str, name: &[u8]| {
            let mut bytes = [0; 16];
            bytes[..name.len()].copy_from_slice(name);
            key(text).is_some_and(|key| key.equals(&bytes))
        };
        assert!(equals("id\":1", b"id") && equals("private_auction\":", b"private_auction") && equals("\":", b""));
        for text in ["i\":1", "idx\":1", "ID\":1", "id\" :1", "id\"", "id", "i\\u0064\":", "id\0\":", "\":"] {
            assert!(!equals(text, b"id"), "{text}");
        }
        assert!(key("sixteen_letters_\":").is_none() && key("é\":").is_none());
        assert!(Key::of(b"id").is_some_and(|key| key.equals(b"id\0\0\0\0\0\0\0\0\0\0\0\0\0\0")));
        assert!(Key::of(b"id\0").is_none() && Key::of(b"sixteen_letters_").is_none());
        assert!(Key::of(b"more_than_sixteen_letters").is_none());
    }

    #[test]
    fn cursors_stop_at_the_end_and_at_unchecked_utf8() {
        let arena = Bump::new();
        let text = Padded::copied("é123456789012345678901234567890".as_bytes(), &arena);
        assert_eq!(text.offset(text.start().next()), 0);
        assert_eq!(text.offset(text.start().next_special(&text)), 0);
        assert!(text.is_utf8());
        let end = text.start().next_special(&text);
        assert_eq!((text.offset(end), text.offset(end.next())), (32, 32));
        assert_eq!(text.checked_text(end).map(|text| text.slice(1, 4)), Some(""));
        assert_eq!(text.checked_text(end).map(|text| text.slice(2, 4)), Some("12"));
        assert!(text.checked_text(text.start()).is_none());
        assert!(!Padded::copied(b"\xFF", &arena).is_utf8());
        let digits = Padded::copied(b"12345678901234567890", &arena);
        assert_eq!(digits.offset(digits.start().digits_end()), 20);
    }
}
