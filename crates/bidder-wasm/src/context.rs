//! The inputs of a decision besides request and catalog: time, seed, what is stopped, and each campaign's pacing and
//! frequency.

use crate::hash::fnv;
use crate::notices::Notices;
use crate::stop::Stop;

/// The context of one decision. Equal contexts, requests and catalogs give equal answers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'c> {
    /// The time, in milliseconds since the Unix epoch.
    pub now_ms: i64,
    /// A random number for the bid ids. Equal seeds give equal ids.
    pub seed: u64,
    /// The catalog's version.
    pub version: u64,
    /// Pacing and frequency of each campaign, in the catalog's order of campaigns. [`Standing::default`] for campaigns
    /// beyond the end.
    pub standings: &'c [Standing],
    /// The settings of our notice URLs; `None`: bids have only the URLs of their campaigns.
    pub notices: Option<&'c Notices>,
    /// The campaigns that an operator has stopped; `None` if nothing is stopped.
    pub stop: Option<&'c Stop>,
}

/// A campaign's pacing and frequency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The share of requests that the campaign may bid on, in millionths. Guaranteed deals are exempt.
    pub share_ppm: u32,
    /// Whether the person has reached the campaign's frequency cap.
    pub capped: bool,
}

impl Default for Standing {
    fn default() -> Self {
        Standing { share_ppm: Standing::WHOLE, capped: false }
    }
}

impl Standing {
    /// The share of all requests, in millionths.
    pub const WHOLE: u32 = 1_000_000;

    /// Whether the campaign may bid on this request. The answer is always the same for a request and a campaign. The
    /// answers for different campaigns are independent.
    #[must_use]
    pub fn lets_through(self, request_id: &str, cid: &str) -> bool {
        self.share_ppm >= Standing::WHOLE || lot(request_id, cid.as_bytes()) < self.share_ppm
    }
}

/// A pseudo-random number below [`Standing::WHOLE`], to select a share of requests. It is always the same for an id and
/// a purpose. The numbers for different purposes are independent.
#[must_use]
pub fn lot(request_id: &str, purpose: &[u8]) -> u32 {
    // A byte that no text has separates id and purpose, so that different pairs give different bytes.
    let hash = fnv(request_id.bytes().chain([0xff]).chain(purpose.iter().copied()));
    // The high bits of FNV-1a are not random enough; one round of mixing improves them.
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    u32::try_from(((mixed >> 32) * u64::from(Standing::WHOLE)) >> 32).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_the_right_size_and_are_independent() {
        let half = Standing { share_ppm: 500_000, capped: false };
        let ids: Vec<String> = (0..10_000).map(|i| format!("request-{i}")).collect();
        let through = |cid: &str| ids.iter().filter(|id| half.lets_through(id, cid)).count();
        let both = ids.iter().filter(|id| half.lets_through(id, "a") && half.lets_through(id, "b")).count();
        assert!((4_800..5_200).contains(&through("a")), "{}", through("a"));
        assert!((2_350..2_650).contains(&both), "{both}");
        assert!(ids.iter().all(|id| Standing::default().lets_through(id, "a")));
        let none = Standing { share_ppm: 0, capped: false };
        assert!(!ids.iter().any(|id| none.lets_through(id, "a")));
    }
}
