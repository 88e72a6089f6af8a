//! The decision: for each impression the best bid under each deal and the best one without.
//!
//! Loops, compares and picks. It does not read, price, or know a clock, and has an answer written only to see how long it gets.
//!
//! The campaigns come from the catalog's index, the one that would pay the most first, and the search for a bid ends
//! with the first that no later one can beat. With a listener, everybody is looked at, one after the other, so that each
//! hears why; what comes out is the same, but where there are more candidates than may be looked at.

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

use crate::bid::Bid;
use crate::candidates::{Candidates, OfImp, Way, set_place};
use crate::catalog::index::{BLOCK, BLOCK_WORDS, Opened};
use crate::catalog::{Campaign, Catalog, Creative, Parts};
use crate::chosen::{self, Best};
use crate::context::{Context, Standing};
use crate::draw::{Draw, Drawn, Order};
use crate::gate::{self, Basis};
use crate::money::{Currency, Micros, Rates, Rounding};
use crate::no_bid::NoBidReason;
use crate::price;
use crate::ranked::{self, ranked};
use crate::recorder::Recorder;
use crate::request::{Deal, Imp, Request};
use crate::rules::{self, Checked, pod};
use crate::work::{self, Look, Meter};
use crate::write::Envelope;
use crate::write::length::{self, Length};

/// What comes out for a readable request.
#[derive(Debug)]
pub enum Decision<'a> {
    /// At least one bid, all priced in `cur`.
    Bids {
        /// What they have in common.
        envelope: Envelope<'a>,
        /// For each impression at most one under each deal and one without, on dynamic pods also as many as fit in them
        /// either way, in the order of the impressions.
        bids: &'a [Bid<'a>],
    },
    /// Nothing, and what the closest candidate failed on.
    NoBid(NoBidReason),
}

/// What a decision took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// How many ways to bid were looked at, of each candidate on each impression.
    pub examined: usize,
    /// How much it did of what it may do, in units of about ten WebAssembly instructions: see [`BASE_WORK`](crate::limits::BASE_WORK).
    pub work: usize,
    /// Whether there was more to look at than [`BASE_WORK`](crate::limits::BASE_WORK) allows, so that the best of some was taken.
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
    let envelope = Envelope::new(request, basis.facts.ssp, basis.cur, catalog, context);
    let most_bytes = basis.facts.ssp.max_response_bytes() as usize;
    let length = if most_bytes > 0 { Length::of(&envelope, out) } else { Length::default() };
    if length.bytes() > most_bytes {
        return (Decision::NoBid(NoBidReason::ResponseBytes), Effort::default());
    }
    let mut round = Round {
        basis: &basis,
        rates: &catalog.rates,
        envelope,
        most_bytes,
        length,
        parts: catalog.parts(),
        index: &catalog.index,
        context,
        bids: ArenaVec::new_in(arena),
        offered: ArenaVec::new_in(arena),
        effort: Effort::default(),
        meter: arena.alloc(Meter::new(catalog.max_work)),
        draw: Draw::new("", 0),
        look: None,
        closest: NoBidReason::NoCampaign,
        recorder,
        out,
    };
    if R::LISTENS {
        round.everybody(ssp, arena);
    } else {
        round.candidates(ssp, arena);
    }
    let Round { bids, effort, closest, envelope, meter, .. } = round;
    let effort = Effort { work: meter.spent(), ..effort };
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
    index: &'a Opened<'a>,
    context: &'r Context<'r>,
    bids: ArenaVec<'a, Bid<'a>>,
    /// Most bytes of an answer; 0: any number.
    most_bytes: usize,
    /// Of the answer with these bids; without any where the SSP takes answers of any length.
    length: Length,
    /// The best bid of each way to bid on the impression, where somebody listens.
    offered: ArenaVec<'a, Bid<'a>>,
    effort: Effort,
    meter: &'a Meter,
    /// Who comes first among equals on the current impression.
    draw: Draw,
    /// What one look at a creative costs on the current impression, once one is looked at.
    look: Option<Look>,
    /// The reason of the candidate that came closest to a bid.
    closest: NoBidReason,
    recorder: &'r mut R,
    out: &'r mut String,
}

impl<'a, R: Recorder> Round<'_, 'a, R> {
    /// Looks at those that the index lets through.
    fn candidates(&mut self, ssp: usize, arena: &'a Bump) {
        let meter = self.meter;
        let mut candidates = Candidates::new(self.index, &self.basis.facts, ssp, meter, arena);
        for (place, imp) in self.basis.imps.iter().enumerate() {
            meter.begin_part(self.basis.imps.len() - place);
            meter.charge(work::OF_IMP);
            self.look = None;
            self.draw = Draw::new(self.basis.facts.request.id.value, place);
            let mut of_imp = candidates.of_imp(imp);
            let mut best = self.nothing_on(imp, arena);
            if !imp.deals.is_empty() {
                self.search(&mut candidates, &mut of_imp, imp, Way::Deal, &mut best, arena);
            }
            self.search(&mut candidates, &mut of_imp, imp, Way::Open, &mut best, arena);
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
        arena: &'a Bump,
    ) {
        // Under deals every floor is the deal's own.
        let floor = match way {
            Way::Open => price::floor_of_all(self.rates, imp, self.basis.cur),
            Way::Deal => None,
        };
        let (worth, campaigns) = (self.index.laid.worth(), self.parts.campaigns());
        let begin = self.effort.examined;
        let mut order = Order::new(worth, self.draw);
        while let Some(stretch) = order.next(|block| candidates.is_empty(block)) {
            self.meter.charge(work::OF_STRETCH);
            // Where it is empty from the start, not all that the request blocks has been looked up.
            if self.is_cut_off() {
                return;
            }
            if candidates.is_in_vain(of_imp, way, self.closest) {
                return;
            }
            if way == Way::Open && self.is_settled(worth.get(stretch.places.start), floor, best) {
                return;
            }
            let fitting = candidates.in_block(stretch.block, of_imp, way, self.closest);
            for place in Drawn::new(fitting, &stretch, worth, self.draw, self.meter, arena) {
                if way == Way::Open && self.is_settled(worth.get(place), floor, best) {
                    return;
                }
                if self.is_cut_off() {
                    return;
                }
                let Some(campaign) = campaigns.get(place) else { return };
                self.meter.charge(work::of_candidate(self.basis.facts.request, imp, &campaign));
                let fits = rules::campaign::check_bounds(&self.basis.facts, &campaign);
                if fits.is_err() {
                    candidates.drop(place);
                }
                self.examine(imp, place, &campaign, fits, way, best, arena);
            }
            if way == Way::Open && self.effort.examined - begin > MANY {
                candidates.look_at_needs(self.basis.facts.request, imp, of_imp);
            }
        }
    }

    fn nothing_on(&self, imp: &Imp<'a>, arena: &'a Bump) -> Best<'a> {
        Best::none(imp, self.basis.imps.len(), self.parts.shortest(), self.envelope.ssp.one_bid_per_imp(), arena)
    }

    /// Whether neither a campaign of this worth nor any after it can change what comes out without a deal: none pays more
    /// than the best does already, or none reaches the floor and another one has failed on that.
    fn is_settled(&self, worth: Option<i64>, floor: Option<Micros>, best: &mut Best<'_>) -> bool {
        // What it pays was rounded down to that.
        let worth = Micros(worth.unwrap_or_default().saturating_add(1));
        let most = self.rates.convert(worth, Currency::USD, self.basis.cur, Rounding::Up);
        let Some(most) = most else { return false };
        best.of(None).is_settled(most)
            || (self.closest >= NoBidReason::Floor && floor.is_some_and(|floor| floor > most))
    }

    /// Looks at every campaign.
    fn everybody(&mut self, ssp: usize, arena: &'a Bump) {
        let (campaigns, worth) = (self.parts.campaigns(), self.index.laid.worth());
        let blocks = campaigns.len().div_ceil(BLOCK);
        let mut fitting = ArenaVec::new_in(arena);
        for (place, campaign) in (0..).zip(campaigns.iter()) {
            match rules::campaign::check(&self.basis.facts, ssp, &campaign) {
                Ok(()) => fitting.push((place, campaign)),
                Err(reason) => self.note(&campaign, None, None, reason),
            }
        }
        for (number, imp) in self.basis.imps.iter().enumerate() {
            self.draw = Draw::new(self.basis.facts.request.id.value, number);
            let mut best = self.nothing_on(imp, arena);
            let mut of_imp = ArenaVec::from_iter_in((0..blocks).map(|_| [0; BLOCK_WORDS]), arena);
            for (place, campaign) in &fitting {
                match rules::imp::check(imp, campaign, &self.parts) {
                    Ok(()) => set_place(&mut of_imp, *place),
                    Err(reason) => self.note(campaign, Some(imp), None, reason),
                }
            }
            for way in [Way::Deal, Way::Open] {
                let mut order = Order::new(worth, self.draw);
                while let Some(stretch) = order.next(|_| false) {
                    let bits = of_imp.get(stretch.block).copied().unwrap_or_default();
                    for place in Drawn::new(bits, &stretch, worth, self.draw, self.meter, arena) {
                        let Some(campaign) = campaigns.get(place) else { continue };
                        let fits = rules::campaign::check_bounds(&self.basis.facts, &campaign);
                        self.examine(imp, place, &campaign, fits, way, &mut best, arena);
                    }
                }
            }
            self.keep(imp, best);
        }
    }

    /// Takes the best bids on an impression into the answer, the last ones only where there is room for all.
    fn keep(&mut self, imp: &Imp<'_>, best: Best<'a>) {
        let before = self.bids.len();
        best.add_to(&mut self.bids);
        self.tell_outbid(before);
        self.meter.charge(work::OF_BID * (self.bids.len() - before));
        if self.most_bytes == 0 {
            return;
        }
        let mut kept = before;
        while let Some((bid, earlier)) = self.bids.get(..=kept).and_then(<[_]>::split_last) {
            let length = self.length.with(&self.envelope, bid, earlier);
            if length.bytes() > self.most_bytes {
                break;
            }
            self.length = length;
            kept += 1;
        }
        while self.bids.len() > kept {
            if let Some(bid) = self.bids.pop() {
                self.note(&bid.campaign, Some(imp), bid.deal, NoBidReason::ResponseBytes);
            }
        }
    }

    /// Tells of each bid that was offered on an impression and is not among those since `before`.
    fn tell_outbid(&mut self, before: usize) {
        let chosen = self.bids.get(before..).unwrap_or_default();
        for bid in self.offered.drain(..) {
            if let Some(winner) = chosen::winner_over(&bid, chosen) {
                self.recorder.outbid(&bid, winner);
            }
        }
    }

    /// The bid with its length, if the answer has room for it beside those on earlier impressions.
    fn measured(&mut self, bid: Bid<'a>) -> Result<Bid<'a>, NoBidReason> {
        if self.most_bytes == 0 {
            return Ok(bid);
        }
        self.meter.charge(work::of_length(&bid.creative, self.bids.len()));
        let (bytes, seat_bytes) = length::of_bid(&self.envelope, &bid, self.out);
        let bid = Bid { bytes, seat_bytes, ..bid };
        let has_room = self.length.with(&self.envelope, &bid, &self.bids).bytes() <= self.most_bytes;
        if has_room { Ok(bid) } else { Err(NoBidReason::ResponseBytes) }
    }

    /// Looks at one candidate, which fits the request or not, at each way of this kind to bid that it has.
    #[allow(clippy::too_many_arguments, reason = "each is something else")]
    fn examine(
        &mut self,
        imp: &'a Imp<'a>,
        place: usize,
        campaign: &Campaign<'a>,
        fits: Checked,
        way: Way,
        best: &mut Best<'a>,
        arena: &'a Bump,
    ) {
        let standing = self.context.standings.get(place).copied().unwrap_or_default();
        let fits = fits.and_then(|()| rules::imp::check_bounds(&self.basis.facts, imp, campaign, standing));
        if way == Way::Deal {
            self.meter.charge(work::of_deals(imp, campaign));
            let held = ArenaVec::from_iter_in(campaign.deals().iter(), arena);
            for deal in imp.deals.iter().filter(|deal| held.contains(&deal.id.value)) {
                if self.is_cut_off() {
                    return;
                }
                self.effort.examined += 1;
                self.meter.charge(work::of_deal(deal, campaign));
                let seat = self.basis.facts.ssp.name_of(campaign.seat());
                let fits = fits.and_then(|()| rules::deal::check(deal, campaign, seat));
                let offered = fits.and_then(|()| self.offer(imp, Some(deal), campaign, standing, best, arena));
                if let Err(reason) = offered {
                    self.note(campaign, Some(imp), Some(deal), reason);
                }
            }
        }
        if way == Way::Open && rules::deal::check_open(imp, campaign).is_ok() {
            self.effort.examined += 1;
            if let Err(reason) = fits.and_then(|()| self.offer(imp, None, campaign, standing, best, arena)) {
                self.note(campaign, Some(imp), None, reason);
            }
        }
    }

    /// What a campaign may show, as it is drawn.
    fn creatives(&self, campaign: &Campaign<'a>, arena: &'a Bump) -> impl Iterator<Item = Creative<'a>> + use<'a, R> {
        let count = campaign.creatives().len();
        let mut order = ArenaVec::new_in(arena);
        if count > 1 {
            self.meter.charge(work::of_draw(count));
            order.extend((0..count).map(|number| ranked(self.draw.lot(number) as usize, number)));
            ranked::sort(&mut order);
        }
        let (all, own) = (self.parts.creatives(), campaign.creatives());
        (0..count).filter_map(move |place| {
            let number = order.get(place).map_or(place, |word| ranked::number(*word));
            all.get(own.get(number)? as usize)
        })
    }

    /// Adds the bid with the campaign's first creative, as they are drawn, that fits, pays, repeats nothing in its pod and leaves the answer short
    /// enough, or tells what the closest one failed on. On a dynamic pod the bids with its other creatives are added too: one
    /// that pays as much may fit beside others where the first does not.
    fn offer(
        &mut self,
        imp: &'a Imp<'a>,
        deal: Option<&'a Deal<'a>>,
        campaign: &Campaign<'a>,
        standing: Standing,
        best: &mut Best<'a>,
        arena: &'a Bump,
    ) -> Checked {
        let chosen = best.of(deal);
        let (request, cur) = (self.basis.facts.request, self.basis.cur);
        let mut closest = Err(NoBidReason::MediaType);
        let look = *self.look.get_or_insert_with(|| {
            self.meter.charge(Look::own(imp));
            Look::new(request, imp)
        });
        let before = self.offered.len();
        for creative in self.creatives(campaign, arena) {
            if self.is_cut_off() {
                break;
            }
            self.meter.charge(look.at(&creative));
            let bid = rules::creative::check(request, imp, campaign, &creative).and_then(|()| {
                let price = price::price(self.rates, request, imp, deal, (campaign, &creative), cur)?;
                rules::deal::check_pacing(request, deal, campaign, standing)?;
                self.meter.charge(work::of_pod(imp, self.bids.len()));
                let bid = Bid { imp, deal, campaign: *campaign, creative, price, bytes: 0, seat_bytes: 0 };
                pod::check(&bid, &self.bids)?;
                self.measured(bid)
            });
            match bid {
                Ok(bid) => {
                    self.meter.charge(chosen.work(imp));
                    if R::LISTENS {
                        chosen::keep_better(&mut self.offered, before, bid);
                    }
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

    /// Whether the search has used up its work. One that explains has no bound.
    fn is_cut_off(&mut self) -> bool {
        let is_cut_off = !R::LISTENS && self.meter.is_empty();
        self.effort.gave_up |= is_cut_off;
        is_cut_off
    }

    /// Passes a rejection on, and keeps the reason of the candidate that came closest to a bid.
    fn note(&mut self, campaign: &Campaign<'_>, imp: Option<&Imp<'_>>, deal: Option<&Deal<'_>>, reason: NoBidReason) {
        self.closest = self.closest.max(reason);
        self.recorder.rejected(campaign, imp, deal, reason);
    }
}
