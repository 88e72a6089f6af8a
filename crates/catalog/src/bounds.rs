//! When a campaign runs, how often a person may see it, and the targeting that the index cannot hold.

use super::{PricesDraft, SellerType, SkadnDraft};
use base::money::Micros;
use flat::choice;
use flat::{Flat, List, flat};

/// Included values (empty: any value), and excluded values.
pub type IncludeExclude<T> = (Vec<T>, Vec<T>);

/// Whether a value is allowed by these lists; `is` compares it with an entry. An unknown value equals no entry: it
/// fails an include list and passes an exclude list.
pub fn allows<'s, T: Flat>((include, exclude): (List<'s, T>, List<'s, T>), is: impl Fn(T::View<'s>) -> bool) -> bool {
    (include.is_empty() || include.iter().any(&is)) && !exclude.iter().any(&is)
}

flat! {
    /// When a campaign runs, its rare prices, and the targeting that the index cannot hold.
    #[derive(Default)]
    pub struct Bounds from BoundsDraft {
        /// The IANA name of the campaign's time zone; empty: none.
        pub zone: String,
        /// Whether the campaign is paused.
        pub paused: bool,
        /// When the campaign runs: starts and ends in milliseconds since the epoch, ascending. An end is not included.
        /// Empty: it always runs.
        pub flights: Vec<(i64, i64)>,
        /// The budget of each flight, in nanos of the campaign's currency: for a day, and in all; 0: no limit. Empty:
        /// flights have no budgets.
        pub flight_budgets: Vec<(u64, u64)>,
        /// Whether a creative of the campaign has an advertiser of its own.
        pub has_advertisers: bool,
        /// Whether the creatives are tried in the order of the document.
        pub in_sequence: bool,
        /// How often each creative is drawn, compared with the others; empty: equally often.
        pub weights: Vec<u32>,
        /// Frequency caps, at most one for each period: how many impressions a person may see.
        pub caps: Vec<(Per, u32)>,
        /// Whether the caps of the campaign and of its creatives count bids or billed impressions.
        pub cap_on: CapOn,
        /// The campaign's prices besides its `max_cpm`: one item, or none.
        pub prices: Vec<PricesDraft>,
        /// Whether `eids`, `mm`, `radius`, `osv`, `yob` or `schain` checks something. Few campaigns use them.
        pub has_rare_checks: bool,
        /// Sources of extended ids. Only ids whose match method fits `mm` count.
        pub eids: IncludeExclude<String>,
        /// Match methods of extended ids.
        pub mm: IncludeExclude<i64>,
        /// Whether the source of an extended id must be known. Only ids whose match method fits `mm` count.
        pub needs_eids: bool,
        /// Circles on the map.
        pub radius: IncludeExclude<Circle>,
        /// Whether the point on the map must be known.
        pub needs_point: bool,
        /// Lowest and highest version of the operating system; empty: any.
        pub osv: (String, String),
        /// The least values of metrics.
        pub metric: Vec<MetricFloorDraft>,
        /// What first-party data must say.
        pub data: Vec<DataRuleDraft>,
        /// First and last year of birth; `None` for any.
        pub yob: Option<(i64, i64)>,
        /// When the campaign bids.
        pub hours: HoursDraft,
        /// Limits of the supply chain.
        pub schain: Option<SchainDraft>,
        /// What the files of publishers and systems must say.
        pub supply: Option<SupplyRuleDraft>,
        /// The campaign's data for SKAdNetwork.
        pub skadn: Option<SkadnDraft>,
    }
}

flat! {
    /// A circle on the map.
    #[derive(PartialEq)]
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
    /// What the first-party data at a path must say.
    pub struct DataRule from DataRuleDraft {
        /// The object with the data: its position in [`openrtb::data::OBJECTS`].
        pub object: u8,
        /// The place of the path in [`Parts::paths`](super::Parts::paths).
        pub path: u32,
        /// Texts, and the JSON texts of numbers, `true` and `false`.
        pub values: IncludeExclude<String>,
        /// Whether there must be a value.
        pub is_needed: bool,
    }
}

flat! {
    /// Limits of the supply chain.
    pub struct Schain from SchainDraft {
        /// Whether the chain must be complete.
        pub complete: bool,
        /// The most nodes.
        pub max_nodes: u32,
        /// Advertising systems: all nodes must be in `include`, none in `exclude`. An entry covers its subdomains.
        pub asi: IncludeExclude<String>,
        /// Whether there must be a chain, with nodes that all name their system.
        pub needs_asi: bool,
    }
}

flat! {
    /// What the files of publishers and systems must say about the way of a request. A seller that they refuse is never
    /// paid.
    #[derive(Default)]
    pub struct SupplyRule from SupplyRuleDraft {
        /// Whether they must authorise the seller.
        pub required: bool,
        /// Whether the only seller must be the owner's own account.
        pub direct_only: bool,
        /// The types of the first seller; empty: any, also an unknown one.
        pub seller_types: Vec<SellerType>,
    }
}

choice! {
    /// The period of a frequency cap. It ends at the present, so it is not a calendar day.
    Per {
        /// The last hour.
        #[default]
        Hour = "hour",
        /// The last 24 hours.
        Day = "day",
        /// The last seven days.
        Week = "week",
        /// The time for which the person's counts are kept.
        Lifetime = "lifetime",
    }
}

choice! {
    /// The events that a frequency cap counts.
    CapOn {
        /// Billed impressions.
        #[default]
        Bill = "bill",
        /// Bids, also those that lose.
        Bid = "bid",
    }
}

flat! {
    /// When a campaign bids.
    #[derive(Default)]
    pub struct Hours from HoursDraft {
        /// The hours of the week, counted from Monday 0:00, ascending. Empty: always.
        pub week: Vec<u8>,
        /// The time zone of the hours. Empty: the person's local time.
        pub zone: String,
        /// The zone's offsets: instants (milliseconds since the epoch, ascending), each with the minutes ahead of UTC
        /// from then on. The first offset also holds before its instant. Empty without a zone.
        pub changes: Vec<(i64, i64)>,
    }
}

const MS_PER_MINUTE: i64 = 60_000;
const MINUTES_PER_DAY: i64 = 24 * 60;

impl Hours<'_> {
    /// Whether `at_ms` (milliseconds since the epoch) is in one of the hours. `utcoffset` is the person's, in minutes;
    /// if it is unknown, hours in local time include no instant.
    pub fn include(self, at_ms: i64, utcoffset: Option<i64>) -> bool {
        if self.week().is_empty() {
            return true;
        }
        let Some(offset) = self.offset(at_ms, utcoffset) else { return false };
        let minutes = at_ms.div_euclid(MS_PER_MINUTE) + offset;
        // The epoch was a Thursday, which is day 3 of a week that begins with Monday as day 0.
        let day = (minutes.div_euclid(MINUTES_PER_DAY) + 3).rem_euclid(7);
        let hour = day * 24 + minutes.rem_euclid(MINUTES_PER_DAY) / 60;
        self.week().iter().any(|own| i64::from(own) == hour)
    }

    /// How many minutes the time zone of the hours is ahead of UTC; `None` if unknown.
    pub fn offset(self, at_ms: i64, utcoffset: Option<i64>) -> Option<i64> {
        let changes = self.changes();
        let current = changes.iter().take_while(|(from, _)| *from <= at_ms).last().or(changes.get(0));
        let offset = current.map(|(_, offset)| offset).or(utcoffset);
        offset.filter(|offset| offset.abs() <= MINUTES_PER_DAY)
    }
}
