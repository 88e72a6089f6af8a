//! The targeting of a campaign: rules for one dimension each, and the checks that are not lists of values.

use super::billing::choice;
use super::caps::{CapOn, Per};
use super::hours::HoursDraft;
use super::prices::PricesDraft;
use super::skadn::SkadnDraft;
use crate::flat::{Flat, List, Source, Writer, fingerprint, flat};
use crate::kind::{Kind, kind_of};
use crate::limits::MAX_RULE_LISTS;
use crate::money::Micros;
use crate::no_bid::NoBidReason;

choice! {
    /// What a rule asks for.
    Side {
        /// One of the listed values.
        #[default]
        Include = "include",
        /// None of the listed values.
        Exclude = "exclude",
        /// Any value, as long as it is known. Lists no values; for categories, one without a name, which tells the
        /// taxonomy.
        Known = "exclude_unknown",
    }
}

flat! {
    /// The targeting of one dimension: one side of it. A campaign that has several sides has a rule for each.
    pub struct Rule from RuleDraft {
        /// The dimension, by the number of its reason.
        number: u8,
        /// What the rule asks for, and times [`SIDES`] the number of lists.
        coded: u8,
        /// The numbers of the lists, then the values. Two texts make one value in the dimensions of
        /// [pairs](crate::kind::Kind::is_pair); then the second text of a list is the one of all its values.
        texts: Vec<String>,
    }
}

impl<'s> Rule<'s> {
    /// The dimension, by its reason.
    pub fn reason(&self) -> NoBidReason {
        NoBidReason::of_number(self.number()).unwrap_or(NoBidReason::NoCampaign)
    }

    /// What the rule asks for.
    pub fn side(&self) -> Side {
        side(self.coded())
    }

    /// The values that the rule itself lists. Numbers are written in digits. The second part is empty unless values are
    /// pairs.
    pub fn values(&self) -> impl Iterator<Item = (&'s str, &'s str)> + use<'s> {
        self.all().skip(lists(self.coded()))
    }

    /// The numbers of the [`SharedList`](super::SharedList)s whose values count as the rule's own, each with the second
    /// part of all its values.
    pub fn lists(&self) -> impl Iterator<Item = (u32, &'s str)> + use<'s> {
        let lists = self.all().take(lists(self.coded()));
        lists.filter_map(|(number, second)| Some((number.parse().ok()?, second)))
    }

    fn all(&self) -> impl Iterator<Item = (&'s str, &'s str)> + use<'s> {
        let texts = self.texts();
        pairs(self.reason(), texts.len(), move |position| texts.get(position))
    }
}

/// How many sides there are.
const SIDES: u8 = 4;

fn side(coded: u8) -> Side {
    Side::ALL.get(usize::from(coded % SIDES)).copied().unwrap_or_default()
}

/// How many lists a rule has.
fn lists(coded: u8) -> usize {
    usize::from(coded / SIDES)
}

impl RuleDraft {
    /// A rule of one dimension; the second parts count only where values are pairs. Of more than
    /// [`MAX_RULE_LISTS`](crate::limits::MAX_RULE_LISTS) lists, the rule takes only so many.
    pub fn new(reason: NoBidReason, side: Side, lists: Vec<(u32, String)>, values: Vec<(String, String)>) -> RuleDraft {
        let parts = |(a, b)| [Some(a), Some(b).filter(|_| is_pair(reason))].into_iter().flatten();
        let count = lists.len().min(MAX_RULE_LISTS);
        let lists = lists.into_iter().take(count).map(|(number, second)| (number.to_string(), second));
        let coded = side as u8 + SIDES * u8::try_from(count).unwrap_or(0);
        RuleDraft { number: reason.number(), coded, texts: lists.chain(values).flat_map(parts).collect() }
    }

    /// See [`Rule::reason`].
    pub fn reason(&self) -> NoBidReason {
        NoBidReason::of_number(self.number).unwrap_or(NoBidReason::NoCampaign)
    }

    /// See [`Rule::side`].
    pub fn side(&self) -> Side {
        side(self.coded)
    }

    /// See [`Rule::values`].
    pub fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all().skip(lists(self.coded))
    }

    /// See [`Rule::lists`].
    pub fn lists(&self) -> impl Iterator<Item = (u32, &str)> {
        let lists = self.all().take(lists(self.coded));
        lists.filter_map(|(number, second)| Some((number.parse().ok()?, second)))
    }

    fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        pairs(self.reason(), self.texts.len(), |position| self.texts.get(position).map(String::as_str))
    }
}

/// The values of `len` texts.
fn pairs<'t>(
    reason: NoBidReason,
    len: usize,
    text: impl Fn(usize) -> Option<&'t str>,
) -> impl Iterator<Item = (&'t str, &'t str)> {
    let parts = if is_pair(reason) { 2 } else { 1 };
    (0..len / parts).map(move |value| {
        let second = if parts == 2 { text(2 * value + 1) } else { None };
        (text(parts * value).unwrap_or_default(), second.unwrap_or_default())
    })
}

fn is_pair(reason: NoBidReason) -> bool {
    kind_of(reason).is_some_and(Kind::is_pair)
}

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
        /// What the campaign may spend in each of its flights, in nanos of its currency: for a day, and in all; 0: no
        /// limit. Empty: flights have no budgets.
        pub flight_budgets: Vec<(u64, u64)>,
        /// Whether a creative of the campaign has an advertiser of its own.
        pub has_advertisers: bool,
        /// Whether the creatives are tried in the order of the document.
        pub in_sequence: bool,
        /// How often each creative is drawn, compared with the others; empty: equally often.
        pub weights: Vec<u32>,
        /// Frequency caps, at most one for each period: how many impressions a person may see.
        pub caps: Vec<(Per, u32)>,
        /// What the campaign's caps and those of its creatives count.
        pub cap_on: CapOn,
        /// The campaign's prices besides its `max_cpm`: one item, or none.
        pub prices: Vec<PricesDraft>,
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
        /// First and last year of birth; `None` for any.
        pub yob: Option<(i64, i64)>,
        /// When the campaign bids.
        pub hours: HoursDraft,
        /// Limits of the supply chain.
        pub schain: Option<SchainDraft>,
        /// What the campaign's ads say to SKAdNetwork.
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
