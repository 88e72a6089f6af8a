//! The eligible campaigns of each impression, per deal and without one, with the creatives that pass every check.

use auction::draw::Draw;
use reasons::no_bid::NoBidReason as Reason;
use serde_json::Value;

use super::budget::hash;
use super::campaign::{blocked, of_imp, of_request};
use super::creative::first_failure;
use super::json::{at, has, int, list, signal, text, texts};
use super::pair::Auction;
use super::price::{Price, Pricing, deal_ids};

/// A campaign that may bid on an impression, under one deal or without a deal.
pub struct Eligible<'p> {
    pub campaign: &'p Value,
    /// The exchange's name for the campaign's seat.
    pub seat: &'p str,
    /// `null` without a deal.
    pub deal: &'p Value,
    /// The creatives that pass every check, at least one, in the order drawn from the request's id.
    pub creatives: Vec<(&'p Value, Price)>,
}

pub struct ExpectedImp<'p> {
    pub imp: &'p Value,
    pub eligible: Vec<Eligible<'p>>,
}

/// What the rules expect before bids of one pod are compared with each other.
pub struct Expected<'p> {
    pub imps: Vec<ExpectedImp<'p>>,
    /// For each campaign of the catalog, the furthest check that it failed.
    pub reasons: Vec<Option<Reason>>,
    /// Why no campaign may bid on the request.
    pub gate: Option<Reason>,
}

pub fn expected<'p>(auction: &Auction<'p>) -> Expected<'p> {
    let refused =
        |reason| Expected { imps: vec![], reasons: vec![None; auction.campaigns().len()], gate: Some(reason) };
    let Some(cur) = auction.cur() else { return refused(super::gate(auction).unwrap_or(Reason::Currency)) };
    if let Some(reason) = super::gate(auction) {
        return refused(reason);
    }
    let empty = |imp| ExpectedImp { imp, eligible: vec![] };
    let mut imps: Vec<ExpectedImp<'p>> = auction.distinct_imps().into_iter().map(empty).collect();
    let mut reasons = vec![];
    for campaign in auction.campaigns() {
        let (first_failures, later_failures) =
            of_request(campaign, auction).into_iter().partition(|reason| *reason < Reason::Tagid);
        let mut furthest = Vec::into_iter(first_failures).min();
        if furthest.is_none() {
            for (number, imp) in imps.iter_mut().enumerate() {
                furthest = furthest.max(add_eligible(campaign, imp, cur, auction, &later_failures, number));
            }
        }
        reasons.push(furthest);
    }
    Expected { imps, reasons, gate: None }
}

/// Adds the campaign to an impression if it is eligible there; returns the furthest check that it failed.
/// `later_failures` are failed checks of the request that come after the first checks of an impression.
fn add_eligible<'p>(
    campaign: &'p Value,
    expected: &mut ExpectedImp<'p>,
    cur: &'p str,
    auction: &Auction<'p>,
    later_failures: &[Reason],
    number: usize,
) -> Option<Reason> {
    let imp = expected.imp;
    let has_deal = |deal: &&Value| deal_ids(campaign).contains(&text(deal, "id"));
    let mut deals: Vec<&Value> = list(imp, "pmp/deals").iter().filter(has_deal).collect();
    if at(campaign, "open") != false && signal(imp, "pmp/private_auction") != Some(true) {
        deals.push(&Value::Null);
    }
    let mut failures = of_imp(campaign, imp, auction);
    failures.extend(later_failures);
    failures.extend(deals.is_empty().then_some(Reason::Deal));
    // Media type and size belong to these checks. The creative that passes the most checks counts.
    let creatives = auction.creatives(campaign).into_iter();
    let of_creatives = creatives.map(|creative| first_failure(campaign, creative, imp, auction.request));
    let of_shape = of_creatives.map(|failure| failure.filter(|reason| *reason <= Reason::Size));
    let distance = |failure: &Option<Reason>| failure.map_or(0, |reason| Reason::Radius as usize - reason as usize);
    failures.extend(of_shape.min_by_key(distance).flatten());
    if let Some(reason) = failures.into_iter().min() {
        return Some(reason);
    }
    let mut furthest = None;
    for deal in deals {
        if let Some(reason) = deal_refusal(campaign, deal, auction) {
            furthest = furthest.max(Some(reason));
            continue;
        }
        let (mut passing, mut failures) = (vec![], vec![]);
        for creative in in_order(campaign, auction, number) {
            let pricing = Pricing { auction, request: auction.request, campaign, creative, imp, deal, cur };
            match checked_price(&pricing) {
                Ok(price) => passing.push((creative, price)),
                Err(reason) => failures.push(reason),
            }
        }
        if passing.is_empty() {
            furthest = furthest.max(failures.into_iter().max());
        } else {
            let seat = auction.seat(campaign);
            expected.eligible.push(Eligible { campaign, seat, deal, creatives: passing });
        }
    }
    furthest
}

fn deal_refusal(campaign: &Value, deal: &Value, auction: &Auction<'_>) -> Option<Reason> {
    let unreadable = super::odd::of_deal(deal);
    unreadable.into_iter().chain(readable_refusal(campaign, deal, auction)).min()
}

fn readable_refusal(campaign: &Value, deal: &Value, auction: &Auction<'_>) -> Option<Reason> {
    let wseat = texts(deal, "wseat");
    if !wseat.is_empty() && !wseat.contains(&auction.seat(campaign)) {
        return Some(Reason::DealWseat);
    }
    if has_advertisers(campaign, auction) { None } else { wadomain_refusal(campaign, deal) }
}

fn wadomain_refusal(advertiser: &Value, deal: &Value) -> Option<Reason> {
    let wadomain = texts(deal, "wadomain");
    let is_allowed = |own: &&str| wadomain.iter().any(|listed| super::targeting::domain_under(own, listed));
    (!wadomain.is_empty() && !texts(advertiser, "adomain").iter().all(is_allowed)).then_some(Reason::DealWadomain)
}

fn checked_price(pricing: &Pricing<'_>) -> Result<Price, Reason> {
    let ssp = pricing.auction.ssp();
    let is_decided = |entry: &&Value| {
        ["ssp", "crid"].map(|key| text(entry, key)) == [text(ssp, "id"), text(pricing.creative, "crid")]
    };
    let decision = list(pricing.auction.catalog, "approvals").iter().find(is_decided);
    let is_refused =
        at(ssp, "needs_approval") == true && decision.is_none_or(|entry| text(entry, "state") != "approved");
    let failure = first_failure(pricing.campaign, pricing.creative, pricing.imp, pricing.request);
    // A floor that cannot be read comes after the approval.
    if let Some(reason) = failure.into_iter().chain(is_refused.then_some(Reason::Approval)).min() {
        return Err(reason);
    }
    let advertiser = advertiser(pricing.campaign, pricing.creative);
    let is_refused =
        !blocked(advertiser, pricing.request).is_empty() || wadomain_refusal(advertiser, pricing.deal).is_some();
    if has_advertisers(pricing.campaign, pricing.auction) && is_refused {
        return Err(Reason::Advertiser);
    }
    let price = pricing.price()?;
    if pricing.auction.is_paced(pricing.campaign, pricing.deal) { Err(Reason::Pacing) } else { Ok(price) }
}

/// The creatives of a campaign on the impression with this number, in the order in which they are tried.
pub fn in_order<'p>(campaign: &Value, auction: &Auction<'p>, imp: usize) -> Vec<&'p Value> {
    let mut left: Vec<(usize, &Value)> = auction.creatives(campaign).into_iter().enumerate().collect();
    if text(campaign, "rotation") == "sequence" || left.len() == 1 {
        return left.into_iter().map(|(_, creative)| creative).collect();
    }
    let draw = Draw::new(text(auction.request, "id"), imp).of(hash(text(campaign, "cid")));
    let weight = |position: usize| int(&list(campaign, "creatives")[position], "weight").map(i128::from);
    if weight(0).is_none() {
        left.sort_by_key(|(position, _)| draw.lot(*position));
        return left.into_iter().map(|(_, creative)| creative).collect();
    }
    let mut drawn = vec![];
    while !left.is_empty() {
        // One ticket for each unit of weight. The lot says how far into the tickets the drawn one is.
        let tickets = left.iter().enumerate();
        let tickets: Vec<usize> = tickets
            .flat_map(|(at, (position, _))| {
                std::iter::repeat_n(at, usize::try_from(weight(*position).unwrap()).unwrap())
            })
            .collect();
        let ticket = u128::from(draw.lot(drawn.len())) * u128::try_from(tickets.len()).unwrap() / (1 << 32);
        drawn.push(left.remove(tickets[usize::try_from(ticket).unwrap()]).1);
    }
    drawn
}

/// The object that says who advertises with a creative: the creative or the campaign.
pub fn advertiser<'p>(campaign: &'p Value, creative: &'p Value) -> &'p Value {
    if has(creative, "adomain") { creative } else { campaign }
}

/// Whether a creative of the campaign has an advertiser of its own.
pub fn has_advertisers(campaign: &Value, auction: &Auction<'_>) -> bool {
    auction.creatives(campaign).iter().any(|creative| has(creative, "adomain"))
}
