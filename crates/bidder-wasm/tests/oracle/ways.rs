//! Every way to bid on an impression: campaign, deal or none, and the creatives that will do.

use bidder_wasm::draw::Draw;
use bidder_wasm::no_bid::NoBidReason as Why;
use serde_json::Value;

use super::campaign::{of_imp, of_request};
use super::creative::first_failure;
use super::json::{at, flag, list, text, texts};
use super::price::{Price, Sale};
use super::world::World;

/// A campaign's way to bid on an impression.
pub struct Way<'p> {
    pub campaign: &'p Value,
    /// What the exchange calls its seat.
    pub seat: &'p str,
    /// `null` without a deal.
    pub deal: &'p Value,
    /// The creatives that will do, as they are drawn by the request's id; at least one.
    pub shows: Vec<(&'p Value, Price)>,
}

/// An impression and who may bid on it.
pub struct Offer<'p> {
    pub imp: &'p Value,
    pub ways: Vec<Way<'p>>,
}

/// What the rules say before bids of one pod are compared.
pub struct Verdicts<'p> {
    pub offers: Vec<Offer<'p>>,
    /// In the catalog's order: the furthest that each campaign came without a bid.
    pub reasons: Vec<Option<Why>>,
    /// What keeps everybody out.
    pub whole: Option<Why>,
}

pub fn verdicts<'p>(world: &World<'p>) -> Verdicts<'p> {
    let nobody = |why| Verdicts { offers: vec![], reasons: vec![None; world.campaigns().len()], whole: Some(why) };
    let Some(cur) = world.cur() else { return nobody(super::gate(world).unwrap_or(Why::Currency)) };
    if let Some(why) = super::gate(world) {
        return nobody(why);
    }
    let mut offers: Vec<Offer<'p>> = world.distinct_imps().into_iter().map(|imp| Offer { imp, ways: vec![] }).collect();
    let mut reasons = vec![];
    for campaign in world.campaigns() {
        let (on_request, later) = of_request(campaign, world).into_iter().partition(|why| *why < Why::Tagid);
        let mut furthest = Vec::into_iter(on_request).min();
        if furthest.is_none() {
            for (number, offer) in offers.iter_mut().enumerate() {
                furthest = furthest.max(on_imp(campaign, offer, cur, world, &later, number));
            }
        }
        reasons.push(furthest);
    }
    Verdicts { offers, reasons, whole: None }
}

/// Adds the campaign's ways to bid on an impression; returns the furthest of its failures there.
/// `later` is what it fails on in the request, after what the impression is first judged by; `number` is the impression's.
fn on_imp<'p>(
    campaign: &'p Value,
    offer: &mut Offer<'p>,
    cur: &'p str,
    world: &World<'p>,
    later: &[Why],
    number: usize,
) -> Option<Why> {
    let imp = offer.imp;
    let held = |deal: &&Value| texts(campaign, "deals").contains(&text(deal, "id"));
    let mut deals: Vec<&Value> = list(imp, "pmp/deals").iter().filter(held).collect();
    if at(campaign, "open") != false && !flag(imp, "pmp/private_auction") {
        deals.push(&Value::Null);
    }
    let mut failures = of_imp(campaign, imp, world);
    failures.extend(later);
    failures.extend(deals.is_empty().then_some(Why::Deal));
    // As far as the best of its creatives comes, if that is not beyond type and size.
    let creatives = world.creatives(campaign).into_iter();
    let judged = creatives.map(|creative| first_failure(campaign, creative, imp, world.request));
    let shape = judged.map(|why| why.filter(|why| *why <= Why::Size));
    failures.extend(shape.min_by_key(|why| why.map_or(0, |why| Why::Radius as usize - why as usize)).flatten());
    if let Some(why) = failures.into_iter().min() {
        return Some(why);
    }
    let mut furthest = None;
    for deal in deals {
        if let Some(why) = closed(campaign, deal, world.seat(campaign)) {
            furthest = furthest.max(Some(why));
            continue;
        }
        let (mut shows, mut misfits) = (vec![], vec![]);
        let draw = Draw::new(text(world.request, "id"), number);
        let mut creatives: Vec<(usize, &Value)> = world.creatives(campaign).into_iter().enumerate().collect();
        creatives.sort_by_key(|(place, _)| draw.lot(*place));
        for (_, creative) in creatives {
            let sale = Sale { request: world.request, campaign, creative, imp, deal, cur };
            match show(&sale, world) {
                Ok(price) => shows.push((creative, price)),
                Err(why) => misfits.push(why),
            }
        }
        if shows.is_empty() {
            furthest = furthest.max(misfits.into_iter().max());
        } else {
            offer.ways.push(Way { campaign, seat: world.seat(campaign), deal, shows });
        }
    }
    furthest
}

fn closed(campaign: &Value, deal: &Value, seat: &str) -> Option<Why> {
    let (wseat, wadomain) = (texts(deal, "wseat"), texts(deal, "wadomain"));
    let welcome = |ours: &&str| wadomain.iter().any(|theirs| super::who::domain_under(ours, theirs));
    if !wseat.is_empty() && !wseat.contains(&seat) {
        return Some(Why::DealWseat);
    }
    (!wadomain.is_empty() && !texts(campaign, "adomain").iter().all(welcome)).then_some(Why::DealWadomain)
}

fn show(sale: &Sale<'_>, world: &World<'_>) -> Result<Price, Why> {
    first_failure(sale.campaign, sale.creative, sale.imp, sale.request).map_or(Ok(()), Err)?;
    let price = sale.price()?;
    if world.paused(sale.campaign) && !flag(sale.deal, "guar") { Err(Why::Pacing) } else { Ok(price) }
}
