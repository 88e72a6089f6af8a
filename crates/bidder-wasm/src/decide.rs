//! The decision: for each impression the best bid under a deal and the best one without.
//!
//! Loops, compares and picks. It does not read, price, or know a clock, and has an answer written only to see how long it gets.
//!
//! The campaigns come from the catalog's index, the one that would pay the most first, and the search for a bid ends
//! with the first that no later one can beat. With a listener, everybody is looked at, one after the other, so that each
//! hears why; what comes out is the same, but where there are more candidates than may be looked at.

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

use crate::candidates::{Candidates, OfImp, Way};
use crate::catalog::index::BLOCK;
use crate::catalog::{Campaign, Catalog, Creative, Parts};
use crate::chosen::Chosen;
use crate::context::{Context, Standing};
use crate::explain::Recorder;
use crate::gate::{self, Basis};
use crate::limits::{MAX_CANDIDATES, MAX_CANDIDATES_OF_REQUEST};
use crate::money::{Currency, Micros, Rates, Rounding};
use crate::no_bid::NoBidReason;
use crate::price::{self, Price};
use crate::request::{Deal, Imp, Request};
use crate::rules::{self, Verdict, pod};
use crate::write::{self, Envelope};

/// What comes out for a readable request.
#[derive(Debug)]
pub enum Decision<'a> {
    /// At least one bid, all priced in `cur`.
    Bids {
        /// What they have in common.
        envelope: Envelope<'a>,
        /// For each impression at most one under a deal and one without, on dynamic pods as many as fit in them either way,
        /// in the order of the impressions.
        bids: &'a [Bid<'a>],
    },
    /// Nothing, and what the closest candidate failed on.
    NoBid(NoBidReason),
}

/// One bid, by reference to what it was made of.
#[derive(Debug, Clone, Copy)]
pub struct Bid<'a> {
    /// What is bid on.
    pub imp: &'a Imp<'a>,
    /// The deal that it is made under.
    pub deal: Option<&'a Deal<'a>>,
    /// Who bids.
    pub campaign: Campaign<'a>,
    /// What would be shown.
    pub creative: Creative<'a>,
    /// Per thousand impressions, in the decision's currency.
    pub price: Price,
}

/// What a decision took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// How many ways to bid were looked at, of each candidate on each impression.
    pub examined: usize,
    /// Whether there were more than may be looked at: see [`MAX_CANDIDATES`].
    pub gave_up: bool,
    /// Whether there were more impressions than are looked at: see [`crate::limits::MAX_IMPS`].
    pub more_imps: bool,
}

/// Decides on a request of the SSP with number `ssp`, and tells `recorder` who stayed out and why. Behind what `out` holds,
/// and in the end holds again, is room to write answers in that are only measured.
pub fn decide<'a, R: Recorder>(
    request: &'a Request<'a>,
    ssp: usize,
    catalog: &'a Catalog<'a>,
    context: &Context<'_>,
    arena: &'a Bump,
    recorder: &mut R,
    out: &mut String,
) -> (Decision<'a>, Effort) {
    let basis = match gate::pass(request, ssp, catalog, context, arena) {
        Ok(basis) => basis,
        Err(reason) => return (Decision::NoBid(reason), Effort::default()),
    };
    let mut round = Round {
        basis: &basis,
        rates: &catalog.rates,
        envelope: Envelope::new(request, basis.facts.ssp, basis.cur, catalog, context),
        parts: catalog.parts(),
        context,
        bids: ArenaVec::new_in(arena),
        effort: Effort::default(),
        most: 0,
        closest: NoBidReason::NoCampaign,
        recorder,
        out,
    };
    if R::LISTENS {
        round.everybody(ssp, arena);
    } else {
        round.candidates(ssp, arena);
    }
    let Round { bids, effort, closest, envelope, .. } = round;
    let decision = if bids.is_empty() {
        Decision::NoBid(closest)
    } else {
        Decision::Bids { envelope, bids: bids.into_bump_slice() }
    };
    (decision, effort)
}

/// So many candidates without a bid make it worth while to look at what creatives need.
const MANY: usize = 16;

/// What a decision has come to so far.
struct Round<'r, 'a, R> {
    basis: &'r Basis<'a>,
    rates: &'r Rates,
    envelope: Envelope<'a>,
    parts: Parts<'a>,
    context: &'r Context<'r>,
    bids: ArenaVec<'a, Bid<'a>>,
    effort: Effort,
    /// How far `examined` may go before the next impression.
    most: usize,
    /// The reason of the candidate that came closest to a bid.
    closest: NoBidReason,
    recorder: &'r mut R,
    out: &'r mut String,
}

/// The best bids on one impression so far. The two are alternatives: the exchange may choose among both.
struct Best<'a> {
    deal: Chosen<'a>,
    open: Chosen<'a>,
}

impl<'a, R: Recorder> Round<'_, 'a, R> {
    /// Looks at those that the index lets through.
    fn candidates(&mut self, ssp: usize, arena: &'a Bump) {
        let mut candidates = Candidates::new(self.parts.index(), &self.basis.facts, ssp, arena);
        for imp in &self.basis.imps {
            let mut of_imp = candidates.of_imp(imp);
            let mut best = self.nothing_on(imp, arena);
            self.most = MAX_CANDIDATES_OF_REQUEST.min(self.effort.examined + MAX_CANDIDATES);
            if !imp.deals.is_empty() {
                self.search(&mut candidates, &mut of_imp, imp, Way::Deal, &mut best);
            }
            self.search(&mut candidates, &mut of_imp, imp, Way::Open, &mut best);
            self.keep(imp, best);
        }
        self.closest = self.closest.max(candidates.closest());
    }

    fn search(
        &mut self,
        candidates: &mut Candidates<'a>,
        of_imp: &mut OfImp<'a>,
        imp: &'a Imp<'a>,
        way: Way,
        best: &mut Best<'a>,
    ) {
        // Under deals every floor is the deal's own.
        let floor = match way {
            Way::Open => price::floor_of_all(self.rates, imp, self.basis.cur),
            Way::Deal => None,
        };
        let (worth, campaigns) = (self.parts.index().worth(), self.parts.campaigns());
        let (mut from, begin) = (0, self.effort.examined);
        while let Some(block) = candidates.next_block(from) {
            if candidates.is_in_vain(of_imp, way, self.closest) {
                return;
            }
            if way == Way::Open && self.is_settled(worth.get(block * BLOCK), floor, best) {
                return;
            }
            for place in candidates.in_block(block, of_imp, way, self.closest) {
                if way == Way::Open && self.is_settled(worth.get(place), floor, best) {
                    return;
                }
                if self.effort.examined >= self.most {
                    self.effort.gave_up = true;
                    return;
                }
                let Some(campaign) = campaigns.get(place) else { return };
                let fits = rules::campaign::check_bounds(&self.basis.facts, &campaign);
                if fits.is_err() {
                    candidates.drop(place);
                }
                self.examine(imp, place, &campaign, fits, Some(way), best);
            }
            from = block + 1;
            if way == Way::Open && self.effort.examined - begin > MANY {
                candidates.look_at_needs(self.basis.facts.request, imp, of_imp);
            }
        }
    }

    fn nothing_on(&self, imp: &Imp<'a>, arena: &'a Bump) -> Best<'a> {
        let none = || Chosen::none(imp, self.basis.imps.len(), self.parts.shortest(), arena);
        Best { deal: none(), open: none() }
    }

    /// Whether neither a campaign of this worth nor any after it can change what comes out without a deal: none pays more
    /// than the best does already, or none reaches the floor and another one has failed on that.
    fn is_settled(&self, worth: Option<i64>, floor: Option<Micros>, best: &mut Best<'_>) -> bool {
        // What it pays was rounded down to that.
        let worth = Micros(worth.unwrap_or_default().saturating_add(1));
        let most = self.rates.convert(worth, Currency::USD, self.basis.cur, Rounding::Up);
        let Some(most) = most else { return false };
        best.open.is_settled(most) || (self.closest >= NoBidReason::Floor && floor.is_some_and(|floor| floor > most))
    }

    /// Looks at every campaign.
    fn everybody(&mut self, ssp: usize, arena: &'a Bump) {
        let mut fitting = ArenaVec::new_in(arena);
        for (place, campaign) in self.parts.campaigns().iter().enumerate() {
            match rules::campaign::check(&self.basis.facts, ssp, &campaign) {
                Ok(()) => fitting.push((place, campaign)),
                Err(reason) => self.note(&campaign, None, None, reason),
            }
        }
        for imp in &self.basis.imps {
            let mut best = self.nothing_on(imp, arena);
            for (place, campaign) in &fitting {
                match rules::imp::check(imp, campaign, &self.parts) {
                    Ok(()) => {
                        let fits = rules::campaign::check_bounds(&self.basis.facts, campaign);
                        self.examine(imp, *place, campaign, fits, None, &mut best);
                    }
                    Err(reason) => self.note(campaign, Some(imp), None, reason),
                }
            }
            self.keep(imp, best);
        }
    }

    /// Takes the best bids on an impression into the answer, the last ones only where there is room for all.
    fn keep(&mut self, imp: &Imp<'_>, best: Best<'a>) {
        let before = self.bids.len();
        best.deal.add_to(&mut self.bids);
        best.open.add_to(&mut self.bids);
        // Alone, each of them has been found to have room.
        while self.bids.len() > before + 1 && is_too_long(&self.envelope, &self.bids, self.out) {
            if let Some(bid) = self.bids.pop() {
                self.note(&bid.campaign, Some(imp), bid.deal, NoBidReason::ResponseBytes);
            }
        }
    }

    /// Whether the answer has room for a bid beside those on earlier impressions.
    fn check_bytes(&mut self, bid: &Bid<'a>) -> Verdict {
        if self.envelope.ssp.max_response_bytes() == 0 {
            return Ok(());
        }
        let mut bids = self.bids.clone();
        bids.push(*bid);
        rules::require(!is_too_long(&self.envelope, &bids, self.out), NoBidReason::ResponseBytes)
    }

    /// Looks at one candidate, which fits the request or not: at each way to bid that it has, or at those of one kind only.
    fn examine(
        &mut self,
        imp: &'a Imp<'a>,
        place: usize,
        campaign: &Campaign<'a>,
        fits: Verdict,
        way: Option<Way>,
        best: &mut Best<'a>,
    ) {
        let standing = self.context.standings.get(place).copied().unwrap_or_default();
        let fits = fits.and_then(|()| rules::imp::check_bounds(&self.basis.facts, imp, campaign, standing));
        if way != Some(Way::Open) {
            for deal in imp.deals_in_reach().iter().filter(|deal| rules::deal::is_held(deal, campaign)) {
                self.effort.examined += 1;
                let seat = self.basis.facts.ssp.name_of(campaign.seat());
                let fits = fits.and_then(|()| rules::deal::check(deal, campaign, seat));
                let offered = fits.and_then(|()| self.offer(imp, Some(deal), campaign, standing, &mut best.deal));
                if let Err(reason) = offered {
                    self.note(campaign, Some(imp), Some(deal), reason);
                }
            }
        }
        if way != Some(Way::Deal) && rules::deal::check_open(imp, campaign).is_ok() {
            self.effort.examined += 1;
            if let Err(reason) = fits.and_then(|()| self.offer(imp, None, campaign, standing, &mut best.open)) {
                self.note(campaign, Some(imp), None, reason);
            }
        }
    }

    /// Adds the bid with the campaign's first creative that fits, pays, repeats nothing in its pod and leaves the answer short
    /// enough, or tells what the closest one failed on. On a dynamic pod the bids with its other creatives are added too: one
    /// that pays as much may fit beside others where the first does not.
    fn offer(
        &mut self,
        imp: &'a Imp<'a>,
        deal: Option<&'a Deal<'a>>,
        campaign: &Campaign<'a>,
        standing: Standing,
        chosen: &mut Chosen<'a>,
    ) -> Verdict {
        let (request, cur, parts) = (self.basis.facts.request, self.basis.cur, self.parts);
        let mut closest = Err(NoBidReason::MediaType);
        for creative in parts.creatives_of(campaign) {
            let bid = rules::creative::check(request, imp, campaign, &creative).and_then(|()| {
                let price = price::price(self.rates, request, imp, deal, (campaign, &creative), cur)?;
                rules::deal::check_pacing(request, deal, campaign, standing)?;
                let bid = Bid { imp, deal, campaign: *campaign, creative, price };
                pod::check(&bid, &self.bids)?;
                self.check_bytes(&bid).map(|()| bid)
            });
            match bid {
                Ok(bid) => {
                    chosen.add(bid);
                    closest = Ok(());
                    if !chosen.is_pod() {
                        break;
                    }
                }
                Err(reason) => closest = closest.map_err(|closest: NoBidReason| closest.max(reason)),
            }
        }
        closest
    }

    /// Passes a rejection on, and keeps the reason of the candidate that came closest to a bid.
    fn note(&mut self, campaign: &Campaign<'_>, imp: Option<&Imp<'_>>, deal: Option<&Deal<'_>>, reason: NoBidReason) {
        self.closest = self.closest.max(reason);
        self.recorder.rejected(campaign, imp, deal, reason);
    }
}

/// Whether the SSP takes no answer as long as one with these bids.
fn is_too_long(envelope: &Envelope<'_>, bids: &[Bid<'_>], out: &mut String) -> bool {
    let most = envelope.ssp.max_response_bytes() as usize;
    if most == 0 {
        return false;
    }
    let before = out.len();
    write::bids(out, envelope, bids);
    let length = out.len() - before;
    out.truncate(before);
    length > most
}
