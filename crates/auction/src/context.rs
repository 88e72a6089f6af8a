//! The inputs of a decision besides request and catalog: time, seed, stopped campaigns, shares for pacing, and
//! what options need.

use crate::options::inputs::Inputs;
use crate::pace::Pacing;
use crate::stop::Stop;
use base::hash::{fnv, spread};
use notices::Notices;

/// The context of one decision. Equal contexts, requests and catalogs give equal answers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'c> {
    /// The time, in milliseconds since the Unix epoch.
    pub now_ms: i64,
    /// Milliseconds since the request arrived, which are subtracted from its `tmax`.
    pub waited_ms: i64,
    /// A random number for the bid ids. Equal seeds give equal ids.
    pub seed: u64,
    /// A random number for pacing and for control groups. No answer shows it, so no SSP can know
    /// which requests are in a share.
    pub lot: u32,
    /// The catalog's version.
    pub version: u64,
    /// The shares of campaigns with a budget; `None`: none are known, and these campaigns bid only under
    /// deals that the catalog calls guaranteed.
    pub pacing: Option<&'c Pacing>,
    /// What the host gives options.
    pub options: Inputs<'c>,
    /// The version of a split that decides: 1 the first, 2 the second; 0 without a split.
    pub arm: u8,
    /// The most work of the decision, in units of [`BASE_WORK`](base::limits::BASE_WORK). `None`: the limit of the
    /// catalog.
    pub max_work: Option<usize>,
    /// The settings of our notice URLs; `None`: bids have only the URLs of their campaigns.
    pub notices: Option<&'c Notices>,
    /// The campaigns that an operator has stopped; `None` if nothing is stopped.
    pub stop: Option<&'c Stop>,
}

/// [`lot`] returns a number below this one.
pub const LOTS: u32 = 1_000_000;

/// A pseudo-random number below [`LOTS`], to select a share of requests. It is always the same for an id and
/// a purpose. The numbers for different purposes are independent.
pub fn lot(request_id: &str, purpose: &[u8]) -> u32 {
    // A byte that no text has separates id and purpose, so that different pairs give different bytes.
    spread(fnv(request_id.bytes().chain([0xff]).chain(purpose.iter().copied())), LOTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lots_are_spread_and_independent() {
        let ids: Vec<String> = (0..10_000).map(|i| format!("request-{i}")).collect();
        let half = |id: &str, purpose: &[u8]| lot(id, purpose) < LOTS / 2;
        let one = ids.iter().filter(|id| half(id, b"a")).count();
        let both = ids.iter().filter(|id| half(id, b"a") && half(id, b"b")).count();
        assert!((4_800..5_200).contains(&one), "{one}");
        assert!((2_350..2_650).contains(&both), "{both}");
    }
}
