//! Runs the crate on a pair through its public interface.

use std::collections::BTreeMap;

use auction::bid::Bid;
use auction::context::Context;
use auction::options::inputs::Inputs;
use auction::pace::Pacing;
use auction::recorder::{Recorder, Unfit};
use auction::stop::Stop;
use auction::{Outcome, Scratch};
use base::hash::hash_of;
use catalog::{Campaign, Catalog, Snapshot};
use compiler::{Zone, compile};
use openrtb::request::{Deal, Imp};
use pacing::counts::Counts;
use pacing::shares::Shares;
use reasons::no_bid::NoBidReason;
use rules::frequency::{Frequency, Subject};
use serde_json::Value;

use super::budget::{self, Budget};
use super::campaign::SUMMER_2026;
use super::generate::Pair;
use super::generate::words::{CIDS, SSPS};
use super::json::{at, int, list, text};

/// Everything that a decision shows outside.
#[derive(Debug, PartialEq)]
pub struct Answer {
    pub outcome: Outcome,
    pub body: String,
    pub recorded: Recorded,
    /// What is counted for the pacer.
    pub counts: Counts,
}

/// What a decision records.
#[derive(Debug, Default, PartialEq)]
pub struct Recorded {
    /// The furthest check that each campaign failed.
    pub reasons: BTreeMap<String, NoBidReason>,
    /// The campaigns that pacing kept out.
    pub paced: Vec<String>,
    pub outbid: Vec<Outbid>,
}

/// A bid that a better bid beats.
#[derive(Debug, PartialEq)]
pub struct Outbid {
    pub imp: String,
    pub cid: String,
    /// The id of the deal; empty without a deal.
    pub deal: String,
    /// Whether the deal is guaranteed, and the price in micros; those of the winning bid too.
    pub price: (bool, i64),
    pub by: (bool, i64),
    pub by_cid: String,
}

impl Recorder for Recorded {
    fn outbid(&mut self, bid: &Bid<'_>, by: &Bid<'_>, _: Option<Unfit<'_>>) {
        let rank = |bid: &Bid<'_>| (bid.deal.is_some_and(|deal| deal.guar), bid.price.bid.0);
        self.outbid.push(Outbid {
            imp: bid.imp.id.value.to_owned(),
            cid: bid.campaign.cid().to_owned(),
            deal: bid.deal.map_or("", |deal| deal.id.value).to_owned(),
            price: rank(bid),
            by: rank(by),
            by_cid: by.campaign.cid().to_owned(),
        });
    }

    fn rejected(&mut self, campaign: &Campaign<'_>, _: Option<&Imp<'_>>, _: Option<&Deal<'_>>, reason: NoBidReason) {
        let furthest = self.reasons.entry(campaign.cid().to_owned()).or_insert(reason);
        *furthest = reason.max(*furthest);
        if reason == NoBidReason::Pacing && !self.paced.iter().any(|paced| paced == campaign.cid()) {
            self.paced.push(campaign.cid().to_owned());
        }
    }
}

pub fn load(catalog: &Value) -> Result<Snapshot, String> {
    let from_epoch = |minutes: i64| (0, minutes);
    let berlin = vec![from_epoch(60), (SUMMER_2026.0, 120), (SUMMER_2026.1, 60)];
    let zones = [("Europe/Berlin", berlin), ("Asia/Kolkata", vec![from_epoch(330)])];
    let zones = zones.map(|(name, changes)| Zone { name: name.to_owned(), changes });
    let compiled = compile(catalog.to_string().as_bytes(), &zones);
    compiled.map(|compiled| compiled.snapshot).map_err(|findings| {
        let errors = findings.iter().filter(|finding| !finding.rule.is_note());
        errors.map(ToString::to_string).collect::<Vec<_>>().join("\n")
    })
}

/// The position of the pair's SSP in the catalog.
pub fn ssp(pair: &Pair) -> usize {
    SSPS.iter().position(|ssp| *ssp == text(&pair.context, "ssp")).unwrap()
}

pub fn now_ms(pair: &Pair) -> i64 {
    int(&pair.context, "now_ms").unwrap()
}

/// The lot of the decision on a request: another one for each id.
pub fn lot(request: &Value) -> u32 {
    u32::try_from(!hash_of(text(request, "id")) >> 32).unwrap()
}

/// Decides on a pair.
pub fn answer(pair: &Pair, catalog: &Catalog<'_>) -> Answer {
    let standing = |key: &'static str| CIDS.iter().filter(move |cid| at(standing(pair, cid), key) == true);
    let capped: Vec<Subject> = standing("capped").map(|cid| Subject('c', hash_of(cid))).collect();
    let stopped = standing("stopped").fold(String::new(), |cids, cid| cids + cid + "\n");
    let (stop, _) = Stop::read(&stopped, at(&pair.context, "all_stopped") == true, catalog);
    let pacing = pacing(pair, catalog);
    let context = Context {
        now_ms: now_ms(pair),
        seed: 7,
        lot: lot(&pair.request),
        pacing: pacing.as_ref(),
        stop: stop.as_ref(),
        options: Inputs { frequency: Frequency::Except(&capped), signs: true, ..Inputs::default() },
        ..Context::default()
    };
    let (mut recorded, mut body, mut scratch) = (Recorded::default(), String::new(), Scratch::default());
    let (request, ssp) = (pair.request.to_string(), ssp(pair));
    let outcome = auction::bid(&mut scratch, request.as_bytes(), ssp, catalog, &context, &mut recorded, &mut body);
    assert_eq!(taken(&mut scratch, catalog), Counts::default(), "an explained decision is not counted");
    // A recorder of rejections makes the crate check every campaign; without one, it searches by the index.
    let mut by_index = String::new();
    let index_outcome = auction::bid(&mut scratch, request.as_bytes(), ssp, catalog, &context, &mut (), &mut by_index);
    assert_eq!((index_outcome, &by_index), (outcome, &body), "by the index, and by checking every campaign");
    Answer { outcome, body, recorded, counts: taken(&mut scratch, catalog) }
}

fn taken(scratch: &mut Scratch, catalog: &Catalog<'_>) -> Counts {
    let mut text = String::new();
    scratch.demand.take(0, catalog, &mut text);
    Counts::read(&text)
}

/// What the context says of a campaign.
fn standing<'p>(pair: &'p Pair, cid: &str) -> &'p Value {
    at(&pair.context, &format!("standings/{cid}"))
}

/// The shares of the pair; `None` if none are known. The share of an order is that of its first campaign.
fn pacing(pair: &Pair, catalog: &Catalog<'_>) -> Option<Pacing> {
    let share = |key: u64, cid: &str| Some((key, u32::try_from(int(standing(pair, cid), "share")?).unwrap()));
    let of_order = |campaign: &Value| {
        let Budget { key, cids } = budget::of(&pair.catalog, campaign)?;
        share(key, cids[0])
    };
    let orders = list(&pair.catalog, "campaigns").iter().filter_map(of_order);
    let rows: BTreeMap<u64, u32> = CIDS.iter().filter_map(|cid| share(hash_of(cid), cid)).chain(orders).collect();
    let made_ms = now_ms(pair) - int(&pair.context, "shares_age_ms")?;
    Some(pacing_of(&Shares { made_ms, rows: rows.into_iter().collect(), ..Shares::default() }, catalog))
}

pub fn pacing_of(shares: &Shares, catalog: &Catalog<'_>) -> Pacing {
    let mut text = String::new();
    shares.write(&mut text);
    Pacing::read(&text, catalog).unwrap()
}

/// The currency and the bids of an answer. Each bid has its `seat`, and its `price` as the answer writes it.
pub fn bids(body: &str) -> (String, Vec<Value>) {
    if body.is_empty() {
        return (String::new(), vec![]);
    }
    let response: Value = serde_json::from_str(body).unwrap();
    // Take prices from the text, digit by digit. Inside a string these quotes would be escaped.
    let mut prices = body.split("\"price\":").skip(1).map(|rest| rest.split([',', '}']).next().unwrap());
    let mut bids = vec![];
    for seat in list(&response, "seatbid") {
        for mut bid in list(seat, "bid").iter().cloned() {
            bid["seat"] = at(seat, "seat").clone();
            bid["price"] = prices.next().unwrap().into();
            bids.push(bid);
        }
    }
    let cur = text(&response, "cur");
    (if cur.is_empty() { "USD" } else { cur }.to_owned(), bids)
}
