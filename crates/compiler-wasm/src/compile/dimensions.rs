//! The rules of a target, one for each dimension of [the table](macro@bidder_wasm::dimensions).

use super::document::{NumbersEntry, SegmentsEntry, TargetEntry, TextsEntry};
use bidder_wasm::domain::strip_www;
use bidder_wasm::kind::CHANNELS;
use bidder_wasm::no_bid::NoBidReason;

/// Values of two parts. In most dimensions the second part is empty.
pub(super) type Values = Vec<(String, String)>;

/// What a target asks for in one dimension.
#[derive(Clone)]
pub(super) struct Rule {
    pub(super) reason: NoBidReason,
    pub(super) include: Values,
    pub(super) exclude: Values,
}

/// Rules in the order of the checks.
#[derive(Default)]
pub(super) struct Rules {
    /// Rules on the request.
    pub(super) request: Vec<Rule>,
    /// Rules on the impression.
    pub(super) imp: Vec<Rule>,
    /// Rules on the ad object that a creative would fill.
    pub(super) spot: Vec<Rule>,
}

impl Rules {
    pub(super) fn all(&self) -> impl Iterator<Item = &Rule> {
        self.request.iter().chain(&self.imp).chain(&self.spot)
    }

    /// The rule of a dimension. It is empty if the target has none.
    pub(super) fn of(&self, reason: NoBidReason) -> Rule {
        let none = || Rule { reason, include: Vec::new(), exclude: Vec::new() };
        self.all().find(|rule| rule.reason == reason).cloned().unwrap_or_else(none)
    }
}

/// The entries of `target.channel` that are no channel, with their places.
pub(super) fn unknown_channels(target: &TargetEntry) -> impl Iterator<Item = (usize, &String)> {
    target.channel.iter().enumerate().filter(|(_, name)| CHANNELS.iter().all(|(known, _)| name != known))
}

/// The taxonomy of a target without `cattax`.
const DEFAULT_CATTAX: i64 = 1;

/// An attribute of a target as two lists.
trait Lists {
    /// The included and the excluded values.
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

/// The lists of an attribute of `$target`, by the kind of its dimension.
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
        /// The rules of a target. A dimension without values gets no rule.
        pub(super) fn rules(target: &TargetEntry) -> Rules {
            let mut rules = Rules::default();
            $($(
                let (include, exclude) = lists!(target, $kind $name);
                if !include.is_empty() || !exclude.is_empty() {
                    rules.$from.push(Rule { reason: NoBidReason::$reason, include, exclude });
                }
            )*)*
            rules
        }

        /// The name of a dimension in the document.
        pub(crate) fn name_of(reason: NoBidReason) -> &'static str {
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

/// All sums of bits that a request with only these channels can have: see [`Kind::Channel`](bidder_wasm::kind::Kind). A
/// request without a channel matches only a campaign without `channel`.
fn channels(names: &[String]) -> Values {
    let all: i64 = CHANNELS.iter().map(|(_, bit)| bit).sum();
    let taken: i64 = CHANNELS.iter().filter(|(name, _)| names.iter().any(|own| own == name)).map(|(_, bit)| bit).sum();
    if names.is_empty() || taken == all {
        return Vec::new();
    }
    (1..=all).filter(|sum| sum & !taken == 0).map(|sum| (sum.to_string(), String::new())).collect()
}
