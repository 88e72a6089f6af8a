//! The prices of a campaign besides its `max_cpm`: those of deals, and multipliers with their conditions.

use super::rule::{BoundsDraft, RuleDraft};
use crate::flat::flat;
use crate::money::Micros;

flat! {
    /// Prices that few campaigns have.
    #[derive(Default)]
    pub struct Prices from PricesDraft {
        /// The ids of the deals that have a price of their own, and the most that the campaign pays under them per
        /// thousand impressions, in its currency.
        pub deals: Vec<(String, Micros)>,
        /// The multipliers of `max_cpm`, at most [`MAX_MULTIPLIERS`](crate::limits::MAX_MULTIPLIERS), in the order of
        /// the document: the number of the condition, and the factor in millionths.
        pub multipliers: Vec<(u32, u32)>,
        /// The most that multipliers raise a price to, in the campaign's currency.
        pub ceiling: Micros,
    }
}

flat! {
    /// The condition of a multiplier: a target. Campaigns share equal conditions.
    #[derive(Default)]
    pub struct Condition from ConditionDraft {
        /// Its rules on the request.
        pub request_rules: Vec<RuleDraft>,
        /// Its rules on the impression.
        pub imp_rules: Vec<RuleDraft>,
        /// Its rules on the banner, video or audio that a creative would fill.
        pub spot_rules: Vec<RuleDraft>,
        /// The parts of the target that are not lists of values: one item, or none.
        pub bounds: Vec<BoundsDraft>,
    }
}
