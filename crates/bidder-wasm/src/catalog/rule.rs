//! The targeting of a campaign: rules over one dimension each, and the checks that are no list of values.

use super::among::AmongDraft;
use super::hours::HoursDraft;
use crate::flat::{flat, sparse};
use crate::money::Micros;
use crate::no_bid::NoBidReason;

flat! {
    /// The targeting of one dimension. A value has one text, or two in the dimensions of categories and segments;
    /// numbers are written in digits.
    pub struct Rule from RuleDraft {
        /// The dimension, by the number of its reason.
        number: u8,
        /// Only these values. Empty: any.
        pub include: Vec<(String, String)>,
        /// None of these.
        pub exclude: Vec<(String, String)>,
    }
}

impl Rule<'_> {
    /// The dimension, by its reason.
    #[must_use]
    pub fn reason(&self) -> NoBidReason {
        NoBidReason::of_number(self.number()).unwrap_or(NoBidReason::NoCampaign)
    }
}

impl RuleDraft {
    /// A rule of one dimension.
    #[must_use]
    pub fn new(reason: NoBidReason, include: Vec<(String, String)>, exclude: Vec<(String, String)>) -> RuleDraft {
        RuleDraft { number: reason.number(), include, exclude }
    }

    /// The dimension, by its reason.
    #[must_use]
    pub fn reason(&self) -> NoBidReason {
        NoBidReason::of_number(self.number).unwrap_or(NoBidReason::NoCampaign)
    }
}

sparse! {
    /// The targeting that the index cannot hold.
    pub struct Bounds from BoundsDraft {
        /// Sources of extended ids. Only ids whose match method fits `mm` count.
        pub eids: AmongDraft<String>,
        /// Match methods of extended ids.
        pub mm: AmongDraft<i64>,
        /// Circles on the map.
        pub radius: AmongDraft<Circle>,
        /// Lowest and highest version of the operating system; empty: any.
        pub osv: (String, String),
        /// The least values of metrics.
        pub metric: Vec<MetricFloorDraft>,
        /// First and last year of birth; `None` for any.
        pub yob: Option<(i64, i64)>,
        /// When it bids.
        pub hours: HoursDraft,
        /// Limits of the supply chain.
        pub schain: Option<SchainDraft>,
    }
}

flat! {
    /// A circle on the map.
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
    /// The least value of a metric.
    pub struct MetricFloor from MetricFloorDraft {
        /// `metric.type`.
        pub kind: String,
        /// `metric.vendor`; empty: any.
        pub vendor: String,
        /// The least value, in millionths.
        pub min: Micros,
    }
}

flat! {
    /// Limits of the supply chain.
    pub struct Schain from SchainDraft {
        /// Whether it must be complete.
        pub complete: bool,
        /// Most nodes.
        pub max_nodes: u32,
        /// Advertising systems: all nodes must be in `include`, none in `exclude`. An entry covers its subdomains.
        pub asi: AmongDraft<String>,
    }
}
