//! Reports values of a target that no request has: such a value includes nothing and, which is worse, excludes nothing.
//! Values that a person has probably put into the wrong attribute get a note.

use super::dimensions::name_of;
use super::iso;
use crate::compile::check::{At, unmatched_domain};
use crate::decode::Rule;
use bidder_wasm::catalog::{RuleDraft, Side};
use bidder_wasm::kind::{Kind, kind_of};
use bidder_wasm::no_bid::NoBidReason;

/// What is wrong with a value.
enum Wrong {
    /// No request has it.
    Never(String),
    /// Requests hardly ever have it.
    Doubtful(String),
}

/// Checks the values of a rule. `at` is the place of the target.
pub(crate) fn check(rule: &RuleDraft, at: &At<'_>) {
    let side = if rule.side() == Side::Exclude { "exclude" } else { "include" };
    for (i, (value, taxonomy)) in rule.values().enumerate().filter(|(_, (value, _))| !value.is_empty()) {
        let place = || at.attribute(name_of(rule.reason())).item(side, i);
        match wrong(rule.reason(), value, taxonomy) {
            Some(Wrong::Never(message)) => place().error(message),
            Some(Wrong::Doubtful(message)) => place().report(Rule::Ambiguous, message),
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
        (_, Some(Kind::Category)) => category(value, taxonomy),
        (_, Some(Kind::Text | Kind::Id)) if value.trim() != value => {
            Some(Wrong::Doubtful(format!("{value:?} has spaces around it; expected {:?}", value.trim())))
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

fn bundle(value: &str) -> Option<Wrong> {
    if value.contains("://") {
        let message =
            format!("{value:?} is a URL; expected the id of the app in its store, such as com.example.weather");
        return Some(Wrong::Never(message));
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

fn category(value: &str, taxonomy: &str) -> Option<Wrong> {
    if value.contains(char::is_whitespace) {
        return Some(Wrong::Never(format!("{value:?} is no category; expected a code such as IAB17-18")));
    }
    let number = value.get(..3).filter(|start| start.eq_ignore_ascii_case("IAB")).and(value.get(3..));
    let is_code = number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()));
    let message =
        || format!("{value:?} is no category of cattax 1; expected a code such as IAB17-18, or another cattax");
    (taxonomy == CONTENT_1 && !is_code).then(|| Wrong::Doubtful(message()))
}
