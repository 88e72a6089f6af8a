//! The index of a catalog in use: what every decision asks of it, looked up once.

use super::{ANY_SIZE, AUDIO};
use super::{Asked, BANNER, Index, Key, NATIVE, Postings, PostingsDraft, Set, VIDEO, Words, place, tag};
use crate::flat::List;
use crate::no_bid::NoBidReason as R;

/// The index, with the dimensions of the request, of the impression and of the creatives in lists of their own.
#[derive(Debug, Clone)]
pub struct Opened<'s> {
    /// As it lies in the snapshot.
    pub laid: Index<'s>,
    /// How many campaigns there are.
    pub campaigns: usize,
    /// Finds its values.
    pub finder: Finder<'s>,
    /// The dimensions of the request, in the order of the checks.
    pub of_request: Vec<Dimension<'s>>,
    /// The dimensions of an impression that come before deals.
    pub of_imp: Vec<Dimension<'s>>,
    /// What creatives need.
    pub of_creatives: Vec<Dimension<'s>>,
    /// The campaigns with a banner, with a video, with an audio ad, with a native ad; `None` where there is none.
    pub media: [Option<Set<'s>>; 4],
    /// The campaigns with a banner of a fixed size.
    pub any_size: Option<Set<'s>>,
}

/// A dimension in which any campaign asks for something.
#[derive(Debug, Clone, Copy)]
pub struct Dimension<'s> {
    /// The reason for which a campaign that does not fit stays out.
    pub reason: R,
    /// The campaigns that include everything; `None` where all campaigns do.
    pub indifferent: Option<Words<'s>>,
    /// How many they are.
    pub count: usize,
    /// Whether a campaign asks for a value whose first part is empty.
    pub blank: bool,
}

/// Finds values.
#[derive(Debug, Clone, Copy)]
pub struct Finder<'s> {
    table: &'s [[u8; 4]],
    values: List<'s, PostingsDraft>,
}

/// The first reason that depends on the impression.
const FIRST_OF_IMP: R = R::Tagid;
/// The last reason before those of creatives.
pub const LAST: R = R::Size;

impl<'s> Opened<'s> {
    /// Makes these lists.
    pub fn new(laid: Index<'s>) -> Opened<'s> {
        let campaigns = laid.worth().len();
        let finder = Finder { table: laid.table().records().as_chunks().0, values: laid.values() };
        // A damaged snapshot may list more dimensions than there are reasons.
        let all = laid.dimensions().iter().take(R::ALL.len()).map(|asked| Dimension::of(&asked, campaigns));
        let those = |is_one: fn(R) -> bool| all.clone().filter(|dimension| is_one(dimension.reason)).collect();
        let include = |reason, a| finder.find(&Key { reason, a, b: b"" }).map(|value| value.include());
        Opened {
            laid,
            campaigns,
            finder,
            of_request: those(|reason| reason < FIRST_OF_IMP),
            of_imp: those(|reason| (FIRST_OF_IMP..R::Deal).contains(&reason)),
            of_creatives: those(|reason| reason > LAST),
            media: [BANNER, VIDEO, AUDIO, NATIVE].map(|kind| include(R::MediaType, kind)),
            any_size: include(R::Size, ANY_SIZE),
        }
    }
}

impl<'s> Dimension<'s> {
    fn of(asked: &Asked<'s>, campaigns: usize) -> Dimension<'s> {
        let count = asked.count() as usize;
        Dimension {
            reason: R::of_number(asked.number()).unwrap_or(R::NoCampaign),
            indifferent: (count < campaigns).then(|| asked.indifferent()),
            count,
            blank: asked.blank(),
        }
    }
}

impl<'s> Finder<'s> {
    /// Who asks for a value; `None` where nobody does.
    #[inline]
    pub fn find(self, key: &Key<'_>) -> Option<Postings<'s>> {
        let hash = key.hash();
        let last = self.table.len().wrapping_sub(1);
        let mut at = hash as usize & last;
        for _ in 0..self.table.len() {
            let held = u32::from_le_bytes(*self.table.get(at)?);
            if held == 0 {
                return None;
            }
            if tag(held) == tag(hash)
                && let Some(value) = self.is_at(place(held)?, key)
            {
                return Some(value);
            }
            at = (at + 1) & last;
        }
        None
    }

    /// The value at a place, if it is the one with this key. Out of line: most values are not found.
    #[inline(never)]
    fn is_at(self, place: usize, key: &Key<'_>) -> Option<Postings<'s>> {
        let value = self.values.get(place)?;
        let (a, b) = value.key().records().split_at_checked(usize::from(value.first()))?;
        (value.number() == key.reason.number() && key.is(a, b)).then_some(value)
    }
}
