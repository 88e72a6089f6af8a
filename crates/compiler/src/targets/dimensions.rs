//! The rules of a target, for each dimension of [the table](macro@reasons::dimensions).

use crate::references::References;
use base::category::{OPEN_OOH, venue_taxonomy};
use base::domain::strip_www;
use catalog::{ConditionDraft, RuleDraft, Side};
use document::check::{At, ascii_domain};
use document::choices::Channel;
use document::{AddressesEntry, NumbersEntry, SegmentEntry, SegmentsEntry, TargetEntry, TextsEntry};
use openrtb::request::SEGTAX;
use reasons::kind::{CHANNELS, Dimension, Kind, kind_of};
use reasons::no_bid::NoBidReason;

/// Values of two parts. In most dimensions the second part is empty.
type Values = Vec<(String, String)>;

/// The values of one dimension that a target allows.
#[derive(Default)]
struct Filter<'t> {
    include: Values,
    exclude: Values,
    /// Whether a request without a value does not match.
    is_known: bool,
    /// The ids of lists whose values are included, and of those whose values are excluded.
    lists: [&'t [String]; 2],
    /// The taxonomy of the lists and of a known value.
    taxonomy: Option<String>,
}

impl<'t> Filter<'t> {
    fn of<T>([include, exclude]: [&'t [T]; 2], exclude_unknown: Option<bool>, text: fn(&T) -> String) -> Filter<'t> {
        let of = |list: &[T]| list.iter().map(|value| (text(value), String::new())).collect();
        let is_known = exclude_unknown == Some(true);
        Filter { include: of(include), exclude: of(exclude), is_known, ..Filter::default() }
    }

    fn each(self, change: impl Fn(String) -> (String, String)) -> Filter<'t> {
        let all = |list: Values| list.into_iter().map(|(text, _)| change(text)).collect();
        Filter { include: all(self.include), exclude: all(self.exclude), ..self }
    }

    fn in_taxonomy(self, cattax: i64) -> Filter<'t> {
        let cattax = cattax.to_string();
        Filter { taxonomy: Some(cattax.clone()), ..self.each(|cat| (cat, cattax.clone())) }
    }

    /// Adds a rule for each side. `at` is the position of the target.
    fn add(self, to: &mut Vec<RuleDraft>, reason: NoBidReason, references: &References<'_>, at: &At<'_>) {
        let Filter { include, exclude, is_known, lists, taxonomy } = self;
        let at = || at.attribute(name_of(reason));
        let second = || taxonomy.clone().unwrap_or_default();
        let [included, excluded] = [("include_lists", lists[0]), ("exclude_lists", lists[1])];
        for (side, (name, ids), values) in [(Side::Include, included, include), (Side::Exclude, excluded, exclude)] {
            if ids.is_empty() && values.is_empty() {
                continue;
            }
            let positions = references.lists.positions(ids.iter().map(String::as_str), &at().attribute(name));
            let (lists, values) = if kind_of(reason) == Some(Kind::Address) {
                (Vec::new(), ids.iter().map(|id| (id.clone(), String::new())).collect())
            } else {
                (positions.into_iter().map(|position| (position, second())).collect(), values)
            };
            if !lists.is_empty() || !values.is_empty() {
                to.push(RuleDraft::new(reason, side, lists, values));
            }
        }
        if is_known {
            let known = taxonomy.iter().map(|taxonomy| (String::new(), taxonomy.clone())).collect();
            to.push(RuleDraft::new(reason, Side::Known, Vec::new(), known));
        }
    }
}

/// The taxonomy of a target without `cattax`.
const DEFAULT_CATTAX: i64 = 1;

/// An attribute of a target.
trait ToFilter {
    /// The filter that the attribute describes.
    fn to_filter(&self) -> Filter<'_>;
}

impl ToFilter for TextsEntry {
    fn to_filter(&self) -> Filter<'_> {
        let values = Filter::of([&self.include, &self.exclude], self.exclude_unknown, String::clone);
        Filter { lists: [&self.include_lists, &self.exclude_lists], ..values }
    }
}

impl ToFilter for NumbersEntry {
    fn to_filter(&self) -> Filter<'_> {
        Filter::of([&self.include, &self.exclude], self.exclude_unknown, i64::to_string)
    }
}

impl ToFilter for AddressesEntry {
    fn to_filter(&self) -> Filter<'_> {
        let lists = [self.include_lists.as_slice(), &self.exclude_lists];
        Filter { is_known: self.exclude_unknown == Some(true), lists, ..Filter::default() }
    }
}

impl ToFilter for bool {
    fn to_filter(&self) -> Filter<'_> {
        Filter { include: vec![(i64::from(*self).to_string(), String::new())], ..Filter::default() }
    }
}

impl ToFilter for SegmentsEntry {
    fn to_filter(&self) -> Filter<'_> {
        let part = |part: &Option<String>| part.clone().unwrap_or_default();
        let in_taxonomy = |segtax: Option<i64>| segtax.map_or_else(String::new, |segtax| format!("{SEGTAX}{segtax}"));
        let provider = |one: &SegmentEntry| part(&one.provider) + &in_taxonomy(one.segtax);
        let of = |list: &[SegmentEntry]| list.iter().map(|one| (provider(one), part(&one.id))).collect();
        let is_known = self.exclude_unknown == Some(true);
        Filter { include: of(&self.include), exclude: of(&self.exclude), is_known, ..Filter::default() }
    }
}

impl<T: ToFilter> ToFilter for Option<T> {
    fn to_filter(&self) -> Filter<'_> {
        self.as_ref().map(T::to_filter).unwrap_or_default()
    }
}

macro_rules! compiled {
    ($($from:ident { $($(#[$_doc:meta])* $reason:ident = $_text:literal $(($_nbr:literal))?:
        $kind:ident $name:ident $_words:tt $_paths:tt |$_from:ident| $_value:expr,)* })*) => {
        /// The rules of a target, in the order of the checks. A dimension without a filter gets none.
        pub(crate) fn rules(target: &TargetEntry, references: &References<'_>, at: &At<'_>) -> ConditionDraft {
            let mut rules = Rules::default();
            $($(
                compiled!(@filter target, $kind $name).add(&mut rules.$from, NoBidReason::$reason, references, at);
            )*)*
            let Rules { request, imp, spot } = rules;
            ConditionDraft { request_rules: request, imp_rules: imp, spot_rules: spot, ..ConditionDraft::default() }
        }
    };
    // The filter of an attribute of `$target`, by the kind of its dimension.
    (@filter $target:ident, channel $name:ident) => {
        Filter { include: channels(&$target.$name), ..Filter::default() }
    };
    (@filter $target:ident, domain $name:ident) => {
        $target.$name.to_filter().each(|domain| (ascii_domain(strip_www(&domain)), String::new()))
    };
    (@filter $target:ident, category cat) => {
        $target.cat.to_filter().in_taxonomy($target.cattax.unwrap_or(DEFAULT_CATTAX))
    };
    (@filter $target:ident, category venuetype) => {
        $target.venuetype.to_filter().in_taxonomy(venue_taxonomy($target.venuetypetax.unwrap_or(OPEN_OOH)))
    };
    (@filter $target:ident, known $name:ident) => {
        $target.$name.filter(|wanted| *wanted).to_filter()
    };
    (@filter $target:ident, $kind:ident $name:ident) => {
        $target.$name.to_filter()
    };
}

/// The rules of each block of the table.
#[derive(Default)]
struct Rules {
    request: Vec<RuleDraft>,
    imp: Vec<RuleDraft>,
    spot: Vec<RuleDraft>,
}

reasons::dimensions!(compiled);

/// The name of a dimension in the document.
pub fn name_of(reason: NoBidReason) -> &'static str {
    Dimension::of(reason).map_or("", |dimension| dimension.name)
}

/// A segment in words: `dmp/1`, `dmp/1 (segtax 4)` or `1 (segtax 4)`.
pub fn segment(provider: &str, id: &str) -> String {
    let (provider, segtax) = provider.split_once(SEGTAX).unwrap_or((provider, ""));
    let segment = if provider.is_empty() { id.to_owned() } else { format!("{provider}/{id}") };
    if segtax.is_empty() { segment } else { format!("{segment} (segtax {segtax})") }
}

/// All sums of bits that a request with only these channels can have: see [`Kind::Channel`](reasons::kind::Kind). A
/// request without a channel matches only a campaign without `channel`.
fn channels(listed: &[Channel]) -> Values {
    let all: i64 = CHANNELS.iter().map(|(_, bit)| bit).sum();
    let taken = listed.iter().fold(0, |taken, Channel(bit)| taken | bit);
    if listed.is_empty() || taken == all {
        return Vec::new();
    }
    (1..=all).filter(|sum| sum & !taken == 0).map(|sum| (sum.to_string(), String::new())).collect()
}
