//! Runs the crate on a pair through its public interface.

use std::collections::BTreeMap;

use bidder_wasm::catalog::{Campaign, Catalog, Snapshot};
use bidder_wasm::context::Context;
use bidder_wasm::frequency::{Frequency, Subject};
use bidder_wasm::no_bid::NoBidReason;
use bidder_wasm::notices::hash_of;
use bidder_wasm::pace::Pacing;
use bidder_wasm::recorder::Recorder;
use bidder_wasm::request::{Deal, Imp};
use bidder_wasm::stop::Stop;
use bidder_wasm::{Outcome, Scratch};
use compiler_wasm::compile::{Zone, compile};
use pacing::counts::Counts;
use pacing::shares::Shares;
use serde_json::Value;

use super::generate::Pair;
use super::generate::words::{CIDS, SSPS};
use super::hours::SUMMER_2026;
use super::json::{at, int, list, text};
use super::payer::{self, Payer};

/// Everything that a decision shows outside.
#[derive(Debug, PartialEq)]
pub struct Answer {
    pub outcome: Outcome,
    pub body: String,
    /// The furthest check that each campaign failed.
    pub reasons: BTreeMap<String, NoBidReason>,
    /// The campaigns that pacing kept out.
    pub paced: Vec<String>,
    pub outbid: Vec<Outbid>,
    /// What is counted for the pacer.
    pub counts: Counts,
}

/// A bid that a better bid beats.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outbid {
    pub imp: String,
    pub cid: String,
    /// The id of the deal; empty without a deal.
    pub deal: String,
    /// Whether the deal is guaranteed, and the price in micros.
    pub price: (bool, i64),
    /// Whether the deal of the winning bid is guaranteed, and its price in micros.
    pub by: (bool, i64),
    pub by_cid: String,
}

/// A bid as an exchange reads it.
#[derive(Debug, Clone)]
pub struct Bid {
    pub id: String,
    pub imp: String,
    pub cid: String,
    pub crid: String,
    /// The id of the deal; empty without a deal.
    pub deal: String,
    pub seat: String,
    /// The price as it is written in the answer.
    pub price: String,
    pub slotinpod: Option<i64>,
    pub adm: String,
    pub nurl: String,
    pub burl: String,
    /// `adomain`, `bundle`, `cat` and `cattax` of the bid; `null` if absent.
    pub advertiser: Value,
    /// `bid.ext`; `null` if there is none.
    pub ext: Value,
}

/// Keeps what a decision records.
#[derive(Default)]
pub struct Recorded {
    reasons: BTreeMap<String, NoBidReason>,
    paced: Vec<String>,
    outbid: Vec<Outbid>,
}

impl Recorder for Recorded {
    fn outbid(&mut self, bid: &bidder_wasm::bid::Bid<'_>, by: &bidder_wasm::bid::Bid<'_>) {
        let rank = |bid: &bidder_wasm::bid::Bid<'_>| (bid.deal.is_some_and(|deal| deal.guar), bid.price.bid.0);
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
    let zones = [
        Zone { name: "Europe/Berlin".to_owned(), changes: berlin },
        Zone { name: "Asia/Kolkata".to_owned(), changes: vec![from_epoch(330)] },
    ];
    let compiled = compile(catalog.to_string().as_bytes(), &zones);
    compiled.map(|compiled| compiled.snapshot).map_err(|findings| {
        let errors = findings.iter().filter(|finding| !finding.rule.is_note());
        errors.map(ToString::to_string).collect::<Vec<_>>().join("\n")
    })
}

/// Decides on a pair. `share` overrides a campaign's share of requests, and the shares are then new.
pub fn answer(pair: &Pair, catalog: &Catalog<'_>, share: impl Fn(&str) -> Option<u32>) -> Answer {
    let is_capped = |cid: &&&str| at(&pair.context, &format!("standings/{cid}/capped")) == true;
    let capped: Vec<Subject> = CIDS.iter().filter(is_capped).map(|cid| Subject('c', hash_of(cid))).collect();
    let stop = stop(pair, catalog);
    let pacing = pacing(pair, catalog, share);
    let context = Context {
        now_ms: int(&pair.context, "now_ms").unwrap(),
        seed: 7,
        pacing: pacing.as_ref(),
        stop: stop.as_ref(),
        frequency: Frequency::Except(&capped),
        signs_skadn: true,
        ..Context::default()
    };
    let ssp = SSPS.iter().position(|ssp| *ssp == text(&pair.context, "ssp")).unwrap();
    let (mut recorded, mut body) = (Recorded::default(), String::new());
    let request = pair.request.to_string();
    let mut scratch = Scratch::default();
    let outcome = bidder_wasm::bid(&mut scratch, request.as_bytes(), ssp, catalog, &context, &mut recorded, &mut body);
    assert_eq!(taken(&mut scratch, catalog), Counts::default(), "an explained decision is not counted");
    // A recorder of rejections makes the crate check every campaign; without one, it searches by the index.
    let mut by_index = String::new();
    let index_outcome =
        bidder_wasm::bid(&mut scratch, request.as_bytes(), ssp, catalog, &context, &mut (), &mut by_index);
    assert_eq!((index_outcome, &by_index), (outcome, &body), "by the index, and by checking every campaign");
    let Recorded { reasons, paced, outbid } = recorded;
    Answer { outcome, body, reasons, paced, outbid, counts: taken(&mut scratch, catalog) }
}

fn taken(scratch: &mut Scratch, catalog: &Catalog<'_>) -> Counts {
    let mut text = String::new();
    scratch.demand.take(0, catalog, &mut text);
    Counts::read(&text)
}

/// The shares of the pair; `None` if none are known.
fn pacing(pair: &Pair, catalog: &Catalog<'_>, share: impl Fn(&str) -> Option<u32>) -> Option<Pacing> {
    let now_ms = int(&pair.context, "now_ms").unwrap();
    let overrides = CIDS.iter().any(|cid| share(cid).is_some());
    let age_ms = if overrides { Some(0) } else { int(&pair.context, "shares_age_ms") };
    let of_pair = |cid: &str| int(&pair.context, &format!("standings/{cid}/share"));
    let row = |cid: &str| Some((hash_of(cid), share(cid).or(of_pair(cid).map(|share| share.try_into().unwrap()))?));
    // The share of an order is that of its first campaign; of overrides it is the least one.
    let of_order = |order: &Value| {
        let Payer { key, cids } = payer::of_order(&pair.catalog, text(order, "id"));
        let least = cids.iter().filter_map(|cid| share(cid)).min();
        Some((key, least.or(of_pair(cids.first()?).map(|share| share.try_into().unwrap()))?))
    };
    let orders = list(&pair.catalog, "orders").iter().filter_map(of_order);
    let rows = CIDS.iter().filter_map(|cid| row(cid)).chain(orders).collect();
    age_ms.map(|age_ms| pacing_of(&Shares { made_ms: now_ms - age_ms, rows }, catalog))
}

pub fn pacing_of(shares: &Shares, catalog: &Catalog<'_>) -> Pacing {
    let mut text = String::new();
    shares.write(&mut text);
    Pacing::read(&text, catalog).unwrap()
}

/// What the pair stops of the catalog.
fn stop(pair: &Pair, catalog: &Catalog<'_>) -> Option<Stop> {
    let is_stopped = |cid: &&&str| at(&pair.context, &format!("standings/{cid}/stopped")) == true;
    let cids = CIDS.iter().filter(is_stopped).fold(String::new(), |cids, cid| cids + cid + "\n");
    Stop::read(&cids, at(&pair.context, "all_stopped") == true, catalog).0
}

/// The attributes of a bid that say who advertises.
pub const ADVERTISER: [&str; 4] = ["adomain", "bundle", "cat", "cattax"];

/// The currency and the bids of an answer.
pub fn bids(body: &str) -> (String, Vec<Bid>) {
    if body.is_empty() {
        return (String::new(), vec![]);
    }
    let response: Value = serde_json::from_str(body).unwrap();
    // Take prices from the text, digit by digit. Inside a string these quotes would be escaped.
    let mut prices = body.split("\"price\":").skip(1).map(|rest| rest.split([',', '}']).next().unwrap().to_owned());
    let mut bids = vec![];
    for seat in list(&response, "seatbid") {
        for bid in list(seat, "bid") {
            let owned = |key: &str| text(bid, key).to_owned();
            bids.push(Bid {
                id: owned("id"),
                imp: owned("impid"),
                cid: owned("cid"),
                crid: owned("crid"),
                deal: owned("dealid"),
                seat: text(seat, "seat").to_owned(),
                price: prices.next().unwrap(),
                slotinpod: int(bid, "slotinpod"),
                adm: owned("adm"),
                nurl: owned("nurl"),
                burl: owned("burl"),
                advertiser: ADVERTISER.map(|key| at(bid, key).clone()).to_vec().into(),
                ext: at(bid, "ext").clone(),
            });
        }
    }
    let cur = text(&response, "cur");
    (if cur.is_empty() { "USD" } else { cur }.to_owned(), bids)
}
