//! What a campaign asks for in one dimension of targeting, and the checks of a target that are no such list.

use super::among::AmongDraft;
use super::hours::HoursDraft;
use crate::flat::{flat, sparse};
use crate::money::Micros;
use crate::no_bid::NoBidReason;

flat! {
    /// What a campaign asks for in one dimension. A value is one text, of categories and segments two; numbers are digits.
    pub struct Rule from RuleDraft {
        /// The dimension, by its number as a reason.
        number: u8,
        /// Only these values. Empty: all.
        pub include: Vec<(String, String)>,
        /// None of these.
        pub exclude: Vec<(String, String)>,
    }
}

impl Rule<'_> {
    /// The dimension, by the reason for which a campaign fails it.
    #[must_use]
    pub fn reason(&self) -> NoBidReason {
        NoBidReason::of_number(self.number()).unwrap_or(NoBidReason::NoCampaign)
    }
}

impl RuleDraft {
    /// A rule over a dimension.
    #[must_use]
    pub fn new(reason: NoBidReason, include: Vec<(String, String)>, exclude: Vec<(String, String)>) -> RuleDraft {
        RuleDraft { number: reason.number(), include, exclude }
    }

    /// The dimension.
    #[must_use]
    pub fn reason(&self) -> NoBidReason {
        NoBidReason::of_number(self.number).unwrap_or(NoBidReason::NoCampaign)
    }
}

sparse! {
    /// The checks of a target that no index can hold.
    pub struct Bounds from BoundsDraft {
        /// Sources of extended ids, where `mm` says which ids count.
        pub eids: AmongDraft<String>,
        /// Match methods of the extended ids that count.
        pub mm: AmongDraft<i64>,
        /// Circles.
        pub radius: AmongDraft<Circle>,
        /// Lowest and highest version of the operating system; empty when open.
        pub osv: (String, String),
        /// Measurements to reach.
        pub metric: Vec<MetricFloorDraft>,
        /// First and last year of birth; `None` for any.
        pub yob: Option<(i64, i64)>,
        /// When it bids.
        pub hours: HoursDraft,
        /// What the supply chain has to be.
        pub schain: Option<SchainDraft>,
    }
}

flat! {
    /// A place and its surroundings.
    pub struct Circle {
        /// Latitude of the middle, in millionths of a degree.
        pub lat: i64,
        /// Longitude of the middle, in millionths of a degree.
        pub lon: i64,
        /// Metres.
        pub metres: i64,
    }
}

flat! {
    /// A measurement to reach.
    pub struct MetricFloor from MetricFloorDraft {
        /// What is measured.
        pub kind: String,
        /// Who measured; empty: anyone.
        pub vendor: String,
        /// The least value, in millionths.
        pub min: Micros,
    }
}

flat! {
    /// What the supply chain has to be.
    pub struct Schain from SchainDraft {
        /// Whether it has to be complete.
        pub complete: bool,
        /// Most nodes.
        pub max_nodes: u32,
        /// Advertising systems: all nodes among `include`, none in `exclude`; subdomains included.
        pub asi: AmongDraft<String>,
    }
}
