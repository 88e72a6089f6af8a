//! A generated pair as the oracle looks at it.

use serde_json::Value;

use super::generate::Pair;
use super::json::{at, flag, has, int, list, text, texts};
use super::money::has_rate;

/// Most bytes of an id that an answer repeats.
const LONGEST_ID: usize = 512;

pub struct World<'p> {
    pub request: &'p Value,
    pub catalog: &'p Value,
    /// The catalog's reading of the law.
    pub settings: &'p Value,
    context: &'p Value,
    pub ssp: &'p str,
    pub now_ms: i64,
}

impl<'p> World<'p> {
    pub fn of(pair: &'p Pair) -> World<'p> {
        let Pair { catalog, request, context } = pair;
        let settings = at(catalog, "privacy");
        World {
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

    /// The creatives of a campaign, in its order.
    pub fn creatives(&self, campaign: &Value) -> Vec<&'p Value> {
        let pool = list(self.catalog, "creatives");
        texts(campaign, "creatives")
            .iter()
            .map(|crid| pool.iter().find(|one| text(one, "crid") == *crid).unwrap())
            .collect()
    }

    /// The currency of the answer: the exchange's own where it is accepted, else the first accepted one that can be
    /// converted.
    pub fn cur(&self) -> Option<&'p str> {
        let (accepted, own) = (texts(self.request, "cur"), text(self.ssp(), "cur"));
        match (accepted.is_empty(), own) {
            (true, "") => Some("USD"),
            (true, own) => Some(own),
            (false, own) if accepted.contains(&own) => Some(own),
            (false, _) => accepted.into_iter().find(|cur| has_rate(cur)),
        }
    }

    /// What the exchange calls the campaign's seat.
    pub fn seat(&self, campaign: &'p Value) -> &'p str {
        let own = text(campaign, "seat");
        let renamed = list(self.ssp(), "seats").iter().find(|one| text(one, "seat") == own);
        renamed.map_or(own, |one| text(one, "name"))
    }

    /// Whether nothing of the auction is billed.
    pub fn is_test(&self) -> bool {
        flag(self.request, "test") || at(self.ssp(), "test") == true
    }

    /// Whether the exchange takes one bid on each impression.
    pub fn takes_one(&self) -> bool {
        at(self.ssp(), "one_bid_per_imp") == true
    }

    /// Whether macros are filled for the exchange.
    pub fn fills(&self) -> bool {
        at(self.ssp(), "fill_macros") == true
    }

    pub fn capped(&self, campaign: &Value) -> bool {
        at(self.standing(campaign), "capped") == true
    }

    /// Whether the campaign sits every request out.
    pub fn paused(&self, campaign: &Value) -> bool {
        at(self.standing(campaign), "share") == 0
    }

    /// How long a request to this SSP and the answer are under way.
    pub fn latency_ms(&self) -> i64 {
        int(self.ssp(), "latency_ms").unwrap_or(20)
    }

    fn ssp(&self) -> &'p Value {
        list(self.catalog, "ssps").iter().find(|ssp| text(ssp, "id") == self.ssp).unwrap()
    }

    fn standing(&self, campaign: &Value) -> &'p Value {
        at(self.context, &format!("standings/{}", text(campaign, "cid")))
    }

    /// The impressions that have an id.
    pub fn imps(&self) -> Vec<&'p Value> {
        list(self.request, "imp").iter().filter(|imp| has(imp, "id")).collect()
    }

    /// Those whose id no other one has.
    /// The impressions that can be bid on: no other one has their id, and an answer can repeat it.
    pub fn distinct_imps(&self) -> Vec<&'p Value> {
        self.imps_alone().into_iter().filter(|imp| text(imp, "id").len() <= LONGEST_ID).collect()
    }

    /// Those whose id no other one has.
    pub fn imps_alone(&self) -> Vec<&'p Value> {
        let imps = self.imps();
        let alone = |imp: &&Value| imps.iter().filter(|other| text(other, "id") == text(imp, "id")).count() == 1;
        imps.iter().copied().filter(alone).collect()
    }

    /// Whether the request's id is too long to be repeated, or those of all impressions are.
    pub fn has_long_ids(&self) -> bool {
        let is_long = |of: &Value| text(of, "id").len() > LONGEST_ID;
        is_long(self.request) || (!self.imps_alone().is_empty() && self.distinct_imps().is_empty())
    }
}
