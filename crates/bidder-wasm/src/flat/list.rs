//! Lists: as many records as it says, one behind the other.

use core::fmt;
use core::marker::PhantomData;

use super::{Flat, Source, Writer, fingerprint};

/// A list where it lies.
pub struct List<'s, T> {
    from: Source<'s>,
    at: usize,
    len: usize,
    of: PhantomData<fn() -> T>,
}

impl<'s, T: Flat> List<'s, T> {
    /// How many items there are.
    #[inline]
    pub fn len(self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The item at a place.
    #[inline]
    pub fn get(self, place: usize) -> Option<T::View<'s>> {
        (place < self.len).then(|| T::view(self.from, self.at + place * T::SIZE))
    }

    /// The items in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = T::View<'s>> + Clone + use<'s, T> {
        (0..self.len).map(move |place| T::view(self.from, self.at + place * T::SIZE))
    }

    /// Whether an item is equal to this one.
    pub fn contains(self, item: &T::View<'s>) -> bool
    where
        T::View<'s>: PartialEq,
    {
        self.iter().any(|own| own == *item)
    }

    /// Where its first record starts.
    pub(super) fn start(self) -> usize {
        self.at
    }

    /// The records of all items.
    #[inline]
    pub fn records(self) -> &'s [u8] {
        self.from.records.get(self.at..).and_then(|rest| rest.get(..self.len * T::SIZE)).unwrap_or_default()
    }
}

impl<T: Flat> Flat for Vec<T> {
    type View<'s> = List<'s, T>;
    const SIZE: usize = 8;
    const LAYOUT: u64 = fingerprint(T::LAYOUT, "list");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        let mut items = Vec::with_capacity(self.len() * T::SIZE);
        for item in self {
            item.write(out, &mut items);
        }
        let at = out.place(&items);
        (at, Writer::length(self.len())).write(out, record);
    }

    #[inline]
    fn view(from: Source<'_>, at: usize) -> List<'_, T> {
        let (at, len) = (from.offset(at), from.offset(at + 4));
        // No more items than there are bytes for, so that foreign bytes cannot ask for endless work.
        let room = from.records.len().saturating_sub(at) / T::SIZE.max(1);
        List { from, at, len: len.min(room), of: PhantomData }
    }
}

impl<T> Clone for List<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<'_, T> {}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        List { from: Source::default(), at: 0, len: 0, of: PhantomData }
    }
}

impl<'s, T: Flat> fmt::Debug for List<'s, T>
where
    T::View<'s>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
