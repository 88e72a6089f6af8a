//! Both sides of a failed check of targeting, in words: the campaign's rule, and what the request says in its dimension.

use super::creatives::spots;
use super::privacy::hidden;
use super::rejection::{Rejection, eids, of_person, precise, segments};
use super::words::{known, list, maybe, number, sides as listed};
use bidder_wasm::kind::{Kind, kind_of};
use bidder_wasm::no_bid::NoBidReason as R;
use bidder_wasm::targeting::{Facts, Spot, Value, Values, value};
use bidder_wasm::work::Meter;

/// The campaign's rule in a dimension, and what the request says in it.
pub(super) fn sides(reason: R, rejection: &Rejection<'_, '_>) -> (String, String) {
    let kind = kind_of(reason).unwrap_or(Kind::Text);
    (wanted(reason, kind, rejection), found(reason, kind, rejection))
}

fn wanted(reason: R, kind: Kind, rejection: &Rejection<'_, '_>) -> String {
    let campaign = rejection.campaign;
    let all = campaign.request_rules().iter().chain(campaign.imp_rules().iter()).chain(campaign.spot_rules().iter());
    let Some(rule) = all.into_iter().find(|rule| rule.reason() == reason) else { return String::new() };
    if reason == R::Buyeruid {
        return "an id of ours".into();
    }
    let text = |(first, second): (&str, &str)| match kind {
        Kind::Segment => format!("{first}/{second}"),
        Kind::Flag => maybe(Some(first == "1")),
        Kind::Channel => channels(first.parse().unwrap_or_default()),
        _ => first.to_owned(),
    };
    if kind == Kind::Channel {
        // The sums of several channels name none that its parts do not name.
        return list(rule.include().iter().map(text).filter(|name| !name.contains(',')));
    }
    listed(rule.include().iter().map(text), rule.exclude().iter().map(text))
}

fn found(reason: R, kind: Kind, rejection: &Rejection<'_, '_>) -> String {
    let Rejection { facts, imp, .. } = *rejection;
    match reason {
        R::Domain => known(facts.channel.domain),
        R::Cat => {
            let channel = &facts.channel;
            list([channel.cat, channel.sectioncat, channel.pagecat, channel.content.cat].concat())
        }
        R::Zip => precise(rejection, !facts.geo.zip.is_empty(), known(facts.geo.zip)),
        R::Segment => of_person(rejection, segments(facts)),
        R::Eids => of_person(rejection, eids(facts, |eid| eid.source.into())),
        R::Buyeruid => of_person(rejection, known(facts.request.user.buyeruid)),
        R::Keywords if !rejection.verdict.allows_personal() => {
            format!("{}; those of the user are {}", of_request(reason, kind, facts), hidden(rejection.verdict))
        }
        _ if value::is_of_spot(reason) => spots(rejection, &|spot| of_spot(reason, kind, spot)),
        _ if reason > R::Acat => one(kind, value::of_imp(reason, &imp.copied().unwrap_or_default())),
        _ => of_request(reason, kind, facts),
    }
}

fn of_request(reason: R, kind: Kind, facts: &Facts<'_>) -> String {
    match value::of_request(reason, facts) {
        Values::One(Value::Number(0)) if kind == Kind::Number => number(0),
        Values::Several => {
            let mut all = Vec::new();
            value::each_of_request(reason, facts, &Meter::unlimited(), |value| all.push(text(kind, value)));
            all.retain(|text| !text.is_empty());
            known(&list_of(all))
        }
        values => one(kind, values),
    }
}

fn of_spot(reason: R, kind: Kind, spot: &Spot<'_>) -> String {
    let mut all = Vec::new();
    match value::of_spot(reason, spot) {
        Values::Several => value::each_of_spot(reason, spot, &mut |value| all.push(text(kind, value))),
        values => return one(kind, values),
    }
    list(all)
}

/// Empty for none.
fn list_of(all: Vec<String>) -> String {
    if all.is_empty() { String::new() } else { list(all) }
}

fn one(kind: Kind, values: Values<'_>) -> String {
    match values {
        Values::One(value) => known(&text(kind, value)),
        Values::Unknown | Values::Several => known(""),
    }
}

fn text(kind: Kind, value: Value<'_>) -> String {
    match value {
        Value::Text(text) | Value::Category(text, _) => text.to_owned(),
        Value::Number(number) if kind == Kind::Flag => maybe(Some(number == 1)),
        Value::Number(number) if kind == Kind::Channel => channels(number),
        Value::Number(number) => number.to_string(),
        Value::Segment(provider, id) => format!("{provider}/{id}"),
    }
}

/// The channels of a sum; empty for 0.
fn channels(sum: i64) -> String {
    let all = [("site", 1), ("app", 2), ("dooh", 4)].into_iter().filter(|(_, bit)| sum & bit != 0);
    list_of(all.map(|(name, _)| name.to_owned()).collect())
}
