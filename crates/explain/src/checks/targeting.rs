//! Both sides of a failed targeting check, in words: the campaign's rule, and the request's values in that dimension.

use super::super::comparison::Comparison;
use super::super::privacy::hidden;
use super::super::rejection::Rejection;
use super::super::tree;
use super::super::words::{distinct_list, include_exclude, join, list, text_or_unknown, yes_or_no};
use super::creative::media_name;
use base::placeholder::is_placeholder;
use catalog::{Lists, Rule, Side};
use compiler::segment;
use openrtb::request::{Data, Eid, Request, UNKNOWN_TAXONOMY, Uid, User};
use reasons::kind::{CHANNELS, Dimension, KNOWN_ADDRESS, Kind, kind_of};
use reasons::no_bid::NoBidReason as R;
use rules::imp::is_offered;
use rules::targeting::{Facts, Spot, Value, value};

pub(super) fn comparison(rejection: &Rejection<'_, '_>) -> Comparison {
    let reason = rejection.reason;
    let kind = kind_of(reason).unwrap_or(Kind::Text);
    (wanted(reason, kind, rejection), found(reason, kind, rejection))
}

fn wanted(reason: R, kind: Kind, rejection: &Rejection<'_, '_>) -> String {
    let campaign = rejection.campaign;
    let all = campaign.request_rules().iter().chain(campaign.imp_rules().iter()).chain(campaign.spot_rules().iter());
    let rules: Vec<Rule<'_>> = all.into_iter().filter(|rule| rule.reason() == reason).collect();
    if reason == R::Buyeruid {
        return "a buyeruid".into();
    }
    let text = |(first, second)| match kind {
        Kind::Segment => text(kind, Value::Segment(first, second)),
        Kind::Number | Kind::Offset | Kind::Flag | Kind::Channel => {
            text(kind, Value::Number(first.parse().unwrap_or_default()))
        }
        Kind::Address => format!("an address in list {first}"),
        Kind::Category => text(kind, Value::Category(first, second.parse().unwrap_or_default())),
        Kind::Text | Kind::Domain | Kind::Id => text(kind, Value::Text(first)),
    };
    if kind == Kind::Channel {
        // The rule also lists sums of several channels: a request with another channel beside it does not match.
        let single = rules.iter().flat_map(Rule::values).map(text).filter(|name| !name.contains(','));
        return format!("only {}", list(single));
    }
    let of = |side| rules.iter().filter(move |rule| rule.side() == side);
    let lists = Lists::of(&rejection.catalog.parts());
    let list = |(number, _): (u32, &str)| {
        lists.get(number).map(|list| format!("the {} values of list {}", list.count(), list.id()))
    };
    let values = |side| {
        of(side).flat_map(move |rule| rule.values().map(text).chain(rule.lists().filter_map(list)).collect::<Vec<_>>())
    };
    include_exclude(values(Side::Include), values(Side::Exclude), of(Side::Known).next().is_some())
}

fn found(reason: R, kind: Kind, rejection: &Rejection<'_, '_>) -> String {
    let facts = &rejection.facts;
    match reason {
        R::Domain => text_or_unknown(facts.channel.domain),
        R::Ip => rejection.unless_hidden(address),
        R::Segment => rejection.unless_hidden(|facts| segments(facts.request.user.data)),
        R::ContentSegment => segments(facts.channel.content.data),
        R::Buyeruid => match rejection.unless_hidden(|facts| facts.request.user.buyeruid.into()) {
            known if known.is_empty() => no_buyeruid(rejection),
            hidden => hidden,
        },
        R::Keywords if of_request(reason, kind, facts) != of_request(reason, kind, &rejection.told) => {
            format!("{}; those of the user are {}", of_request(reason, kind, facts), hidden(rejection.verdict))
        }
        _ if value::spot::has(reason) => {
            spots(rejection, &|spot| words(kind, |take| value::spot::all(reason, spot, take)))
        }
        _ if value::imp::has(reason) => words(kind, |take| value::imp::all(reason, &rejection.imp(), take)),
        _ if has_path(reason, "user.eids") => rejection.unless_hidden(|facts| of_eids(reason, kind, facts)),
        _ => rejection.unless_hidden(|facts| of_request(reason, kind, facts)),
    }
}

fn has_path(reason: R, path: &str) -> bool {
    Dimension::of(reason).is_some_and(|dimension| dimension.paths.contains(&path))
}

fn of_request(reason: R, kind: Kind, facts: &Facts<'_>) -> String {
    words(kind, |take| value::request::all(reason, facts, take))
}

/// The values that `all` hands over, in words.
fn words(kind: Kind, all: impl FnOnce(&mut dyn FnMut(Value<'_>))) -> String {
    let mut words = Vec::new();
    all(&mut |value| words.push(text(kind, value)));
    words.retain(|word| !word.is_empty());
    if words.is_empty() { text_or_unknown("") } else { list(words) }
}

fn text(kind: Kind, value: Value<'_>) -> String {
    match value {
        Value::Text(text) | Value::Category(text @ "", _) => text.to_owned(),
        Value::Category(cat, UNKNOWN_TAXONOMY) => format!("{cat} (unreadable taxonomy)"),
        Value::Category(cat, taxonomy) => format!("{cat} (taxonomy {taxonomy})"),
        Value::Number(number) if kind == Kind::Flag => yes_or_no(number == 1),
        Value::Number(number) if kind == Kind::Channel => channels(number),
        Value::Number(number) => number.to_string(),
        Value::Segment(provider, id) => segment(provider, id),
    }
}

/// The channels in a sum of bits; empty for 0.
fn channels(sum: i64) -> String {
    join(CHANNELS.iter().filter(|(_, bit)| sum & bit != 0).map(|(name, _)| name), ", ")
}

/// `text` of each media object that one of the campaign's creatives would fill: `banner 1, video 3`.
fn spots(rejection: &Rejection<'_, '_>, text: &dyn Fn(&Spot<'_>) -> String) -> String {
    let imp = rejection.imp();
    let media = rejection.creatives().map(|creative| creative.media()).filter(|media| is_offered(&imp, media));
    distinct_list(media.map(|media| format!("{} {}", media_name(&media), text(&Spot::of(&imp, &media)))))
}

/// Why a `buyeruid` does not count, or `unknown`.
fn no_buyeruid(rejection: &Rejection<'_, '_>) -> String {
    let said = rejection.tree.get("user.buyeruid").map(tree::text).unwrap_or_default();
    match said.as_str() {
        "" => text_or_unknown(""),
        said if is_placeholder(said) => format!("the placeholder {said}"),
        said => format!("{said}, which has not the form of your ids"),
    }
}

/// Which lists have the address. The address itself is personal, so it is not said.
fn address(facts: &Facts<'_>) -> String {
    let mut lists = Vec::new();
    value::request::all(R::Ip, facts, |value| lists.push(text(Kind::Address, value)));
    let is_known = !lists.is_empty();
    lists.retain(|id| id != KNOWN_ADDRESS);
    match (is_known, lists.is_empty()) {
        (false, _) => "no address that is told in full".into(),
        (true, true) => "an address in no list".into(),
        (true, false) => format!("an address in {}", list(lists.iter().map(|id| format!("list {id}")))),
    }
}

fn segments(data: &[Data<'_>]) -> String {
    let words = |data: &Data<'_>| {
        let own = if data.id.is_empty() { data.name } else { data.id };
        let provider = data.in_taxonomy.first().unwrap_or(&own);
        data.segment.iter().map(|id| segment(provider, id)).collect::<Vec<_>>()
    };
    list(data.iter().flat_map(words))
}

/// The value of each extended id, also of those that do not count.
fn of_eids(reason: R, kind: Kind, facts: &Facts<'_>) -> String {
    eids(facts, |eid| {
        let one = [Eid { uids: &[Uid { id: "any" }], ..*eid }];
        let request = Request { user: User { eids: &one, ..facts.request.user }, ..*facts.request };
        of_request(reason, kind, &Facts { request: &request, ..*facts })
    })
}

/// `text` of each extended id.
pub(super) fn eids(facts: &Facts<'_>, text: impl Fn(&Eid<'_>) -> String) -> String {
    let note = |eid: &Eid<'_>| if eid.is_usable() { "" } else { " (without an id, or with a placeholder)" };
    list(facts.request.user.eids.iter().map(|eid| format!("{}{}", text(eid), note(eid))))
}
