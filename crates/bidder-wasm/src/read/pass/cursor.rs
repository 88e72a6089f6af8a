//! A place in a text that can move forward only, and the loads at that place: no load needs a check of where the text ends.
//!
//! A text has [`PADDING`] bytes of 0 behind it, and a cursor moves only over bytes that are not 0. So it never gets behind the
//! text's end, and what is loaded there lies in the padding. A cursor moves only over ASCII, too, but for texts that are
//! known to be UTF-8: one that has come to the end of its text has shown that all of it is.
//!
//! Both hold because of what is in this file, whatever is called in whatever order.
#![allow(unsafe_code, reason = "loads without a check of bounds, and bytes that are known to be text")]

use core::cell::Cell;
use core::marker::PhantomData;
use core::ptr::NonNull;

use bumpalo::Bump;
use bumpalo::collections::Vec;

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
use super::lane_portable::Lane;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::lane_wasm::Lane;
#[cfg(target_arch = "x86_64")]
use super::lane_x86::Lane;

/// Bytes behind a text: the most that is loaded at once.
pub(crate) const PADDING: usize = 16;

/// Bytes with [`PADDING`] behind them. Nobody else has them, but for reading.
#[derive(Debug)]
pub(in crate::read) struct Padded<'a> {
    /// With the padding, which is 0.
    bytes: &'a [u8],
    /// Without the padding.
    length: usize,
    /// Whether they are known to be UTF-8; asked once a byte beyond ASCII is met.
    is_utf8: Cell<bool>,
}

impl<'a> Padded<'a> {
    /// A copy of `bytes`.
    pub(in crate::read) fn copied(bytes: &[u8], arena: &'a Bump) -> Padded<'a> {
        let mut copy = Vec::with_capacity_in(bytes.len() + PADDING, arena);
        copy.extend_from_slice_copy(bytes);
        copy.extend_from_slice_copy(&[0; PADDING]);
        Padded { bytes: copy.into_bump_slice(), length: bytes.len(), is_utf8: Cell::new(false) }
    }

    /// The first `length` bytes of a buffer, or what it has more than padding. The bytes behind are overwritten.
    pub(in crate::read) fn within(buffer: &'a mut [u8], length: usize) -> Padded<'a> {
        let length = length.min(buffer.len().saturating_sub(PADDING));
        match buffer.get_mut(length..length + PADDING) {
            Some(padding) => padding.fill(0),
            None => return Padded { bytes: &[0; PADDING], length: 0, is_utf8: Cell::new(false) },
        }
        Padded { bytes: buffer, length, is_utf8: Cell::new(false) }
    }

    /// Without the padding.
    pub(in crate::read) fn bytes(&self) -> &'a [u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// Where it starts.
    #[inline(always)]
    pub(super) fn start(&self) -> Cursor<'a> {
        Cursor { place: NonNull::from(self.bytes).cast(), text: PhantomData }
    }

    /// Whether all of it is UTF-8, which is looked for when this is called first.
    #[inline(never)]
    pub(super) fn is_utf8(&self) -> bool {
        if !self.is_utf8.get() {
            self.is_utf8.set(simdutf8::basic::from_utf8(self.bytes()).is_ok());
        }
        self.is_utf8.get()
    }

    /// The text that it is, if `end` has come to its end.
    pub(super) fn passed_over(&self, end: Cursor<'a>) -> Option<Text<'a>> {
        if self.offset(end) != self.length {
            return None;
        }
        // SAFETY: `end` has moved over all of it, so it is ASCII or was found to be UTF-8.
        let text = unsafe { core::str::from_utf8_unchecked(self.bytes()) };
        Some(Text { text, is_ascii: !self.is_utf8.get() })
    }

    /// How far `at` is from the start.
    #[inline(always)]
    pub(super) fn offset(&self, at: Cursor<'a>) -> usize {
        at.place.addr().get().wrapping_sub(self.start().place.addr().get())
    }
}

/// A text that a cursor has passed over.
#[derive(Debug, Clone, Copy)]
pub(in crate::read) struct Text<'a> {
    text: &'a str,
    /// Then it may be cut anywhere.
    is_ascii: bool,
}

impl<'a> Text<'a> {
    /// The bytes between these offsets.
    #[inline(always)]
    pub(in crate::read) fn bytes(self, from: usize, to: usize) -> &'a [u8] {
        self.text.as_bytes().get(from..to).unwrap_or_default()
    }

    /// What stands between these offsets.
    #[inline(always)]
    pub(in crate::read) fn slice(self, from: usize, to: usize) -> &'a str {
        if self.is_ascii && from <= to && to <= self.text.len() {
            // SAFETY: within the text, and each byte of it is a character.
            return unsafe { self.text.get_unchecked(from..to) };
        }
        self.text.get(from..to).unwrap_or_default()
    }
}

/// A place in a [`Padded`] text, at most at its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    place: NonNull<u8>,
    text: PhantomData<&'a [u8]>,
}

/// A name as it is looked up: a few bytes without an escape.
#[derive(Debug, Clone, Copy)]
pub(in crate::read) struct Key {
    /// Zeros behind it.
    name: Lane,
    length: usize,
}

/// The longest name that a [`Key`] can be: the quote behind it is in the same lane.
pub(super) const MAX_KEY_BYTES: usize = 15;

/// What is kept of a lane for each length of a name.
static KEPT: [[u8; 16]; 16] = {
    let mut kept = [[0; 16]; 16];
    let mut length = 0;
    #[allow(clippy::indexing_slicing, reason = "while compiling")]
    while length < 16 {
        kept[length] = (u128::MAX >> (8 * (15 - length)) >> 8).to_le_bytes();
        length += 1;
    }
    kept
};

impl<'a> Cursor<'a> {
    /// The byte there; 0 at the end.
    #[inline(always)]
    pub(super) fn byte(self) -> u8 {
        // SAFETY: at most at the text's end, with padding behind it.
        unsafe { self.place.read() }
    }

    /// Whether those two stand there.
    #[inline(always)]
    pub(super) fn is_at(self, pair: [u8; 2]) -> bool {
        // SAFETY: as in `byte`; references to bytes need no alignment.
        unsafe { self.place.cast::<[u8; 2]>().read() == pair }
    }

    #[inline(always)]
    fn lane(self) -> Lane {
        // SAFETY: as in `byte`: the padding is as long as a lane.
        Lane::load(unsafe { self.place.cast::<[u8; 16]>().as_ref() })
    }

    /// # Safety
    /// None of the next `count` bytes is 0; they are ASCII or the text is UTF-8.
    #[inline(always)]
    unsafe fn ahead(self, count: usize) -> Cursor<'a> {
        // SAFETY: the text ends with a 0, which is not among them.
        Cursor { place: unsafe { self.place.add(count) }, ..self }
    }

    /// Behind the byte there, if that is ASCII and not 0; else here.
    #[inline(always)]
    pub(super) fn next(self) -> Cursor<'a> {
        let count = usize::from(self.byte().cast_signed() > 0);
        // SAFETY: just looked.
        unsafe { self.ahead(count) }
    }

    /// Behind those two, if they stand there.
    #[inline(always)]
    pub(super) fn behind(self, pair: [u8; 2]) -> Option<Cursor<'a>> {
        debug_assert!(pair.iter().all(|byte| (1..0x80).contains(byte)));
        // SAFETY: just looked; neither is 0 or beyond ASCII.
        if self.is_at(pair) { Some(unsafe { self.ahead(2) }) } else { None }
    }

    /// Behind those three, if they stand there.
    #[inline(always)]
    pub(super) fn behind_three(self, three: [u8; 3]) -> Option<Cursor<'a>> {
        debug_assert!(three.iter().all(|byte| (1..0x80).contains(byte)));
        let [a, b, c] = three;
        // SAFETY: as in `byte`; nothing but a load needs alignment, which this does not.
        let four = u32::from_le_bytes(unsafe { self.place.cast::<[u8; 4]>().read() });
        // SAFETY: just looked; none is 0 or beyond ASCII.
        if four & 0xFF_FFFF == u32::from_le_bytes([a, b, c, 0]) { Some(unsafe { self.ahead(3) }) } else { None }
    }

    /// The next byte that is special in a string, or the place 16 bytes ahead where there is none before that.
    #[inline(always)]
    pub(super) fn near_special(self) -> Cursor<'a> {
        let specials = self.lane().specials();
        // SAFETY: no special is among them; at most 16 bytes.
        unsafe { self.ahead((specials | 1 << 16).trailing_zeros() as usize) }
    }

    /// The name that starts here, and the place behind the colon after it. `None` unless it has at most [`MAX_KEY_BYTES`], no
    /// escape and nothing beyond ASCII, and the colon comes right behind its quote.
    #[inline(always)]
    pub(super) fn key(self) -> Option<(Key, Cursor<'a>)> {
        let lane = self.lane();
        let specials = lane.specials();
        if specials == 0 {
            return None;
        }
        let length = specials.trailing_zeros() as usize;
        // SAFETY: no special is among them.
        let value = unsafe { self.ahead(length) }.behind(*b"\":")?;
        Some((Key::within(lane, length), value))
    }

    /// The next byte that is special in a string: a quote, a backslash, a control character, the text's end, or, unless `text`
    /// is known to be UTF-8, a byte beyond ASCII.
    #[inline(always)]
    pub(super) fn special(self, text: &Padded<'a>) -> Cursor<'a> {
        // SAFETY: zeros and what is beyond ASCII are special.
        let at = unsafe { self.ahead_to(Lane::specials) };
        // No cursor of another text has an offset like that.
        if at.byte() < 0x80 || !text.is_utf8.get() || text.offset(self) > text.length {
            return at;
        }
        // SAFETY: the text is UTF-8, and zeros are special.
        unsafe { at.ahead_to(|lane| lane.specials() & !lane.not_ascii()) }
    }

    /// Behind the digits that start here. Most numbers have few: a lane at a time would be slower.
    #[inline(always)]
    pub(super) fn digits_end(self) -> Cursor<'a> {
        let mut at = self;
        while u32::from(at.byte()).wrapping_sub(u32::from(b'0')) < 10 {
            // SAFETY: a digit.
            at = unsafe { at.ahead(1) };
        }
        at
    }

    /// The next byte whose bit is set.
    ///
    /// # Safety
    /// Zeros have theirs set, and what is beyond ASCII, but for a text that is UTF-8.
    #[inline(always)]
    unsafe fn ahead_to(self, bits: impl Fn(Lane) -> u32) -> Cursor<'a> {
        let mut at = self;
        loop {
            let found = bits(at.lane());
            if found != 0 {
                // SAFETY: no byte before it has its bit set.
                return unsafe { at.ahead(found.trailing_zeros() as usize) };
            }
            // SAFETY: as above.
            at = unsafe { at.ahead(16) };
        }
    }

    /// The first byte from here on that is not white space.
    #[inline(always)]
    pub(super) fn past_blanks(self) -> Cursor<'a> {
        if self.byte() > b' ' { self } else { self.past_all_blanks() }
    }

    #[inline(never)]
    fn past_all_blanks(self) -> Cursor<'a> {
        let mut at = self;
        while matches!(at.byte(), b' ' | b'\t' | b'\n' | b'\r') {
            at = at.next();
        }
        at
    }
}

impl Key {
    #[inline(always)]
    fn within(lane: Lane, length: usize) -> Key {
        #[allow(clippy::indexing_slicing, reason = "no more than 15")]
        let kept = &KEPT[length & 15];
        Key { name: lane.and(kept), length }
    }

    /// That name. `None` for one that is too long or holds a 0, so that no row is taken for it.
    pub(in crate::read) fn of(name: &[u8]) -> Option<Key> {
        let mut bytes = [0; 16];
        bytes.get_mut(..name.len())?.copy_from_slice(name);
        if name.len() > MAX_KEY_BYTES || name.contains(&0) {
            return None;
        }
        Some(Key::within(Lane::load(&bytes), name.len()))
    }

    /// What a place in the table is found by: the first eight bytes, and how many there are.
    #[inline(always)]
    pub(in crate::read) fn head_and_length(self) -> (u64, usize) {
        (self.name.head(), self.length)
    }

    /// Whether it is the name with these bytes, and zeros behind them.
    #[inline(always)]
    pub(in crate::read) fn is(self, name: &[u8; 16]) -> bool {
        self.name.is(name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lane_portable;
    use super::*;

    /// Every byte value, in every place of a lane.
    #[test]
    fn lane_agrees_with_its_portable_twin() {
        for first in 0..=u8::MAX {
            let bytes: [u8; 16] = core::array::from_fn(|place| first.wrapping_add(u8::try_from(place * 17).unwrap()));
            let mut other = bytes;
            other.rotate_left(usize::from(first % 16));
            let (lane, twin) = (Lane::load(&bytes), lane_portable::Lane::load(&bytes));
            assert_eq!(lane.specials(), twin.specials());
            assert_eq!(lane.not_ascii(), twin.not_ascii());
            assert_eq!(lane.head(), twin.head());
            assert_eq!(lane.and(&other).head(), twin.and(&other).head());
            assert_eq!(lane.is(&other), twin.is(&other));
            assert!(lane.is(&bytes) && twin.is(&bytes));
        }
    }

    #[test]
    fn each_byte_is_special_or_not() {
        for byte in 0..=u8::MAX {
            for place in 0..16 {
                let mut bytes = [b'a'; 16];
                bytes[place] = byte;
                let special = matches!(byte, b'"' | b'\\' | 0..b' ' | 0x80..);
                assert_eq!(Lane::load(&bytes).specials(), u32::from(special) << place, "{byte}");
            }
        }
    }

    #[test]
    fn a_key_is_itself_only() {
        let arena = Bump::new();
        let key = |text: &str| Padded::copied(text.as_bytes(), &arena).start().key().map(|(key, _)| key);
        let is = |text: &str, name: &[u8]| {
            let mut bytes = [0; 16];
            bytes[..name.len()].copy_from_slice(name);
            key(text).is_some_and(|key| key.is(&bytes))
        };
        assert!(is("id\":1", b"id") && is("private_auction\":", b"private_auction") && is("\":", b""));
        for text in ["i\":1", "idx\":1", "ID\":1", "id\" :1", "id\"", "id", "i\\u0064\":", "id\0\":", "\":"] {
            assert!(!is(text, b"id"), "{text}");
        }
        assert!(key("sixteen_letters_\":").is_none() && key("é\":").is_none());
        assert!(Key::of(b"id").is_some_and(|key| key.is(b"id\0\0\0\0\0\0\0\0\0\0\0\0\0\0")));
        assert!(Key::of(b"id\0").is_none() && Key::of(b"sixteen_letters_").is_none());
        assert!(Key::of(b"more_than_sixteen_letters").is_none());
    }

    #[test]
    fn cursors_stop_at_what_they_may_not_pass() {
        let arena = Bump::new();
        let text = Padded::copied("é123456789012345678901234567890".as_bytes(), &arena);
        assert_eq!(text.offset(text.start().next()), 0);
        assert_eq!(text.offset(text.start().special(&text)), 0);
        assert!(text.is_utf8());
        let end = text.start().special(&text);
        assert_eq!((text.offset(end), text.offset(end.next())), (32, 32));
        assert_eq!(text.passed_over(end).map(|text| text.slice(1, 4)), Some(""));
        assert_eq!(text.passed_over(end).map(|text| text.slice(2, 4)), Some("12"));
        assert!(text.passed_over(text.start()).is_none());
        assert!(!Padded::copied(b"\xFF", &arena).is_utf8());
        let digits = Padded::copied(b"12345678901234567890", &arena);
        assert_eq!(digits.offset(digits.start().digits_end()), 20);
    }
}
