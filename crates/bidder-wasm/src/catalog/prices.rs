//! The prices of a campaign besides its `max_cpm`.

use crate::flat::flat;
use crate::money::Micros;

flat! {
    /// Prices that few campaigns have.
    #[derive(Default)]
    pub struct Prices from PricesDraft {
        /// The ids of the deals that have a price of their own, and the most that the campaign pays under them per
        /// thousand impressions, in its currency.
        pub deals: Vec<(String, Micros)>,
    }
}
