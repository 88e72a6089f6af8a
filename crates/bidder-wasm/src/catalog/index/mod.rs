//! The index of a catalog: for each value that campaigns ask for, who asks for it.
//!
//! A dimension is named by the reason for which a campaign that does not fit stays out. A campaign
//! fits a dimension when it does not ask for anything in it or when a value of the request is among
//! those that it includes, and none among those that it excludes. What cannot be told by equal values (circles,
//! ranges, floors) is not in here.
//!
//! The dimensions behind [`NoBidReason::Size`] are what creatives need. They tell who cannot bid, not who can: of a campaign with
//! several creatives, each may lack something else.

mod key;
mod open;
mod set;

pub use key::{Key, number_key};
pub use open::{Dimension, Finder, LAST, Opened};
pub use set::{BLOCK, BLOCK_WORDS, Bits, Set, SetDraft, Words, WordsDraft, bits};

use super::Shape;
use crate::flat::{Wide, flat};
use crate::no_bid::NoBidReason;
use crate::{category, domain};

flat! {
    /// Who may bid where.
    pub struct Index from IndexDraft {
        /// The most that each campaign pays per thousand impressions, in micros of a US dollar, rounded down; falling.
        pub worth: Wide<i64>,
        /// Those that bid without a deal too.
        pub open: WordsDraft,
        /// The dimensions in which any campaign asks for something, in the order of the checks.
        pub dimensions: Wide<DimensionDraft>,
        /// A power of two of entries: see [`entry`]; 0 where there is none. A value is in the place that its hash leads to, or
        /// in the next that was free.
        pub table: Wide<u32>,
        /// The values.
        pub values: Wide<PostingsDraft>,
        /// The taxonomies that categories of campaigns are in.
        pub taxonomies: Vec<i64>,
        /// The ratios that banners keep.
        pub ratios: Vec<RatioDraft>,
        /// How many categories campaigns have, each in its taxonomy. The values of [`NoBidReason::Acat`] include those of
        /// them, by number, that a value of `acat` allows.
        pub categories: u32,
        /// Which of them campaigns have together.
        pub category_sets: Wide<CategorySetDraft>,
    }
}

flat! {
    /// A dimension as it lies: see [`Dimension`].
    pub struct Asked from DimensionDraft {
        /// Its number as a reason.
        pub number: u8,
        /// The campaigns that include everything.
        pub indifferent: WordsDraft,
        /// How many they are.
        pub count: u32,
        /// Whether one asks for a value that starts with nothing.
        pub blank: bool,
    }
}

flat! {
    /// A value and who asks for it.
    pub struct Postings from PostingsDraft {
        /// Its dimension's number as a reason.
        pub number: u8,
        /// Bytes of its first part.
        pub first: u16,
        /// Both parts, one behind the other; small letters where their case makes no difference.
        pub key: Wide<u8>,
        /// Who includes it.
        pub include: SetDraft,
        /// Who excludes it.
        pub exclude: SetDraft,
    }
}

flat! {
    /// A ratio, and who has a banner that keeps it.
    pub struct Ratio from RatioDraft {
        /// The ratio and its least width.
        pub shape: Shape,
        /// Who has it.
        pub campaigns: SetDraft,
    }
}

flat! {
    /// Categories, and the campaigns that have these and no others.
    pub struct CategorySet from CategorySetDraft {
        /// Numbers of categories.
        pub categories: Vec<u32>,
        /// The campaigns.
        pub campaigns: SetDraft,
    }
}

/// Values of [`NoBidReason::MediaType`].
pub const BANNER: &[u8] = b"banner";
/// See [`BANNER`].
pub const VIDEO: &[u8] = b"video";
/// See [`BANNER`].
pub const AUDIO: &[u8] = b"audio";
/// See [`BANNER`].
pub const NATIVE: &[u8] = b"native";
/// The second part of the value of [`NoBidReason::Bcat`] that all campaigns with categories of a taxonomy have: where a
/// category has its taxonomy.
pub const ANY_CATEGORY: &[u8] = b"*";
/// The value of [`NoBidReason::Secure`] that creatives have which are not.
pub const INSECURE: &[u8] = b"0";
/// The value of [`NoBidReason::Size`] that all banners of a fixed size have; as one of its two parts, the side that is not told.
pub const ANY_SIZE: &[u8] = b"*";

/// Most values of an index: their places have so many bits in an entry of its table.
const PLACE_BITS: u32 = 24;

/// An entry of the table: the hash's upper bits, and one more than the place of a value that has it.
#[must_use]
pub fn entry(hash: u32, place: u32) -> u32 {
    tag(hash) << PLACE_BITS | (place + 1)
}

#[inline]
fn tag(hash: u32) -> u32 {
    hash >> PLACE_BITS
}

#[inline]
fn place(entry: u32) -> Option<usize> {
    (entry as usize & ((1 << PLACE_BITS) - 1)).checked_sub(1)
}

/// Changes with how values are spelled and found.
pub(super) fn fingerprint() -> u64 {
    let domains = domain::and_parents("a.Bücher.example").chain([domain::strip_www("WWW.example")]);
    let texts = domains.chain([category::parent("IAB7-39")]).map(str::as_bytes);
    let number = number_key(300);
    let keys = texts.chain([ANY_CATEGORY, ANY_SIZE, BANNER, VIDEO, AUDIO, NATIVE, number.as_slice()]);
    keys.fold(0, |all, a| {
        let hashes = [NoBidReason::Domain, NoBidReason::Deal].map(|reason| Key { reason, a, b: b"1" }.hash());
        hashes.into_iter().fold(all, |all: u64, hash| all.rotate_left(9) ^ u64::from(hash))
    })
}
