//! Reports values of a target that no request has: such a value includes nothing and, which is worse, excludes nothing.
//! Values that a person has probably put into the wrong attribute get a note.

use super::dimensions::name_of;
use super::iso;
use crate::meanings;
use catalog::{RuleDraft, Side};
use document::check::{At, unmatched_domain};
use document::decode::{Rule, nearest};
use openrtb::request::SEGTAX;
use reasons::kind::{Kind, kind_of};
use reasons::no_bid::NoBidReason;

/// What is wrong with a value.
pub(crate) enum Wrong {
    /// No request has it.
    Never(String),
    /// Requests hardly ever have it.
    Doubtful(String),
}

/// Checks the values of a rule. `at` is the position of the target.
pub(crate) fn check(rule: &RuleDraft, at: &At<'_>) {
    let side = if rule.side() == Side::Exclude { "exclude" } else { "include" };
    let is_checked = |value: &str| !value.is_empty() || kind_of(rule.reason()) == Some(Kind::Segment);
    for (i, (value, taxonomy)) in rule.values().enumerate().filter(|(_, (value, _))| is_checked(value)) {
        let position = || at.attribute(name_of(rule.reason())).item(side, i);
        match wrong(rule.reason(), value, taxonomy) {
            Some(Wrong::Never(message)) => position().error(message),
            Some(Wrong::Doubtful(message)) => position().report(Rule::Ambiguous, message),
            None => {}
        }
    }
}

fn wrong(reason: NoBidReason, value: &str, taxonomy: &str) -> Option<Wrong> {
    match (reason, kind_of(reason)) {
        (NoBidReason::Country, _) => iso::country(value).map(Wrong::Never).or_else(|| of_users(value)),
        (NoBidReason::Language | NoBidReason::ContentLanguage, _) => iso::language(value).map(Wrong::Never),
        (NoBidReason::Region, _) => region(value),
        (NoBidReason::Bundle, _) => bundle(value),
        (_, Some(Kind::Domain)) => unmatched_domain(value).map(Wrong::Never).or_else(|| app(value)),
        (NoBidReason::Cat, _) => category(value, taxonomy),
        (_, Some(Kind::Text | Kind::Id | Kind::Category)) if value.trim() != value => {
            Some(Wrong::Doubtful(format!("{value:?} has spaces around it; expected {:?}", value.trim())))
        }
        (NoBidReason::Cids, _) if value.contains(SEGTAX) => Some(Wrong::Never(
            "has a segtax, but ids of content have no taxonomy; expected only provider and id".into(),
        )),
        (_, Some(Kind::Segment)) if value.is_empty() => {
            Some(Wrong::Never("has neither provider nor segtax; expected one of them, or both".into()))
        }
        (NoBidReason::Os | NoBidReason::Make, _) => meant(reason, value),
        (_, Some(Kind::Number | Kind::Offset)) => {
            meanings::of_target(name_of(reason))?.unlisted(value.parse().ok()?).map(Wrong::Doubtful)
        }
        _ => None,
    }
}

/// The one code of users that exchanges send: Kosovo.
const KOSOVO: &str = "XKX";

fn of_users(code: &str) -> Option<Wrong> {
    let is_known = iso::is_assigned(code) || code.eq_ignore_ascii_case(KOSOVO);
    let message = || format!("ISO 3166-1 gives {code:?} to no country; expected a country's code");
    (!is_known).then(|| Wrong::Doubtful(message()))
}

/// Notes a name. The codes of ISO 3166-2 have at most three letters and digits after that of the country.
fn region(value: &str) -> Option<Wrong> {
    let code = value.split_once('-').map_or(value, |(_, code)| code);
    let is_code = code.len() <= 3 && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let message = || format!("{value:?} looks like a name; expected a code of ISO 3166-2, such as BY or DE-BY");
    (!is_code).then(|| Wrong::Doubtful(message()))
}

/// Names of devices, and what a request has instead. Several names are between `|`.
const MEANT: [(NoBidReason, &str, &str); 6] = [
    (NoBidReason::Os, "iphone|ipad|ipod|iphone os|apple|apple ios", "iOS"),
    (NoBidReason::Os, "samsung|galaxy|pixel|google|huawei|xiaomi", "Android"),
    (NoBidReason::Os, "mac|macbook|imac", "macOS"),
    (NoBidReason::Os, "win|pc|desktop|microsoft", "Windows"),
    (NoBidReason::Make, "iphone|ipad|ipod|macbook|ios", "Apple"),
    (NoBidReason::Make, "galaxy|android", "Samsung"),
];

/// Operating systems as requests name them.
const SYSTEMS: [&str; 21] = [
    "ios",
    "ipados",
    "android",
    "windows",
    "windows phone",
    "macos",
    "mac os",
    "mac os x",
    "os x",
    "linux",
    "ubuntu",
    "chrome os",
    "chromeos",
    "tvos",
    "watchos",
    "tizen",
    "webos",
    "roku os",
    "fire os",
    "playstation",
    "harmonyos",
];
/// A shorter name is similar to too many others.
const MIN_MISSPELLED: usize = 5;

/// Notes the name of a device, a version, or a misspelled name.
fn meant(reason: NoBidReason, value: &str) -> Option<Wrong> {
    let name = value.to_ascii_lowercase();
    let is = |names: &str| names.split('|').any(|known| known == name);
    let other = MEANT.iter().find(|(of, names, _)| *of == reason && is(names));
    if let Some((.., meant)) = other {
        return Some(Wrong::Doubtful(format!("no request has {value:?} here; did you mean {meant:?}?")));
    }
    if reason != NoBidReason::Os || SYSTEMS.contains(&name.as_str()) {
        return None;
    }
    let versioned = ["ios ", "android "].into_iter().find(|own| name.strip_prefix(own).is_some_and(is_version));
    if let Some(own) = versioned {
        let message = format!("{value:?} has a version; expected {:?}, and the version in target.osv", own.trim());
        return Some(Wrong::Doubtful(message));
    }
    let similar = nearest(&name, SYSTEMS.into_iter()).filter(|_| name.len() >= MIN_MISSPELLED)?;
    Some(Wrong::Doubtful(format!("no request has {value:?} here; did you mean {similar:?}?")))
}

fn is_version(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

pub(crate) fn bundle(value: &str) -> Option<Wrong> {
    if value.contains("://") {
        let message =
            format!("{value:?} is a URL; expected the id of the app in its store, such as com.example.weather");
        return Some(Wrong::Never(message));
    }
    if value.contains([',', ';', '|', '?', '=', '/', ' ']) {
        return Some(Wrong::Never(format!("{value:?} is no id of an app; expected one such as com.example.weather")));
    }
    let number = value.strip_prefix("id").filter(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()));
    if let Some(number) = number {
        return Some(Wrong::Doubtful(format!("{value:?} is a part of a store's URL; expected {number:?}")));
    }
    let is_site =
        value.contains('.') && is_top_level(value.rsplit('.').next()) && !is_top_level(value.split('.').next());
    let message = || format!("{value:?} looks like the domain of a site; expected the id of an app, or target.domain");
    is_site.then(|| Wrong::Doubtful(message()))
}

fn app(value: &str) -> Option<Wrong> {
    let is_app = is_top_level(value.split('.').next()) && !is_top_level(value.rsplit('.').next());
    let message = || format!("{value:?} looks like the id of an app; expected the domain of a site, or target.bundle");
    is_app.then(|| Wrong::Doubtful(message()))
}

/// Whether a domain often ends with this label, which is how ids of apps begin.
fn is_top_level(label: Option<&str>) -> bool {
    label.is_some_and(|label| ["com", "net", "org"].iter().any(|known| label.eq_ignore_ascii_case(known)))
}

/// The taxonomy whose categories are `IAB1` to `IAB26-4`.
const CONTENT_1: &str = "1";

pub(crate) fn category(value: &str, taxonomy: &str) -> Option<Wrong> {
    if value.contains(|c: char| c.is_whitespace() || c == ',') {
        return Some(Wrong::Never(format!("{value:?} is no category; expected a code such as IAB17-18")));
    }
    let number = value.get(..3).filter(|start| start.eq_ignore_ascii_case("IAB")).and(value.get(3..));
    let is_first = taxonomy == CONTENT_1;
    // Requests name the first taxonomy in other ways than by 1, and `cattax` of an exchange may be any.
    if is_first == number.is_some_and(is_content_1) || !is_first && number.is_none() {
        return None;
    }
    let expected =
        if is_first { "a code from IAB1 to IAB26, such as IAB17-18, or another cattax" } else { "\"cattax\": 1" };
    Some(Wrong::Doubtful(format!("{value:?} is no category of cattax {taxonomy}; expected {expected}")))
}

/// Whether this is the part behind `IAB` of a category of [`CONTENT_1`].
fn is_content_1(number: &str) -> bool {
    let (parent, child) = number.split_once('-').unwrap_or((number, "1"));
    let is_number = |text: &str, most: u32| text.parse().is_ok_and(|number: u32| (1..=most).contains(&number));
    is_number(parent, 26) && is_number(child, 99)
}
