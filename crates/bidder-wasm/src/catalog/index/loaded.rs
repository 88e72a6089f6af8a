//! The index of a loaded catalog. What every decision needs is looked up once, at loading.

use super::{ANY_SIZE, AUDIO, BANNER, NATIVE, VIDEO};
use super::{Bitset, Index, Key, PostingList, Postings, PostingsDraft, RefusalDraft, StoredDimension, position, tag};
use crate::flat::List;
use crate::no_bid::NoBidReason as R;

/// The index. Its dimensions are in three lists: those checked on the request, on the impression and on the creative.
#[derive(Debug, Clone)]
pub struct LoadedIndex<'s> {
    /// The index in the snapshot.
    pub stored: Index<'s>,
    /// How many campaigns there are.
    pub campaigns: usize,
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
    pub reason: R,
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
const FIRST_OF_IMP: R = R::Tagid;
/// The last reason before the requirements of creatives.
pub const LAST_OF_IMP: R = R::Size;

impl<'s> LoadedIndex<'s> {
    /// The loaded index, with what every decision needs looked up.
    pub fn new(stored: Index<'s>) -> LoadedIndex<'s> {
        let campaigns = stored.worth().len();
        let finder = Finder { table: stored.table().records().as_chunks().0, values: stored.values() };
        // A damaged snapshot may list more dimensions than there are reasons.
        let all = stored.dimensions().iter().take(R::ALL.len()).map(|stored| Dimension::of(&stored, campaigns));
        let those = |is_one: fn(R) -> bool| all.clone().filter(|dimension| is_one(dimension.reason)).collect();
        let include = |reason, a| finder.find(&Key { reason, a, b: b"" }).map(|postings| postings.include());
        LoadedIndex {
            stored,
            campaigns,
            finder,
            request_dimensions: those(|reason| reason < FIRST_OF_IMP),
            imp_dimensions: those(|reason| (FIRST_OF_IMP..R::Deal).contains(&reason)),
            creative_dimensions: those(|reason| reason > LAST_OF_IMP),
            media: [BANNER, VIDEO, AUDIO, NATIVE].map(|kind| include(R::MediaType, kind)),
            any_size: include(R::Size, ANY_SIZE),
        }
    }
}

impl<'s> Dimension<'s> {
    fn of(stored: &StoredDimension<'s>, campaigns: usize) -> Dimension<'s> {
        let accept_any_count = stored.accept_any_count() as usize;
        Dimension {
            reason: R::of_number(stored.number()).unwrap_or(R::NoCampaign),
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
