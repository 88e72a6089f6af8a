//! Writes records for the operator's systems: a line of JSON for each bid, and one for the auction. The Worker sends
//! them as events; `shared/events/schema.ts` describes the attributes.
//!
//! Records have no personal data: no ids of people, no IP addresses, and of the location only the country.

use super::counts::Demand;
use super::envelope::{Envelope, bid_id};
use crate::bid::Bid;
use crate::context::Context;
use crate::recorder::{Recorder, Unfit};
use base::hash::hex;
use base::json::{Object, hex_string};
use base::limits::{MAX_PLACEMENT_BYTES, MAX_RECORD_BYTES};
use catalog::{Campaign, Ssp};
use openrtb::request::{Deal, Imp, Request};
use reasons::no_bid::NoBidReason;
use rules::targeting::Facts;

const SCHEMA_VERSION: i64 = 1;

/// The device types of `AdCOM`, with room for more.
const DEVICE_TYPES: core::ops::RangeInclusive<i64> = 1..=99;

/// Settings, the last request's records, and scratch counters.
#[derive(Debug, Default)]
pub struct Records {
    /// Whether to write a record for each bid.
    pub bids: bool,
    /// How many auctions one record stands for; 0 for no records of auctions.
    pub weight: u32,
    /// The lines of the last request, each with a line feed.
    pub lines: String,
    /// How many lines of the last request were dropped, because all lines together were longer than
    /// [`MAX_RECORD_BYTES`].
    pub dropped: u32,
    /// How many candidates each check rejected.
    counts: Vec<u32>,
}

impl Records {
    /// Removes the records of the last request.
    pub(crate) fn clear(&mut self) {
        self.lines.clear();
        self.dropped = 0;
        self.counts.clear();
        self.counts.resize(NoBidReason::ALL.len(), 0);
    }

    /// Ends the line that starts at byte `begin`, or drops it if there is no room.
    fn end_line(&mut self, begin: usize) {
        self.lines.push('\n');
        if self.lines.len() > MAX_RECORD_BYTES {
            self.lines.truncate(begin);
            self.dropped += 1;
        }
    }

    /// A recorder that counts rejections and passes them on, and counts matches in `demand`.
    pub(crate) fn counting<'r, R>(&'r mut self, demand: &'r mut Demand, recorder: &'r mut R) -> Counting<'r, R> {
        Counting { counts: &mut self.counts, demand, recorder }
    }

    /// Writes the record of the auction: `{…,"outcome","weight","funnel":{REASON:N,…}}`, reasons in the order of the
    /// checks.
    pub(crate) fn auction(&mut self, request: &Request<'_>, ssp: Ssp<'_>, context: &Context<'_>, outcome: &str) {
        if self.weight == 0 {
            return;
        }
        let start = self.lines.len();
        let mut record = begin(&mut self.lines, "auction", request, ssp, context, |out| hex(out, context.seed, 16));
        record.string("outcome", outcome);
        record.number("weight", i64::from(self.weight));
        if self.counts.iter().any(|count| *count > 0) {
            record.object("funnel", |funnel| {
                for (reason, count) in NoBidReason::ALL.iter().zip(&self.counts).filter(|(_, count)| **count > 0) {
                    funnel.number(reason.as_str(), i64::from(*count));
                }
            });
        }
        record.end();
        self.end_line(start);
    }

    /// Writes the record of each bid.
    pub(crate) fn bids(&mut self, envelope: &Envelope<'_>, bids: &[Bid<'_>]) {
        if !self.bids {
            return;
        }
        let facts = envelope.facts;
        for (place, bid) in bids.iter().enumerate() {
            let id = |out: &mut String| bid_id(out, place, envelope);
            let start = self.lines.len();
            let mut record = begin(&mut self.lines, "bid", facts.request, facts.ssp, envelope.context, id);
            optional(&mut record, "impid", bid.imp.id.literal);
            placement(&mut record, facts, bid.imp);
            record.text("seat", bid.seat);
            record.string("cid", bid.campaign.cid());
            record.string("crid", bid.creative.crid());
            if let Some(deal) = bid.deal {
                optional(&mut record, "dealid", deal.id.literal);
            }
            record.number("mtype", bid.creative.media().mtype().into());
            for (key, price) in [("price_micros", bid.price.bid), ("bidfloor_micros", bid.price.floor)] {
                record.maybe(key, Some(price.0).filter(|micros| *micros > 0));
            }
            record.string("cur", envelope.cur.as_str());
            record.flag("test", envelope.test);
            record.end();
            self.end_line(start);
        }
    }
}

/// Begins a record with the attributes of both types.
fn begin<'o>(
    lines: &'o mut String,
    kind: &str,
    request: &Request<'_>,
    ssp: Ssp<'_>,
    context: &Context<'_>,
    id: impl FnOnce(&mut String),
) -> Object<'o> {
    let mut record = Object::begin(lines);
    record.number("v", SCHEMA_VERSION);
    record.string("type", kind);
    record.quoted("id", id);
    record.number("time", context.now_ms);
    record.raw("catalog", |out| hex_string(out, context.version));
    record.string("ssp", ssp.id());
    optional(&mut record, "request", request.id.literal);
    record
}

/// Adds the place of the ad: the placement, the site or app, the country, the type of device.
fn placement(record: &mut Object<'_>, facts: &Facts<'_>, imp: &Imp<'_>) {
    let channel = &facts.channel;
    let domain = if channel.bundle.is_empty() { channel.domain } else { "" };
    for (key, text) in [
        ("gpid", imp.gpid),
        ("tagid", imp.tagid),
        ("domain", domain),
        ("bundle", channel.bundle),
        ("publisher", channel.publisher_id),
    ] {
        if text.len() <= MAX_PLACEMENT_BYTES {
            record.text(key, text);
        }
    }
    // Some exchanges send other texts than codes; these are left out.
    let country = facts.geo.country;
    if country.len() == 3 && country.bytes().all(|letter| letter.is_ascii_uppercase()) {
        record.string("country", country);
    }
    record.maybe("devicetype", facts.request.device.devicetype.filter(|one| DEVICE_TYPES.contains(one)));
}

/// Adds a literal of the request. An empty one is left out, because not every event format can express it.
fn optional(record: &mut Object<'_>, key: &str, literal: &str) {
    if !literal.is_empty() {
        record.literal(key, literal);
    }
}

/// Counts rejections and matches, and passes rejections on to another recorder. It listens only if the other recorder
/// listens. Otherwise, campaigns that the index rejects are not counted.
pub(crate) struct Counting<'r, R> {
    counts: &'r mut [u32],
    demand: &'r mut Demand,
    recorder: &'r mut R,
}

impl<R: Recorder> Recorder for Counting<'_, R> {
    const LISTENS: bool = R::LISTENS;

    fn rejected(
        &mut self,
        campaign: &Campaign<'_>,
        imp: Option<&Imp<'_>>,
        deal: Option<&Deal<'_>>,
        reason: NoBidReason,
    ) {
        if let Some(count) = self.counts.get_mut(reason as usize) {
            *count = count.saturating_add(1);
        }
        self.recorder.rejected(campaign, imp, deal, reason);
    }

    fn matched(&mut self, budget: u32, imp: usize) {
        self.demand.matched(budget, imp);
    }

    fn outbid(&mut self, bid: &Bid<'_>, by: &Bid<'_>, unfit: Option<Unfit<'_>>) {
        self.recorder.outbid(bid, by, unfit);
    }
}
