//! Counts between two calls of the Worker, which takes the counts every few seconds: bids for the report and, for the
//! pacer, the matches and bids of campaigns with a budget.
//!
//! The counts are statistics: if an isolate ends, its last counts are lost.

use std::collections::BTreeMap;

use pacing::counts::{Count, Told, write_row, write_times, write_told};

use super::envelope::Envelope;
use crate::bid::Bid;
use crate::context::Context;
use crate::pace::is_unpaced;
use crate::pace::nanos_of;
use base::hash::hash_of;
use base::json::{Object, hex_string};
use base::limits::{MAX_DEMAND, MAX_IMPS, MAX_TALLY};
use base::money::{Currency, Rounding};
use catalog::Catalog;
use notices::QUARTER_S;
use shading::Spot;

/// The counts since they were last taken.
#[derive(Debug, Default)]
pub struct Tally {
    /// Sorted by key.
    entries: Vec<(Key, Entry)>,
    /// Bids that were not counted, because there were more than [`MAX_TALLY`] keys.
    uncounted: u32,
}

/// The quarter, [`Token::arm`](notices::Token::arm), and the hashes of campaign, creative and SSP.
type Key = (u32, u8, [u64; 3]);

#[derive(Debug)]
struct Entry {
    count: u32,
    /// The members of the row besides the quarter and the count, as a fragment.
    members: String,
}

impl Tally {
    /// Counts bids, unless their auction is a test. Allocates only for a new key.
    pub(crate) fn add(&mut self, envelope: &Envelope<'_>, bids: &[Bid<'_>]) {
        if envelope.test {
            return;
        }
        for bid in bids {
            let ids = [bid.campaign.cid(), bid.creative.crid(), envelope.facts.ssp.id()];
            let hashes = ids.map(hash_of);
            let arm = envelope.arm_of(bid);
            let key = (envelope.issued_s() / QUARTER_S, arm, hashes);
            match self.entries.binary_search_by_key(&key, |(known, _)| *known) {
                Ok(at) => self.entries.get_mut(at).into_iter().for_each(|(_, entry)| entry.count += 1),
                Err(_) if self.entries.len() >= MAX_TALLY => self.uncounted += 1,
                Err(at) => {
                    let mut members = String::new();
                    let mut row = Object::more(&mut members);
                    let keys = [("campaign", "cid"), ("creative", "crid"), ("ssp", "sspId")];
                    for ((hash_key, key), (id, hash)) in keys.into_iter().zip(ids.into_iter().zip(hashes)) {
                        row.raw(hash_key, |out| hex_string(out, hash));
                        row.string(key, id);
                    }
                    row.string("cur", bid.campaign.cur().as_str());
                    row.string("zone", bid.campaign.zone());
                    row.maybe("arm", Some(arm).filter(|arm| *arm > 0).map(i64::from));
                    self.entries.insert(at, (key, Entry { count: 1, members }));
                }
            }
        }
    }

    /// Appends the counts, and starts again at 0:
    /// `{"bids":[{"quarter","count","campaign","cid","creative","crid","ssp", "sspId","cur","zone","arm"}],"uncounted"}`,
    /// without `arm` if it is 0. The hashes of campaign, creative and SSP have 16 hex digits.
    pub fn take(&mut self, out: &mut String) {
        let mut object = Object::begin(out);
        object.objects("bids", &self.entries, |row, ((quarter, ..), entry)| {
            row.number("quarter", i64::from(*quarter));
            row.number("count", i64::from(entry.count));
            row.members(&entry.members);
        });
        object.number("uncounted", i64::from(self.uncounted));
        object.end();
        *self = Tally::default();
    }
}

/// The counts since they were last taken.
#[derive(Debug, Default)]
pub struct Demand {
    /// When they were last taken, else the time of the first decision, in milliseconds since the epoch; 0: neither.
    since_ms: i64,
    /// When the oldest shares that let one of these bids through were made; 0: there were none. Otherwise the age of shares
    /// tells nothing about the time that bids take to be seen: an isolate without requests gets no new ones.
    made_ms: i64,
    rows: Vec<Row>,
    /// For each SSP that has a row: for each budget, 1 plus the place of its row; 0: it has none.
    places: Vec<Vec<u32>>,
    /// The SSP of the current decision; `None` if it is not counted.
    ssp: Option<usize>,
    /// The first of the numbers that stand for the impressions of the current decision.
    first_imp: u32,
    /// Whether the current decision is counted.
    is_counted: bool,
    /// The bids of learned shading, by spot and price.
    told: BTreeMap<Told, u64>,
}

/// The counts of the campaigns of one budget at one SSP.
#[derive(Debug)]
struct Row {
    budget: u32,
    ssp: u32,
    /// The number of the impression that was counted last.
    imp: u32,
    matched: u32,
    bids: u32,
    guaranteed: u32,
    nanos: u64,
}

impl Demand {
    /// Begins a decision for the SSP with this number. If `is_counted` is false, its matches and bids are not counted.
    pub(crate) fn begin(&mut self, ssp: usize, is_counted: bool, catalog: &Catalog<'_>, context: &Context<'_>) {
        self.is_counted = is_counted;
        self.ssp = Some(ssp).filter(|_| is_counted && !catalog.budgets.is_empty());
        if self.ssp.is_none() {
            return;
        }
        if self.since_ms == 0 {
            self.since_ms = context.now_ms;
        }
        // A new row has counted no impression: its number is 0.
        self.first_imp = self.first_imp.wrapping_add(u32::try_from(MAX_IMPS).unwrap_or(u32::MAX)).max(1);
    }

    /// Counts an impression on which a campaign with this budget matches, once for all campaigns of an order: see
    /// [`Recorder::matched`](crate::recorder::Recorder::matched).
    pub(crate) fn matched(&mut self, budget: u32, imp: usize) {
        let Some(imp) = u32::try_from(imp).ok().map(|imp| self.first_imp.wrapping_add(imp)) else { return };
        let Some(row) = self.row(budget) else { return };
        if row.imp != imp {
            row.imp = imp;
            row.matched = row.matched.saturating_add(1);
        }
    }

    /// Counts the bids of the current decision. Those that are kept for the case that there is no second decision leave
    /// [`Pacing`](crate::pace::Pacing) as it is.
    pub(crate) fn add(&mut self, envelope: &Envelope<'_>, bids: &[Bid<'_>], is_kept: bool) {
        for bid in bids {
            self.tell(envelope, bid);
            let Some(budget) = bid.budget.filter(|_| self.ssp.is_some()) else { continue };
            let nanos = nanos_of(bid.price.bid, envelope.cur, bid.imp, &bid.campaign, &envelope.catalog.rates);
            let is_unpaced = is_unpaced(bid.deal, &bid.campaign);
            if let Some(pacing) = envelope.context.pacing.filter(|_| !is_kept && !is_unpaced) {
                pacing.bid(budget, nanos);
            }
            let Some(row) = self.row(budget) else { continue };
            row.bids = row.bids.saturating_add(1);
            row.guaranteed = row.guaranteed.saturating_add(u32::from(is_unpaced));
            row.nanos = row.nanos.saturating_add(nanos);
            let made_ms = envelope.context.pacing.map_or(0, |pacing| pacing.made_ms);
            if !is_unpaced && (self.made_ms == 0 || made_ms != 0 && made_ms < self.made_ms) {
                self.made_ms = made_ms;
            }
        }
    }

    /// Counts a bid of learned shading, whose notices will tell how it ended.
    fn tell(&mut self, envelope: &Envelope<'_>, bid: &Bid<'_>) {
        if bid.price.spot == Spot::default() || !self.is_counted || envelope.context.notices.is_none() {
            return;
        }
        let usd = envelope.catalog.rates.convert(bid.price.bid, envelope.cur, Currency::USD, Rounding::Down);
        let Some(told) = usd.and_then(|usd| shading::sent(usd.0)) else { return };
        let told = (envelope.facts.shade.ssp, bid.price.spot.0, told);
        if self.told.len() < MAX_DEMAND || self.told.contains_key(&told) {
            *self.told.entry(told).or_default() += 1;
        }
    }

    /// The row of a budget at the SSP of the decision. Allocates only for a new one. `None` if nothing is counted, or
    /// if there are too many rows.
    fn row(&mut self, budget: u32) -> Option<&mut Row> {
        let ssp = self.ssp?;
        let place = self.places.get(ssp).and_then(|places| places.get(budget as usize)).copied().unwrap_or_default();
        let place = if place > 0 { place } else { self.new_row(budget, ssp)? };
        self.rows.get_mut(place as usize - 1)
    }

    /// Adds a row, and returns 1 plus its place.
    #[inline(never)]
    fn new_row(&mut self, budget: u32, ssp: usize) -> Option<u32> {
        if self.rows.len() >= MAX_DEMAND {
            return None;
        }
        if self.places.len() <= ssp {
            self.places.resize_with(ssp + 1, Vec::new);
        }
        let places = self.places.get_mut(ssp)?;
        if places.len() <= budget as usize {
            places.resize(budget as usize + 1, 0);
        }
        let (ssp, place) = (u32::try_from(ssp).ok()?, u32::try_from(self.rows.len()).ok()? + 1);
        self.rows.push(Row { budget, ssp, imp: 0, matched: 0, bids: 0, guaranteed: 0, nanos: 0 });
        *places.get_mut(budget as usize)? = place;
        Some(place)
    }

    /// Appends the text of [`Counts`](pacing::counts::Counts), and starts again at 0 at `now_ms`, or with the next
    /// decision if that is 0. Appends nothing if nothing was counted.
    pub fn take(&mut self, now_ms: i64, catalog: &Catalog<'_>, out: &mut String) {
        let parts = catalog.parts();
        if !self.rows.is_empty() || !self.told.is_empty() {
            write_times(out, self.since_ms, self.made_ms);
        }
        for Row { budget, ssp, matched, bids, guaranteed, nanos, .. } in self.rows.drain(..) {
            let (budget, ssp) = (budget as usize, ssp as usize);
            if let Some(place) = self.places.get_mut(ssp).and_then(|places| places.get_mut(budget)) {
                *place = 0;
            }
            let Some(key) = parts.budgets().get(budget).map(|budget| budget.key()) else { continue };
            let [matched, bids, guaranteed] = [matched, bids, guaranteed].map(u64::from);
            let count = Count { matched, bids, guaranteed, nanos };
            write_row(out, (key, hash_of(parts.ssp(ssp).id())), &count);
        }
        for (told, count) in core::mem::take(&mut self.told) {
            write_told(out, told, count);
        }
        (self.since_ms, self.made_ms) = (now_ms, 0);
    }
}
