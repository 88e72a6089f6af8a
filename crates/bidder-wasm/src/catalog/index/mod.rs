//! The index of a catalog: for each value that campaigns list, the posting lists of those campaigns.
//!
//! A dimension has the name of the reason for rejecting a campaign that does not fit. A campaign fits if it excludes
//! none of the request's values, and includes one of them or accepts any value; campaigns that refuse a request without
//! a known value are a list of their own. The index holds only what equality can
//! decide: no circles, ranges or floors.
//!
//! The dimensions after [`NoBidReason::Size`] are requirements of creatives. They tell which campaigns cannot bid, not
//! which can: if a campaign has several creatives, each may fail another requirement.

mod key;
mod loaded;
mod posting_list;

pub use key::{Key, number_key};
pub use loaded::{Dimension, Finder, LAST_OF_IMP, LoadedIndex};
pub use posting_list::{BLOCK, BLOCK_WORDS, Bits, Bitset, BitsetDraft, PostingList, PostingListDraft, bits};
pub(crate) use posting_list::{below, has_bit, set_bit, set_campaign};

use super::Shape;
use crate::flat::{Wide, flat};
use crate::no_bid::NoBidReason;
use crate::{category, domain};

flat! {
    /// The index in a snapshot.
    pub struct Index from IndexDraft {
        /// The worth of each campaign, highest first: the most that it pays per thousand impressions, in micros of a US
        /// dollar, rounded down.
        pub worth: Wide<i64>,
        /// A hash of each campaign's id, for draws: so other campaigns do not change the order of equal ones.
        pub ids: Wide<u32>,
        /// The campaigns that also bid without a deal.
        pub open: BitsetDraft,
        /// The dimensions in which a campaign lists a value, in the order of the checks.
        pub dimensions: Wide<DimensionDraft>,
        /// A hash table with linear probing over `values`. Its length is a power of two; see [`entry`]. An entry of 0
        /// is free.
        pub table: Wide<u32>,
        /// The values and their posting lists.
        pub values: Wide<PostingsDraft>,
        /// The taxonomies that categories of campaigns are in.
        pub taxonomies: Vec<i64>,
        /// The ratios of flexible banners.
        pub ratios: Vec<RatioDraft>,
        /// The different durations of video and audio ads in seconds, the shortest first.
        pub durations: Vec<i64>,
        /// How many different categories campaigns have; the same category of two taxonomies counts twice. A value of
        /// [`NoBidReason::Acat`] lists the numbers of the categories that it allows.
        pub categories: u32,
        /// The different sets of categories that campaigns have.
        pub category_sets: Wide<CategorySetDraft>,
    }
}

flat! {
    /// A stored [`Dimension`].
    pub struct StoredDimension from DimensionDraft {
        /// The number of its reason.
        pub number: u8,
        /// The campaigns that accept any value.
        pub accept_any: BitsetDraft,
        /// How many campaigns accept any value.
        pub accept_any_count: u32,
        /// Whether a campaign lists a value whose first part is empty.
        pub has_empty_value: bool,
        /// The campaigns that refuse a request without a known value; for categories, a list for each taxonomy.
        pub refuse_unknown: Vec<RefusalDraft>,
    }
}

flat! {
    /// Campaigns that refuse a request without a known value.
    pub struct Refusal from RefusalDraft {
        /// The taxonomy that a category has to be in; 0 in dimensions without taxonomies.
        pub cattax: i64,
        /// The campaigns.
        pub campaigns: PostingListDraft,
    }
}

flat! {
    /// A value and its posting lists.
    pub struct Postings from PostingsDraft {
        /// The number of its dimension's reason.
        pub number: u8,
        /// How many bytes of `key` are its first part.
        pub first: u16,
        /// Both parts of the value; in lower case if case does not matter.
        pub key: Wide<u8>,
        /// The campaigns that include the value.
        pub include: PostingListDraft,
        /// The campaigns that exclude the value.
        pub exclude: PostingListDraft,
    }
}

impl<'s> Postings<'s> {
    /// Both parts of the value.
    pub fn parts(&self) -> (&'s [u8], &'s [u8]) {
        self.key().records().split_at_checked(usize::from(self.first())).unwrap_or_default()
    }
}

flat! {
    /// A ratio, and the campaigns with a flexible banner of that ratio.
    pub struct Ratio from RatioDraft {
        /// The ratio and its least width.
        pub shape: Shape,
        /// The campaigns.
        pub campaigns: PostingListDraft,
    }
}

flat! {
    /// A set of categories, and the campaigns with exactly these.
    pub struct CategorySet from CategorySetDraft {
        /// The numbers of the categories.
        pub categories: Vec<u32>,
        /// The campaigns.
        pub campaigns: PostingListDraft,
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
/// With a taxonomy as the first part: the value of [`NoBidReason::Bcat`] for any category of that taxonomy.
pub const ANY_CATEGORY: &[u8] = b"*";
/// The value of [`NoBidReason::Secure`] for creatives that are not secure.
pub const INSECURE: &[u8] = b"0";
/// As one part of a value of [`NoBidReason::Size`]: any width or height. As its only part: any fixed size.
pub const ANY_SIZE: &[u8] = b"*";

/// Bits of a table entry that hold the position of a value. They limit how many values an index can have.
const POSITION_BITS: u32 = 24;

/// An entry of the table: the upper bits of a value's hash, and its position plus one. The entry is in the slot that
/// the hash leads to, or in the next free one.
pub fn entry(hash: u32, position: u32) -> u32 {
    tag(hash) << POSITION_BITS | (position + 1)
}

fn tag(hash: u32) -> u32 {
    hash >> POSITION_BITS
}

fn position(entry: u32) -> Option<usize> {
    (entry as usize & ((1 << POSITION_BITS) - 1)).checked_sub(1)
}

/// Changes when the spelling or the hashing of values does.
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
