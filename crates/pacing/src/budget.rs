//! The budget of a campaign, as the catalog has it.

use crate::day::Zone;

/// What a campaign may spend, and when. Money is in nanos of the campaign's currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// The campaign's id in the catalog.
    pub cid: String,
    /// The hash of `cid`, as counts and shares name the campaign.
    pub campaign: u64,
    /// The currency, such as `USD`.
    pub cur: String,
    /// For one local day; 0: no such limit.
    pub daily: u64,
    /// For the whole flight; 0: no such limit.
    pub total: u64,
    /// Spends as fast as it can, instead of evenly.
    pub is_asap: bool,
    /// The weights of the 24 local hours; empty: the requests of yesterday.
    pub curve: Vec<u32>,
    /// The first millisecond of the flight; `i64::MIN`: no start.
    pub start_ms: i64,
    /// The first millisecond after the flight; `i64::MAX`: no end.
    pub end_ms: i64,
    /// Where its days begin.
    pub zone: Zone,
    /// Does not bid.
    pub is_paused: bool,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            cid: String::new(),
            campaign: 0,
            cur: String::new(),
            daily: 0,
            total: 0,
            is_asap: false,
            curve: Vec::new(),
            start_ms: i64::MIN,
            end_ms: i64::MAX,
            zone: Zone::default(),
            is_paused: false,
        }
    }
}
