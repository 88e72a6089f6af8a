//! The decision: for each impression the eligible campaign that pays the most.
//!
//! Loops, compares and picks. It does not read, price, write, or know a clock.

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

use crate::catalog::{Campaign, Catalog, Creative};
use crate::explain::Recorder;
use crate::money::{Currency, Micros};
use crate::no_bid::NoBidReason;
use crate::price;
use crate::request::{Deal, Imp, Request};
use crate::rules;

/// What comes out for a readable request.
#[derive(Debug)]
pub enum Decision<'a> {
    /// At least one bid, all priced in `cur`.
    Bids {
        /// Currency of every price.
        cur: Currency,
        /// One per impression at most, in the order of the impressions.
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
    pub price: Micros,
}

/// Decides on a request of the SSP with number `ssp`, and tells `recorder` who stayed out and why.
pub fn decide<'a>(
    request: &'a Request<'a>,
    ssp: usize,
    catalog: &'a Catalog,
    arena: &'a Bump,
    recorder: &mut impl Recorder,
) -> Decision<'a> {
    let Some(cur) = price::response_currency(request, catalog) else {
        return Decision::NoBid(NoBidReason::Currency);
    };
    let imps = match distinct(request, arena) {
        Ok(imps) => imps,
        Err(reason) => return Decision::NoBid(reason),
    };
    let mut rejections = Rejections { closest: NoBidReason::NoCampaign, recorder };
    let mut fitting = ArenaVec::new_in(arena);
    for campaign in &catalog.campaigns {
        match rules::campaign::check(request, ssp, campaign) {
            Ok(()) => fitting.push(campaign),
            Err(reason) => rejections.note(campaign, None, reason),
        }
    }

    let mut bids = ArenaVec::new_in(arena);
    for imp in imps {
        let mut best: Option<Bid<'a>> = None;
        for campaign in &fitting {
            for offer in offers(imp, campaign, catalog, cur) {
                match offer {
                    // Of equal prices the first stays: campaigns are in order of worth.
                    Ok(bid) if best.is_none_or(|held| held.price < bid.price) => best = Some(bid),
                    Ok(_) => {}
                    Err(reason) => rejections.note(campaign, Some(imp), reason),
                }
            }
        }
        bids.extend(best);
    }
    if bids.is_empty() {
        Decision::NoBid(rejections.closest)
    } else {
        Decision::Bids { cur, bids: bids.into_bump_slice() }
    }
}

/// The impressions whose id no other one has, or why there is none.
fn distinct<'a>(request: &'a Request<'a>, arena: &'a Bump) -> Result<ArenaVec<'a, &'a Imp<'a>>, NoBidReason> {
    let alone = |imp: &&Imp<'_>| request.imp.iter().filter(|other| other.id == imp.id).count() == 1;
    let mut imps = ArenaVec::new_in(arena);
    imps.extend(request.imp.iter().filter(alone));
    match (imps.is_empty(), request.imp.is_empty()) {
        (false, _) => Ok(imps),
        (true, true) => Err(NoBidReason::NoImp),
        (true, false) => Err(NoBidReason::DuplicateImp),
    }
}

/// Every way in which the campaign could bid on the impression, deals first: the bid, or why not.
fn offers<'a>(
    imp: &'a Imp<'a>,
    campaign: &'a Campaign,
    catalog: &'a Catalog,
    cur: Currency,
) -> impl Iterator<Item = Result<Bid<'a>, NoBidReason>> {
    let deals = imp.deals.iter().map(|deal| (Some(deal), rules::deal::check(deal, campaign)));
    let open = core::iter::once_with(|| (None, rules::deal::check_open(imp, campaign)));
    deals.chain(open).map(move |(deal, verdict)| {
        verdict?;
        let creative = creative(imp, campaign)?;
        let price = price::price(campaign, imp, deal, catalog, cur)?;
        Ok(Bid { imp, deal, campaign, creative, price })
    })
}

/// The campaign's first creative that the impression takes, or what the closest one failed on.
fn creative<'a>(imp: &Imp<'_>, campaign: &'a Campaign) -> Result<&'a Creative, NoBidReason> {
    let mut closest = NoBidReason::MediaType;
    for creative in &campaign.creatives {
        match rules::creative::check(imp, creative) {
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
    fn note(&mut self, campaign: &Campaign, imp: Option<&Imp<'_>>, reason: NoBidReason) {
        self.closest = self.closest.max(reason);
        self.recorder.rejected(campaign, imp, reason);
    }
}
