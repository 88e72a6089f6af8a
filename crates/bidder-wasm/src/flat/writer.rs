//! Lays values out.

use core::hash::{BuildHasher as _, BuildHasherDefault};
use core::marker::PhantomData;
use std::collections::HashMap;
use std::hash::DefaultHasher;

use super::{Flat, Source};

/// The two sections under construction.
#[derive(Debug, Default)]
pub struct Writer {
    records: Vec<u8>,
    text: String,
    /// Where the text that was appended last starts.
    last_text: usize,
    /// Where texts and lists of records with a hash are, so that an equal one is stored once. Of two
    /// that differ and hash alike, the later is not found again.
    texts: HashMap<u64, (u32, u32)>,
    lists: HashMap<u64, (u32, u32)>,
    hasher: BuildHasherDefault<DefaultHasher>,
}

impl Writer {
    /// Stores records and tells where.
    pub fn place(&mut self, records: &[u8]) -> u32 {
        if records.is_empty() {
            return 0;
        }
        let hash = self.hasher.hash_one(records);
        let known = self.lists.get(&hash).filter(|(at, len)| stored(&self.records, *at, *len) == records);
        if let Some((at, _)) = known {
            return *at;
        }
        let at = Writer::length(self.records.len());
        self.records.extend_from_slice(records);
        self.lists.entry(hash).or_insert((at, Writer::length(records.len())));
        at
    }

    /// Stores a text and tells where. A part of the text that was appended last is not stored again.
    pub(super) fn text(&mut self, text: &str) -> u32 {
        let hash = self.hasher.hash_one(text);
        let known =
            self.texts.get(&hash).filter(|(at, len)| stored(self.text.as_bytes(), *at, *len) == text.as_bytes());
        if let Some((at, _)) = known {
            return *at;
        }
        let within = self.text.get(self.last_text..).and_then(|last| last.find(text));
        let at = within.map_or(self.text.len(), |within| self.last_text + within);
        if within.is_none() {
            self.last_text = at;
            self.text.push_str(text);
        }
        let at = Writer::length(at);
        self.texts.entry(hash).or_insert((at, Writer::length(text.len())));
        at
    }

    /// A length or an offset as it is stored. Beyond four gigabytes nothing can be stored, and what
    /// holds the sections limits them to far less.
    pub(super) fn length(length: usize) -> u32 {
        u32::try_from(length).unwrap_or(u32::MAX)
    }
}

fn stored(section: &[u8], at: u32, len: u32) -> &[u8] {
    section.get(at as usize..).and_then(|rest| rest.get(..len as usize)).unwrap_or_default()
}

/// A value laid out by itself.
#[derive(Debug)]
pub struct Laid<T> {
    /// Its records.
    pub records: Vec<u8>,
    /// Its text.
    pub text: String,
    /// Where in the records it starts.
    pub at: usize,
    of: PhantomData<T>,
}

impl<T: Flat> Laid<T> {
    /// Lays a value out.
    pub fn out(value: &T) -> Laid<T> {
        let mut out = Writer::default();
        let mut root = Vec::with_capacity(T::SIZE);
        value.write(&mut out, &mut root);
        let at = out.place(&root) as usize;
        Laid { records: out.records, text: out.text, at, of: PhantomData }
    }

    /// The value where it lies.
    pub fn view(&self) -> T::View<'_> {
        T::view(Source::new(&self.records, &self.text), self.at)
    }
}
