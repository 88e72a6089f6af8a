//! Who could bid: the campaigns that fit all dimensions of the index, a block at a time, the one that would pay the most
//! first.
//!
//! A block that nobody is left of costs no further dimension, so most of a large catalog costs a few words. What the
//! index does not hold is up to [`crate::decide`].

mod term;
mod values;

use bumpalo::Bump;
use bumpalo::collections::Vec;

use crate::catalog::index::{BLOCK, BLOCK_WORDS, Bits, Index, Key};
use crate::no_bid::NoBidReason as R;
use crate::request::Imp;
use crate::rules::banner;
use crate::rules::facts::Facts;
use term::{Base, Term};

/// Who fits a request, whatever the impression.
pub(crate) struct Candidates<'a> {
    index: Index<'a>,
    arena: &'a Bump,
    terms: Terms<'a>,
    /// The blocks that were asked for: impressions share them.
    fitting: Vec<'a, Bits>,
    /// How far the one came that came furthest.
    closest: R,
}

/// Who fits an impression of it too.
pub(crate) struct OfImp<'a> {
    terms: Terms<'a>,
    /// Who may bid without a deal, and who holds one.
    ways: [Term<'a>; 2],
}

/// Under which terms to bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Without a deal.
    Open,
    /// Under a deal of the impression.
    Deal,
}

impl<'a> Candidates<'a> {
    pub(crate) fn new(index: Index<'a>, facts: &Facts<'a>, ssp: usize, arena: &'a Bump) -> Candidates<'a> {
        let campaigns = index.worth().len();
        let mut terms = Vec::with_capacity_in(index.dimensions().len().min(R::ALL.len()), arena);
        for dimension in index.dimensions().iter().take(R::ALL.len()) {
            let reason = dimension.reason();
            if reason >= FIRST_OF_IMP {
                continue;
            }
            let mut term = Term::of(&dimension, campaigns, arena);
            let take = |key: Key<'_>| term.take(index.find(&key), campaigns);
            match reason {
                R::Seat => term = seats(index, facts, arena),
                R::Bcat => values::of_bcat(facts.request, index.taxonomies(), take),
                _ => values::of_request(reason, facts, ssp, take),
            }
            if !term.is_idle() {
                terms.push(term);
            }
        }
        Candidates {
            index,
            arena,
            terms: Terms::new(terms, arena),
            fitting: Vec::new_in(arena),
            closest: R::NoCampaign,
        }
    }

    /// How far the candidate came that came furthest without passing.
    pub(crate) fn closest(&self) -> R {
        self.closest
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> usize {
        self.index.worth().len().div_ceil(BLOCK)
    }

    /// What an impression asks besides.
    pub(crate) fn of_imp(&self, imp: &Imp<'_>) -> OfImp<'a> {
        let (index, arena) = (self.index, self.arena);
        let campaigns = index.worth().len();
        let mut terms = Vec::with_capacity_in(index.dimensions().len().min(R::ALL.len()), arena);
        for dimension in index.dimensions().iter().take(R::ALL.len()) {
            let reason = dimension.reason();
            if reason < FIRST_OF_IMP || reason >= R::Deal {
                continue;
            }
            let mut term = Term::of(&dimension, campaigns, arena);
            values::of_imp(reason, imp, |key| term.take(index.find(&key), campaigns));
            terms.push(term);
        }
        let open = || if imp.private_auction { Base::Nobody } else { Base::These(index.open(), usize::MAX) };
        // Who bids at all, and who does so under a deal.
        let mut any = Term::new(R::Deal, open(), arena);
        let mut held = Term::new(R::Deal, Base::Nobody, arena);
        values::of_imp(R::Deal, imp, |key| {
            let value = index.find(&key);
            any.take(value, campaigns);
            held.take(value, campaigns);
        });
        let ways = [Term::new(R::Deal, open(), arena), held];
        let mut media = Term::new(R::MediaType, Base::Nobody, arena);
        values::of_imp(R::MediaType, imp, |key| media.take(index.find(&key), campaigns));
        let mut size = Term::new(R::Size, Base::Nobody, arena);
        values::of_size(imp, |key| size.take(index.find(&key), campaigns));
        for ratio in index.ratios().iter() {
            if imp.banner.as_ref().is_some_and(|offer| banner::offers(offer, ratio.shape())) {
                size.include(ratio.campaigns(), campaigns);
            }
        }
        terms.extend([any, media, size]);
        OfImp { terms: Terms::new(terms, arena), ways }
    }

    /// The places of those in a block who fit the impression and may bid this way, ascending. `known` is the reason of
    /// somebody who came close: who came less far is of no interest.
    pub(crate) fn in_block(
        &mut self,
        block: usize,
        imp: &mut OfImp<'a>,
        way: Way,
        known: R,
    ) -> impl Iterator<Item = usize> + use<'a> {
        self.closest = self.closest.max(known);
        let mut fitting = self.fitting(block);
        let [open, deal] = &mut imp.ways;
        match way {
            _ if fitting == [0; BLOCK_WORDS] => {}
            Way::Open => {
                imp.terms.narrow(&mut fitting, block, &mut self.closest);
                open.narrow(&mut fitting, block);
            }
            // Hardly anybody holds one. How far the others come is found out without deals.
            Way::Deal => {
                if deal.narrow(&mut fitting, block) {
                    imp.terms.narrow(&mut fitting, block, &mut R::ALL.last().copied().unwrap_or(known));
                }
            }
        }
        places(fitting, block)
    }

    /// Takes the one at a place out, for this and all further impressions.
    pub(crate) fn drop(&mut self, place: usize) {
        let bits = self.fitting.get_mut(place / BLOCK).and_then(|bits| bits.get_mut(place % BLOCK / 64));
        if let Some(bits) = bits {
            *bits &= !(1 << (place % 64));
        }
    }

    /// The bits of those in a block who fit the request.
    fn fitting(&mut self, block: usize) -> Bits {
        while self.fitting.len() <= block {
            let own = self.fitting.len();
            let mut fitting = self.everybody(own);
            self.terms.narrow(&mut fitting, own, &mut self.closest);
            self.fitting.push(fitting);
        }
        self.fitting.get(block).copied().unwrap_or_default()
    }

    /// The bits of a block that are campaigns.
    fn everybody(&self, block: usize) -> Bits {
        let left = self.index.worth().len().saturating_sub(block * BLOCK);
        core::array::from_fn(|word| match left.saturating_sub(word * 64) {
            0 => 0,
            some @ 1..64 => (1 << some) - 1,
            _ => u64::MAX,
        })
    }
}

/// Dimensions that all have to fit, in the order of the checks.
struct Terms<'a> {
    all: Vec<'a, Term<'a>>,
    /// Their places, the one that the fewest fit first.
    fewest_first: Vec<'a, usize>,
}

impl<'a> Terms<'a> {
    fn new(all: Vec<'a, Term<'a>>, arena: &'a Bump) -> Terms<'a> {
        let mut fewest_first = Vec::from_iter_in(0..all.len(), arena);
        fewest_first.sort_unstable_by_key(|place| all.get(*place).map(|term| term.most));
        Terms { all, fewest_first }
    }

    /// Takes those of a block out that do not fit. Where nobody is left, `closest` rises to the reason of the one who came
    /// furthest.
    fn narrow(&mut self, fitting: &mut Bits, block: usize, closest: &mut R) {
        let all = *fitting;
        for place in &self.fewest_first {
            let Some(term) = self.all.get_mut(*place) else { continue };
            if !term.narrow(fitting, block) {
                self.explain(all, block, closest);
                return;
            }
        }
    }

    /// In the order of the checks, the one that leaves nobody is where the last one fails.
    fn explain(&mut self, mut fitting: Bits, block: usize, closest: &mut R) {
        if self.all.last().is_none_or(|last| last.reason <= *closest) {
            return;
        }
        let last = self.all.iter_mut().find_map(|term| (!term.narrow(&mut fitting, block)).then_some(term.reason));
        *closest = last.map_or(*closest, |reason| reason.max(*closest));
    }
}

/// The first reason that depends on the impression.
const FIRST_OF_IMP: R = R::Tagid;

/// `wseat` lists the only seats, `bseat` the ones that may not.
fn seats<'a>(index: Index<'a>, facts: &Facts<'a>, arena: &'a Bump) -> Term<'a> {
    let (campaigns, request) = (index.worth().len(), facts.request);
    let base = if request.wseat.is_empty() { Base::Everybody } else { Base::Nobody };
    let mut term = Term::new(R::Seat, base, arena);
    for (names, listed) in [(request.wseat, true), (request.bseat, false)] {
        for name in names {
            facts.ssp.each_seat_called(name, |seat| {
                let Some(value) = index.find(&Key::of(R::Seat, seat)) else { return };
                if listed { term.include(value.include(), campaigns) } else { term.exclude(value.include(), campaigns) }
            });
        }
    }
    term
}

/// The places of a block's bits.
fn places(fitting: Bits, block: usize) -> impl Iterator<Item = usize> {
    fitting.into_iter().enumerate().flat_map(move |(word, bits)| {
        let mut rest = bits;
        core::iter::from_fn(move || {
            let place = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                block * BLOCK + word * 64 + place
            })
        })
    })
}
