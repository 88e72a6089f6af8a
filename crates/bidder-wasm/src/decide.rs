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
            for (deal, offer) in offers(&basis, imp, campaign, *standing, catalog) {
                match offer.and_then(|bid| pod::check(&bid, &bids).map(|()| bid)) {
                    Ok(bid) => {
                        let best = if bid.deal.is_some() { &mut best_deal } else { &mut best_open };
                        // Of equal prices the first stays: campaigns are in order of worth.
                        if best.is_none_or(|held| held.price.bid < bid.price.bid) {
                            *best = Some(bid);
                        }
                    }
                    Err(reason) => rejections.note(campaign, Some(imp), deal, reason),
                }
            }
        }
        bids.extend(best_deal);
        bids.extend(best_open.filter(|open| best_deal.is_none_or(|deal| pod::check(open, &[deal]).is_ok())));
    }
    if bids.is_empty() {
        Decision::NoBid(rejections.closest)
    } else {
        Decision::Bids { cur: basis.cur, bids: bids.into_bump_slice() }
    }
}

/// Every way in which the campaign could bid on the impression, under each deal and then without
/// one: the bid, or why not.
fn offers<'a, 'b>(
    basis: &'b Basis<'a>,
    imp: &'a Imp<'a>,
    campaign: &'a Campaign,
    standing: Standing,
    catalog: &'b Catalog,
) -> impl Iterator<Item = (Option<&'a Deal<'a>>, Result<Bid<'a>, NoBidReason>)> {
    let request = basis.facts.request;
    let fits = rules::imp::check(&basis.facts, imp, campaign, standing);
    let deals = imp.deals.iter().map(|deal| (Some(deal), rules::deal::check(deal, campaign)));
    let open = core::iter::once_with(|| (None, rules::deal::check_open(imp, campaign)));
    let offer = move |deal, verdict: Verdict| {
        fits?;
        verdict?;
        let creative = creative(request, imp, campaign)?;
        let price = price::price(&catalog.rates, request, imp, deal, (campaign, creative), basis.cur)?;
        rules::deal::check_pacing(request, deal, campaign, standing)?;
        Ok(Bid { imp, deal, campaign, creative, price })
    };
    deals.chain(open).map(move |(deal, verdict)| (deal, offer(deal, verdict)))
}

/// The campaign's first creative that the impression takes, or what the closest one failed on.
fn creative<'a>(request: &Request<'_>, imp: &Imp<'_>, campaign: &'a Campaign) -> Result<&'a Creative, NoBidReason> {
    let mut closest = NoBidReason::MediaType;
    for creative in &campaign.creatives {
        match rules::creative::check(request, imp, creative) {
            Ok(()) => return Ok(creative),
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
