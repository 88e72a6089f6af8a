//! Notes macros of other ad servers, such as `%%CACHEBUSTER%%` and `[timestamp]`, which nobody fills here: the ad keeps
//! them as they are.

use core::fmt::Arguments;

use document::decode::{Finding, Rule, TextKind};

/// What stands before and behind a macro.
const MARKS: [(&str, &str); 4] = [(PERCENT, PERCENT), ("[", "]"), ("{{", "}}"), ("##", "##")];
const PERCENT: &str = "%%";

/// Names of such macros without marks between their words, and our macro with the same value, if there is one.
const NAMES: [(&str, &str); 19] = [
    ("timestamp", "timestamp"),
    ("unixtimestamp", "timestamp"),
    ("time", "timestamp"),
    ("random", "cachebuster"),
    ("rand", "cachebuster"),
    ("randomnumber", "cachebuster"),
    ("cachebuster", "cachebuster"),
    ("cachebusting", "cachebuster"),
    ("cachebust", "cachebuster"),
    ("cb", "cachebuster"),
    ("ord", "cachebuster"),
    ("correlator", "cachebuster"),
    ("clickurl", ""),
    ("clickurlunesc", ""),
    ("clickurlesc", ""),
    ("clicktag", ""),
    ("clicktracker", ""),
    ("clickmacro", ""),
    ("click", ""),
];

/// Macros that players fill in the URLs of a VAST document.
const OF_PLAYERS: [&str; 2] = ["TIMESTAMP", "CACHEBUSTING"];

/// Notes the first such macro of the text. `own` is how SSPs spell the price macro: an exchange that fills its own
/// `%%PRICE%%` may fill others too.
pub(super) fn check(text: &str, kind: TextKind, own: &[String], path: Arguments<'_>, findings: &mut Vec<Finding>) {
    let is_played = || {
        let path = path.to_string();
        kind == TextKind::Vast || [".video", ".audio"].iter().any(|media| path.contains(media))
    };
    let marks = MARKS.iter().filter(|(open, _)| *open != PERCENT || !own.iter().any(|own| own.starts_with(PERCENT)));
    let Some((name, meant)) =
        marks.flat_map(|(open, close)| within(text, open, close)).find_map(|(open, before, name)| {
            let meant = meant(name);
            let is_macro = match open {
                // Only an ad server writes a name in capitals so.
                PERCENT => meant.is_some() || is_capitals(name),
                "[" => meant.is_some() && is_in_url(before) && !(OF_PLAYERS.contains(&name) && is_played()),
                _ => meant.is_some(),
            };
            is_macro.then_some((name, meant.filter(|own| !own.is_empty() && kind != TextKind::Fixed)))
        })
    else {
        return;
    };
    let expected =
        meant.map_or_else(|| "only macros that one fills".to_owned(), |own| format!("{{{own}}}, which edgebid fills"));
    let message = format!("no SSP of the catalog fills the macro {name:?}; expected {expected}");
    findings.push(Finding::new(path.to_string(), Rule::Ambiguous, message));
}

/// The names between these marks, each with the opening mark and the text before it.
fn within<'t>(text: &'t str, open: &'static str, close: &str) -> Vec<(&'static str, &'t str, &'t str)> {
    let at = |(position, _)| {
        let (before, rest) = text.split_at_checked(position)?;
        let name = rest.strip_prefix(open)?;
        let length =
            name.bytes().take(MAX_NAME).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let (name, behind) = name.split_at_checked(length)?;
        (length > 1 && behind.starts_with(close)).then_some((open, before, name))
    };
    text.match_indices(open).filter_map(at).collect()
}

const MAX_NAME: usize = 40;

/// The macro of ours that is meant, empty if there is none; `None` if the name is not that of a macro.
fn meant(name: &str) -> Option<&'static str> {
    let bare: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    NAMES.iter().find(|(known, _)| *known == bare).map(|(_, own)| *own)
}

fn is_capitals(name: &str) -> bool {
    name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Whether a text ends where a URL goes on with a value. Elsewhere, square brackets belong to texts and scripts.
fn is_in_url(before: &str) -> bool {
    before.ends_with(['=', '/', '?', '&', ';', ','])
}
