//! Checks the values of a bid request against the [`table`]: lists, ranges, codes, and attributes that belong together.

mod table;

use std::collections::HashSet;

use rules::own::WORDLESS;

use base::money::{Currency, Micros, Rounding};
use compiler::iso;
use document::decode::{Context, Json, JsonObject, Rule};

use table::{ALLOWED, Allowed, EXCHANGE_SPECIFIC, RELATIONS, Relation};

/// Adds a finding on a number or text that the attribute does not allow. A value of another type has one already.
pub(super) fn check(kind: &str, name: &str, value: &Json, cx: &mut Context) {
    let row =
        ALLOWED.iter().find(|(kinds, names, _)| (kinds.is_empty() || kinds.contains(&kind)) && names.contains(&name));
    if let Some(message) = row.and_then(|(.., allowed)| wrong(allowed, value)) {
        cx.report(Rule::OutOfRange, format_args!("{message}"));
    }
}

/// Adds findings on attributes of an object that do not belong together.
pub(super) fn check_relations(kind: &str, object: &JsonObject, cx: &mut Context) {
    RELATIONS.iter().filter(|(kinds, _)| kinds.contains(&kind)).for_each(|(_, rule)| relation(rule, object, cx));
}

/// The message for a number or text that is not allowed.
fn wrong(allowed: &Allowed, value: &Json) -> Option<String> {
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
        (Allowed::Country, Json::Text(text)) => iso::country(text).filter(|_| !text.is_empty()),
        (Allowed::Language, Json::Text(text)) => {
            let is_checked = !text.is_empty() && !text.eq_ignore_ascii_case(WORDLESS);
            iso::language(text).filter(|_| is_checked)
        }
        _ => None,
    }
}

fn relation(relation: &Relation, object: &JsonObject, cx: &mut Context) {
    let mut report = |name: &str, message: String| {
        cx.at_attribute(name, |cx| cx.report(Rule::OutOfRange, format_args!("{message}")));
    };
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
                    report(name, format!("given together with {first}; expected only one of {}", names.join(", ")));
                }
            }
        }
        Relation::SomeOf(names) => {
            if !names.iter().any(|name| is_given(name)) {
                cx.report(
                    Rule::OutOfRange,
                    format_args!("has none of the required attributes; expected at least one of {}", names.join(", ")),
                );
            }
        }
        Relation::Together(one, other) => {
            for (given, missing) in [(one, other), (other, one)] {
                if is_given(given) && !is_given(missing) {
                    report(missing, format!("missing, but {given} is given; expected both or neither"));
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
                report(low, format!("{least} is above {high} {most}; expected {low} not above {high}"));
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
                    report(&format!("{list}[{i}].id"), message);
                }
            }
        }
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
