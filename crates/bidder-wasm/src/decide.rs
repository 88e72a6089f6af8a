//! The decision: for each impression the best bid under a deal and the best one without.
//!
//! Loops, compares and picks. It does not read, price, write, or know a clock.

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

use crate::catalog::{Campaign, Catalog, Creative};
use crate::context::{Context, Standing};
use crate::explain::Recorder;
use crate::gate::{self, Basis};
use crate::money::Currency;
use crate::no_bid::NoBidReason;
use crate::price::{self, Price};
use crate::request::{Deal, Imp, Request};
use crate::rules::{self, Verdict, pod};

/// What comes out for a readable request.
#[derive(Debug)]
pub enum Decision<'a> {
    /// At least one bid, all priced in `cur`.
    Bids {
        /// Currency of every price.
        cur: Currency,
        /// For each impression at most one under a deal and one without, in the order of the
        /// impressions.
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
    pub campaign: &'a Campaign,
    /// What would be shown.
    pub creative: &'a Creative,
    /// Per thousand impressions, in the decision's currency.
    pub price: Price,
}

/// Decides on a request of the SSP with number `ssp`, and tells `recorder` who stayed out and why.
pub fn decide<'a>(
    request: &'a Request<'a>,
    ssp: usize,
    catalog: &'a Catalog,
    context: &Context<'_>,
    arena: &'a Bump,
    recorder: &mut impl Recorder,
) -> Decision<'a> {
    let basis = match gate::pass(request, ssp, catalog, context, arena) {
        Ok(basis) => basis,
        Err(reason) => return Decision::NoBid(reason),
    };
    let mut rejections = Rejections { closest: NoBidReason::NoCampaign, recorder };
    let mut fitting = ArenaVec::new_in(arena);
    for (place, campaign) in catalog.campaigns.iter().enumerate() {
        match rules::campaign::check(&basis.facts, ssp, campaign) {
            Ok(()) => fitting.push((campaign, context.standings.get(place).copied().unwrap_or_default())),
            Err(reason) => rejections.note(campaign, None, None, reason),
        }
    }

    let mut bids: ArenaVec<'_, Bid<'a>> = ArenaVec::new_in(arena);
    for imp in &basis.imps {
        let (mut best_deal, mut best_open): (Option<Bid<'a>>, Option<Bid<'a>>) = (None, None);
        for (campaign, standing) in &fitting {
            for (deal, way) in ways(&basis, imp, campaign, *standing) {
                match way.and_then(|()| offer(&basis, catalog, imp, deal, (campaign, *standing), &bids)) {
                    Ok(bid) => {
                        let best = if deal.is_some() { &mut best_deal } else { &mut best_open };
                        if best.is_none_or(|held| is_better(&bid, &held)) {
                            *best = Some(bid);
                        }
                    }
                    Err(reason) => rejections.note(campaign, Some(imp), deal, reason),
                }
            }
        }
        // Two bids on one impression are alternatives: the exchange shows one of them at most.
        bids.extend(best_deal);
        bids.extend(best_open);
    }
    if bids.is_empty() {
        Decision::NoBid(rejections.closest)
    } else {
        Decision::Bids { cur: basis.cur, bids: bids.into_bump_slice() }
    }
}

/// A guaranteed deal obliges to bid, so it goes before any other; then the price counts. Of equal
/// bids the first stays: campaigns are in order of worth.
fn is_better(bid: &Bid<'_>, held: &Bid<'_>) -> bool {
    let rank = |bid: &Bid<'_>| (bid.deal.is_some_and(|deal| deal.guar), bid.price.bid);
    rank(bid) > rank(held)
}

/// Every way in which the campaign could bid on the impression, under each deal that it holds and
/// then without one: whether it may, or why not. A campaign that has no way at all lacks a deal.
fn ways<'a>(
    basis: &Basis<'a>,
    imp: &'a Imp<'a>,
    campaign: &'a Campaign,
    standing: Standing,
) -> impl Iterator<Item = (Option<&'a Deal<'a>>, Verdict)> {
    let fits = rules::imp::check(&basis.facts, imp, campaign, standing);
    let held = imp.deals.iter().filter(|deal| rules::deal::is_held(deal, campaign));
    let no_deal = held.clone().next().is_none();
    let deals = held.map(|deal| (Some(deal), rules::deal::check(deal, campaign)));
    let open = rules::deal::check_open(imp, campaign);
    let open = (open.is_ok() || no_deal).then_some((None, open));
    deals.chain(open).map(move |(deal, verdict)| (deal, fits.and(verdict)))
}

/// The bid with the campaign's first creative that fits, pays and repeats nothing in its pod, or
/// what the closest one failed on.
fn offer<'a>(
    basis: &Basis<'a>,
    catalog: &Catalog,
    imp: &'a Imp<'a>,
    deal: Option<&'a Deal<'a>>,
    (campaign, standing): (&'a Campaign, Standing),
    bids: &[Bid<'a>],
) -> Result<Bid<'a>, NoBidReason> {
    let request = basis.facts.request;
    let mut closest = NoBidReason::MediaType;
    for creative in &campaign.creatives {
        let bid = rules::creative::check(request, imp, creative).and_then(|()| {
            let price = price::price(&catalog.rates, request, imp, deal, (campaign, creative), basis.cur)?;
            rules::deal::check_pacing(request, deal, campaign, standing)?;
            let bid = Bid { imp, deal, campaign, creative, price };
            pod::check(&bid, bids).map(|()| bid)
        });
        match bid {
            Ok(bid) => return Ok(bid),
            Err(reason) => closest = closest.max(reason),
        }
    }
    Err(closest)
}

/// Passes rejections on, and keeps the reason of the candidate that came closest to a bid.
struct Rejections<'r, R> {
    closest: NoBidReason,
    recorder: &'r mut R,
}

impl<R: Recorder> Rejections<'_, R> {
    fn note(&mut self, campaign: &Campaign, imp: Option<&Imp<'_>>, deal: Option<&Deal<'_>>, reason: NoBidReason) {
        self.closest = self.closest.max(reason);
        self.recorder.rejected(campaign, imp, deal, reason);
    }
}
