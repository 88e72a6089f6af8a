//! A value in its two sections.

use core::marker::PhantomData;

use super::writer::Writer;
use super::{Flat, Source};

/// A stored value, and the sections that hold it.
#[derive(Debug)]
pub struct Laid<T> {
    /// Its records.
    pub records: Vec<u8>,
    /// Its text.
    pub text: String,
    /// The offset of its record.
    pub at: usize,
    of: PhantomData<T>,
}

impl<T: Flat> Laid<T> {
    /// Stores a value.
    pub fn out(value: &T) -> Laid<T> {
        let mut out = Writer::new();
        let mut root = Vec::with_capacity(T::SIZE);
        value.write(&mut out, &mut root);
        let at = out.store(&root) as usize;
        let (records, text) = out.into_sections();
        Laid { records, text, at, of: PhantomData }
    }

    /// The stored value.
    pub fn view(&self) -> T::View<'_> {
        T::view(Source::new(&self.records, &self.text), self.at)
    }
}
