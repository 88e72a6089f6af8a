//! What is left of a message. It loads bytes without a bounds check.
//!
//! - No load is out of bounds: a message ends within its body, [`PADDING`] zero bytes follow the body, and no load is
//!   longer than that.
//! - A varint ends at the first zero at the latest. So a tag that starts within the body ends at most one byte behind
//!   it. Only a tag may end behind its message; every other step that would is refused, also the one after such a tag.
//!
//! Only the code in this file ensures both rules, in whatever order other files call it.
#![allow(unsafe_code, reason = "loads without a bounds check")]
#![allow(clippy::inline_always, reason = "small steps of the loop over each message")]

use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::read::pass::{PADDING, Padded};

/// The longest varint: ten bytes with seven bits each are enough for 64 bits.
const MAX_VARINT_BYTES: usize = 10;

#[derive(Debug, Clone, Copy)]
pub(in crate::read) struct Message<'a> {
    /// The next byte. At most one byte behind the end of the body.
    at: NonNull<u8>,
    /// Not behind the end of the body.
    end: NonNull<u8>,
    body: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> {
    /// The whole body.
    pub(in crate::read) fn whole(body: &Padded<'a>) -> Message<'a> {
        let at = body.pointer();
        // SAFETY: the body has that many bytes.
        Message { at, end: unsafe { at.add(body.bytes().len()) }, body: PhantomData }
    }

    /// The number of bytes that are left.
    #[inline(always)]
    pub(in crate::read) fn len(self) -> usize {
        self.end.addr().get().saturating_sub(self.at.addr().get())
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.at >= self.end
    }

    /// The next `N` bytes. Those behind the message belong to the body or its padding.
    #[inline(always)]
    fn peek<const N: usize>(self) -> [u8; N] {
        const { assert!(N < PADDING) };
        // SAFETY: `at` is at most one byte behind the body, and the padding is longer than the load; a byte array needs
        // no alignment.
        unsafe { self.at.cast::<[u8; N]>().read() }
    }

    /// Moves over the next bytes. `None` if the message has fewer.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: usize) -> Option<()> {
        if self.at.addr().get().checked_add(count)? > self.end.addr().get() {
            return None;
        }
        // SAFETY: the message has that many bytes.
        self.at = unsafe { self.at.add(count) };
        Some(())
    }

    /// Takes a tag. `None` at the end of the message; 0, which is no tag, for a varint with more than 32 bits.
    #[inline(always)]
    pub(super) fn tag(&mut self) -> Option<u32> {
        if self.is_empty() {
            return None;
        }
        let (tag, bytes) = match self.short_varint() {
            Some(short) => short,
            None => match self.long_varint() {
                Some((tag, bytes)) => (u32::try_from(tag).unwrap_or_default(), bytes),
                None => return Some(0),
            },
        };
        // SAFETY: the varint starts within the body, so it ends at most one byte behind it.
        self.at = unsafe { self.at.add(bytes) };
        Some(tag)
    }

    /// Takes a varint. `None` if it does not end within the message, or has more than 64 bits.
    #[inline(always)]
    pub(super) fn varint(&mut self) -> Option<u64> {
        let (value, bytes) = match self.short_varint() {
            Some((value, bytes)) => (u64::from(value), bytes),
            None => self.long_varint()?,
        };
        self.skip(bytes)?;
        Some(value)
    }

    /// The next varint and its length, if it has one or two bytes, as nearly all do. It may end behind the message.
    #[inline(always)]
    fn short_varint(self) -> Option<(u32, usize)> {
        let [first] = self.peek();
        if first < 0x80 {
            return Some((first.into(), 1));
        }
        let [_, second] = self.peek();
        if second < 0x80 {
            return Some((u32::from(first & 0x7f) | u32::from(second) << 7, 2));
        }
        None
    }

    /// The next varint and its length. It may end behind the message.
    #[inline(never)]
    fn long_varint(self) -> Option<(u64, usize)> {
        let mut value = 0;
        for (position, byte) in self.peek::<MAX_VARINT_BYTES>().into_iter().enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * position);
            if byte < 0x80 {
                let is_too_long = position == MAX_VARINT_BYTES - 1 && byte > 1;
                return (!is_too_long).then_some((value, position + 1));
            }
        }
        None
    }

    /// Takes eight bytes as a little-endian integer.
    #[inline(always)]
    pub(super) fn eight_bytes(&mut self) -> Option<u64> {
        let bytes = self.peek();
        self.skip(bytes.len())?;
        Some(u64::from_le_bytes(bytes))
    }

    /// Takes a length and as many bytes.
    #[inline(always)]
    pub(super) fn with_length(&mut self) -> Option<Message<'a>> {
        let (length, bytes) = if let Some((length, bytes)) = self.short_varint() {
            (length as usize, bytes)
        } else {
            let (length, bytes) = self.long_varint()?;
            (usize::try_from(length).ok()?, bytes)
        };
        let from = *self;
        self.skip(bytes.checked_add(length)?)?;
        // SAFETY: the message has these bytes and the others, as `skip` has checked.
        Some(Message { at: unsafe { from.at.add(bytes) }, end: self.at, body: PhantomData })
    }

    /// Copies the message to `to[from..]` with a quote behind it, and overwrites up to [`PADDING`] bytes behind it.
    /// `None` if `to` is too short for that.
    #[inline(always)]
    pub(super) fn copy_to(self, to: &mut [u8], from: usize) -> Option<()> {
        let length = self.len();
        if from.checked_add(length + PADDING)? > to.len() {
            return None;
        }
        // SAFETY: `from` is within `to`.
        let to = unsafe { to.as_mut_ptr().add(from) };
        let mut done = 0;
        while done < length {
            // SAFETY: `done` is within the message. The padding follows the body, and `to` has as many bytes left.
            unsafe { to.add(done).cast::<[u8; PADDING]>().write(self.at.add(done).cast::<[u8; PADDING]>().read()) };
            done += PADDING;
        }
        // SAFETY: `to` is longer than the message.
        unsafe { to.add(length).write(b'"') };
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bumpalo::Bump;

    /// The varint at the start of a body, and how many bytes are left.
    fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
        let arena = Bump::new();
        let mut message = Message::whole(&Padded::copied(bytes, &arena));
        message.varint().map(|value| (value, message.len()))
    }

    #[test]
    fn varints_have_at_most_64_bits() {
        assert_eq!(varint(&[0, 7]), Some((0, 1)));
        assert_eq!(varint(&[0xac, 0x02, 7]), Some((300, 1)));
        assert_eq!(varint(&[0x80, 0x00, 7]), Some((0, 1)));
        assert_eq!(varint(&[0x80, 0x80, 0x01, 7]), Some((1 << 14, 1)));
        let most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 7];
        assert_eq!(varint(&most), Some((u64::MAX, 1)));
        let mut more = most;
        more[9] = 2;
        assert_eq!(varint(&more), None);
        assert_eq!(varint(&[0x80; 11]), None);
    }

    /// The bytes behind a message would end each of its last values.
    #[test]
    fn nothing_is_taken_from_behind_a_message() {
        let arena = Bump::new();
        let body = Padded::copied(&[2, 0x80, 0x80, 1, 1, 1, 1, 1, 1, 1, 1], &arena);
        let mut around = Message::whole(&body);
        let inner = around.with_length().unwrap();
        assert_eq!((inner.len(), around.len()), (2, 8));
        assert_eq!({ inner }.varint(), None);
        assert_eq!({ inner }.eight_bytes(), None);
        assert_eq!({ inner }.skip(3), None);
        assert_eq!({ inner }.tag(), Some(1 << 14));
        let mut behind = inner;
        assert!(behind.tag().is_some() && behind.is_empty());
        assert_eq!((behind.tag(), behind.varint(), behind.skip(0)), (None, None, None));
        assert!(around.eight_bytes().is_some() && around.is_empty());
        assert_eq!((around.varint(), around.eight_bytes()), (None, None));
        for bytes in [&b""[..], &[0x80], &[0x80, 0x80], &[0x80; 9]] {
            assert_eq!(varint(bytes), None);
        }
    }
}
