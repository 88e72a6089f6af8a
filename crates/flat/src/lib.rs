//! A binary format that is read in place: no parsing, no copies, no allocations.
//!
//! A [`Writer`] stores values in two sections: records of fixed size, and text. A [`Source`] gives views that borrow
//! from both. Every access is bounds-checked: damaged bytes read as empty or zero, and never cause a panic.
//!
//! A record holds a text or a list as one number: the offset of the content, which starts with its length ([`Wide`]
//! uses two numbers). Equal texts and equal lists are stored once, in the order of their first use, so equal values
//! give equal bytes.
//!
//! The format does not describe its types: reader and writer compare [`Flat::LAYOUT`] to make sure that they agree.

mod choice;
mod count;
mod laid;
mod list;
mod record;
mod scalar;
mod writer;

use core::fmt;

/// For [`choice`].
pub use base::named;

pub use laid::Laid;
pub use list::{List, Wide};
pub use writer::Writer;

/// A value that can be stored.
pub trait Flat {
    /// The stored value.
    type View<'s>: Copy;

    /// Bytes of its record.
    const SIZE: usize;

    /// A fingerprint of its layout: of the names and types of all its fields.
    const LAYOUT: u64;

    /// Appends exactly [`Flat::SIZE`] bytes to `record`; content of any other size goes into `out`.
    fn write(&self, out: &mut Writer, record: &mut Vec<u8>);

    /// The value whose record starts at `at`.
    fn view(from: Source<'_>, at: usize) -> Self::View<'_>;
}

/// A fingerprint of `text` and of the fingerprint `before` it.
pub const fn fingerprint(before: u64, text: &str) -> u64 {
    let (mut bytes, mut hash) = (text.as_bytes(), before ^ 0xcbf2_9ce4_8422_2325);
    while let Some((byte, rest)) = bytes.split_first() {
        hash = (hash ^ *byte as u64).wrapping_mul(0x0100_0000_01b3);
        bytes = rest;
    }
    hash
}

/// The fingerprint of a struct: of the names and the layouts of its fields.
pub const fn layout(mut fields: &[(&str, u64)]) -> u64 {
    let mut hash = 0_u64;
    while let Some(((name, layout), rest)) = fields.split_first() {
        hash = fingerprint(hash.rotate_left(7) ^ *layout, name);
        fields = rest;
    }
    hash
}

/// The two sections that views read.
#[derive(Clone, Copy, Default)]
pub struct Source<'s> {
    records: &'s [u8],
    text: &'s str,
}

/// Leaves out the content, which is the whole catalog.
impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Source")
    }
}

impl<'s> Source<'s> {
    /// The sections that a [`Writer`] made.
    pub fn new(records: &'s [u8], text: &'s str) -> Source<'s> {
        Source { records, text }
    }

    /// `N` bytes at `at`; zeros beyond the end.
    #[inline]
    pub fn bytes<const N: usize>(self, at: usize) -> [u8; N] {
        self.records.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
    }

    /// All records from `at` on.
    #[inline]
    pub fn records_from(self, at: usize) -> &'s [u8] {
        self.records.get(at..).unwrap_or_default()
    }

    /// The text at `at`, after its length. Not inlined, because hundreds of functions call it.
    #[inline(never)]
    fn text_at(self, at: usize) -> &'s str {
        let (length, at) = count::read(self.text.as_bytes(), at);
        self.text.get(at..at.saturating_add(length)).unwrap_or_default()
    }

    /// An offset or a count at `at`.
    #[inline]
    fn offset(self, at: usize) -> usize {
        u32::from_le_bytes(self.bytes(at)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    flat! {
        /// A field of each kind.
        struct Thing from ThingDraft {
            /// Text.
            name: String,
            /// Numbers.
            numbers: Vec<i64>,
            /// Pairs.
            pairs: Vec<(String, bool)>,
            /// Maybe.
            maybe: Option<u32>,
        }
    }

    fn draft() -> ThingDraft {
        ThingDraft {
            name: "größer".to_owned(),
            numbers: vec![-1, i64::MAX],
            pairs: vec![("a".to_owned(), true), ("größer".to_owned(), false)],
            maybe: Some(7),
        }
    }

    #[test]
    fn a_stored_value_reads_back() {
        let laid = Laid::out(&draft());
        let thing = laid.view();
        assert_eq!((thing.name(), thing.maybe()), ("größer", Some(7)));
        assert_eq!(thing.numbers().iter().collect::<Vec<_>>(), [-1, i64::MAX]);
        assert_eq!(thing.pairs().iter().collect::<Vec<_>>(), [("a", true), ("größer", false)]);
        assert_eq!(laid.text, "\0\u{8}größer\u{1}a", "equal texts are stored once");
    }

    #[test]
    fn damaged_bytes_never_panic() {
        let Laid { records, text, at, .. } = Laid::out(&draft());
        for at_byte in 0..records.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut broken = records.clone();
                broken[at_byte] = byte;
                let thing = ThingDraft::view(Source::new(&broken, &text), at);
                assert!(thing.pairs().iter().count() <= broken.len());
                let _ = format!("{thing:?}");
            }
        }
        for length in 0..records.len() {
            let _ = format!("{:?}", ThingDraft::view(Source::new(&records[..length], ""), at));
        }
    }
}
