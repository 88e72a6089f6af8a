//! Words that several explanations use.

use core::fmt::{Display, Write as _};

use bidder_wasm::catalog::Among;
use bidder_wasm::flat::Flat;
use bidder_wasm::request::Size;

/// Most items that a list tells: a campaign may have hundreds of creatives, a request thousands of blocked domains.
const MOST_LISTED: usize = 8;

pub(super) fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut items = items.into_iter();
    let text = join(items.by_ref().take(MOST_LISTED), ", ");
    match (text.is_empty(), items.count()) {
        (true, _) => "none".into(),
        (false, 0) => text,
        (false, more) => format!("{text} and {more} more"),
    }
}

/// A list with each text once.
pub(super) fn few(texts: impl IntoIterator<Item = String>) -> String {
    let mut distinct: Vec<String> = Vec::new();
    for text in texts {
        if !text.is_empty() && !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    list(distinct)
}

pub(super) fn join<T: Display>(items: impl IntoIterator<Item = T>, between: &str) -> String {
    let mut text = String::new();
    for item in items {
        if !text.is_empty() {
            text.push_str(between);
        }
        let _ = write!(text, "{item}");
    }
    text
}

pub(super) fn among<'s, T: Flat>(rule: &Among<'s, T>) -> String
where
    T::View<'s>: Display,
{
    sides(rule.include.iter(), rule.exclude.iter())
}

pub(super) fn sides<T: Display>(include: impl Iterator<Item = T>, exclude: impl Iterator<Item = T>) -> String {
    let (include, exclude) = (join(include, ", "), join(exclude, ", "));
    match (include.is_empty(), exclude.is_empty()) {
        (true, _) => format!("not {exclude}"),
        (false, true) => include,
        (false, false) => format!("{include}, not {exclude}"),
    }
}

pub(super) fn range(from: &str, to: &str) -> String {
    format!("{from} to {to}")
}

pub(super) fn known(text: &str) -> String {
    if text.is_empty() { "unknown".into() } else { text.to_owned() }
}

pub(super) fn number(value: i64) -> String {
    if value == 0 { "unknown".into() } else { value.to_string() }
}

pub(super) fn maybe_number(value: Option<i64>) -> String {
    value.map_or("unknown".into(), |value| value.to_string())
}

pub(super) fn maybe(value: Option<bool>) -> String {
    value.map_or("unknown", |value| if value { "yes" } else { "no" }).into()
}

pub(super) fn size(size: Size) -> String {
    let told = |length: i64| if length > 0 { length.to_string() } else { "any".into() };
    format!("{}x{}", told(size.w), told(size.h))
}
