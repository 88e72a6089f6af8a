//! Finds the candidates of a request: the campaigns that pass every check that the index can do.
//!
//! Campaigns are sorted by worth (the most that a campaign pays), the highest first, and cut into blocks of 512. For
//! each value of a dimension, the index holds two posting lists: the campaigns that include the value and those that
//! exclude it. The values of a request select the posting lists. In each block, a dimension turns its lists into a
//! bitset; the AND of all bitsets gives the candidates. A block is computed only when the search reaches it.
//!
//! [`crate::decide`] stops the search when no later campaign can pay more, and does the checks that no index can do.

mod add;
mod filter;
mod imp;
mod narrow;
mod posting_set;
#[cfg(test)]
mod tests;
mod values;

use bumpalo::Bump;
use bumpalo::collections::Vec;

use crate::stop::Stop;
use add::{add_single_value, add_value, exclude_refusing, look_up};
use catalog::index::{BLOCK, Bits, EMPTY, Finder, Key, LAST_OF_IMP, LoadedIndex, below};
pub(crate) use filter::ImpFilters;
use filter::{Base, Filters};
use openrtb::request::Request;
use reasons::kind::{Kind, kind_of};
use reasons::no_bid::NoBidReason as R;
use rules::targeting::{Facts, Values};
use rules::work::{self, Meter};

/// The candidates of one request. What all impressions have in common is computed once.
pub(crate) struct Candidates<'a> {
    index: &'a LoadedIndex<'a>,
    /// The campaigns that bid on nothing; `None` if nothing is stopped.
    stop: Option<&'a Stop>,
    meter: &'a Meter,
    arena: &'a Bump,
    /// The dimensions that do not depend on the impression.
    filters: Filters<'a>,
    /// The result of `filters` for each block, shared by all impressions.
    blocks: Vec<'a, Block>,
    /// The eligible campaigns of each [`Block::Eligible`].
    eligible: Vec<'a, Bits>,
    /// The reason of the rejected campaign that passed the most checks.
    closest: R,
}

/// The campaigns of a block that pass the filters of the request.
#[derive(Debug, Clone, Copy)]
enum Block {
    /// Not computed yet.
    Unknown,
    /// No campaign.
    Empty,
    /// Some campaigns; their bits are in [`Candidates::eligible`], at this position.
    Eligible(u32),
}

/// How a campaign bids on an impression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Market {
    /// Without a deal.
    Open,
    /// Under a deal of the impression.
    Deal,
}

impl<'a> Candidates<'a> {
    /// Looks up the values of a request. If `meter` is empty afterwards, some values may be missing, so no campaign may
    /// bid.
    pub(crate) fn new(
        index: &'a LoadedIndex<'a>,
        facts: &Facts<'a>,
        ssp: usize,
        stop: Option<&'a Stop>,
        meter: &'a Meter,
        arena: &'a Bump,
    ) -> Candidates<'a> {
        let blocks = index.campaigns.div_ceil(BLOCK);
        let mut filters = Filters::new(index.campaigns, index.request_dimensions.len(), meter, arena);
        for dimension in &index.request_dimensions {
            match dimension.reason {
                R::Seat => add_seats(index.finder, facts, &mut filters),
                R::Acat => {}
                reason => match values::of_request(reason, facts, ssp) {
                    Values::Several => {
                        filters.begin(reason, Base::of(dimension));
                        let mut is_known = false;
                        let is_segment = kind_of(reason) == Some(Kind::Segment);
                        let mut take = |key: Key<'_>| {
                            is_known |= !(if is_segment { key.b } else { key.a }).is_empty();
                            add_value(&mut filters, index.finder, dimension, &key);
                        };
                        values::each_of_request(reason, facts, index.stored.taxonomies(), meter, &mut take);
                        let is_told = |cattax| match cattax {
                            0 => is_known,
                            cattax => values::tells_category(reason, facts, cattax, meter),
                        };
                        exclude_refusing(&mut filters, dimension, is_told);
                        filters.end();
                    }
                    known => add_single_value(&mut filters, index.finder, dimension, &known),
                },
            }
        }
        // If no campaign has a category, the index lacks `Acat`, the last dimension of the request. Then `acat` allows
        // no campaign.
        if !facts.request.acat.is_empty() {
            add_allowed_categories(index, facts.request, &mut filters);
        }
        filters.finish();
        let mut unknown = Vec::with_capacity_in(blocks, arena);
        unknown.resize(blocks, Block::Unknown);
        Candidates {
            index,
            stop,
            meter,
            arena,
            filters,
            blocks: unknown,
            eligible: Vec::new_in(arena),
            // A campaign that is not stopped either bids or fails a later check.
            closest: if stop.is_some() { R::Stopped } else { R::NoCampaign },
        }
    }

    /// The reason of the rejected campaign that passed the most checks.
    pub(crate) fn closest(&self) -> R {
        self.closest
    }

    /// Whether a block is known to have no campaign that is eligible for the request.
    #[inline]
    pub(crate) fn is_empty(&self, block: usize) -> bool {
        matches!(self.blocks.get(block), Some(Block::Empty))
    }

    /// Whether a search cannot change the outcome: no campaign is eligible for the impression this way, and none passes
    /// more checks than the campaign with the reason `known`.
    pub(crate) fn is_pointless(&self, imp: &ImpFilters<'_>, market: Market, known: R) -> bool {
        match market {
            Market::Deal => imp.deal.as_ref().is_none_or(|deal| deal.ceiling.is_some()),
            Market::Open => {
                let requirements = imp.requirements.as_ref().and_then(|requirements| requirements.ceiling);
                let ceiling = [self.filters.ceiling, imp.filters.ceiling, requirements].into_iter().flatten().min();
                ceiling.is_some_and(|ceiling| ceiling <= known.max(self.closest))
            }
        }
    }

    /// The candidates of a block for an impression. `known` is a reason that another campaign reached already: an
    /// earlier reason cannot become [`Candidates::closest`].
    pub(crate) fn in_block(&mut self, block: usize, imp: &mut ImpFilters<'a>, market: Market, known: R) -> Bits {
        self.closest = self.closest.max(known);
        self.meter.charge(work::OF_BLOCK);
        let mut eligible = match self.blocks.get(block) {
            Some(Block::Eligible(at)) => self.eligible.get(*at as usize).copied().unwrap_or_default(),
            Some(Block::Unknown) => self.all_campaigns(block),
            _ => EMPTY,
        };
        // Match the impression first once rejection reasons no longer matter.
        let is_imp_first = market == Market::Deal || self.closest >= LAST_OF_IMP;
        if is_imp_first {
            self.narrow_by_imp(&mut eligible, block, imp, market);
        }
        if eligible != EMPTY && matches!(self.blocks.get(block), Some(Block::Unknown)) {
            let mut of_request = self.all_campaigns(block);
            self.filters.narrow(&mut of_request, block, &mut self.closest);
            eligible.iter_mut().zip(&of_request).for_each(|(own, of_request)| *own &= of_request);
            if let Some(known) = self.blocks.get_mut(block) {
                *known = if of_request == EMPTY { Block::Empty } else { Block::Eligible(to_u32(self.eligible.len())) };
            }
            if of_request != EMPTY {
                self.eligible.push(of_request);
            }
        }
        if !is_imp_first && eligible != EMPTY {
            self.narrow_by_imp(&mut eligible, block, imp, market);
        }
        eligible
    }

    fn narrow_by_imp(&mut self, eligible: &mut Bits, block: usize, imp: &mut ImpFilters<'a>, market: Market) {
        match market {
            Market::Open => {
                imp.filters.narrow(eligible, block, &mut self.closest);
                if let Some(open) = &mut imp.open {
                    open.narrow(eligible, block, &mut { LAST_REASON });
                }
                // A campaign that fails a requirement up to `closest` can neither bid nor have a later reason.
                if let Some(requirements) = &mut imp.requirements {
                    requirements.narrow_up_to(eligible, block, self.closest);
                }
            }
            // Few campaigns have a deal, so match deals first. The search without deals finds the rejection reason.
            Market::Deal => {
                match &mut imp.deal {
                    Some(deal) => deal.narrow(eligible, block, &mut { LAST_REASON }),
                    None => *eligible = EMPTY,
                }
                if *eligible != EMPTY {
                    imp.filters.narrow(eligible, block, &mut { LAST_REASON });
                }
            }
        }
    }

    /// Removes the campaign at a position, for this and all further impressions.
    pub(crate) fn remove(&mut self, position: usize) {
        let Some(Block::Eligible(at)) = self.blocks.get(position / BLOCK) else { return };
        let word = self.eligible.get_mut(*at as usize).and_then(|bits| bits.get_mut(position % BLOCK / 64));
        if let Some(word) = word {
            *word &= !(1 << (position % 64));
        }
    }

    /// The campaigns of a block that are not stopped; only the last block may have fewer than 512.
    fn all_campaigns(&self, block: usize) -> Bits {
        let mut all = core::array::from_fn(|word| below(self.index.campaigns, block * BLOCK + word * 64));
        if let Some(stop) = self.stop {
            all.iter_mut().zip(stop.in_block(block)).for_each(|(own, stopped)| *own &= !stopped);
        }
        all
    }
}

/// The last reason: no campaign can pass more checks. Once `closest` has this value, reasons no longer matter.
const LAST_REASON: R = match R::ALL {
    [.., last] => *last,
    [] => R::NoCampaign,
};

fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Adds the dimension of seats: `wseat` lists the only allowed seats, `bseat` the blocked ones.
fn add_seats<'a>(finder: Finder<'a>, facts: &Facts<'a>, filters: &mut Filters<'a>) {
    let request = facts.request;
    filters.begin(R::Seat, if request.wseat.is_empty() { Base::All } else { Base::Empty });
    for (names, is_allowed) in [(request.wseat, true), (request.bseat, false)] {
        for name in names.iter().take_while(|_| !filters.meter.is_empty()) {
            filters.meter.charge(2 * work::of_seat(facts.ssp));
            facts.ssp.each_seat_called(name, |seat| {
                let Some(postings) = look_up(filters, finder, &Key::of(R::Seat, seat)) else { return };
                let campaigns = postings.include();
                if is_allowed { filters.include(campaigns) } else { filters.exclude(campaigns) }
            });
        }
    }
    filters.end();
}

/// Adds the dimension of `acat`: a campaign is allowed if each of its categories, or one above it, is listed.
fn add_allowed_categories<'a>(index: &LoadedIndex<'a>, request: &Request<'_>, filters: &mut Filters<'a>) {
    // Each category is a value of the index too, so in a damaged snapshot no greater number makes sense.
    let categories = (index.stored.categories() as usize).min(index.stored.values().len());
    let is_allowed = filters.arena.alloc_slice_fill_copy(categories, false);
    let mut digits = itoa::Buffer::new();
    let cattax = digits.format(request.cattax);
    for a in request.acat.iter().take_while(|_| !filters.meter.is_empty()) {
        let key = Key { reason: R::Acat, a: a.as_bytes(), b: cattax.as_bytes() };
        let Some(postings) = look_up(filters, index.finder, &key) else { continue };
        let categories = postings.include();
        filters.meter.charge(work::of_members(categories.count()));
        categories.each(|number| is_allowed.get_mut(number as usize).into_iter().for_each(|own| *own = true));
    }
    filters.begin(R::Acat, Base::Empty);
    for set in index.stored.category_sets().iter().take_while(|_| !filters.meter.is_empty()) {
        filters.meter.charge(work::of_members(set.categories().len()));
        if set.categories().iter().all(|number| is_allowed.get(number as usize) == Some(&true)) {
            filters.include(set.campaigns());
        }
    }
    filters.end();
}
