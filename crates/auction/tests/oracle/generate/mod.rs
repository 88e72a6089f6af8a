//! Generates pairs of a catalog and a request, with the context of a decision, from a [`grammar`].

mod catalog;
mod functions;
mod grammar;
mod request;
pub mod words;

use std::fmt;

use openrtb::read::spec;
use proptest::prelude::*;
use reasons::kind::{DIMENSIONS, Dimension, Kind, kind_of};
use rules::targeting::value;
use serde_json::Value;

use grammar::Grammar;
use words::{BROWSERS, CIDS, COUNTRY_NOTATIONS, CRIDS, ENDS, SSPS, STARTS};

#[derive(Clone)]
pub struct Pair {
    pub catalog: Value,
    pub request: Value,
    pub context: Value,
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\ncatalog: {}\nrequest: {}\ncontext: {}\n", self.catalog, self.request, self.context)
    }
}

pub fn pair() -> impl Strategy<Value = Pair> {
    let grammar = grammar();
    let [catalog, request, context] = ["catalog", "request", "context"].map(|rule| grammar.strategy(rule));
    (catalog, request, context, 0..12_u8).prop_map(|(mut catalog, mut request, context, odd)| {
        // Sometimes remove restrictions, so that many campaigns bid on one impression.
        if odd >= 9 {
            let remove = |of: &mut Value, keys: &[&str]| {
                of.as_object_mut().unwrap().retain(|key, _| !keys.contains(&key.as_str()));
            };
            remove(&mut request, &["wseat", "bseat", "bcat", "acat", "badv", "wlang", "wlangb"]);
            for campaign in catalog["campaigns"].as_array_mut().unwrap() {
                remove(campaign, &["target", "ssps", "skadn", "flights", "start", "end"]);
            }
        }
        Pair { catalog, request, context }
    })
}

/// The grammar with the rules that follow from the dimensions of targeting and from the oracle's words.
fn grammar() -> Grammar {
    let texts = [include_str!("words.txt"), include_str!("catalog.txt"), include_str!("request.txt")];
    let mut grammar = Grammar::new(&texts, functions::function);
    for (name, words) in [("cid", CIDS), ("crid", CRIDS), ("ssp", SSPS)] {
        grammar.add_choice(name, words.iter().map(|word| Value::from(*word)));
    }
    for (name, words) in [("agent", BROWSERS), ("country_notation", COUNTRY_NOTATIONS)] {
        grammar.add_choice(name, words.iter().map(|(word, _)| Value::from(*word)));
    }
    for (name, instants) in [("start", STARTS), ("end", ENDS)] {
        grammar.add_choice(name, instants.iter().map(|(text, _)| Value::from(*text)));
    }
    for (name, of_request) in [("dimension_of_request", true), ("dimension_of_imp", false)] {
        let dimensions = DIMENSIONS.iter().filter(|dimension| value::request::has(dimension.reason) == of_request);
        let rules = dimensions.map(|dimension| format!("{{{}: {}}}", dimension.name, rule_on(dimension, &grammar)));
        let rules: Vec<String> = rules.collect();
        grammar.add(name, rules.join(" | "));
    }
    for (name, object, root) in [
        ("device", "device", "device"),
        ("geo", "device.geo", "geo"),
        ("content", "app.content", "channel.content"),
        ("site", "site", "channel"),
        ("app", "app", "channel"),
        ("dooh", "dooh", "channel"),
    ] {
        let attributes = format!("{{{}}}", attributes(object, root, &grammar).join(", "));
        grammar.add(&format!("{name}_attributes"), attributes);
    }
    grammar
}

/// The rule with the values of a dimension.
fn values_of<'d>(dimension: &'d Dimension, grammar: &Grammar) -> &'d str {
    match kind_of(dimension.reason).unwrap() {
        _ if grammar.has(dimension.name) => dimension.name,
        Kind::Number | Kind::Offset => "other_number",
        _ => "other_text",
    }
}

/// The shape of a target's rule on a dimension.
fn rule_on(dimension: &Dimension, grammar: &Grammar) -> String {
    let values = values_of(dimension, grammar);
    match kind_of(dimension.reason).unwrap() {
        Kind::Channel => "[some 1..2 (\"site\" | \"app\" | \"dooh\")]".into(),
        Kind::Flag => "truth".into(),
        Kind::Number | Kind::Offset | Kind::Segment => format!("include_exclude({values})"),
        Kind::Address => "in_ranges".into(),
        Kind::Text | Kind::Domain | Kind::Category | Kind::Id => format!("among({values})"),
    }
}

/// The members for the targeting attributes that an object has, each with a value that a target may name. `root` is the
/// object's name in the paths of the dimensions. Attributes with alternatives are not among them.
fn attributes(object: &str, root: &str, grammar: &Grammar) -> Vec<String> {
    let own = DIMENSIONS.iter().filter_map(|dimension| match dimension.paths {
        [path] => Some((dimension, path.strip_prefix(root)?.strip_prefix('.')?)),
        _ => None,
    });
    let own = own.filter(|(_, name)| !name.contains(['.', '|']) && spec::has(&format!("{object}.{name}")));
    let valued = own.filter_map(|(dimension, name)| {
        let values = match kind_of(dimension.reason)? {
            Kind::Flag => "flag",
            Kind::Number | Kind::Text | Kind::Id => values_of(dimension, grammar),
            _ => return None,
        };
        Some(format!("{name} 80%: {values}"))
    });
    valued.collect()
}
