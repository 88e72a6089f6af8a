//! What the rules need to know about a generated pair of a catalog and a request.

use reasons::no_bid::NoBidReason;
use serde_json::Value;

use super::budget::{self, lets_through};
use super::crate_under_test::lot;
use super::generate::Pair;
use super::json::{at, flag, has, int, list, text, texts};
use super::money::{Exact, has_rate};

/// The most bytes of an id in an answer.
const MAX_ID_BYTES: usize = 512;

pub struct Auction<'p> {
    pub request: &'p Value,
    pub catalog: &'p Value,
    /// The catalog's privacy settings.
    pub settings: &'p Value,
    context: &'p Value,
    pub ssp: &'p str,
    pub now_ms: i64,
}

impl<'p> Auction<'p> {
    pub fn of(pair: &'p Pair) -> Auction<'p> {
        let Pair { catalog, request, context } = pair;
        let settings = at(catalog, "privacy");
        Auction {
            request,
            catalog,
            settings,
            context,
            ssp: text(context, "ssp"),
            now_ms: int(context, "now_ms").unwrap(),
        }
    }

    pub fn campaigns(&self) -> &'p [Value] {
        list(self.catalog, "campaigns")
    }

    /// The campaign's creatives, in its order.
    pub fn creatives(&self, campaign: &Value) -> Vec<&'p Value> {
        let pool = list(self.catalog, "creatives");
        let shown = list(campaign, "creatives").iter();
        let crids = shown.map(|shown| shown.as_str().unwrap_or_else(|| text(shown, "crid")));
        crids.map(|crid| pool.iter().find(|one| text(one, "crid") == crid).unwrap()).collect()
    }

    pub fn campaign_of(&self, bid: &Value) -> &'p Value {
        self.campaigns().iter().find(|campaign| text(campaign, "cid") == text(bid, "cid")).unwrap()
    }

    pub fn imp_of(&self, bid: &Value) -> &'p Value {
        list(self.request, "imp").iter().find(|imp| text(imp, "id") == text(bid, "impid")).unwrap()
    }

    /// The currency of the answer: the exchange's own currency if the request accepts it, else the first accepted
    /// currency with a rate.
    pub fn cur(&self) -> Option<&'p str> {
        let (accepted, own) = (texts(self.request, "cur"), text(self.ssp(), "cur"));
        match (accepted.is_empty(), own) {
            (true, "") => Some("USD"),
            (true, own) => Some(own),
            (false, own) if accepted.contains(&own) => Some(own),
            (false, _) => accepted.into_iter().find(|cur| has_rate(cur)),
        }
    }

    /// `bid.ext`: what the exchange wants in every bid, and what the bid tells itself; `null` if there is neither.
    pub fn bid_ext(&self, own: &[Value]) -> Value {
        let mut ext = Value::Object(serde_json::Map::default());
        for part in [at(self.ssp(), "bid_ext")].into_iter().chain(own).filter(|part| part.is_object()) {
            super::json::merge(&mut ext, part.clone());
        }
        if ext.as_object().is_some_and(serde_json::Map::is_empty) { Value::Null } else { ext }
    }

    /// The exchange's name for the campaign's seat.
    pub fn seat(&self, campaign: &'p Value) -> &'p str {
        let own = text(campaign, "seat");
        let renamed = list(self.ssp(), "seats").iter().find(|one| text(one, "seat") == own);
        renamed.map_or(own, |one| text(one, "name"))
    }

    /// Whether the auction is a test, which is not billed.
    pub fn is_test(&self) -> bool {
        flag(self.request, "test") || at(self.ssp(), "test") == true
    }

    /// Whether the exchange takes only one bid per impression.
    pub fn takes_one(&self) -> bool {
        at(self.ssp(), "one_bid_per_imp") == true
    }

    /// The auction type: 1 = first price, 2 = second price, 3 = as the deal agrees.
    pub fn at(&self, deal: &Value) -> i64 {
        match (text(self.ssp(), "auction"), int(deal, "at")) {
            ("first", Some(3)) => 3,
            ("first", _) => 1,
            (_, of_deal) => of_deal.or(int(self.request, "at")).unwrap_or(2),
        }
    }

    /// Whether the exchange calls a notice.
    pub fn calls(&self, notice: &str) -> bool {
        !texts(self.ssp(), "uncalled").contains(&notice)
    }

    /// Whether the bidder fills macros for the exchange.
    pub fn fills_macros(&self) -> bool {
        at(self.ssp(), "fill_macros") == true
    }

    /// What the context says of the campaign: `capped`, or `stopped` by an operator.
    pub fn is(&self, standing: &str, campaign: &Value) -> bool {
        at(self.context, &format!("standings/{}/{standing}", text(campaign, "cid"))) == true
    }

    /// Whether an operator has stopped everything.
    pub fn all_stopped(&self) -> bool {
        at(self.context, "all_stopped") == true
    }

    /// Whether pacing keeps the campaign out of the request, or out of this deal.
    pub fn is_paced(&self, campaign: &Value, deal: &Value) -> bool {
        let Some(budget) = budget::of(self.catalog, campaign).filter(|_| !is_guaranteed(campaign, deal)) else {
            return false;
        };
        let share = int(self.context, &format!("standings/{}/share", budget.cids[0])).unwrap_or(0);
        let age_ms = int(self.context, "shares_age_ms").unwrap_or(i64::MAX);
        !lets_through(share, age_ms, lot(self.request), budget.key)
    }

    /// Time on the network for a request of this SSP and its answer.
    pub fn latency_ms(&self) -> i64 {
        int(self.ssp(), "latency_ms").unwrap_or(20)
    }

    pub fn ssp(&self) -> &'p Value {
        list(self.catalog, "ssps").iter().find(|ssp| text(ssp, "id") == self.ssp).unwrap()
    }

    /// The impressions that have an id.
    pub fn imps(&self) -> Vec<&'p Value> {
        list(self.request, "imp").iter().filter(|imp| has(imp, "id")).collect()
    }

    /// The impressions that can be bid on: their ids are unique and not too long for an answer, and the record takes so
    /// many impressions at once.
    pub fn distinct_imps(&self) -> Vec<&'p Value> {
        let imps = self.imps_with_unique_id().into_iter();
        imps.filter(|imp| text(imp, "id").len() <= MAX_ID_BYTES && self.refusal(imp).is_none()).collect()
    }

    /// Why an impression gets no bid: it counts for too many impressions, or what restricts it cannot be read.
    pub fn refusal(&self, imp: &Value) -> Option<NoBidReason> {
        let most = i128::from(int(self.ssp(), "max_multiplier").unwrap_or(1)) * 1000;
        let is_counted = Self::thousandths(imp) <= most;
        if is_counted { super::odd::of_imp(imp) } else { Some(NoBidReason::Multiplier) }
    }

    /// For how many impressions a showing counts, in thousandths, rounded up.
    pub fn thousandths(imp: &Value) -> i128 {
        let told = Some(at(imp, "qty/multiplier")).filter(|told| !told.is_null());
        told.map_or(1000, |told| (Exact::parse(&told.to_string()).micros_up() + 999) / 1000)
    }

    pub fn imps_with_unique_id(&self) -> Vec<&'p Value> {
        let imps = self.imps();
        let is_unique = |imp: &&Value| imps.iter().filter(|other| text(other, "id") == text(imp, "id")).count() == 1;
        imps.iter().copied().filter(is_unique).collect()
    }

    /// Whether the id of the request, or of every impression, is too long for an answer.
    pub fn has_long_ids(&self) -> bool {
        let is_long = |of: &Value| text(of, "id").len() > MAX_ID_BYTES;
        let imps = self.imps_with_unique_id();
        is_long(self.request) || (!imps.is_empty() && imps.into_iter().all(is_long))
    }
}

/// Whether both the request and the catalog call the deal guaranteed.
pub fn is_guaranteed(campaign: &Value, deal: &Value) -> bool {
    let is_agreed = |own: &Value| text(own, "id") == text(deal, "id") && at(own, "guaranteed") == true;
    flag(deal, "guar") && list(campaign, "deals").iter().any(is_agreed)
}
