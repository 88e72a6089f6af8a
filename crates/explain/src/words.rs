//! Lists, ranges and values as text, for the other files of this module.

use core::fmt::{Display, Write as _};

use openrtb::request::Size;

/// Items that a list names before "and 12 more": a request may block thousands of domains.
const MAX_LISTED: usize = 8;

/// The items with commas; `none` without items.
pub(super) fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut items = items.into_iter();
    let text = join(items.by_ref().take(MAX_LISTED), ", ");
    match (text.is_empty(), items.count()) {
        (true, _) => "none".into(),
        (false, 0) => text,
        (false, more) => format!("{text} and {more} more"),
    }
}

/// A list that names each text once and skips empty texts.
pub(super) fn distinct_list(texts: impl IntoIterator<Item = String>) -> String {
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

/// What a rule asks for; `needs_value` is its `exclude_unknown`.
pub(super) fn include_exclude<T: Display>(
    include: impl Iterator<Item = T>,
    exclude: impl Iterator<Item = T>,
    needs_value: bool,
) -> String {
    let (include, exclude) = (join(include, ", "), join(exclude, ", "));
    match (include.is_empty(), exclude.is_empty()) {
        (true, true) if needs_value => "a known value".into(),
        (true, false) if needs_value => format!("a known value, not {exclude}"),
        (true, _) => format!("not {exclude}"),
        (false, true) => include,
        (false, false) => format!("{include}, not {exclude}"),
    }
}

pub(super) fn range(from: &str, to: &str) -> String {
    match (from, to) {
        (from, "") => format!("at least {from}"),
        ("", to) => format!("at most {to}"),
        _ => format!("{from} to {to}"),
    }
}

pub(super) fn text_or_unknown(text: &str) -> String {
    if text.is_empty() { "unknown".into() } else { text.to_owned() }
}

/// A number; 0 stands for a number that the request does not give.
pub(super) fn nonzero_or_unknown(value: i64) -> String {
    if value == 0 { "unknown".into() } else { value.to_string() }
}

pub(super) fn number_or_unknown(value: Option<i64>) -> String {
    value.map_or("unknown".into(), |value| value.to_string())
}

pub(super) fn yes_or_no(value: bool) -> String {
    if value { "yes" } else { "no" }.into()
}

pub(super) fn size(size: Size) -> String {
    let length = |px: i64| if px > 0 { px.to_string() } else { "any".into() };
    format!("{}x{}", length(size.w), length(size.h))
}
