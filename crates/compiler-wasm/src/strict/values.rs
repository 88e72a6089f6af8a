//! Checks the values of a bid request against the [`table`]: lists, ranges, codes, and attributes that belong together.

mod table;

use std::collections::HashSet;

use bidder_wasm::rules::creative::WORDLESS;

use crate::compile::iso::Codes;
use crate::decode::{Finding, Json, JsonObject, Rule, from_json};
use bidder_wasm::money::{Currency, Micros, Rounding};

use table::{ALLOWED, Allowed, EXCHANGE_SPECIFIC, RELATIONS, Relation};

/// Adds findings on the values of a bid request. Values of the wrong type are skipped: they already have a finding.
pub(super) fn check(body: &[u8], findings: &mut Vec<Finding>) {
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
    /// Checks an object. `owner` is the attribute that contains it, or "" for the request.
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
            // The native request is JSON in a string.
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

    /// The message for a number or text that is not allowed.
    fn wrong(&self, allowed: &Allowed, value: &Json) -> Option<String> {
        match (allowed, value) {
            (Allowed::Listed(list), Json::Integer(number)) => {
                let is_listed = list.contains(number) || *number >= EXCHANGE_SPECIFIC;
                (!is_listed).then(|| {
                    format!(
                        "{number} is unknown; expected {}, or an exchange-specific value from {EXCHANGE_SPECIFIC}",
                        listed(list)
                    )
                })
            }
            (Allowed::Only(list), Json::Integer(number)) => {
                (!list.contains(number)).then(|| format!("{number} is unknown; expected {}", listed(list)))
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
                (amount(value)? < 0).then(|| format!("{}; expected 0 or more", text_of(value)))
            }
            (Allowed::Currency, Json::Text(text)) => {
                let is_code = Currency::parse(text) != Currency::UNKNOWN;
                (!is_code && !text.is_empty())
                    .then(|| format!("{text:?} is not a currency code of ISO 4217; expected a code such as EUR"))
            }
            (Allowed::Country, Json::Text(text)) => self.codes.country(text).filter(|_| !text.is_empty()),
            (Allowed::Language, Json::Text(text)) => {
                let is_checked = !text.is_empty() && !text.eq_ignore_ascii_case(WORDLESS);
                self.codes.language(text).filter(|_| is_checked)
            }
            _ => None,
        }
    }

    fn relation(&mut self, relation: &Relation, path: &str, object: &JsonObject) {
        let at = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let is_given = |name: &str| match object.get(name) {
            None => false,
            Some(Json::Array(items)) => !items.is_empty(),
            Some(Json::Text(text)) => !text.is_empty(),
            Some(_) => true,
        };
        match relation {
            Relation::OneOf(names) => {
                let given: Vec<&str> = names.iter().copied().filter(|name| is_given(name)).collect();
                if let [first, rest @ ..] = &given[..] {
                    for name in rest {
                        self.report(
                            &at(name),
                            format!("given together with {first}; expected only one of {}", names.join(", ")),
                        );
                    }
                }
            }
            Relation::SomeOf(names) => {
                if !names.iter().any(|name| is_given(name)) {
                    self.report(
                        path,
                        format!("has none of the required attributes; expected at least one of {}", names.join(", ")),
                    );
                }
            }
            Relation::Together(one, other) => {
                for (given, missing) in [(one, other), (other, one)] {
                    if is_given(given) && !is_given(missing) {
                        self.report(&at(missing), format!("missing, but {given} is given; expected both or neither"));
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
                    self.report(&at(low), format!("{least} is above {high} {most}; expected {low} not above {high}"));
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
                        let message = format!("{} is already used; expected a unique id", text_of(id));
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

/// The number in millionths. `None` if it does not fit.
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

/// The list as text: `1, 2 or 3`, or `1 to 8` for more than three numbers in a row.
fn listed(numbers: &[i64]) -> String {
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
