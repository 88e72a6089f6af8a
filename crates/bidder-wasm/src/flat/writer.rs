//! Lays values out.

use core::hash::{BuildHasher as _, BuildHasherDefault};
use core::marker::PhantomData;
use std::collections::HashMap;
use std::hash::DefaultHasher;

use super::{Flat, Source, count};

/// The two sections under construction. Either begins with the count of nothing, which is what empty lists and texts are.
#[derive(Debug)]
pub struct Writer {
    records: Vec<u8>,
    text: String,
    /// Where the texts and the records with a hash are, so that equal ones are stored once. Of two that differ and hash
    /// alike, the later is not found again.
    texts: HashMap<u64, u32>,
    placed: HashMap<u64, u32>,
    hasher: BuildHasherDefault<DefaultHasher>,
}

impl Writer {
    fn new() -> Writer {
        Writer {
            records: vec![0],
            text: "\0".to_owned(),
            texts: HashMap::new(),
            placed: HashMap::new(),
            hasher: BuildHasherDefault::default(),
        }
    }

    /// Stores records and tells where.
    pub fn place(&mut self, records: &[u8]) -> u32 {
        if matches!(records, [] | [0]) {
            return 0;
        }
        let hash = self.hasher.hash_one(records);
        let known = self.placed.get(&hash).filter(|at| is_at(&self.records, **at, records));
        if let Some(at) = known {
            return *at;
        }
        let at = Writer::length(self.records.len());
        self.records.extend_from_slice(records);
        self.placed.entry(hash).or_insert(at);
        at
    }

    /// Stores a text, its length in front, and tells where.
    pub(super) fn text(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let mut counted: String = count::characters(Writer::length(text.len())).map(char::from).collect();
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

    /// A length or an offset as it is stored. Beyond four gigabytes nothing can be stored, and what
    /// holds the sections limits them to far less.
    pub(super) fn length(length: usize) -> u32 {
        u32::try_from(length).unwrap_or(u32::MAX)
    }
}

fn is_at(section: &[u8], at: u32, bytes: &[u8]) -> bool {
    section.get(at as usize..).is_some_and(|rest| rest.starts_with(bytes))
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
        let mut out = Writer::new();
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
