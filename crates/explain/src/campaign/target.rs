//! Where a campaign bids, in sentences. Each targeting dimension has a sentence by its kind, with the words of its
//! row.

use std::collections::BTreeMap;

use super::super::words::{join, list};
use super::described::Described;
use base::money::Micros;
use catalog::{Bounds, Catalog, Circle, Rule, RuleDraft, Side};
use compiler::{meanings, name_of, segment};
use flat::List;
use reasons::kind::{CHANNELS, Dimension, Kind, kind_of};

/// The rules of a target on the request, the impression and the ad object.
type Rules<'a> = [List<'a, RuleDraft>; 3];

/// The sentences about targeting.
pub(super) fn locations(described: &Described<'_>) -> Vec<String> {
    let campaign = &described.campaign;
    let all = [campaign.request_rules(), campaign.imp_rules(), campaign.spot_rules()];
    let includes = all.iter().flat_map(|rules| rules.iter()).any(|rule| rule.side() == Side::Include);
    let mut sentences = conditions(described.catalog, &all, Some(described.bounds()));
    if sentences.is_empty() {
        return vec!["Everywhere: it has no target.".into()];
    }
    if includes {
        sentences.push("A request that does not tell a value after \"only\" gets no bid.".into());
    }
    sentences
}

/// The sentences about the rules and bounds of a target.
pub(super) fn conditions(catalog: &Catalog<'_>, all: &Rules<'_>, bounds: Option<Bounds<'_>>) -> Vec<String> {
    let sentences = all.iter().flat_map(|rules| rules.iter()).map(|rule| sentence(catalog, &rule));
    sentences.chain(bounds.into_iter().flat_map(|bounds| beyond_the_index(&bounds, catalog.parts().paths()))).collect()
}

fn sentence(catalog: &Catalog<'_>, rule: &Rule<'_>) -> String {
    let reason = rule.reason();
    let kind = kind_of(reason).unwrap_or(Kind::Text);
    let word = if rule.side() == Side::Exclude { "Not" } else { "Only" };
    let Some(Dimension { name, words, .. }) = Dimension::of(reason) else { return String::new() };
    if kind == Kind::Flag {
        let is_true = rule.values().any(|(value, _)| value == "1");
        let clause =
            words.get(usize::from(!is_true)).map_or_else(|| format!("{name} is {is_true}"), ToString::to_string);
        return format!("{word} where {clause}.");
    }
    let name = words.first().unwrap_or(name);
    if rule.side() == Side::Known {
        return format!("Only where the request tells the {name}.");
    }
    let lists = catalog.parts().lists();
    let named = rule.lists().filter_map(|(number, _)| lists.get(number as usize));
    let named = named.map(|list| format!("one of the {} values of the list {}", list.count(), list.id()));
    format!("{word} where the {name} is {}.", alternatives(values(rule, kind).into_iter().chain(named).collect()))
}

/// The values of a rule in words.
fn values(rule: &Rule<'_>, kind: Kind) -> Vec<String> {
    let all = rule.values();
    match kind {
        Kind::Channel => {
            // The rule also lists sums of several channels. The single channels are enough for a reader.
            let named = CHANNELS.iter().filter(|(_, bit)| rule.values().any(|(sum, _)| sum == bit.to_string()));
            named.map(|(name, _)| (*name).to_owned()).collect()
        }
        Kind::Number | Kind::Offset => all.map(|(number, _)| coded(name_of(rule.reason()), number)).collect(),
        Kind::Segment => all.map(|(provider, id)| segment(provider, id)).collect(),
        Kind::Category => {
            // All values of a rule are of one taxonomy.
            let mut taxonomies: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            all.for_each(|(cat, taxonomy)| taxonomies.entry(taxonomy).or_default().push(cat));
            let text = |(taxonomy, cats): (&str, Vec<&str>)| format!("{} (taxonomy {taxonomy})", list(cats));
            taxonomies.into_iter().map(text).collect()
        }
        Kind::Address => all.map(|(id, _)| format!("in the list {id}")).collect(),
        Kind::Text | Kind::Domain | Kind::Id | Kind::Flag => all.map(|(text, _)| text.to_owned()).collect(),
    }
}

/// `4 (phone)`, or the number alone if no list names it.
fn coded(attribute: &str, number: &str) -> String {
    let meaning = number.parse().ok().and_then(|value| meanings::of_target(attribute)?.of(value));
    meaning.map_or_else(|| number.to_owned(), |meaning| format!("{number} ({meaning})"))
}

/// `a`, `a or b`, `a, b or c`; of many, the first ones and the number of the others.
fn alternatives(values: Vec<String>) -> String {
    match values.split_last() {
        Some((last, others)) if !others.is_empty() && values.len() <= 8 => format!("{} or {last}", join(others, ", ")),
        _ => list(values),
    }
}

/// The checks of a target that are not lists of values.
fn beyond_the_index(bounds: &Bounds<'_>, paths: List<'_, String>) -> Vec<String> {
    let mut sentences = Vec::new();
    let (inside, outside) = bounds.radius();
    for (word, circles) in [("Only", inside), ("Not", outside)] {
        if !circles.is_empty() {
            sentences
                .push(format!("{word} within {}.", alternatives(circles.iter().map(|one| circle(&one)).collect())));
        }
    }
    for (is_needed, what) in
        [(bounds.needs_point(), "the place of the device"), (bounds.needs_eids(), "an extended id that counts")]
    {
        if is_needed {
            sentences.push(format!("Only where the request tells {what}."));
        }
    }
    let (lowest, highest) = bounds.osv();
    sentences
        .extend(range(lowest, highest).map(|range| format!("Only if the version of the operating system is {range}.")));
    if let Some((first, last)) = bounds.yob() {
        let end = |year: i64, open: i64| if year == open { String::new() } else { year.to_string() };
        let range = range(&end(first, i64::MIN), &end(last, i64::MAX));
        sentences.extend(range.map(|range| format!("Only if the person's year of birth is {range}.")));
    }
    let (as_one_of, not_as) = bounds.mm();
    for (word, methods) in [("only if they were", as_one_of), ("only if they were not", not_as)] {
        if !methods.is_empty() {
            let methods = methods.iter().map(|method| coded("mm", &method.to_string())).collect();
            sentences.push(format!("Extended ids count {word} matched as {}.", alternatives(methods)));
        }
    }
    let (_, kept_out) = bounds.eids();
    if !kept_out.is_empty() {
        let sources = alternatives(kept_out.iter().map(str::to_owned).collect());
        sentences.push(format!("Not where an id that counts comes from {sources}."));
    }
    for metric in bounds.metric().iter() {
        let vendor =
            if metric.vendor().is_empty() { String::new() } else { format!(", measured by {}", metric.vendor()) };
        sentences.push(format!("Only if {} is at least {}{vendor}.", metric.kind(), metric.min()));
    }
    for rule in bounds.data().iter() {
        let path = paths.get(rule.path() as usize).unwrap_or_default();
        let (include, exclude) = rule.values();
        for (word, values) in [("Only", include), ("Not", exclude)] {
            if !values.is_empty() {
                let values = alternatives(values.iter().map(str::to_owned).collect());
                sentences.push(format!("{word} where {path} is {values}."));
            }
        }
        if rule.is_needed() {
            sentences.push(format!("Only where the request tells {path}."));
        }
    }
    if let Some(chain) = bounds.schain() {
        if chain.complete() {
            sentences.push("Only if the supply chain is complete.".into());
        }
        if chain.max_nodes() != u32::MAX {
            sentences.push(format!("Only if the supply chain has at most {} nodes.", chain.max_nodes()));
        }
        let (include, exclude) = chain.asi();
        for (word, systems) in [("Only if all", include), ("Only if none", exclude)] {
            if !systems.is_empty() {
                let systems = alternatives(systems.iter().map(str::to_owned).collect());
                sentences.push(format!("{word} of the supply chain's systems are {systems}."));
            }
        }
    }
    if let Some(rule) = bounds.supply() {
        let authorised = if rule.required() {
            "Only from sellers that the publisher authorises."
        } else {
            "Not from sellers that the publisher's file does not name."
        };
        sentences.push(authorised.into());
        if rule.direct_only() {
            sentences.push("Only from the owner's own account.".into());
        }
        if !rule.seller_types().is_empty() {
            let types = alternatives(rule.seller_types().iter().map(|own| own.as_str().to_owned()).collect());
            sentences.push(format!("Only from a seller of the type {types}."));
        }
    }
    sentences
}

/// `from a to b`, `a or more`, `a or less`; `None` without ends.
fn range(lowest: &str, highest: &str) -> Option<String> {
    match (lowest.is_empty(), highest.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("{lowest} or more")),
        (true, false) => Some(format!("{highest} or less")),
        (false, false) => Some(format!("from {lowest} to {highest}")),
    }
}

/// `5000 m around 52.52, 13.405`.
fn circle(circle: &Circle) -> String {
    format!("{} m around {}, {}", circle.metres, Micros(circle.lat), Micros(circle.lon))
}
