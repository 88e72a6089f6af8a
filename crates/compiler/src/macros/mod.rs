//! Replaces our macros in the texts of a document, such as `{bid.id}`, with marks that say how their values must be
//! escaped: see [`catalog::macros`].
//!
//! Refuses a macro that does not exist, and a macro in a position where no escaping makes every value safe. Braces that
//! are no macro stay as they are, because styles and scripts have many.

mod auction_macros;
mod foreign;
mod html;
pub(super) mod plain_http;
mod positions;
mod script;
mod url;
mod vast;

use std::collections::HashSet;

use super::media::markup;
use base::limits::MAX_PHRASE_VALUE;
use catalog::macros::{Context, MARK, MARK_BYTES, Macro, mark};
use document::Document;
use document::check::suggestion;
use document::decode::{Attribute, Finding, Rule, TextKind, distance};
use openrtb::read::Needs;
use positions::{Position, Positions};

/// Where a document has macros.
#[derive(Debug, Default)]
pub(super) struct Marked {
    /// The paths of the entries that have macros, e.g. `creatives[3]`.
    pub(super) entries: HashSet<String>,
    /// The parts of a request that the values need.
    pub(super) needs: Needs,
}

/// Replaces all our macros of the document, and checks those of the auction.
pub(super) fn mark_all(document: &mut Document, findings: &mut Vec<Finding>) -> Marked {
    let mut marked = Marked::default();
    let of_price: Vec<String> = document.ssps.iter().map(|ssp| ssp.price_macro.clone()).collect();
    let fills = document.ssps.iter().any(|ssp| ssp.fill_macros);
    document.visit_texts(None, format_args!(""), &mut |text, kind, path| {
        auction_macros::check(text, kind, &of_price, path, findings);
        foreign::check(text, kind, &of_price, path, findings);
        if kind == TextKind::Markup {
            markup::check(text, path, findings);
        }
        let report = |rule, message| findings.push(Finding::new(path.to_string(), rule, message));
        if mark_text(text, kind, fills, &mut marked.needs, report) {
            let path = path.to_string();
            marked.entries.extend(path.split_once('.').map(|(entry, _)| entry.to_owned()));
        }
    });
    marked
}

/// The number of characters of a text of a native ad, each macro with its longest value.
pub(super) fn characters(text: &str) -> usize {
    // A mark has three characters.
    text.chars().count() + text.matches(MARK).count() * (MAX_PHRASE_VALUE - 3)
}

/// The bytes of all marks in a text.
pub(super) fn mark_bytes(text: &str) -> usize {
    text.matches(MARK).count() * MARK_BYTES
}

/// The message of a finding with the names of macros instead of marks.
pub(super) fn unmarked(message: &mut String) {
    // A quoted text has the mark's first character as an escape.
    const QUOTED: &str = "\\u{fdd0}";
    if !message.contains(MARK) && !message.contains(QUOTED) {
        return;
    }
    let mut text = message.replace(QUOTED, MARK.encode_utf8(&mut [0; 4]));
    for which in Macro::ALL {
        for context in Context::ALL {
            let mut own = String::new();
            mark(&mut own, *which, context);
            text = text.replace(&own, &which.written());
        }
    }
    *message = text;
}

/// A longer name in braces is not meant as a macro.
const MAX_NAME_BYTES: usize = 40;

/// A name in braces that is a macro, or that an author meant as one.
struct Found<'t> {
    /// The text before it.
    before: &'t str,
    name: &'t str,
    which: Option<Macro>,
}

/// Replaces the macros of one text, and reports those that are wrong. `fills`: also the macros of the exchange that must be
/// escaped. Returns whether the text has marks.
fn mark_text(
    text: &mut String,
    kind: TextKind,
    fills: bool,
    needs: &mut Needs,
    mut report: impl FnMut(Rule, String),
) -> bool {
    let (found, rest) = found(text, fills);
    if found.is_empty() {
        return false;
    }
    for name in found.iter().filter(|found| found.which.is_none()).map(|found| found.name) {
        let names = own_names();
        let expected = format!("one of {}", names.clone().collect::<Vec<_>>().join(", "));
        let suggestion = suggestion(&name.to_ascii_lowercase(), names, &expected, &[]);
        report(Rule::Unknown, format!("no macro is named {name:?}; {suggestion}"));
    }
    let positions = positions(&found, rest, kind);
    let mut marked = String::with_capacity(text.len());
    for (Found { before, which, .. }, position) in found.iter().zip(positions) {
        marked.push_str(before);
        let Some(which) = *which else { continue };
        let name = which.written();
        match position {
            Ok(context) => {
                mark(&mut marked, which, context);
                which.need(needs);
            }
            Err(expected) if which.is_of_exchange() => {
                marked.push_str(&name);
                let message =
                    format!("no value of {name} is safe here, so edgebid does not fill it; expected it {expected}");
                report(Rule::Ambiguous, message);
            }
            Err(expected) => {
                let message = format!("the macro {name} is not safe in its position; expected it {expected}");
                report(Rule::OutOfRange, message);
            }
        }
    }
    marked.push_str(rest);
    *text = marked;
    true
}

/// The macros of a text, and the text behind the last one. `fills`: also those of the exchange that have marks.
fn found(text: &str, fills: bool) -> (Vec<Found<'_>>, &str) {
    let (mut found, mut rest, mut at) = (Vec::new(), text, 0);
    while let Some(open) = rest.get(at..).and_then(|text| text.find('{')).map(|open| at + open) {
        let (before, behind) = rest.split_at_checked(open).unwrap_or((rest, ""));
        at = open + 1;
        // `${name}` is a macro of the exchange, or belongs to a script.
        if let Some(before) = before.strip_suffix('$') {
            let of_exchange = Macro::ALL.iter().copied().filter(|which| fills && which.is_of_exchange());
            let mut found_here =
                of_exchange.filter_map(|which| Some((which, behind.strip_prefix(which.as_str().get(1..)?)?)));
            if let Some((which, behind)) = found_here.next() {
                found.push(Found { before, name: which.as_str(), which: Some(which) });
                (rest, at) = (behind, 0);
            }
            continue;
        }
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
        let length = behind.bytes().skip(1).take(MAX_NAME_BYTES).take_while(is_word).count();
        let (name, behind) = behind.split_at_checked(1 + length).unwrap_or_default();
        let (Some(name), Some(behind)) = (name.get(1..), behind.strip_prefix('}')) else { continue };
        let which = Macro::parse(name);
        if which.is_some() || is_meant(name) {
            found.push(Found { before, name, which });
            (rest, at) = (behind, 0);
        }
    }
    (found, rest)
}

/// Whether a name is nearly that of a macro, or starts like one.
fn is_meant(name: &str) -> bool {
    // Scripts have many short names in braces.
    let most = match name.len() {
        0..=4 => 0,
        5..=8 => 1,
        _ => 2,
    };
    let is_near = |known: &str| {
        let family = known.split_inclusive('.').next().filter(|family| family.ends_with('.'));
        known.eq_ignore_ascii_case(name)
            || family.is_some_and(|family| name.starts_with(family))
            || distance(name, known).is_some_and(|distance| distance <= most)
    };
    own_names().any(is_near)
}

/// The names of our own macros.
fn own_names() -> impl Iterator<Item = &'static str> + Clone {
    Macro::ALL.iter().filter(|known| !known.is_of_exchange()).map(|known| known.as_str())
}

/// Whether a text ends in a character reference without `;`, which the value could continue.
fn ends_in_reference(before: &str) -> bool {
    before
        .rsplit_once('&')
        .is_some_and(|(_, name)| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#'))
}

/// How each macro of a text must be escaped, or where it was expected.
fn positions(found: &[Found<'_>], rest: &str, kind: TextKind) -> Vec<Position> {
    let of_number = if kind == TextKind::Words { Context::Plain } else { Context::Url };
    // A number is safe everywhere, so only the others are looked at.
    let mut text = String::new();
    let bare = found.iter().map(|found| found.before.trim_end().ends_with('='));
    let mut positions = Positions::new(bare);
    for (number, Found { before, which, .. }) in found.iter().enumerate() {
        text.push_str(before);
        if which.is_some() && kind != TextKind::Url && ends_in_reference(before) {
            positions.set(number, Err("not directly behind &, which begins a character reference; &amp; stands for &"));
            text.push('0');
        } else if which.is_none_or(Macro::is_number) {
            positions.set(number, Ok(of_number));
            text.push('0');
        } else {
            text.push(positions::stand_in(number));
        }
    }
    text.push_str(rest);
    match kind {
        TextKind::Url => url::find(&text, &mut positions),
        TextKind::Fixed => positions.set_all(&text, Err("in other attributes: this text is the same for all requests")),
        TextKind::Markup => html::find(&text, &mut positions),
        TextKind::Vast => vast::find(&text, &mut positions),
        TextKind::Words => positions.set_all(&text, Ok(Context::Plain)),
    }
    positions.done()
}

#[cfg(test)]
mod tests;
