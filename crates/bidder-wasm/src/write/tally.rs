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

/// The quarter, and the hashes of campaign, creative and SSP.
type Key = (u32, [u64; 3]);

#[derive(Debug)]
struct Entry {
    count: u32,
    /// What the row says besides the quarter and the count, as a fragment.
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
            let key = (envelope.issued_s() / QUARTER_S, hashes);
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
                    self.entries.insert(at, (key, Entry { count: 1, members }));
                }
            }
        }
    }

    /// Appends the counts, and starts again at 0: `{"bids":[{"quarter","count","campaign","cid","creative","crid","ssp",
    /// "sspId","cur","zone"}],"uncounted"}`. The hashes of campaign, creative and SSP have 16 hex digits.
    pub fn take(&mut self, out: &mut String) {
        let mut object = Object::begin(out);
        object.objects("bids", &self.entries, |row, ((quarter, _), entry)| {
            row.number("quarter", i64::from(*quarter));
            row.number("count", i64::from(entry.count));
            row.members(&entry.members);
        });
        object.number("uncounted", i64::from(self.uncounted));
        object.end();
        *self = Tally::default();
    }
}
