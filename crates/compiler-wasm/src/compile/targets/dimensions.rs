//! The rules of a target, one for each dimension of [the table](macro@bidder_wasm::dimensions).

use crate::compile::choices::Channel;
use crate::compile::document::{NumbersEntry, SegmentsEntry, TargetEntry, TextsEntry};
use bidder_wasm::domain::strip_www;
use bidder_wasm::kind::{CHANNELS, Dimension};
use bidder_wasm::no_bid::NoBidReason;

/// Values of two parts. In most dimensions the second part is empty.
pub(crate) type Values = Vec<(String, String)>;

/// What a target asks for in one dimension.
#[derive(Clone)]
pub(crate) struct Rule {
    pub(crate) reason: NoBidReason,
    pub(crate) include: Values,
    pub(crate) exclude: Values,
    /// `None` if the value may be unknown. Else the taxonomy in which it must be known; empty: there are none.
    pub(crate) known: Option<String>,
    /// The ids of lists whose values are included.
    pub(crate) include_lists: Vec<String>,
    /// The ids of lists whose values are excluded.
    pub(crate) exclude_lists: Vec<String>,
    /// The second part of the lists' values.
    pub(crate) second: String,
}

impl Rule {
    fn none(reason: NoBidReason) -> Rule {
        Rule {
            reason,
            include: Vec::new(),
            exclude: Vec::new(),
            known: None,
            include_lists: Vec::new(),
            exclude_lists: Vec::new(),
            second: String::new(),
        }
    }

    fn is_empty(&self) -> bool {
        self.lists().next().is_none() && !self.needs_value() && self.exclude.is_empty()
    }

    /// Whether a request without a value does not match.
    pub(crate) fn needs_value(&self) -> bool {
        self.known.is_some() || !self.include.is_empty() || !self.include_lists.is_empty()
    }

    /// The ids of its lists.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &String> {
        self.include_lists.iter().chain(&self.exclude_lists)
    }
}

/// Rules in the order of the checks.
#[derive(Default)]
pub(crate) struct Rules {
    /// Rules on the request.
    pub(crate) request: Vec<Rule>,
    /// Rules on the impression.
    pub(crate) imp: Vec<Rule>,
    /// Rules on the ad object that a creative would fill.
    pub(crate) spot: Vec<Rule>,
}

impl Rules {
    pub(crate) fn all(&self) -> impl Iterator<Item = &Rule> {
        self.request.iter().chain(&self.imp).chain(&self.spot)
    }

    /// The rule of a dimension. It is empty if the target has none.
    pub(crate) fn of(&self, reason: NoBidReason) -> Rule {
        self.all().find(|rule| rule.reason == reason).cloned().unwrap_or_else(|| Rule::none(reason))
    }
}

/// The taxonomy of a target without `cattax`.
const DEFAULT_CATTAX: i64 = 1;

/// An attribute of a target as a rule.
trait Asks {
    /// What the attribute asks for in the dimension of this reason.
    fn rule(&self, reason: NoBidReason) -> Rule;
}

impl Asks for TextsEntry {
    fn rule(&self, reason: NoBidReason) -> Rule {
        let of = |list: &[String]| list.iter().map(|text| (text.clone(), String::new())).collect();
        Rule {
            include: of(&self.include),
            exclude: of(&self.exclude),
            known: known(self.exclude_unknown),
            include_lists: self.include_lists.clone(),
            exclude_lists: self.exclude_lists.clone(),
            ..Rule::none(reason)
        }
    }
}

impl Asks for NumbersEntry {
    fn rule(&self, reason: NoBidReason) -> Rule {
        let of = |list: &[i64]| list.iter().map(|number| (number.to_string(), String::new())).collect();
        let known = known(self.exclude_unknown);
        Rule { include: of(&self.include), exclude: of(&self.exclude), known, ..Rule::none(reason) }
    }
}

impl Asks for bool {
    fn rule(&self, reason: NoBidReason) -> Rule {
        let include = vec![(i64::from(*self).to_string(), String::new())];
        Rule { include, ..Rule::none(reason) }
    }
}

impl Asks for SegmentsEntry {
    fn rule(&self, reason: NoBidReason) -> Rule {
        let of = |list: &[crate::compile::document::SegmentEntry]| {
            list.iter()
                .map(|one| (one.provider.clone().unwrap_or_default(), one.id.clone().unwrap_or_default()))
                .collect()
        };
        let known = known(self.exclude_unknown);
        Rule { include: of(&self.include), exclude: of(&self.exclude), known, ..Rule::none(reason) }
    }
}

impl<T: Asks> Asks for Option<T> {
    fn rule(&self, reason: NoBidReason) -> Rule {
        self.as_ref().map_or_else(|| Rule::none(reason), |entry| entry.rule(reason))
    }
}

fn known(exclude_unknown: Option<bool>) -> Option<String> {
    exclude_unknown.filter(|is_set| *is_set).map(|_| String::new())
}

/// The rule of an attribute of `$target`, by the kind of its dimension.
macro_rules! rule {
    ($target:ident, $reason:expr, channel $name:ident) => {
        Rule { include: channels(&$target.$name), ..Rule::none($reason) }
    };
    ($target:ident, $reason:expr, domain $name:ident) => {
        each($target.$name.rule($reason), |domain| (strip_www(&domain).to_owned(), String::new()))
    };
    ($target:ident, $reason:expr, category $name:ident) => {
        in_taxonomy($target.$name.rule($reason), $target.cattax.unwrap_or(DEFAULT_CATTAX))
    };
    ($target:ident, $reason:expr, known $name:ident) => {
        $target.$name.filter(|wanted| *wanted).rule($reason)
    };
    ($target:ident, $reason:expr, $kind:ident $name:ident) => {
        $target.$name.rule($reason)
    };
}

macro_rules! compiled {
    ($($from:ident { $($(#[$_doc:meta])* $reason:ident = $_text:literal $(($_nbr:literal))?:
        $kind:ident $name:ident $_words:tt $_paths:tt |$_from:ident| $_value:expr,)* })*) => {
        /// The rules of a target. A dimension in which the target asks for nothing gets no rule.
        pub(crate) fn rules(target: &TargetEntry) -> Rules {
            let mut rules = Rules::default();
            $($(
                let rule = rule!(target, NoBidReason::$reason, $kind $name);
                if !rule.is_empty() {
                    rules.$from.push(rule);
                }
            )*)*
            rules
        }
    };
}

bidder_wasm::dimensions!(compiled);

/// The name of a dimension in the document.
pub(crate) fn name_of(reason: NoBidReason) -> &'static str {
    Dimension::of(reason).map_or("", |dimension| dimension.name)
}

fn in_taxonomy(rule: Rule, cattax: i64) -> Rule {
    let rule = each(rule, |cat| (cat, cattax.to_string()));
    Rule { known: rule.known.map(|_| cattax.to_string()), second: cattax.to_string(), ..rule }
}

fn each(rule: Rule, change: impl Fn(String) -> (String, String)) -> Rule {
    let all = |list: Values| list.into_iter().map(|(text, _)| change(text)).collect();
    Rule { include: all(rule.include), exclude: all(rule.exclude), ..rule }
}

/// All sums of bits that a request with only these channels can have: see [`Kind::Channel`](bidder_wasm::kind::Kind). A
/// request without a channel matches only a campaign without `channel`.
fn channels(listed: &[Channel]) -> Values {
    let all: i64 = CHANNELS.iter().map(|(_, bit)| bit).sum();
    let taken = listed.iter().fold(0, |taken, Channel(bit)| taken | bit);
    if listed.is_empty() || taken == all {
        return Vec::new();
    }
    (1..=all).filter(|sum| sum & !taken == 0).map(|sum| (sum.to_string(), String::new())).collect()
}
