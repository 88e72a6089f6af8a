//! Stores values, each text and each list only once.

use core::hash::{BuildHasher as _, BuildHasherDefault};
use core::marker::PhantomData;
use std::collections::HashMap;
use std::hash::DefaultHasher;

use super::{Flat, Source, count};

/// The two sections while they are written. Each begins with a count of 0, which all empty lists or texts share.
#[derive(Debug)]
pub struct Writer {
    records: Vec<u8>,
    text: String,
    /// The offsets of texts and of records, by their hash. If two have the same hash, only the first is found again.
    texts: HashMap<u64, u32>,
    stored: HashMap<u64, u32>,
    hasher: BuildHasherDefault<DefaultHasher>,
}

impl Writer {
    fn new() -> Writer {
        Writer {
            records: vec![0],
            text: "\0".to_owned(),
            texts: HashMap::new(),
            stored: HashMap::new(),
            hasher: BuildHasherDefault::default(),
        }
    }

    /// Stores records and returns their offset.
    pub fn store(&mut self, records: &[u8]) -> u32 {
        if matches!(records, [] | [0]) {
            return 0;
        }
        let hash = self.hasher.hash_one(records);
        let known = self.stored.get(&hash).filter(|at| is_at(&self.records, **at, records));
        if let Some(at) = known {
            return *at;
        }
        let at = Writer::length(self.records.len());
        self.records.extend_from_slice(records);
        self.stored.entry(hash).or_insert(at);
        at
    }

    /// Stores a text after its length and returns the offset.
    pub(super) fn text(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let mut counted: String = count::to_bytes(Writer::length(text.len())).map(char::from).collect();
        counted.push_str(text);
        let hash = self.hasher.hash_one(&counted);
        let known = self.texts.get(&hash).filter(|at| is_at(self.text.as_bytes(), **at, counted.as_bytes()));
        if let Some(at) = known {
            return *at;
        }
        let at = Writer::length(self.text.len());
        self.text.push_str(&counted);
        self.texts.entry(hash).or_insert(at);
        at
    }

    /// A length or an offset as it is stored. Catalogs are limited to far less than four gigabytes.
    pub(super) fn length(length: usize) -> u32 {
        u32::try_from(length).unwrap_or(u32::MAX)
    }
}

fn is_at(section: &[u8], at: u32, bytes: &[u8]) -> bool {
    section.get(at as usize..).is_some_and(|rest| rest.starts_with(bytes))
}

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
        Laid { records: out.records, text: out.text, at, of: PhantomData }
    }

    /// The stored value.
    pub fn view(&self) -> T::View<'_> {
        T::view(Source::new(&self.records, &self.text), self.at)
    }
}
