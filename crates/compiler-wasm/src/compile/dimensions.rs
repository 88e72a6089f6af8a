//! What a document's target asks for in each dimension of [the table](bidder_wasm::dimensions).

use super::document::{NumbersEntry, SegmentsEntry, TargetEntry, TextsEntry};
use bidder_wasm::catalog::RuleDraft;
use bidder_wasm::domain::strip_www;
use bidder_wasm::no_bid::NoBidReason;

/// Values as a [`Rule`](super::Rule) holds them.
pub(super) type Values = Vec<(String, String)>;

/// The rules of a target, in the order of the checks.
#[derive(Default)]
pub(super) struct Rules {
    /// On the request.
    pub(super) request: Vec<RuleDraft>,
    /// On the impression.
    pub(super) imp: Vec<RuleDraft>,
    /// On the object that a creative would fill.
    pub(super) spot: Vec<RuleDraft>,
}

impl Rules {
    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &RuleDraft> {
        self.request.iter().chain(&self.imp).chain(&self.spot)
    }

    /// The rule over a dimension; one without values where there is none.
    pub(super) fn of(&self, reason: NoBidReason) -> RuleDraft {
        let none = || RuleDraft::new(reason, Vec::new(), Vec::new());
        self.all().find(|rule| rule.reason() == reason).cloned().unwrap_or_else(none)
    }
}

/// Values of `target.channel`; each counts twice as much as the one before.
pub(super) const CHANNELS: [&str; 3] = ["site", "app", "dooh"];

/// A taxonomy's number where the document has none.
const DEFAULT_CATTAX: i64 = 1;

/// What a document says in a dimension.
trait Lists {
    /// What it includes and what it excludes.
    fn lists(&self) -> (Values, Values);
}

impl Lists for TextsEntry {
    fn lists(&self) -> (Values, Values) {
        let of = |list: &[String]| list.iter().map(|text| (text.clone(), String::new())).collect();
        (of(&self.include), of(&self.exclude))
    }
}

impl Lists for NumbersEntry {
    fn lists(&self) -> (Values, Values) {
        let of = |list: &[i64]| list.iter().map(|number| (number.to_string(), String::new())).collect();
        (of(&self.include), of(&self.exclude))
    }
}

impl Lists for bool {
    fn lists(&self) -> (Values, Values) {
        (vec![(i64::from(*self).to_string(), String::new())], Vec::new())
    }
}

impl Lists for SegmentsEntry {
    fn lists(&self) -> (Values, Values) {
        let of = |list: &[super::document::SegmentEntry]| {
            list.iter()
                .map(|one| (one.provider.clone().unwrap_or_default(), one.id.clone().unwrap_or_default()))
                .collect()
        };
        (of(&self.include), of(&self.exclude))
    }
}

impl<T: Lists> Lists for Option<T> {
    fn lists(&self) -> (Values, Values) {
        self.as_ref().map(Lists::lists).unwrap_or_default()
    }
}

/// What `$target` says in a dimension of this kind.
macro_rules! lists {
    ($target:ident, channel $name:ident) => {
        (channels(&$target.$name), Vec::new())
    };
    ($target:ident, domain $name:ident) => {
        each($target.$name.lists(), |domain| (strip_www(&domain).to_owned(), String::new()))
    };
    ($target:ident, category $name:ident) => {
        each($target.$name.lists(), |cat| (cat, $target.cattax.unwrap_or(DEFAULT_CATTAX).to_string()))
    };
    ($target:ident, known $name:ident) => {
        $target.$name.filter(|wanted| *wanted).lists()
    };
    ($target:ident, $kind:ident $name:ident) => {
        $target.$name.lists()
    };
}

macro_rules! compiled {
    ($($from:ident { $($(#[$_doc:meta])* $reason:ident = $_text:literal $(($_nbr:literal))?:
        $kind:ident $name:ident [$($_part:ident)*] |$_from:ident| $_told:expr,)* })*) => {
        /// The rules of a target; none for a dimension in which it asks for nothing.
        pub(super) fn rules(target: &TargetEntry) -> Rules {
            let mut rules = Rules::default();
            $($(
                let (include, exclude) = lists!(target, $kind $name);
                if !include.is_empty() || !exclude.is_empty() {
                    rules.$from.push(RuleDraft::new(NoBidReason::$reason, include, exclude));
                }
            )*)*
            rules
        }

        /// What the document calls a dimension.
        pub(super) fn name_of(reason: NoBidReason) -> &'static str {
            match reason {
                $($(NoBidReason::$reason => stringify!($name),)*)*
                _ => "",
            }
        }
    };
}

bidder_wasm::dimensions!(compiled);

fn each((include, exclude): (Values, Values), change: impl Fn(String) -> (String, String)) -> (Values, Values) {
    let all = |list: Values| list.into_iter().map(|(text, _)| change(text)).collect();
    (all(include), all(exclude))
}

/// The sums that a request with only these channels can have: see [`Kind::Channel`](bidder_wasm::kind::Kind). A request
/// without any fits only a campaign that takes all.
fn channels(names: &[String]) -> Values {
    let taken: usize = CHANNELS
        .iter()
        .zip([1, 2, 4])
        .filter(|(name, _)| names.iter().any(|own| own == *name))
        .map(|(_, bit)| bit)
        .sum();
    if names.is_empty() || taken == 7 {
        return Vec::new();
    }
    (1..8).filter(|sum| sum & !taken == 0).map(|sum: usize| (sum.to_string(), String::new())).collect()
}
