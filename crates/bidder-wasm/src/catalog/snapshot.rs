//! A compiled catalog as bytes: what is pushed and what an instance loads.
//!
//! ```text
//! 0   8  "edgebid" and a zero
//! 8   8  fingerprint of the layout: of all types that lie in the bytes, and of the reasons' names
//! 16  4  bytes of the first section, the records
//! 20  4  bytes of the second section, the text (UTF-8)
//! 24  4  where in the records the catalog starts
//! 28     the sections, one behind the other
//! ```
//!
//! All numbers are little-endian. The types, the reasons and how the index spells its values make the fingerprint, and a
//! snapshot with another one is refused; what means something else without any of these changing needs another
//! `MAGIC`. Whether the bytes arrived as they were made is up to who carries them: the Worker compares their
//! SHA-256. No bytes make a read go out of bounds or panic, but foreign ones can make it slow.

use core::fmt;

use super::{Catalog, PartsDraft, index};
use crate::flat::{Flat, Laid, Source, layout};
use crate::no_bid::NoBidReason;

const MAGIC: &[u8; 8] = b"edgebid\0";
const HEADER_BYTES: usize = 28;

/// Changes whenever the meaning of the bytes does.
const LAYOUT: u64 = {
    let (mut reasons, mut hash) = (NoBidReason::ALL, PartsDraft::LAYOUT);
    while let Some((reason, rest)) = reasons.split_first() {
        hash = layout(&[(reason.as_str(), hash)]);
        reasons = rest;
    }
    hash
};

/// [`LAYOUT`], and how the values of the index are made.
fn fingerprint() -> u64 {
    LAYOUT ^ index::fingerprint()
}

/// A compiled catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    bytes: Vec<u8>,
}

/// Why bytes are not a snapshot that this crate can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadSnapshot {
    /// They do not start like one.
    NotASnapshot,
    /// Made by an older or newer version of the bidder.
    OtherLayout,
    /// Shorter or longer than its header says, or damaged.
    Damaged,
}

/// One sentence that says what to do.
impl fmt::Display for BadSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadSnapshot::NotASnapshot => "no catalog snapshot; compile the catalog document and push it again",
            BadSnapshot::OtherLayout => {
                "a catalog snapshot of another version of the bidder; push the catalog again with the version that is deployed"
            }
            BadSnapshot::Damaged => "a damaged catalog snapshot: its parts are not as long as it says; push the catalog again",
        })
    }
}

impl Snapshot {
    /// Lays a catalog out.
    #[must_use]
    pub fn of(parts: PartsDraft) -> Snapshot {
        let Laid { records, text, at, .. } = Laid::out(&parts);
        drop(parts);
        let length = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
        let mut bytes = Vec::with_capacity(HEADER_BYTES + records.len() + text.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&fingerprint().to_le_bytes());
        bytes.extend_from_slice(&length(records.len()));
        bytes.extend_from_slice(&length(text.len()));
        bytes.extend_from_slice(&length(at));
        bytes.extend_from_slice(&records);
        bytes.extend_from_slice(text.as_bytes());
        Snapshot { bytes }
    }

    /// The bytes to keep.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// [`Snapshot::as_bytes`], for good.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Whether bytes start like a snapshot, of whatever version.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// The catalog in these bytes. Takes a check of the text's encoding, and nothing else that grows with it.
    pub fn open(bytes: &[u8]) -> Result<Catalog<'_>, BadSnapshot> {
        if !Snapshot::is_one(bytes) {
            return Err(BadSnapshot::NotASnapshot);
        }
        let header = Source::new(bytes, "");
        if u64::view(header, 8) != fingerprint() {
            return Err(BadSnapshot::OtherLayout);
        }
        let [records, text, at] = [16, 20, 24].map(|at| u32::view(header, at) as usize);
        let sections = bytes.get(HEADER_BYTES..).and_then(|sections| sections.split_at_checked(records));
        let (records, rest) = sections.ok_or(BadSnapshot::Damaged)?;
        let text = simdutf8::basic::from_utf8(rest).ok().filter(|own| own.len() == text).ok_or(BadSnapshot::Damaged)?;
        Ok(Catalog::new(Source::new(records, text), at))
    }

    /// [`Snapshot::open`] of one that was just made.
    pub fn catalog(&self) -> Catalog<'_> {
        Snapshot::open(&self.bytes).unwrap_or_else(|_| Catalog::new(Source::default(), 0))
    }
}
