//! Who could bid: the campaigns that fit all dimensions of the index, a block at a time, the one that would pay the most
//! first.
//!
//! A block that nobody is left of costs no further dimension, so most of a large catalog costs a few words. What the
//! index does not hold is up to [`crate::decide`].

mod imp;
mod narrow;
mod part;
mod term;
#[cfg(test)]
mod tests;
mod values;

use bumpalo::Bump;
use bumpalo::collections::Vec;

use crate::catalog::index::{BLOCK, BLOCK_WORDS, Bits, Dimension, Finder, Key, LAST, Opened, Postings, number_key};
use crate::digits::Digits;
use crate::no_bid::NoBidReason as R;
use crate::request::Request;
use crate::targeting::{Facts, Told, Value};
use crate::work::{self, Meter};
pub(crate) use imp::OfImp;
pub(crate) use part::set_place;
use term::{Base, Terms};

/// Who fits a request, whatever the impression.
pub(crate) struct Candidates<'a> {
    index: &'a Opened<'a>,
    meter: &'a Meter,
    arena: &'a Bump,
    terms: Terms<'a>,
    /// What is known of each block: impressions share it.
    blocks: Vec<'a, Block>,
    /// Who is left of the blocks that anybody is left of.
    fitting: Vec<'a, Bits>,
    /// How far the one came that came furthest.
    closest: R,
}

/// What is known of a block.
#[derive(Debug, Clone, Copy)]
enum Block {
    /// Nobody looked.
    Unknown,
    /// Nobody fits the request.
    Empty,
    /// Who does is at this place in [`Candidates::fitting`].
    Fitting(u32),
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
    /// Looks up what a request asks for and blocks. Nobody may bid if that leaves `meter` empty: not all of it may have been
    /// looked up.
    pub(crate) fn new(
        index: &'a Opened<'a>,
        facts: &Facts<'a>,
        ssp: usize,
        meter: &'a Meter,
        arena: &'a Bump,
    ) -> Candidates<'a> {
        let blocks = index.campaigns.div_ceil(BLOCK);
        let mut terms = Terms::new(index.campaigns, index.of_request.len(), meter, arena);
        for dimension in &index.of_request {
            match dimension.reason {
                R::Seat => seats(index.finder, facts, &mut terms),
                R::Acat => {}
                reason => match values::of_request(reason, facts, ssp) {
                    Told::Several => {
                        terms.begin(reason, Base::of(dimension));
                        let mut take = |key: Key<'_>| take(&mut terms, index.finder, dimension, &key);
                        values::each_of_request(reason, facts, index.laid.taxonomies(), meter, &mut take);
                        terms.end();
                    }
                    told => take_one(&mut terms, index.finder, dimension, &told),
                },
            }
        }
        // The last dimension of the request. Without a category in the catalog it does not exist, and nobody is allowed.
        if !facts.request.acat.is_empty() {
            allowed(index, facts.request, &mut terms);
        }
        terms.order();
        let mut known = Vec::with_capacity_in(blocks, arena);
        known.resize(blocks, Block::Unknown);
        Candidates { index, meter, arena, terms, blocks: known, fitting: Vec::new_in(arena), closest: R::NoCampaign }
    }

    /// How far the candidate came that came furthest without passing.
    pub(crate) fn closest(&self) -> R {
        self.closest
    }

    /// Whether a block is known to hold nobody who fits the request.
    #[inline]
    pub(crate) fn is_empty(&self, block: usize) -> bool {
        matches!(self.blocks.get(block), Some(Block::Empty))
    }

    /// Whether nobody can fit the impression this way, and nobody come further than the one whose reason is `known`.
    pub(crate) fn is_in_vain(&self, imp: &OfImp<'_>, way: Way, known: R) -> bool {
        match way {
            Way::Deal => imp.held.as_ref().is_none_or(|held| held.ceiling.is_some()),
            Way::Open => {
                let needs = imp.needs.as_ref().and_then(|needs| needs.ceiling);
                let ceiling = [self.terms.ceiling, imp.terms.ceiling, needs].into_iter().flatten().min();
                ceiling.is_some_and(|ceiling| ceiling <= known.max(self.closest))
            }
        }
    }

    /// Those in a block who fit the impression and may bid this way. `known` is the reason of
    /// somebody who came close: who came less far is of no interest.
    pub(crate) fn in_block(&mut self, block: usize, imp: &mut OfImp<'a>, way: Way, known: R) -> Bits {
        self.closest = self.closest.max(known);
        self.meter.charge(work::OF_BLOCK);
        let mut fitting = match self.blocks.get(block) {
            Some(Block::Fitting(place)) => self.fitting.get(*place as usize).copied().unwrap_or_default(),
            Some(Block::Unknown) => self.everybody(block),
            _ => NOBODY,
        };
        // Whoever fits the impression is asked first where it is of no interest how far the others come.
        let is_first = way == Way::Deal || self.closest >= LAST;
        if is_first {
            self.narrow_by_imp(&mut fitting, block, imp, way);
        }
        if fitting != NOBODY && matches!(self.blocks.get(block), Some(Block::Unknown)) {
            let mut all = self.everybody(block);
            self.terms.narrow(&mut all, block, &mut self.closest);
            fitting.iter_mut().zip(&all).for_each(|(own, all)| *own &= all);
            if let Some(known) = self.blocks.get_mut(block) {
                *known = if all == NOBODY { Block::Empty } else { Block::Fitting(number(self.fitting.len())) };
            }
            if all != NOBODY {
                self.fitting.push(all);
            }
        }
        if !is_first && fitting != NOBODY {
            self.narrow_by_imp(&mut fitting, block, imp, way);
        }
        fitting
    }

    fn narrow_by_imp(&mut self, fitting: &mut Bits, block: usize, imp: &mut OfImp<'a>, way: Way) {
        match way {
            Way::Open => {
                imp.terms.narrow(fitting, block, &mut self.closest);
                if let Some(open) = &mut imp.open {
                    open.narrow(fitting, block, &mut { FURTHEST });
                }
                // Whoever does not fit these comes no further than they.
                if let Some(needs) = &mut imp.needs {
                    needs.narrow_up_to(fitting, block, self.closest);
                }
            }
            // Hardly anybody holds one. How far the others come is found out without deals.
            Way::Deal => {
                match &mut imp.held {
                    Some(held) => held.narrow(fitting, block, &mut { FURTHEST }),
                    None => *fitting = NOBODY,
                }
                if *fitting != NOBODY {
                    imp.terms.narrow(fitting, block, &mut { FURTHEST });
                }
            }
        }
    }

    /// Takes the one at a place out, for this and all further impressions.
    pub(crate) fn drop(&mut self, place: usize) {
        let Some(Block::Fitting(at)) = self.blocks.get(place / BLOCK) else { return };
        let bits = self.fitting.get_mut(*at as usize).and_then(|bits| bits.get_mut(place % BLOCK / 64));
        if let Some(bits) = bits {
            *bits &= !(1 << (place % 64));
        }
    }

    /// The bits of a block that are campaigns.
    fn everybody(&self, block: usize) -> Bits {
        let left = self.index.campaigns.saturating_sub(block * BLOCK);
        if left >= BLOCK {
            return [u64::MAX; BLOCK_WORDS];
        }
        core::array::from_fn(|word| match left.saturating_sub(word * 64) {
            0 => 0,
            some @ 1..64 => (1 << some) - 1,
            _ => u64::MAX,
        })
    }
}

/// The last reason: nobody comes further.
const FURTHEST: R = match R::ALL {
    [.., last] => *last,
    [] => R::NoCampaign,
};

/// The bits of nobody.
const NOBODY: Bits = [0; BLOCK_WORDS];

/// A count of blocks: there are far fewer than numbers.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Takes a value of the request into a dimension.
#[inline]
fn take<'a>(terms: &mut Terms<'a>, finder: Finder<'a>, dimension: &Dimension<'a>, key: &Key<'_>) {
    // Nothing told is what most values of most requests are.
    if key.a.is_empty() && !dimension.blank {
        return;
    }
    if let Some(value) = find(terms, finder, key) {
        terms.take(value);
    }
}

/// Adds a dimension in which the request has one value or none.
fn take_one<'a>(terms: &mut Terms<'a>, finder: Finder<'a>, dimension: &Dimension<'a>, told: &Told<'_>) {
    let number;
    let a = match told {
        Told::One(Value::Text(text)) if !text.is_empty() || dimension.blank => text.as_bytes(),
        Told::One(Value::Number(told)) => {
            number = number_key(*told);
            &number
        }
        _ => return terms.untold(dimension),
    };
    match find(terms, finder, &Key { reason: dimension.reason, a, b: b"" }) {
        Some(value) => {
            terms.begin(dimension.reason, Base::of(dimension));
            terms.take(value);
            terms.end();
        }
        None => terms.untold(dimension),
    }
}

/// Looks a value up, as long as the terms' meter lasts.
#[inline]
fn find<'a>(terms: &Terms<'a>, finder: Finder<'a>, key: &Key<'_>) -> Option<Postings<'a>> {
    if terms.meter.is_empty() {
        return None;
    }
    terms.meter.charge(work::of_lookup(key.a.len() + key.b.len()));
    finder.find(key)
}

/// `wseat` lists the only seats, `bseat` the ones that may not.
fn seats<'a>(finder: Finder<'a>, facts: &Facts<'a>, terms: &mut Terms<'a>) {
    let request = facts.request;
    terms.begin(R::Seat, if request.wseat.is_empty() { Base::Everybody } else { Base::Nobody });
    for (names, listed) in [(request.wseat, true), (request.bseat, false)] {
        for name in names.iter().take_while(|_| !terms.meter.is_empty()) {
            terms.meter.charge(work::of_seat(facts.ssp));
            facts.ssp.each_seat_called(name, |seat| {
                let Some(value) = find(terms, finder, &Key::of(R::Seat, seat)) else { return };
                if listed { terms.include(value.include()) } else { terms.exclude(value.include()) }
            });
        }
    }
    terms.end();
}

/// `acat` allows a campaign when it allows each of its categories, itself or by what it lies under.
fn allowed<'a>(index: &Opened<'a>, request: &Request<'_>, terms: &mut Terms<'a>) {
    let allowed = terms.arena.alloc_slice_fill_copy(index.laid.categories() as usize, false);
    let cattax = Digits::of(request.cattax);
    for a in request.acat.iter().take_while(|_| !terms.meter.is_empty()) {
        let key = Key { reason: R::Acat, a: a.as_bytes(), b: cattax.as_bytes() };
        let Some(value) = find(terms, index.finder, &key) else { continue };
        terms.meter.charge(work::of_members(value.include().count()));
        value.include().each(|number| allowed.get_mut(number as usize).into_iter().for_each(|own| *own = true));
    }
    terms.begin(R::Acat, Base::Nobody);
    for set in index.laid.category_sets().iter().take_while(|_| !terms.meter.is_empty()) {
        terms.meter.charge(work::of_members(set.categories().len()));
        if set.categories().iter().all(|number| allowed.get(number as usize) == Some(&true)) {
            terms.include(set.campaigns());
        }
    }
    terms.end();
}
