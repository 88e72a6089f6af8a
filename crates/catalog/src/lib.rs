//! The catalog that decisions use: a view of the bytes of a [`Snapshot`].
//!
//! ```text
//! document (JSON) -- compiler --> Snapshot (bytes) -- open --> Catalog (a view of them)
//! ```
//!
//! The structs here define the layout of the bytes. The compiler is another crate: it fills in their drafts, which
//! hold the values before they become bytes. It refuses a document with any mistake, so decisions do not validate the
//! catalog again.
//!
//! The bytes of a snapshot:
//!
//! ```text
//! 0   8  "edgebid" and a zero
//! 8   8  fingerprint of the layout: the types in the bytes, the names of the reasons, how the index writes values
//! 16  4  bytes of the first section, the records
//! 20  4  bytes of the second section, the text (UTF-8)
//! 24  4  offset of the catalog in the records
//! 28     both sections
//! ```
//!
//! All numbers are little-endian. A snapshot with another fingerprint is refused. If the meaning of the bytes changes
//! and the fingerprint does not, `MAGIC` must change. Damage in transit is not detected here: the Worker compares the
//! SHA-256. No bytes can cause a read out of bounds or a panic, but arbitrary bytes can make reading slow.

mod ad;
mod addresses;
mod advertiser;
mod bounds;
mod budget;
mod budgets;
mod campaign;
pub mod index;
pub mod macros;
mod parts;
mod prices;
mod rule;
mod shape;
mod skadn;
mod ssp;
mod supply;

use core::fmt;

pub use ad::*;
pub use addresses::*;
pub use advertiser::*;
pub use bounds::*;
pub use budget::*;
pub use budgets::*;
pub use campaign::*;
pub use parts::*;
pub use prices::*;
pub use rule::*;
pub use shape::*;
pub use skadn::*;
pub use ssp::*;
pub use supply::*;

use base::limits::{MAX_DATA_BYTES, max_work};
use base::money::Rates;
use flat::{Flat, Laid, Source, layout};
use index::LoadedIndex;
use openrtb::read::{Needs, Wants};
use reasons::no_bid::NoBidReason;

/// The catalog for decisions: a view of a snapshot.
#[derive(Debug, Clone)]
pub struct Catalog<'s> {
    /// Currency rates.
    pub rates: Rates,
    /// How privacy signals are interpreted.
    pub privacy: consent::Settings,
    /// The parts of a request that a decision can need.
    pub needs: Needs,
    /// The most work of one decision: see [`base::limits::max_work`].
    pub max_work: usize,
    /// The index of the campaigns.
    pub index: LoadedIndex<'s>,
    /// Which campaigns have a budget.
    pub budgets: Budgets,
    source: Source<'s>,
    /// Offset of the [`Parts`].
    at: usize,
}

impl<'s> Catalog<'s> {
    fn new(source: Source<'s>, at: usize) -> Catalog<'s> {
        let parts = PartsDraft::view(source, at);
        Catalog {
            rates: parts.rates().iter().collect(),
            privacy: parts.privacy(),
            needs: parts.needs(),
            max_work: max_work(parts.campaigns().len()) + MAX_DATA_BYTES * parts.paths().len(),
            index: LoadedIndex::new(parts.index()),
            budgets: Budgets::of(parts),
            source,
            at,
        }
    }

    /// The parts of a request to read for a decision.
    pub fn wants(&self) -> Wants<'s> {
        Wants { prebid_code: self.parts().prebid_code(), needs: self.needs }
    }

    /// The content of the snapshot.
    pub fn parts(&self) -> Parts<'s> {
        PartsDraft::view(self.source, self.at)
    }
}

const MAGIC: &[u8; 8] = b"edgebid\0";
const HEADER_BYTES: usize = 28;

/// The fingerprint of the types and the reasons.
const LAYOUT: u64 = {
    let (mut reasons, mut hash) = (NoBidReason::ALL, PartsDraft::LAYOUT);
    while let Some((reason, rest)) = reasons.split_first() {
        hash = layout(&[(reason.as_str(), hash)]);
        reasons = rest;
    }
    hash
};

/// [`LAYOUT`], and how the index spells and hashes its values.
fn fingerprint() -> u64 {
    LAYOUT ^ index::fingerprint()
}

/// A compiled catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    bytes: Vec<u8>,
}

/// Why this crate cannot use bytes as a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadSnapshot {
    /// The bytes do not start like a snapshot.
    NotASnapshot,
    /// Another version of the bidder made the bytes.
    OtherLayout,
    /// The bytes are fewer or more than the header says, or the text is not UTF-8.
    Damaged,
}

/// The problem, and what to do.
impl fmt::Display for BadSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadSnapshot::NotASnapshot => "not a catalog snapshot; compile the catalog document and push it again",
            BadSnapshot::OtherLayout => {
                "a catalog snapshot of another version of the bidder; push the catalog again with the deployed version"
            }
            BadSnapshot::Damaged => "a damaged catalog snapshot: its length or text is wrong; push the catalog again",
        })
    }
}

impl Snapshot {
    /// Stores a catalog.
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

    /// The bytes of the snapshot.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of the snapshot, without a copy.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Whether the bytes start like a snapshot of any version.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Opens the catalog in these bytes. Only the check of the text's encoding takes time in proportion to their
    /// length.
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

    /// [`Snapshot::open`] for a snapshot that was just made.
    pub fn catalog(&self) -> Catalog<'_> {
        Snapshot::open(&self.bytes).unwrap_or_else(|_| Catalog::new(Source::default(), 0))
    }
}
