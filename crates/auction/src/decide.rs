//! The decision: for each impression, the best bid under each deal and the best bid without one.
//!
//! The search takes the candidates from the index, in the order of worth (the most that a campaign pays, highest
//! first), and stops when no later candidate can beat the best bid. With a recorder that listens, the search checks
//! every campaign, so that each rejection has a reason. Both searches find the same bids, unless the limit on work cuts
//! the search off.

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

use crate::bid::Bid;
use crate::candidates::{Candidates, ImpFilters, Market};
use crate::chosen::{self, Best};
use crate::context::Context;
use crate::draw::{Draw, Order, Rotation, Shuffled};
use crate::gate::{self, Basis};
use crate::offer::Offers;
use crate::options::inputs::Inputs;
use crate::pace::{self, Throttle, nanos_of};
use crate::pod;
use crate::price;
use crate::recorder::Recorder;
use crate::write::Envelope;
use crate::write::length::{self, Length};
use base::limits::MAX_RESPONSE_BYTES;
use base::money::{Currency, Micros, Rounding};
use catalog::index::{BLOCK, BLOCK_WORDS, has_bit, set_campaign};
use catalog::{Advertiser, Campaign, Catalog, Creative, Parts};
use consent::Verdict;
use openrtb::request::{Deal, Imp, Request};
use reasons::no_bid::{Checked, NoBidReason, require};
use rules::work::{self, CreativeCost, Meter};

/// The decision on a readable request.
#[derive(Debug)]
pub enum Decision<'a> {
    /// At least one bid.
    Bids {
        /// What the bids have in common.
        envelope: Envelope<'a>,
        /// The bids, in the order of the impressions. Each impression has at most one under each deal and one without a
        /// deal; a dynamic pod has as many as fit into it, under deals and without.
        bids: &'a [Bid<'a>],
    },
    /// No bid. The reason is that of the request as a whole, or of the campaign that passed the most checks.
    NoBid(NoBidReason),
}

/// How much work a decision took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// How many possible bids were checked. On each impression, a candidate has one possible bid without a deal and one
    /// under each of its deals.
    pub examined: usize,
    /// Its work, in units of about ten WebAssembly instructions: see [`BASE_WORK`](base::limits::BASE_WORK).
    pub work: usize,
    /// Whether the search was cut off by the limit on work. Its best bids so far were taken.
    pub gave_up: bool,
    /// Whether the request had more impressions than [`MAX_IMPS`](base::limits::MAX_IMPS).
    pub more_imps: bool,
}

/// Decides on a request of the SSP with number `ssp`, with its [`privacy::verdict`](consent::verdict), and
/// reports each rejection to `recorder`. Bids are written to the end of `out` to measure them, and removed again.
pub fn decide<'a, R: Recorder>(
    (request, verdict): (&'a Request<'a>, Verdict),
    ssp: usize,
    catalog: &'a Catalog<'a>,
    context: &'a Context<'a>,
    arena: &'a Bump,
    recorder: &mut R,
    out: &mut String,
) -> (Decision<'a>, Effort) {
    let basis = match gate::pass((request, verdict), ssp, catalog, context, arena) {
        Ok(basis) => &*arena.alloc(basis),
        Err(reason) => return (Decision::NoBid(reason), Effort::default()),
    };
    let envelope = Envelope::new(&basis.facts, basis.cur, catalog, context);
    let max_bytes = basis.facts.ssp.most_bytes();
    let measures = max_bytes != MAX_RESPONSE_BYTES;
    let length = if measures { Length::of(&envelope, out) } else { Length::default() };
    if length.bytes() > max_bytes {
        return (Decision::NoBid(NoBidReason::ResponseBytes), Effort::default());
    }
    let mut search = Search {
        arena,
        basis,
        envelope,
        max_bytes,
        measures,
        length,
        catalog,
        parts: catalog.parts(),
        context,
        throttle: Throttle::new(context.lot, context.pacing, context.now_ms),
        place: 0,
        bids: ArenaVec::new_in(arena),
        offered: ArenaVec::new_in(arena),
        effort: Effort::default(),
        // An explanation has no limit.
        meter: arena.alloc(if R::LISTENS {
            Meter::unlimited()
        } else {
            Meter::new(context.max_work.unwrap_or(catalog.max_work))
        }),
        tried: 0,
        is_costly: false,
        dedupe: basis.imps.iter().flat_map(|imp| imp.linear()).fold(0, |all, offer| all | offer.poddedupe),
        draw: Draw::new("", 0),
        creative_cost: None,
        block_lists: None,
        closest: NoBidReason::NoCampaign,
        recorder,
        out,
    };
    if R::LISTENS {
        search.all_campaigns(ssp);
    } else {
        search.candidates(ssp);
    }
    let Search { bids, effort, closest, envelope, meter, .. } = search;
    let effort = Effort { work: meter.spent(), ..effort };
    let decision = if bids.is_empty() {
        Decision::NoBid(closest)
    } else {
        let envelope = Envelope { is_draft: false, ..envelope };
        Decision::Bids { envelope, bids: bids.into_bump_slice() }
    };
    (decision, effort)
}

/// After more than this many creatives on an impression, it pays off to match what creatives require in the index.
const REQUIREMENTS_AFTER: usize = 32;

/// The state of a decision.
struct Search<'r, 'a, R> {
    arena: &'a Bump,
    basis: &'a Basis<'a>,
    envelope: Envelope<'a>,
    catalog: &'a Catalog<'a>,
    parts: Parts<'a>,
    context: &'r Context<'a>,
    /// The request's throttle, which pacing compares with the shares of campaigns.
    throttle: Throttle<'a>,
    /// The place of the current impression in the request.
    place: usize,
    bids: ArenaVec<'a, Bid<'a>>,
    /// The most bytes of a response.
    max_bytes: usize,
    /// Whether each possible bid is measured, because the SSP sets the limit. If not, only the chosen bids are, roughly.
    measures: bool,
    /// The length of the response with `bids`.
    length: Length,
    /// The best bid of each campaign on the current impression, under each deal and without one. Only for a recorder
    /// that listens.
    offered: ArenaVec<'a, Bid<'a>>,
    effort: Effort,
    meter: &'a Meter,
    /// How many creatives were tried.
    tried: usize,
    /// Whether an impression had to try so many that the index should match what creatives require.
    is_costly: bool,
    /// The settings of all `poddedupe` of the request.
    dedupe: u8,
    /// The random order of equal campaigns on the current impression.
    draw: Draw,
    /// The cost of checking a creative on the current impression, once it is needed.
    creative_cost: Option<CreativeCost>,
    /// The cost of comparing with the request's block lists, once it is needed.
    block_lists: Option<usize>,
    /// The reason of the rejected campaign that passed the most checks.
    closest: NoBidReason,
    recorder: &'r mut R,
    out: &'r mut String,
}

impl<'a, R: Recorder> Search<'_, 'a, R> {
    /// Checks the candidates, the campaigns that the index lets through.
    fn candidates(&mut self, ssp: usize) {
        let meter = self.meter;
        let index = &self.catalog.index;
        let mut candidates = Candidates::new(index, &self.basis.facts, ssp, self.context.stop, meter, self.arena);
        for (position, imp) in self.basis.imps.iter().enumerate() {
            meter.begin_share(self.basis.imps.len() - position);
            meter.charge(work::OF_IMP);
            self.creative_cost = None;
            let mut best = self.begin(position, imp);
            let mut imp_filters = candidates.imp_filters(imp);
            if self.is_costly {
                candidates.add_requirements(self.basis.facts.request, imp, &mut imp_filters);
            }
            if !imp.deals.is_empty() {
                self.search(&mut candidates, &mut imp_filters, imp, Market::Deal, &mut best);
            }
            self.search(&mut candidates, &mut imp_filters, imp, Market::Open, &mut best);
            self.keep(imp, best);
        }
        self.closest = self.closest.max(candidates.closest());
    }

    /// Searches the best bids on one impression, either under its deals or without a deal: see [`Market`].
    fn search(
        &mut self,
        candidates: &mut Candidates<'a>,
        imp_filters: &mut ImpFilters<'a>,
        imp: &'a Imp<'a>,
        market: Market,
        best: &mut Best<'a>,
    ) {
        // Each deal has its own floor.
        let floor = match market {
            Market::Open => price::floor_of_all(&self.catalog.rates, imp, self.basis.cur),
            Market::Deal => None,
        };
        let stored = self.catalog.index.stored;
        let (worth, campaigns) = (stored.worth(), self.parts.campaigns());
        let begin = self.tried;
        let mut is_costly = self.is_costly;
        // Campaigns of equal worth rarely end where a block ends, and both blocks are needed again.
        let mut matched = [(usize::MAX, [0; BLOCK_WORDS]); 2];
        let mut order = Order::new(&self.catalog.index.runs, worth.len(), self.draw);
        while let Some(chunk) = order.next(|block| candidates.is_empty(block)) {
            self.meter.charge(work::OF_CHUNK);
            // If the meter is empty from the start, the block lists may not have been looked up completely.
            if self.is_cut_off() {
                return;
            }
            if candidates.is_pointless(imp_filters, market, self.closest) {
                return;
            }
            if market == Market::Open && self.is_settled(worth.get(chunk.positions.start), floor, best) {
                return;
            }
            let known = matched.iter().find(|(block, _)| *block == chunk.block);
            let mut eligible = match known {
                Some((_, eligible)) => *eligible,
                None => candidates.in_block(chunk.block, imp_filters, market, self.closest),
            };
            if known.is_none() && chunk.positions.len() < BLOCK {
                matched = [(chunk.block, eligible), matched[0]];
            }
            if eligible == [0; BLOCK_WORDS] {
                continue;
            }
            for position in Shuffled::new(eligible, &chunk, (worth, stored.ids()), self.draw, self.meter, self.arena) {
                if market == Market::Open && self.is_settled(worth.get(position), floor, best) {
                    return;
                }
                if is_costly && !has_bit(&eligible, position) {
                    continue;
                }
                let Some(campaign) = campaigns.get(position) else { return };
                // Each charge comes before its work, so that no single check goes far beyond the limit.
                self.meter.charge(work::of_candidate(&self.basis.facts, imp, &campaign));
                if self.is_cut_off() {
                    return;
                }
                let checked = rules::campaign::check_bounds(&self.basis.facts, &campaign);
                if checked.is_err() {
                    candidates.remove(position);
                }
                self.examine(imp, position, &campaign, checked, market, best);
                if !is_costly && market == Market::Open && self.tried - begin > REQUIREMENTS_AFTER {
                    is_costly = true;
                    // The next impressions are mostly like this one.
                    self.is_costly = true;
                    candidates.add_requirements(self.basis.facts.request, imp, imp_filters);
                    eligible = candidates.in_block(chunk.block, imp_filters, market, self.closest);
                }
            }
        }
    }

    /// Begins the impression at this position.
    fn begin(&mut self, position: usize, imp: &Imp<'a>) -> Best<'a> {
        self.place = position;
        self.draw = Draw::new(self.basis.facts.request.id.value, position);
        self.no_bids(imp)
    }

    fn no_bids(&self, imp: &Imp<'a>) -> Best<'a> {
        let shortest = self.catalog.index.stored.durations().get(0).unwrap_or_default();
        let takes_one = self.envelope.facts.ssp.one_bid_per_imp();
        Best::none(imp, self.basis.imps.len(), shortest, takes_one, self.meter, self.arena)
    }

    /// Whether no campaign of at most this worth can change the decision without a deal: none of them pays more than the
    /// best bids, or another campaign already failed where all of them will fail, or later. `floor` is that of the
    /// impression: see [`price::floor_of_all`].
    fn is_settled(&self, worth: Option<i64>, floor: Option<Result<Micros, NoBidReason>>, best: &mut Best<'_>) -> bool {
        if let Some(Err(reason)) = floor
            && self.closest >= reason
        {
            return true;
        }
        // Worth is rounded down, so a campaign may pay up to one micro more.
        let worth = Micros(worth.unwrap_or_default().saturating_add(1));
        let most = self.catalog.rates.convert(worth, Currency::USD, self.basis.cur, Rounding::Up);
        let Some(most) = most else { return false };
        let is_over = floor.is_some_and(|floor| floor.is_ok_and(|floor| floor > most));
        best.of(None).is_settled(most) || (self.closest >= NoBidReason::Floor && is_over)
    }

    /// Checks every campaign.
    fn all_campaigns(&mut self, ssp: usize) {
        let (campaigns, stored) = (self.parts.campaigns(), self.catalog.index.stored);
        let blocks = campaigns.len().div_ceil(BLOCK);
        let mut of_request = ArenaVec::new_in(self.arena);
        for (position, campaign) in (0..).zip(campaigns.iter()) {
            let is_stopped = self.context.stop.is_some_and(|stop| stop.has(position as usize));
            let checked = require(!is_stopped, NoBidReason::Stopped);
            match checked.and_then(|()| rules::campaign::check(&self.basis.facts, ssp, &campaign, &self.parts)) {
                Ok(()) => of_request.push((position, campaign)),
                Err(reason) => self.note(&campaign, None, None, reason),
            }
        }
        for (position, imp) in self.basis.imps.iter().enumerate() {
            let mut best = self.begin(position, imp);
            let mut eligible = vec![[0; BLOCK_WORDS]; blocks];
            for (position, campaign) in &of_request {
                match rules::imp::check(imp, campaign, &self.parts) {
                    Ok(()) => set_campaign(&mut eligible, *position),
                    Err(reason) => self.note(campaign, Some(imp), None, reason),
                }
            }
            for market in [Market::Deal, Market::Open] {
                let by_worth = (stored.worth(), stored.ids());
                let mut order = Order::new(&self.catalog.index.runs, campaigns.len(), self.draw);
                while let Some(chunk) = order.next(|_| false) {
                    let bits = eligible.get(chunk.block).copied().unwrap_or_default();
                    for position in Shuffled::new(bits, &chunk, by_worth, self.draw, self.meter, self.arena) {
                        let Some(campaign) = campaigns.get(position) else { continue };
                        let checked = rules::campaign::check_bounds(&self.basis.facts, &campaign);
                        self.examine(imp, position, &campaign, checked, market, &mut best);
                    }
                }
            }
            self.keep(imp, best);
        }
    }

    /// Adds the best bids on an impression to the response, up to the first bid that no longer fits into it.
    fn keep(&mut self, imp: &Imp<'a>, best: Best<'a>) {
        let before = self.bids.len();
        best.add_to(&mut self.bids);
        if R::LISTENS {
            self.record_outbid(imp, before);
        }
        self.leave_out(before);
        let (mut kept, mut reason) = (before, NoBidReason::ResponseBytes);
        while let Some((bid, earlier)) = self.bids.get(..=kept).and_then(<[_]>::split_last) {
            // Values of macros take long to measure and to write.
            if self.meter.is_empty() && kept > before && bid.has_macros() {
                reason = NoBidReason::Work;
                break;
            }
            let (length, bytes, filled) = if self.measures {
                (self.length.with(bid, earlier), bid.bytes, 0)
            } else {
                let (bytes, filled) = length::about(&self.envelope, bid, self.out);
                (self.length.plus(bytes), bytes, filled)
            };
            if length.bytes() > self.max_bytes {
                break;
            }
            self.meter.charge(work::OF_BID + work::of_writing(bytes, filled));
            self.length = length;
            kept += 1;
        }
        while self.bids.len() > kept {
            if let Some(bid) = self.bids.pop() {
                self.note(&bid.campaign, Some(imp), bid.deal, reason);
            }
        }
    }

    /// Removes the bids from `from` on that an option forbids beside those before them: a campaign may have several on one
    /// impression, under several deals.
    fn leave_out(&mut self, from: usize) {
        let mut at = from;
        while let Some((bid, earlier)) = self.bids.get(..=at).and_then(<[_]>::split_last) {
            match self.context.options.check_beside(bid, earlier) {
                Ok(()) => at += 1,
                Err(reason) => {
                    let bid = self.bids.remove(at);
                    self.note(&bid.campaign, Some(bid.imp), bid.deal, reason);
                }
            }
        }
    }

    /// Reports each offered bid that is not among the bids from `before` on.
    fn record_outbid(&mut self, imp: &Imp<'a>, before: usize) {
        let mut best = self.no_bids(imp);
        let chosen = self.bids.get(before..).unwrap_or_default();
        for bid in chosen {
            best.of(bid.deal).add(*bid);
        }
        for bid in self.offered.drain(..) {
            if let Some(winner) = chosen::winner_over(&bid, chosen) {
                self.recorder.outbid(&bid, winner, best.of(bid.deal).unfit(&bid));
            }
        }
    }

    /// The bid with its length, if it fits into the response beside the bids on earlier impressions.
    fn measured(&mut self, bid: Bid<'a>) -> Result<Bid<'a>, NoBidReason> {
        if !self.measures {
            return Ok(bid);
        }
        self.meter.charge(work::of_length(&bid.creative, self.bids.len()));
        let (bytes, seat_bytes, filled) = length::of_bid(&self.envelope, &bid, self.out);
        self.meter.charge(work::of_writing(bytes, filled));
        let bid = Bid { bytes, seat_bytes, ..bid };
        let fits = self.length.with(&bid, &self.bids).bytes() <= self.max_bytes;
        if fits { Ok(bid) } else { Err(NoBidReason::ResponseBytes) }
    }

    /// Checks all bids of one candidate on an impression, either under the impression's deals or without a deal.
    /// `checked` is the result of the checks so far.
    fn examine(
        &mut self,
        imp: &'a Imp<'a>,
        position: usize,
        campaign: &Campaign<'a>,
        checked: Checked,
        market: Market,
        best: &mut Best<'a>,
    ) {
        let budget = self.catalog.budgets.number(position);
        let options = &self.context.options;
        let checked = checked.and_then(|()| options.check_imp(&self.basis.facts, imp, campaign));
        if market == Market::Deal {
            self.meter.charge(work::of_deals(imp, campaign));
            if self.is_cut_off() {
                return;
            }
            let held = ArenaVec::from_iter_in(campaign.deals().iter(), self.arena);
            for deal in imp.deals.iter().filter(|deal| held.contains(&deal.id.value)) {
                self.meter.charge(work::of_deal(deal, campaign));
                if self.is_cut_off() {
                    return;
                }
                self.effort.examined += 1;
                let seat = self.basis.facts.ssp.name_of(campaign.seat());
                let checked = checked.and_then(|()| rules::imp::check_deal(deal, campaign, seat));
                let offered = checked.and_then(|()| self.offer(imp, Some(deal), campaign, budget, best));
                if let Err(reason) = offered {
                    self.note(campaign, Some(imp), Some(deal), reason);
                }
            }
        }
        if market == Market::Open && rules::imp::check_open(imp, campaign).is_ok() {
            self.effort.examined += 1;
            if let Err(reason) = checked.and_then(|()| self.offer(imp, None, campaign, budget, best)) {
                self.note(campaign, Some(imp), None, reason);
            }
        }
    }

    /// Adds the bid with the first creative that passes all checks, in the order of [`Rotation`]. If none does, returns the reason
    /// of the creative that passed the most checks. On a dynamic pod, adds the bids with the other creatives too,
    /// because a shorter ad may still fit into the pod.
    fn offer(
        &mut self,
        imp: &'a Imp<'a>,
        deal: Option<&'a Deal<'a>>,
        campaign: &Campaign<'a>,
        budget: Option<u32>,
        best: &mut Best<'a>,
    ) -> Checked {
        let chosen = best.of(deal);
        let (facts, cur) = (&self.basis.facts, self.basis.cur);
        let request = facts.request;
        let mut closest = Err(NoBidReason::MediaType);
        let cost = *self.creative_cost.get_or_insert_with(|| {
            self.meter.charge(CreativeCost::own(imp));
            CreativeCost::new(request, imp)
        });
        let before = self.offered.len();
        let offers = Offers::of(&self.basis.facts, imp, deal, campaign, &self.parts, self.meter);
        let (all, own) = (self.parts.creatives(), campaign.creatives());
        let rotation = Rotation::new(campaign, self.draw, self.meter, self.arena);
        for creative in rotation.filter_map(|place| all.get(own.get(place)? as usize)) {
            self.tried += 1;
            let again = if facts.repeats_deals && deal.is_some() { work::of_offers(imp) } else { 0 };
            self.meter.charge(cost.of(&creative) + again);
            if self.is_cut_off() {
                break;
            }
            let checked = self.context.options.check_creative(facts, &creative);
            let checked = checked.and_then(|()| rules::creative::check(facts, imp, campaign, &creative));
            let checked = checked.and_then(|()| self.check_advertiser(deal, campaign, &creative));
            let bid = checked.and_then(|()| {
                let offer = offers.with(&creative.media());
                let price = price::price(&self.catalog.rates, facts, imp, deal, (&offer, &creative), cur)?;
                if let Some(budget) = budget {
                    self.recorder.matched(budget, self.place);
                    let nanos = || nanos_of(price.bid, cur, imp, campaign, &self.catalog.rates);
                    pace::check(deal, campaign, budget, &self.throttle, nanos)?;
                }
                self.meter.charge(work::of_seat(facts.ssp));
                let seat = facts.ssp.name_of(campaign.seat());
                let bid = Bid {
                    imp,
                    deal,
                    campaign: *campaign,
                    budget,
                    creative,
                    price,
                    seat,
                    marks: &[],
                    bytes: 0,
                    seat_bytes: 0,
                };
                let marks = pod::marks(&bid, self.dedupe, self.meter, self.arena).ok_or(NoBidReason::Work)?;
                let bid = Bid { marks, ..bid };
                pod::check(&bid, &self.bids, self.meter)?;
                Inputs::charge_beside(campaign, self.bids.len(), self.meter);
                self.context.options.check_beside(&bid, &self.bids)?;
                let showing = cost.of_showing(&creative);
                self.meter.charge(showing);
                require(showing == 0 || !self.meter.is_empty(), NoBidReason::Work)?;
                self.measured(bid)
            });
            match bid {
                Ok(bid) => {
                    self.meter.charge(chosen.work());
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

    /// Checks the advertiser of a creative, unless the campaign's checks include it.
    fn check_advertiser(
        &mut self,
        deal: Option<&Deal<'_>>,
        campaign: &Campaign<'a>,
        creative: &Creative<'a>,
    ) -> Checked {
        if !campaign.has_advertisers() {
            return Ok(());
        }
        let request = self.basis.facts.request;
        let lists = *self.block_lists.get_or_insert_with(|| work::of_block_lists(request));
        let advertiser = Advertiser::of(campaign, creative);
        self.meter.charge(work::of_advertiser(&advertiser, deal, lists));
        require(!self.meter.is_empty(), NoBidReason::Work)?;
        rules::campaign::check_advertiser(request, deal, &advertiser)
    }

    /// Whether the search has reached the limit on work. The limit does not apply to explanations.
    fn is_cut_off(&mut self) -> bool {
        let is_cut_off = self.meter.is_empty();
        if is_cut_off {
            self.effort.gave_up = true;
            self.closest = NoBidReason::Work;
        }
        is_cut_off
    }

    /// Reports a rejection, and keeps the latest reason in the order of the checks.
    fn note(&mut self, campaign: &Campaign<'_>, imp: Option<&Imp<'_>>, deal: Option<&Deal<'_>>, reason: NoBidReason) {
        self.closest = self.closest.max(reason);
        self.effort.gave_up |= reason == NoBidReason::Work;
        self.recorder.rejected(campaign, imp, deal, reason);
    }
}
