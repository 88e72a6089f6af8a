//! Compares the crate's answer with what the oracle expects, and reports the first difference.

use std::fmt::Write;

use auction::Outcome;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use reasons::no_bid::NoBidReason as Reason;
use serde_json::{Value, json};

use super::crate_under_test::{Answer, Outbid, bids};
use super::eligible::advertiser;
use super::eligible::{Eligible, Expected, ExpectedImp, expected};
use super::json::{at, has, list, text};
use super::money::Exact;
use super::pair::Auction;
use super::pod::Ad;
use super::price::Price;

/// An eligible campaign with the creative that its bid would show.
struct PossibleBid<'w> {
    eligible: &'w Eligible<'w>,
    creative: &'w Value,
    price: Price,
}

impl<'w> PossibleBid<'w> {
    fn ad(&self, imp: &'w Value) -> Ad<'w> {
        Ad { imp, campaign: self.eligible.campaign, creative: self.creative }
    }
}

/// Whether `poddedupe` has to reject a campaign, or may reject it.
#[derive(Default, Clone, Copy)]
struct Duplicate {
    must: bool,
    may: bool,
}

pub type Check = Result<(), TestCaseError>;

pub fn compare(auction: &Auction<'_>, answer: &Answer) -> Check {
    let oracle = expected(auction);
    let (cur, bids) = bids(&answer.body);
    prop_assert!(bids.is_empty() || auction.cur() == Some(&cur), "currency {}, expected {:?}", cur, auction.cur());
    for bid in &bids {
        prop_assert_eq!(text(bid, "id").starts_with("test-"), auction.is_test(), "{}", bid);
    }
    let mut unchecked: Vec<&Value> = bids.iter().collect();
    let mut ads = vec![];
    let mut duplicates = vec![Duplicate::default(); auction.campaigns().len()];
    for expected in &oracle.imps {
        let groups: &[Group] = if auction.takes_one() { &[Group::All] } else { &[Group::Deal, Group::Open] };
        for group in groups {
            let competition = Competition { expected, group: *group };
            competition.check(auction, &mut unchecked, &mut ads, &mut duplicates)?;
        }
    }
    prop_assert!(unchecked.is_empty(), "unexpected bids: {:?}\n{}", unchecked, reasons_of(&oracle));
    check_outbid(auction, &oracle, &bids, &duplicates, answer)?;
    check_reasons(auction, &oracle, &duplicates, answer)?;
    check_outcome(&oracle, &duplicates, bids.is_empty(), answer)
}

/// The bids that compete with each other on an impression.
#[derive(Clone, Copy, PartialEq)]
enum Group {
    Deal,
    Open,
    /// For an exchange that takes one bid per impression.
    All,
}

impl Group {
    fn includes(self, has_deal: bool) -> bool {
        self == Group::All || has_deal == (self == Group::Deal)
    }
}

/// One group of bids on an impression. The answer has one bid of the group, or several on a dynamic pod, and one more
/// bid for each deal that has none yet.
struct Competition<'w> {
    expected: &'w ExpectedImp<'w>,
    group: Group,
}

impl<'w> Competition<'w> {
    /// Checks that each bid is the best one that fits beside the bids before it, and that no bid is missing.
    fn check(
        &self,
        auction: &Auction<'w>,
        unchecked: &mut Vec<&Value>,
        ads: &mut Vec<Ad<'w>>,
        duplicates: &mut [Duplicate],
    ) -> Check {
        let imp = self.expected.imp;
        let in_group = |eligible: &&'w Eligible<'w>| self.group.includes(!eligible.deal.is_null());
        let is_fresh = |creative: &'w Value, eligible: &'w Eligible<'w>| {
            let ad = Ad { imp, campaign: eligible.campaign, creative };
            !ads.iter().any(|other| text(other.imp, "id") != text(imp, "id") && ad.duplicates(other))
        };
        // A single ad is the campaign's first creative that `poddedupe` allows. A dynamic pod may have room only for a
        // later creative.
        let is_dynamic = ["video/poddur", "audio/poddur"].iter().any(|key| has(imp, key));
        let mut possible: Vec<PossibleBid<'w>> = vec![];
        let mut rejected: Vec<(usize, Price)> = vec![];
        for eligible in self.expected.eligible.iter().filter(in_group) {
            let fresh = eligible.creatives.iter().filter(|(creative, _)| is_fresh(creative, eligible));
            let before = possible.len();
            let as_bid = |(creative, price): &'w (&'w Value, Price)| PossibleBid { eligible, creative, price: *price };
            possible.extend(fresh.take(if is_dynamic { usize::MAX } else { 1 }).map(as_bid));
            if possible.len() == before {
                rejected.push((index(auction, eligible), eligible.creatives[0].1));
            }
        }
        let (mut beside, mut served): (Vec<Ad<'w>>, Vec<&str>) = (vec![], vec![]);
        loop {
            let fits = |bid: &&PossibleBid<'w>| bid.ad(imp).has_room(&beside, auction.distinct_imps().len());
            let fitting: Vec<&PossibleBid<'w>> = possible.iter().filter(fits).collect();
            let is_guaranteed = |bid: &&PossibleBid<'w>| super::json::flag(bid.eligible.deal, "guar");
            let guaranteed: Vec<&PossibleBid<'w>> = fitting.iter().copied().filter(is_guaranteed).collect();
            let pool = if guaranteed.is_empty() { fitting } else { guaranteed };
            let best = pool.iter().map(|bid| bid.price.least).max();
            for (campaign, price) in rejected.drain(..) {
                duplicates[campaign].may = true;
                duplicates[campaign].must |= best.is_none_or(|best| price.least > best);
            }
            let Some(best) = best else { break };
            let taken = self.take(auction, best, &pool, unchecked)?;
            served.push(text(taken.eligible.deal, "id"));
            beside.push(taken.ad(imp));
        }
        for deal in list(imp, "pmp/deals").iter().filter(|_| self.group == Group::Deal) {
            let id = text(deal, "id");
            let pool: Vec<&PossibleBid<'w>> =
                possible.iter().filter(|bid| text(bid.eligible.deal, "id") == id).collect();
            let best = pool.iter().map(|bid| bid.price.least).max();
            if let Some(best) = best.filter(|_| !served.contains(&id)) {
                beside.push(self.take(auction, best, &pool, unchecked)?.ad(imp));
            }
        }
        ads.extend(beside);
        Ok(())
    }

    /// Takes a bid with the best price out of the answer, and returns the possible bid that it matches.
    fn take<'c>(
        &self,
        auction: &Auction<'w>,
        best: i128,
        pool: &[&'c PossibleBid<'w>],
        unchecked: &mut Vec<&Value>,
    ) -> Result<&'c PossibleBid<'w>, TestCaseError> {
        let imp = self.expected.imp;
        let matches = |possible: &PossibleBid<'w>, bid: &Value| {
            let Eligible { campaign, seat, deal, .. } = possible.eligible;
            let expected = [text(campaign, "cid"), seat, text(deal, "id"), text(possible.creative, "crid")];
            expected == ["cid", "seat", "dealid", "crid"].map(|key| text(bid, key))
                && (possible.price.least..=possible.price.most).contains(&price(bid))
        };
        let is_here = |bid: &Value| text(bid, "impid") == text(imp, "id") && self.group.includes(has(bid, "dealid"));
        let found = pool.iter().filter(|possible| possible.price.most >= best).find_map(|possible| {
            let position = unchecked.iter().position(|bid| is_here(bid) && matches(possible, bid))?;
            Some((*possible, unchecked.remove(position)))
        });
        let Some((possible, bid)) = found else {
            let found = unchecked.iter().find(|bid| is_here(bid));
            let (name, pool) = (self.name(), lines(pool));
            return Err(TestCaseError::fail(format!(
                "{found:?} {name}, expected one of at least {best} among:\n{pool}"
            )));
        };
        let Eligible { campaign, deal, .. } = *possible.eligible;
        prop_assert_eq!(text(bid, "price"), plain(price(bid)), "how the price is written");
        let own = [super::bid_ext::dsa(campaign, auction.request), super::bid_ext::skadn(campaign, imp)];
        let ext = super::bid_ext::without_nonces(at(bid, "ext"), auction.now_ms).map_err(TestCaseError::fail)?;
        prop_assert_eq!(ext, auction.bid_ext(&own), "ext of the bid {}", self.name());
        let found: Value = ADVERTISER.map(|key| at(bid, key).clone()).to_vec().into();
        let expected = advertised(advertiser(campaign, possible.creative));
        prop_assert_eq!(found, expected, "advertiser of the bid {}", self.name());
        super::macros::check(auction, bid, (campaign, possible.creative, deal))?;
        super::markup::check(bid, campaign, possible.creative, imp)?;
        Ok(possible)
    }

    fn name(&self) -> String {
        let group = match self.group {
            Group::Deal => "under a deal",
            Group::Open => "without a deal",
            Group::All => "with or without a deal",
        };
        format!("{group} on imp {:?}", text(self.expected.imp, "id"))
    }
}

/// The attributes of a bid that say who advertises.
const ADVERTISER: [&str; 4] = ["adomain", "bundle", "cat", "cattax"];

/// What a bid tells of an advertiser. The taxonomy goes with the categories.
fn advertised(advertiser: &Value) -> Value {
    let default = |key: &str| if key == "cattax" && has(advertiser, "cat") { json!(1) } else { Value::Null };
    let told = |key| match at(advertiser, key) {
        Value::Null => default(key),
        _ if key == "cattax" && !has(advertiser, "cat") => Value::Null,
        own => own.clone(),
    };
    ADVERTISER.map(told).to_vec().into()
}

fn price(bid: &Value) -> i128 {
    Exact::parse(text(bid, "price")).micros_up()
}

/// The campaign's position in the catalog.
fn index(auction: &Auction<'_>, eligible: &Eligible<'_>) -> usize {
    let cid = text(eligible.campaign, "cid");
    auction.campaigns().iter().position(|campaign| text(campaign, "cid") == cid).unwrap()
}

/// Every eligible campaign without a bid, and no other one, has a record of the winning bid, which is at least as good.
fn check_outbid(
    auction: &Auction<'_>,
    oracle: &Expected<'_>,
    bids: &[Value],
    duplicates: &[Duplicate],
    answer: &Answer,
) -> Check {
    let mut records: Vec<&Outbid> = answer.recorded.outbid.iter().collect();
    for expected in &oracle.imps {
        for eligible in &expected.eligible {
            let [imp, cid, deal] =
                [text(expected.imp, "id"), text(eligible.campaign, "cid"), text(eligible.deal, "id")];
            let position = records.iter().position(|row| (&*row.imp, &*row.cid, &*row.deal) == (imp, cid, deal));
            let record = position.map(|position| records.remove(position));
            let has_bid =
                bids.iter().any(|bid| ["impid", "cid", "dealid"].map(|key| text(bid, key)) == [imp, cid, deal]);
            let may_lack = record.is_none() && duplicates[index(auction, eligible)].may;
            prop_assert!(may_lack || record.is_some() != has_bid, "{cid} under {deal} on {imp}: {has_bid}, {record:?}");
            if let Some(record) = record {
                let is_there = bids.iter().any(|bid| [text(bid, "impid"), text(bid, "cid")] == [imp, &record.by_cid]);
                prop_assert!(is_there && record.by >= record.price, "by a bid that is worse or missing: {record:?}");
            }
        }
    }
    prop_assert!(records.is_empty(), "outbid, but not eligible: {records:?}");
    Ok(())
}

/// The crate records the furthest check that each campaign failed.
fn check_reasons(auction: &Auction<'_>, oracle: &Expected<'_>, duplicates: &[Duplicate], answer: &Answer) -> Check {
    for ((campaign, expected), duplicate) in auction.campaigns().iter().zip(&oracle.reasons).zip(duplicates) {
        let cid = text(campaign, "cid");
        let found = answer.recorded.reasons.get(cid).copied();
        let is_allowed_duplicate = found == Some(Reason::PodDuplicate) && duplicate.may;
        let is_expected = is_allowed_duplicate || !duplicate.must && found == *expected;
        let then = if duplicate.must { " then pod-duplicate" } else { "" };
        prop_assert!(is_expected, "{cid} failed on {}, expected {}{then}", name(found), name(*expected));
    }
    Ok(())
}

/// Without a bid, the request's reason is the furthest reason of all campaigns.
fn check_outcome(oracle: &Expected<'_>, duplicates: &[Duplicate], has_no_bids: bool, answer: &Answer) -> Check {
    let furthest = oracle.reasons.iter().copied().max().flatten();
    let furthest = if duplicates.iter().any(|one| one.must) { Some(Reason::PodDuplicate) } else { furthest };
    let expected = oracle.gate.or(furthest);
    let is_expected = match answer.outcome {
        Outcome::Bid => !has_no_bids,
        Outcome::NoBid(reason) => has_no_bids && Some(reason) == expected,
        Outcome::BadRequest(_) => false,
    };
    prop_assert!(is_expected, "outcome {:?}, expected {}", answer.outcome, name(expected));
    Ok(())
}

fn name(reason: Option<Reason>) -> &'static str {
    reason.map_or("nothing", Reason::as_str)
}

/// Micros as the shortest decimal text.
fn plain(micros: i128) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn lines(pool: &[&PossibleBid<'_>]) -> String {
    pool.iter().fold(String::new(), |mut lines, possible| {
        let PossibleBid { eligible, creative, price } = possible;
        let [cid, deal, shown] = [text(eligible.campaign, "cid"), text(eligible.deal, "id"), text(creative, "crid")];
        writeln!(lines, "  {cid} {shown} deal {deal:?} at {}..={}", price.least, price.most).unwrap();
        lines
    })
}

fn reasons_of(oracle: &Expected<'_>) -> String {
    let reasons: Vec<&str> = oracle.reasons.iter().map(|reason| name(*reason)).collect();
    format!("the oracle's reasons: {}; of the request: {}", reasons.join(", "), name(oracle.gate))
}
