//! Stores values, each text and each list only once.

use core::hash::{BuildHasher as _, BuildHasherDefault};
use std::collections::HashMap;
use std::hash::DefaultHasher;

use super::count;

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
    pub(super) fn new() -> Writer {
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

    /// The records and the text.
    pub(super) fn into_sections(self) -> (Vec<u8>, String) {
        (self.records, self.text)
    }

    /// A length or an offset as it is stored. Catalogs are limited to far less than four gigabytes.
    pub(super) fn length(length: usize) -> u32 {
        u32::try_from(length).unwrap_or(u32::MAX)
    }
}

fn is_at(section: &[u8], at: u32, bytes: &[u8]) -> bool {
    section.get(at as usize..).is_some_and(|rest| rest.starts_with(bytes))
}
