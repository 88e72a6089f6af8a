//! Lists: records one after the other.

use core::fmt;
use core::marker::PhantomData;

use super::{Flat, Source, Writer, count, fingerprint};

/// A stored list.
pub struct List<'s, T> {
    from: Source<'s>,
    at: usize,
    len: usize,
    of: PhantomData<fn() -> T>,
}

impl<'s, T: Flat> List<'s, T> {
    /// A list of `len` items at `at`; fewer if the records end, so that damaged bytes cannot cause endless work.
    #[inline]
    pub fn new(from: Source<'s>, at: usize, len: usize) -> List<'s, T> {
        let room = from.records.len().saturating_sub(at) / T::SIZE.max(1);
        List { from, at, len: len.min(room), of: PhantomData }
    }

    /// How many items there are.
    #[inline]
    pub fn len(self) -> usize {
        self.len
    }

    /// Whether there are no items.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The item at a position.
    #[inline]
    pub fn get(self, position: usize) -> Option<T::View<'s>> {
        (position < self.len).then(|| T::view(self.from, self.at + position * T::SIZE))
    }

    /// The items in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = T::View<'s>> + Clone + use<'s, T> {
        (0..self.len).map(move |position| T::view(self.from, self.at + position * T::SIZE))
    }

    /// Whether an item is equal to this one.
    pub fn contains(self, item: &T::View<'s>) -> bool
    where
        T::View<'s>: PartialEq,
    {
        self.iter().any(|own| own == *item)
    }

    /// The bytes of all items.
    #[inline]
    pub fn records(self) -> &'s [u8] {
        self.from.records.get(self.at..).and_then(|rest| rest.get(..self.len * T::SIZE)).unwrap_or_default()
    }
}

impl<T: Flat> Flat for Vec<T> {
    type View<'s> = List<'s, T>;
    const SIZE: usize = u32::SIZE;
    const LAYOUT: u64 = fingerprint(T::LAYOUT, "counted list");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        let count = count::to_bytes(Writer::length(self.len())).collect();
        let counted = items(count, self, out);
        out.store(&counted).write(out, record);
    }

    #[inline]
    fn view(from: Source<'_>, at: usize) -> List<'_, T> {
        let (len, at) = count::read(from.records, from.offset(at));
        List::new(from, at, len)
    }
}

/// A list whose length is stored beside its offset, not in front of its items. It takes more bytes than a `Vec` and is
/// faster to read.
#[derive(Debug, Clone, Default)]
pub struct Wide<T>(pub Vec<T>);

impl<T: Flat> Flat for Wide<T> {
    type View<'s> = List<'s, T>;
    const SIZE: usize = 2 * u32::SIZE;
    const LAYOUT: u64 = fingerprint(T::LAYOUT, "wide list");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        let items = items(Vec::new(), &self.0, out);
        (out.store(&items), Writer::length(self.0.len())).write(out, record);
    }

    #[inline]
    fn view(from: Source<'_>, at: usize) -> List<'_, T> {
        List::new(from, from.offset(at), from.offset(at + 4))
    }
}

/// Appends the records of items.
fn items<T: Flat>(mut records: Vec<u8>, items: &[T], out: &mut Writer) -> Vec<u8> {
    records.reserve(items.len() * T::SIZE);
    for item in items {
        item.write(out, &mut records);
    }
    records
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
