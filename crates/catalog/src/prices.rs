//! Prices and deals that few campaigns have.

use base::money::Micros;
use flat::flat;

flat! {
    /// Prices and deals that few campaigns have.
    #[derive(Default)]
    pub struct Prices from PricesDraft {
        /// The ids of the deals that have a price of their own, and the most that the campaign pays under them per
        /// thousand impressions, in its currency.
        pub deals: Vec<(String, Micros)>,
        /// The ids of the deals that no budget holds back if the request calls them guaranteed.
        pub guaranteed: Vec<String>,
        /// The multipliers of `max_cpm`, at most [`MAX_MULTIPLIERS`](base::limits::MAX_MULTIPLIERS), in the order of
        /// the document: the number of the condition, and the factor in millionths.
        pub multipliers: Vec<(u32, u32)>,
        /// The highest price that multipliers may reach, in the campaign's currency.
        pub ceiling: Micros,
        /// Whether the campaign bids what was learned in first-price auctions without a deal.
        pub learned: bool,
    }
}

/// A factor of 1: factors are in millionths.
pub const ONE: u32 = 1_000_000;

/// An amount, not negative, times `factor` millionths, rounded down.
///
/// ```
/// use base::money::Micros;
/// use catalog::times;
///
/// assert_eq!(times(Micros(1_800_000), 1_250_000), Micros(2_250_000));
/// assert_eq!(times(Micros(3), 500_000), Micros(1));
/// assert_eq!(times(Micros::MAX, 100_000_000), Micros::MAX);
/// ```
pub fn times(Micros(amount): Micros, factor: u32) -> Micros {
    let (one, factor) = (i64::from(ONE), i64::from(factor));
    // Multiplies whole units and the rest separately, because the product of both may not fit.
    let (units, rest) = (amount / one, amount % one);
    Micros((units.saturating_mul(factor)).saturating_add(rest * factor / one))
}
