//! Bid shading: computes the bid with the highest expected surplus in a first-price auction, once for each campaign.
//!
//! With the value `v`, the typical price `t` and the steepness `k`, a bid `b` wins with the chance `b^k / (b^k + t^k)`.
//! The surplus `(v - b) × chance` is highest where `k t^k (v - b) = b (b^k + t^k)`. The left side falls and the right
//! side rises with `b`, so a binary search finds the only solution. Above the solution the surplus falls, so if the
//! floor is above the solution, the floor is the best bid.

use base::money::Micros;

/// Values are scaled to this many bits, so that their fifth power fits into 128 bits.
const BITS: u32 = 24;

/// The bid with the highest expected surplus, at most `value`. `steepness` is 1 to 4.
pub(crate) fn best(value: Micros, typical: Micros, steepness: u32) -> Micros {
    let largest = value.0.max(typical.0).max(1);
    let used = 64 - largest.leading_zeros();
    let shift = used.saturating_sub(BITS);
    let scaled = |amount: i64| u128::from(amount.unsigned_abs() >> shift);
    let (v, t) = (scaled(value.0), scaled(typical.0));
    let tk = t.pow(steepness);
    let (mut low, mut high) = (0, v);
    while low < high {
        let b = (low + high).div_ceil(2);
        if u128::from(steepness) * tk * (v - b) >= b * (b.pow(steepness) + tk) {
            low = b;
        } else {
            high = b - 1;
        }
    }
    let best = i64::try_from(low << shift).unwrap_or(i64::MAX);
    Micros(best.clamp(1, value.0.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries all bids of a fine grid.
    fn best_of_grid(value: i64, typical: i64, steepness: i32) -> f64 {
        #[allow(clippy::cast_precision_loss)]
        let (v, t) = (value as f64, typical as f64);
        let surplus = |b: f64| (v - b) * b.powi(steepness) / (b.powi(steepness) + t.powi(steepness));
        let grid = (1..100_000).map(|i| v * f64::from(i) / 1e5);
        grid.max_by(|a, b| surplus(*a).total_cmp(&surplus(*b))).unwrap()
    }

    #[test]
    fn finds_the_highest_surplus() {
        for (value, typical) in [(2_500_000, 1_200_000), (1_800_000, 5_000_000), (90_000_000, 10_000), (1_000, 1_000)] {
            for steepness in 1..=4 {
                #[allow(clippy::cast_precision_loss)]
                let ours = best(Micros(value), Micros(typical), steepness).0 as f64;
                let exact = best_of_grid(value, typical, i32::try_from(steepness).unwrap());
                #[allow(clippy::cast_precision_loss)]
                let tolerance = value as f64 * 2e-5 + 1.0;
                assert!((ours - exact).abs() <= tolerance, "{value} {typical} {steepness}: {ours} {exact}");
            }
        }
    }
}
