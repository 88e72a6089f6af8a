//! The values that the model allows, beyond their types: lists, ranges, codes, and attributes that go together or not.
//!
//! What is allowed is in the [`table`]; this walks through a request and compares.

mod table;

use std::collections::HashSet;

use bidder_wasm::rules::creative::WORDLESS;

use crate::compile::iso::Codes;
use crate::decode::{Finding, Json, JsonObject, Rule, from_json};
use bidder_wasm::money::{Currency, Micros, Rounding};

use table::{ALLOWED, Allowed, RELATIONS, Relation, VENDORS};

/// Findings on the values of a bid request. What is not of its type has a finding already.
pub(crate) fn check(body: &[u8], findings: &mut Vec<Finding>) {
    if let Ok(decoded) = from_json::<Json>(body)
        && let Some(Json::Object(request)) = &decoded.value
    {
        Walk { codes: Codes::new(), findings }.object("", "", request);
    }
}

struct Walk<'f> {
    codes: Codes,
    findings: &'f mut Vec<Finding>,
}

impl Walk<'_> {
    /// An object of the attribute `owner`; "" is the request.
    fn object(&mut self, owner: &str, path: &str, object: &JsonObject) {
        for (owners, relation) in RELATIONS {
            if owners.contains(&owner) {
                self.relation(relation, path, object);
            }
        }
        for (name, value) in object.0.iter().filter(|(name, _)| name != "ext") {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let allowed = ALLOWED.iter().find(|(owners, names, _)| {
                (owners.is_empty() || owners.contains(&owner)) && names.contains(&name.as_str())
            });
            self.value(name, &path, value, allowed.map(|(_, _, allowed)| allowed));
        }
    }

    fn value(&mut self, name: &str, path: &str, value: &Json, allowed: Option<&Allowed>) {
        match value {
            Json::Object(object) => self.object(name, path, object),
            Json::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    self.value(name, &format!("{path}[{i}]"), item, allowed);
                }
            }
            // The Native request travels as text.
            Json::Text(text) if name == "request" => {
                if let Some(Json::Object(object)) = from_json::<Json>(text.as_bytes()).ok().and_then(|read| read.value)
                {
                    self.object(name, path, &object);
                }
            }
            scalar => {
                if let Some(message) = allowed.and_then(|allowed| self.wrong(allowed, scalar)) {
                    self.report(path, message);
                }
            }
        }
    }

    /// What is wrong with a number or text of the right type.
    fn wrong(&self, allowed: &Allowed, value: &Json) -> Option<String> {
        match (allowed, value) {
            (Allowed::Listed(list), Json::Integer(number)) => {
                let is_listed = list.contains(number) || *number >= VENDORS;
                (!is_listed).then(|| {
                    format!("{number} is unknown; expected {}, or an exchange's own from {VENDORS} on", among(list))
                })
            }
            (Allowed::Only(list), Json::Integer(number)) => {
                (!list.contains(number)).then(|| format!("{number} is unknown; expected {}", among(list)))
            }
            (Allowed::From(least), Json::Integer(number)) => {
                (number < least).then(|| format!("{number}; expected at least {least}"))
            }
            (Allowed::Between(least, most), Json::Integer(_) | Json::Decimal(_)) => {
                let micros = amount(value)?;
                let is_in = least * MILLION <= micros && micros <= most * MILLION;
                (!is_in).then(|| format!("{}; expected {least} to {most}", text_of(value)))
            }
            (Allowed::NotNegative, Json::Integer(_) | Json::Decimal(_)) => {
                (amount(value)? < 0).then(|| format!("{}; expected no negative number", text_of(value)))
            }
            (Allowed::Currency, Json::Text(text)) => {
                let is_code = Currency::parse(text) != Currency::UNKNOWN;
                (!is_code && !text.is_empty())
                    .then(|| format!("{text:?} is no currency of ISO 4217; expected a code such as EUR"))
            }
            (Allowed::Country, Json::Text(text)) => self.codes.country(text).filter(|_| !text.is_empty()),
            (Allowed::Language, Json::Text(text)) => {
                let told = !text.is_empty() && !text.eq_ignore_ascii_case(WORDLESS);
                self.codes.language(text).filter(|_| told)
            }
            _ => None,
        }
    }

    fn relation(&mut self, relation: &Relation, path: &str, object: &JsonObject) {
        let at = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let told = |name: &str| match object.get(name) {
            None => false,
            Some(Json::Array(items)) => !items.is_empty(),
            Some(Json::Text(text)) => !text.is_empty(),
            Some(_) => true,
        };
        match relation {
            Relation::OneOf(names) => {
                let given: Vec<&str> = names.iter().copied().filter(|name| told(name)).collect();
                if let [first, rest @ ..] = &given[..] {
                    for name in rest {
                        self.report(
                            &at(name),
                            format!("given beside {first}; expected only one of {}", names.join(", ")),
                        );
                    }
                }
            }
            Relation::SomeOf(names) => {
                if !names.iter().any(|name| told(name)) {
                    self.report(path, format!("has none of these; expected at least one of {}", names.join(", ")));
                }
            }
            Relation::Together(one, other) => {
                for (given, missing) in [(one, other), (other, one)] {
                    if told(given) && !told(missing) {
                        self.report(&at(missing), format!("missing beside {given}; expected both or neither"));
                    }
                }
            }
            Relation::InOrder(low, high) => {
                let number = |name: &str| match object.get(name) {
                    Some(Json::Integer(number)) => Some(*number),
                    _ => None,
                };
                if let (Some(least), Some(most)) = (number(low), number(high))
                    && least > most
                {
                    self.report(&at(low), format!("{least} is more than {high} {most}; expected no more"));
                }
            }
            Relation::DifferentIds(list) => {
                let Some(Json::Array(items)) = object.get(list) else { return };
                let mut seen = HashSet::new();
                for (i, item) in items.iter().enumerate() {
                    if let Json::Object(item) = item
                        && let Some(id) = item.get("id")
                        && !seen.insert(text_of(id))
                    {
                        let message = format!("{} is taken; expected an id of its own", text_of(id));
                        self.report(&format!("{}[{i}].id", at(list)), message);
                    }
                }
            }
        }
    }

    fn report(&mut self, path: &str, message: String) {
        self.findings.push(Finding::new(path.to_owned(), Rule::OutOfRange, message));
    }
}

const MILLION: i64 = 1_000_000;

/// In millionths; `None` where that does not fit.
fn amount(value: &Json) -> Option<i64> {
    let text = text_of(value);
    let size = Micros::parse(text.strip_prefix('-').unwrap_or(&text), Rounding::Up)?;
    Some(if text.starts_with('-') { -size.0 } else { size.0 })
}

fn text_of(value: &Json) -> String {
    match value {
        Json::Integer(number) => number.to_string(),
        Json::Decimal(text) => text.clone(),
        Json::Text(text) => format!("{text:?}"),
        _ => String::new(),
    }
}

/// `1, 2 or 3`; `1 to 8` where there are many in a row.
fn among(numbers: &[i64]) -> String {
    let in_a_row = numbers.windows(2).all(|pair| matches!(pair, [a, b] if a + 1 == *b));
    match numbers {
        [first, .., last] if in_a_row && numbers.len() > 3 => format!("{first} to {last}"),
        [rest @ .., last] if !rest.is_empty() => {
            format!("{} or {last}", rest.iter().map(i64::to_string).collect::<Vec<_>>().join(", "))
        }
        _ => numbers.first().map(i64::to_string).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
