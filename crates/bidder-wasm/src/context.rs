//! What the host knows and the request does not say: time, randomness, and how each campaign
//! stands with its budget and with the person.

/// Comes with every decision. Equal contexts, requests and catalogs give equal answers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'c> {
    /// Milliseconds since the epoch.
    pub now_ms: i64,
    /// Makes the bid ids: equal seeds, equal ids.
    pub seed: u64,
    /// The catalog's version.
    pub version: u64,
    /// How each campaign stands, in the catalog's order of campaigns. One that is not listed is as
    /// by [`Standing::default`].
    pub standings: &'c [Standing],
}

/// How a campaign stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The share of requests that it may bid on, in millionths. A guaranteed deal is not held back.
    pub share_ppm: u32,
    /// Whether the person has seen it often enough.
    pub capped: bool,
}

impl Default for Standing {
    fn default() -> Self {
        Standing { share_ppm: Standing::WHOLE, capped: false }
    }
}

impl Standing {
    /// Every request.
    pub const WHOLE: u32 = 1_000_000;

    /// Whether this request is in the share: always the same for a request and a campaign, and
    /// independent from campaign to campaign.
    #[must_use]
    pub fn lets_through(self, request_id: &str, cid: &str) -> bool {
        self.share_ppm >= Standing::WHOLE || lot(request_id, cid.as_bytes()) < self.share_ppm
    }
}

/// Where a request falls among [`Standing::WHOLE`]: always the same for an id and a purpose, and independent from
/// purpose to purpose.
#[must_use]
pub fn lot(request_id: &str, purpose: &[u8]) -> u32 {
    // Both and a byte that no text has, so that no two pairs read alike.
    let bytes = request_id.bytes().chain([0xff]).chain(purpose.iter().copied());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    // FNV-1a leaves its high bits poor; one round of mixing spreads them.
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    u32::try_from(((mixed >> 32) * u64::from(Standing::WHOLE)) >> 32).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_kept_and_independent() {
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
