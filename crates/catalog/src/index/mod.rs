//! The index of a catalog: for each value that campaigns list, the posting lists of those campaigns.
//!
//! A dimension has the name of the reason for rejecting a campaign that does not fit. A campaign fits if it excludes
//! none of the request's values, and includes one of them or accepts any value; campaigns that refuse a request without
//! a known value are a list of their own. The index holds only what equality can
//! decide: no circles, ranges or floors.
//!
//! The dimensions after [`NoBidReason::Size`] are requirements of creatives. They tell which campaigns cannot bid, not
//! which can: if a campaign has several creatives, each may fail another requirement.
//!
//! What every decision needs is looked up once, at loading.

mod key;
mod posting_list;
mod runs;

use super::{NativePart, Shape};
use base::{category, domain};
use flat::{List, Wide, flat};
pub use key::{Key, number_key};
pub use posting_list::{BLOCK, BLOCK_WORDS, Bits, Bitset, BitsetDraft, PostingList, PostingListDraft, bits};
pub use posting_list::{EMPTY, below, has_bit, set_campaign};
use reasons::no_bid::NoBidReason;
pub use runs::Runs;

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
        /// The different parts of native ads.
        pub native_parts: Vec<NativePartUseDraft>,
        /// The different sizes of video and audio ads.
        pub frames: Vec<FrameDraft>,
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
    /// A part of native ads, and the campaigns with such an ad.
    pub struct NativePartUse from NativePartUseDraft {
        /// The part.
        pub part: NativePart,
        /// The campaigns.
        pub campaigns: PostingListDraft,
    }
}

flat! {
    /// A size of video or audio ads, and the campaigns with such an ad.
    pub struct Frame from FrameDraft {
        /// Width in pixels; 0 if unknown.
        pub w: i64,
        /// Height in pixels; 0 if unknown.
        pub h: i64,
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
/// As one part of a value of [`NoBidReason::Size`]: any width or height. As its only part: any fixed size.
pub const ANY_SIZE: &[u8] = b"*";

/// Bits of a table entry that hold the position of a value. They limit how many values an index can have.
const POSITION_BITS: u32 = 24;

/// An entry of the table: the upper bits of a value's hash, and its position plus one. The entry is in the slot that
/// the hash leads to, or in the next free one.
pub fn entry(hash: u32, position: u32) -> u32 {
    tag(hash) << POSITION_BITS | (position + 1)
}

#[inline]
fn tag(hash: u32) -> u32 {
    hash >> POSITION_BITS
}

#[inline]
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

/// The index. Its dimensions are in three lists: those checked on the request, on the impression and on the creative.
#[derive(Debug, Clone)]
pub struct LoadedIndex<'s> {
    /// The index in the snapshot.
    pub stored: Index<'s>,
    /// How many campaigns there are.
    pub campaigns: usize,
    /// The campaigns of equal worth that go beyond a block.
    pub runs: Runs,
    /// Finds the posting lists of a value.
    pub finder: Finder<'s>,
    /// The dimensions of a request, in the order of the checks.
    pub request_dimensions: Vec<Dimension<'s>>,
    /// The dimensions of an impression that are checked before deals.
    pub imp_dimensions: Vec<Dimension<'s>>,
    /// The dimensions of what creatives require.
    pub creative_dimensions: Vec<Dimension<'s>>,
    /// The campaigns with a banner, a video, an audio ad and a native ad; `None` if no campaign has one.
    pub media: [Option<PostingList<'s>>; 4],
    /// The campaigns with a banner of a fixed size.
    pub any_size: Option<PostingList<'s>>,
}

/// A dimension in which at least one campaign lists a value, or wants it to be known.
#[derive(Debug, Clone, Copy)]
pub struct Dimension<'s> {
    /// The reason of a campaign that does not fit.
    pub reason: NoBidReason,
    /// The campaigns that accept any value; `None` if all do.
    pub accept_any: Option<Bitset<'s>>,
    /// How many campaigns accept any value.
    pub accept_any_count: usize,
    /// Whether a campaign lists a value whose first part is empty.
    pub has_empty_value: bool,
    /// The campaigns that refuse a request without a known value.
    pub refuse_unknown: List<'s, RefusalDraft>,
}

/// Finds the posting lists of a value in the hash table.
#[derive(Debug, Clone, Copy)]
pub struct Finder<'s> {
    table: &'s [[u8; 4]],
    values: List<'s, PostingsDraft>,
}

/// The first reason that depends on the impression.
const FIRST_OF_IMP: NoBidReason = NoBidReason::Tagid;
/// The last reason before the requirements of creatives.
pub const LAST_OF_IMP: NoBidReason = NoBidReason::Size;

impl<'s> LoadedIndex<'s> {
    /// The loaded index, with what every decision needs looked up.
    pub fn new(stored: Index<'s>) -> LoadedIndex<'s> {
        let campaigns = stored.worth().len();
        let finder = Finder { table: stored.table().records().as_chunks().0, values: stored.values() };
        // A damaged snapshot may list more dimensions than there are reasons.
        let all =
            stored.dimensions().iter().take(NoBidReason::ALL.len()).map(|stored| Dimension::of(&stored, campaigns));
        let those =
            |is_one: fn(NoBidReason) -> bool| all.clone().filter(|dimension| is_one(dimension.reason)).collect();
        let include = |reason, a| finder.find(&Key { reason, a, b: b"" }).map(|postings| postings.include());
        LoadedIndex {
            stored,
            campaigns,
            runs: Runs::of(stored.worth()),
            finder,
            request_dimensions: those(|reason| reason < FIRST_OF_IMP),
            imp_dimensions: those(|reason| (FIRST_OF_IMP..NoBidReason::Deal).contains(&reason)),
            creative_dimensions: those(|reason| reason > LAST_OF_IMP),
            media: [BANNER, VIDEO, AUDIO, NATIVE].map(|kind| include(NoBidReason::MediaType, kind)),
            any_size: include(NoBidReason::Size, ANY_SIZE),
        }
    }
}

impl<'s> Dimension<'s> {
    fn of(stored: &StoredDimension<'s>, campaigns: usize) -> Dimension<'s> {
        let accept_any_count = stored.accept_any_count() as usize;
        Dimension {
            reason: NoBidReason::of_number(stored.number()).unwrap_or(NoBidReason::NoCampaign),
            accept_any: (accept_any_count < campaigns).then(|| stored.accept_any()),
            accept_any_count,
            has_empty_value: stored.has_empty_value(),
            refuse_unknown: stored.refuse_unknown(),
        }
    }
}

impl<'s> Finder<'s> {
    /// The posting lists of a value; `None` if no campaign lists it.
    #[inline]
    pub fn find(self, key: &Key<'_>) -> Option<Postings<'s>> {
        let hash = key.hash();
        let last = self.table.len().wrapping_sub(1);
        let mut at = hash as usize & last;
        for _ in 0..self.table.len() {
            let entry = u32::from_le_bytes(*self.table.get(at)?);
            if entry == 0 {
                return None;
            }
            if tag(entry) == tag(hash)
                && let Some(postings) = self.value_at(position(entry)?, key)
            {
                return Some(postings);
            }
            at = (at + 1) & last;
        }
        None
    }

    /// The value at a position, if it has this key. Not inlined, because most values are not found.
    #[inline(never)]
    fn value_at(self, position: usize, key: &Key<'_>) -> Option<Postings<'s>> {
        let value = self.values.get(position)?;
        let (a, b) = value.key().records().split_at_checked(usize::from(value.first()))?;
        (value.number() == key.reason.number() && key.is(a, b)).then_some(value)
    }
}
