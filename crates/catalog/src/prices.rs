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
