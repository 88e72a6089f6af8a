//! Holds the crate's answer against the oracle's verdicts. The first difference is told.

use std::fmt::Write;

use bidder_wasm::Outcome;
use bidder_wasm::no_bid::NoBidReason as Why;
use serde_json::Value;

use super::crate_under_test::{Answer, Bid, Outbid, bids};
use super::json::{has, list, text};
use super::markup::fault;
use super::money::Exact;
use super::pod::Shown;
use super::price::Price;
use super::ways::{Offer, Verdicts, Way, verdicts};
use super::world::World;

/// A way to bid with the creative that is shown then.
struct Candidate<'w> {
    way: &'w Way<'w>,
    creative: &'w Value,
    price: Price,
}

impl<'w> Candidate<'w> {
    fn shown(&self, imp: &'w Value) -> Shown<'w> {
        Shown { imp, campaign: self.way.campaign, creative: self.creative }
    }
}

/// What `poddedupe` did to a campaign: it had to be rejected for it, or only could be.
#[derive(Default, Clone, Copy)]
struct Repeats {
    must: bool,
    may: bool,
}

pub fn compare(world: &World<'_>, answer: &Answer) -> Result<(), String> {
    let verdicts = verdicts(world);
    let (cur, bids) = bids(&answer.body);
    if !bids.is_empty() && Some(cur.as_str()) != world.cur() {
        return Err(format!("currency {cur}, expected {:?}", world.cur()));
    }
    if let Some(bid) = bids.iter().find(|bid| bid.id.starts_with("test-") != world.is_test()) {
        return Err(format!("bid id {}, test: {}", bid.id, world.is_test()));
    }
    let mut open: Vec<&Bid> = bids.iter().collect();
    let mut shown = vec![];
    let mut repeats = vec![Repeats::default(); world.campaigns().len()];
    for offer in &verdicts.offers {
        let kinds: &[Kind] = if world.takes_one() { &[Kind::Either] } else { &[Kind::Deal, Kind::Open] };
        for kind in kinds {
            let slot = Slot { offer, kind: *kind };
            slot.check(world, &mut open, &mut shown, &mut repeats)?;
        }
    }
    if let Some(bid) = open.first() {
        return Err(format!("bid that nothing allows: {bid:?}\n{}", told(&verdicts)));
    }
    outbid(world, &verdicts, &bids, &repeats, answer)?;
    reasons(world, &verdicts, &repeats, answer)?;
    outcome(&verdicts, &repeats, bids.is_empty(), answer)
}

/// Which bids compete with each other.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Deal,
    Open,
    /// All of them, where the exchange takes one bid.
    Either,
}

impl Kind {
    fn is_of(self, with_deal: bool) -> bool {
        self == Kind::Either || with_deal == (self == Kind::Deal)
    }
}

/// The place of one bid, or of several on a dynamic pod: on an impression, under deals or without one. Under deals, each that
/// has no bid there has one besides.
struct Slot<'w> {
    offer: &'w Offer<'w>,
    kind: Kind,
}

impl<'w> Slot<'w> {
    /// Each bid in the slot is the best of those that can be shown beside the ones before, no deal is left out, and none is
    /// missing.
    fn check(
        &self,
        world: &World<'_>,
        open: &mut Vec<&Bid>,
        shown: &mut Vec<Shown<'w>>,
        repeats: &mut [Repeats],
    ) -> Result<(), String> {
        let imp = self.offer.imp;
        let ways = || self.offer.ways.iter().filter(|way| self.kind.is_of(!way.deal.is_null()));
        let fresh = |creative: &'w Value, way: &'w Way<'w>| {
            let bid = Shown { imp, campaign: way.campaign, creative };
            !shown.iter().any(|other| text(other.imp, "id") != text(imp, "id") && bid.duplicates(other))
        };
        // Where one ad is shown, a campaign shows the first drawn that will do; a pod may have room for another one only.
        let dynamic = ["video/poddur", "audio/poddur"].iter().any(|key| has(imp, key));
        let mut candidates: Vec<Candidate<'w>> = vec![];
        let mut repeated: Vec<(usize, Price)> = vec![];
        for way in ways() {
            let will_do = way.shows.iter().filter(|(creative, _)| fresh(creative, way));
            let before = candidates.len();
            let as_bid = |(creative, price): &'w (&'w Value, Price)| Candidate { way, creative, price: *price };
            candidates.extend(will_do.take(if dynamic { usize::MAX } else { 1 }).map(as_bid));
            if candidates.len() == before {
                repeated.push((place(world, way), way.shows[0].1));
            }
        }
        let (mut beside, mut served): (Vec<Shown<'w>>, Vec<&str>) = (vec![], vec![]);
        loop {
            let fits = |candidate: &&Candidate<'w>| candidate.shown(imp).has_room(&beside, world.distinct_imps().len());
            let fitting: Vec<&Candidate<'w>> = candidates.iter().filter(fits).collect();
            let guaranteed = |candidate: &&Candidate<'w>| super::json::flag(candidate.way.deal, "guar");
            let must: Vec<&Candidate<'w>> = fitting.iter().copied().filter(guaranteed).collect();
            let pool = if must.is_empty() { fitting } else { must };
            let best = pool.iter().map(|candidate| candidate.price.least).max();
            for (campaign, price) in repeated.drain(..) {
                repeats[campaign].may = true;
                repeats[campaign].must |= best.is_none_or(|best| price.least > best);
            }
            let Some(best) = best else { break };
            let taken = self.take(world, best, &pool, open)?;
            served.push(text(taken.way.deal, "id"));
            beside.push(taken.shown(imp));
        }
        for deal in list(imp, "pmp/deals").iter().filter(|_| self.kind == Kind::Deal) {
            let id = text(deal, "id");
            let pool: Vec<&Candidate<'w>> =
                candidates.iter().filter(|candidate| text(candidate.way.deal, "id") == id).collect();
            let best = pool.iter().map(|candidate| candidate.price.least).max();
            if let Some(best) = best.filter(|_| !served.contains(&id)) {
                beside.push(self.take(world, best, &pool, open)?.shown(imp));
            }
        }
        shown.extend(beside);
        Ok(())
    }

    /// Takes a bid out of the answer that is the best one; returns whose it is.
    fn take<'c>(
        &self,
        world: &World<'_>,
        best: i128,
        pool: &[&'c Candidate<'w>],
        open: &mut Vec<&Bid>,
    ) -> Result<&'c Candidate<'w>, String> {
        let imp = self.offer.imp;
        let is = |candidate: &Candidate<'w>, bid: &Bid| {
            text(candidate.way.campaign, "cid") == bid.cid
                && candidate.way.seat == bid.seat
                && text(candidate.way.deal, "id") == bid.deal
                && text(candidate.creative, "crid") == bid.crid
                && (candidate.price.least..=candidate.price.most).contains(&price(bid))
        };
        let here = |bid: &Bid| bid.imp == text(imp, "id") && self.kind.is_of(!bid.deal.is_empty());
        let found = pool.iter().filter(|candidate| candidate.price.most >= best).find_map(|candidate| {
            let position = open.iter().position(|bid| here(bid) && is(candidate, bid))?;
            Some((*candidate, open.remove(position)))
        });
        let Some((candidate, bid)) = found else {
            let (name, pool) = (self.name(), listed(pool));
            return Err(match open.iter().find(|bid| here(bid)) {
                None => format!("no bid {name}, expected one at {best}:\n{pool}"),
                Some(bid) => format!("wrong bid {name}: {bid:?}, expected one of at least {best} among:\n{pool}"),
            });
        };
        let expected = plain(price(bid));
        if bid.price != expected {
            return Err(format!("price {} is not written as {expected}", bid.price));
        }
        let ext = super::dsa::ext(candidate.way.campaign, world.request);
        if bid.ext != ext {
            return Err(format!("ext of the bid {} is {}, expected {ext}", self.name(), bid.ext));
        }
        let made_of = (candidate.way.campaign, candidate.creative, candidate.way.deal);
        if let Some(fault) = super::macros::fault(world, bid, made_of) {
            return Err(format!("bid {}: {fault}", self.name()));
        }
        if let Some(fault) = fault(bid, candidate.way.campaign, candidate.creative, imp) {
            return Err(format!("bid {}: {fault}", self.name()));
        }
        Ok(candidate)
    }

    fn name(&self) -> String {
        let kind = match self.kind {
            Kind::Deal => "under a deal",
            Kind::Open => "without a deal",
            Kind::Either => "alone",
        };
        format!("{kind} on imp {:?}", text(self.offer.imp, "id"))
    }
}

fn price(bid: &Bid) -> i128 {
    Exact::parse(&bid.price).micros_up()
}

fn place(world: &World<'_>, way: &Way<'_>) -> usize {
    world.campaigns().iter().position(|campaign| text(campaign, "cid") == text(way.campaign, "cid")).unwrap()
}

/// A campaign that could bid and does not is told the bid that won, which is as good; no other campaign is.
fn outbid(
    world: &World<'_>,
    verdicts: &Verdicts<'_>,
    bids: &[Bid],
    repeats: &[Repeats],
    answer: &Answer,
) -> Result<(), String> {
    let mut told: Vec<&Outbid> = answer.outbid.iter().collect();
    for offer in &verdicts.offers {
        for way in &offer.ways {
            let [imp, cid, deal] = [text(offer.imp, "id"), text(way.campaign, "cid"), text(way.deal, "id")];
            let position = told.iter().position(|told| (&*told.imp, &*told.cid, &*told.deal) == (imp, cid, deal));
            let heard = position.map(|position| told.remove(position));
            let has_bid = bids.iter().any(|bid| (&*bid.imp, &*bid.cid, &*bid.deal) == (imp, cid, deal));
            if heard.is_some() == has_bid && !(heard.is_none() && repeats[place(world, way)].may) {
                return Err(format!("{cid} under {deal:?} on imp {imp:?} bids: {has_bid}, outbid: {heard:?}"));
            }
            if let Some(heard) = heard.filter(|heard| {
                heard.by < heard.price || !bids.iter().any(|bid| bid.imp == imp && bid.cid == heard.by_cid)
            }) {
                return Err(format!("outbid by what is no better bid: {heard:?}"));
            }
        }
    }
    told.first().map_or(Ok(()), |told| Err(format!("outbid although it may not bid: {told:?}")))
}

/// Each campaign's furthest failure is the one that the crate told.
fn reasons(world: &World<'_>, verdicts: &Verdicts<'_>, repeats: &[Repeats], answer: &Answer) -> Result<(), String> {
    for ((campaign, expected), repeats) in world.campaigns().iter().zip(&verdicts.reasons).zip(repeats) {
        let cid = text(campaign, "cid");
        let got = answer.reasons.get(cid).copied();
        let repeated = got == Some(Why::PodDuplicate) && repeats.may;
        if !repeated && (repeats.must || got != *expected) {
            let repeat = if repeats.must { " then pod-duplicate" } else { "" };
            return Err(format!("campaign {cid} failed on {}, expected {}{repeat}", name(got), name(*expected)));
        }
    }
    Ok(())
}

/// Without a bid, the reason for the whole is the furthest of all.
fn outcome(verdicts: &Verdicts<'_>, repeats: &[Repeats], no_bids: bool, answer: &Answer) -> Result<(), String> {
    let furthest = verdicts.reasons.iter().copied().max().flatten();
    let furthest = if repeats.iter().any(|repeats| repeats.must) { Some(Why::PodDuplicate) } else { furthest };
    let expected = verdicts.whole.or(furthest);
    match (answer.outcome, no_bids) {
        (Outcome::Bid, false) => Ok(()),
        (Outcome::NoBid(why), true) if Some(why) == expected => Ok(()),
        (outcome, _) => Err(format!("outcome {outcome:?}, expected {}", name(expected))),
    }
}

fn name(why: Option<Why>) -> &'static str {
    why.map_or("nothing", Why::as_str)
}

/// Micros as the shortest decimal text.
fn plain(micros: i128) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn listed(candidates: &[&Candidate<'_>]) -> String {
    candidates.iter().fold(String::new(), |mut lines, candidate| {
        let Candidate { way, creative, price } = candidate;
        let [cid, deal, shown] = [text(way.campaign, "cid"), text(way.deal, "id"), text(creative, "crid")];
        writeln!(lines, "  {cid} {shown} deal {deal:?} at {}..={}", price.least, price.most).unwrap();
        lines
    })
}

fn told(verdicts: &Verdicts<'_>) -> String {
    let reasons: Vec<&str> = verdicts.reasons.iter().map(|why| name(*why)).collect();
    format!("the oracle's reasons: {} whole: {}", reasons.join(", "), name(verdicts.whole))
}
