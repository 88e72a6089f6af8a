//! Counts bids for the report: how many bids each campaign and creative made at each SSP in each quarter of an hour.
//!
//! The Worker takes the counts every few seconds. They are statistics: if an isolate ends, its last counts are lost.

use super::{Envelope, Object, hex_string};
use crate::bid::Bid;
use crate::limits::MAX_TALLY;
use crate::notices::hash_of;

/// Seconds of a quarter of an hour.
pub const QUARTER_S: u32 = 900;

/// The counts since they were last taken.
#[derive(Debug, Default)]
pub struct Tally {
    /// Sorted by key.
    entries: Vec<(Key, Entry)>,
    /// Bids that were not counted, because there were more than [`MAX_TALLY`] keys.
    uncounted: u32,
}

/// Quarter, campaign, creative, SSP.
type Key = (u32, u64, u64, u64);

#[derive(Debug)]
struct Entry {
    count: u32,
    cid: String,
    crid: String,
    ssp: String,
    cur: String,
    zone: String,
}

impl Tally {
    /// Counts bids, unless their auction is a test. Allocates only for a new key.
    pub(crate) fn add(&mut self, envelope: &Envelope<'_>, bids: &[Bid<'_>]) {
        if envelope.test {
            return;
        }
        for bid in bids {
            let (campaign, creative) = (&bid.campaign, &bid.creative);
            let hashes = (hash_of(campaign.cid()), hash_of(creative.crid()), hash_of(envelope.ssp.id()));
            let key = (envelope.issued_s / QUARTER_S, hashes.0, hashes.1, hashes.2);
            match self.entries.binary_search_by_key(&key, |(known, _)| *known) {
                Ok(at) => {
                    if let Some((_, entry)) = self.entries.get_mut(at) {
                        entry.count += 1;
                    }
                }
                Err(_) if self.entries.len() >= MAX_TALLY => self.uncounted += 1,
                Err(at) => {
                    let entry = Entry {
                        count: 1,
                        cid: campaign.cid().to_owned(),
                        crid: creative.crid().to_owned(),
                        ssp: envelope.ssp.id().to_owned(),
                        cur: campaign.cur().as_str().to_owned(),
                        zone: campaign.zone().to_owned(),
                    };
                    self.entries.insert(at, (key, entry));
                }
            }
        }
    }

    /// Appends the counts, and starts again at 0: `{"bids":[{"quarter","campaign","creative","ssp","count","cid",
    /// "crid","sspId","cur","zone"}],"uncounted"}`. The hashes of campaign, creative and SSP have 16 hex digits.
    pub fn take(&mut self, out: &mut String) {
        let mut object = Object::begin(out);
        object.objects("bids", &self.entries, |row, ((quarter, campaign, creative, ssp), entry)| {
            row.number("quarter", i64::from(*quarter));
            for (key, hash) in [("campaign", campaign), ("creative", creative), ("ssp", ssp)] {
                row.raw(key, |out| hex_string(out, *hash));
            }
            row.number("count", i64::from(entry.count));
            row.string("cid", &entry.cid);
            row.string("crid", &entry.crid);
            row.string("sspId", &entry.ssp);
            row.string("cur", &entry.cur);
            row.string("zone", &entry.zone);
        });
        object.number("uncounted", i64::from(self.uncounted));
        object.end();
        *self = Tally::default();
    }
}
