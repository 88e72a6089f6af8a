//! Refuses macros of the auction that no exchange fills, such as `${AUCTON_PRICE}`. A notice with such a macro brings no
//! price, so its spend would be missing.

use core::fmt::Arguments;

use document::check::suggestion;
use document::decode::{Finding, Rule, TextKind, nearest};

/// The macros of OpenRTB 2.6 §4.4, and two names of `AUCTION_MIN_TO_WIN` that exchanges fill.
const KNOWN: [&str; 16] = [
    "AUCTION_ID",
    "AUCTION_BID_ID",
    "AUCTION_IMP_ID",
    "AUCTION_SEAT_ID",
    "AUCTION_AD_ID",
    "AUCTION_PRICE",
    "AUCTION_CURRENCY",
    "AUCTION_MBR",
    "AUCTION_LOSS",
    "AUCTION_MIN_TO_WIN",
    "AUCTION_MULTIPLIER",
    "AUCTION_IMP_TS",
    "AUCTION_DISCOUNT_PCT",
    "AUCTION_DISCOUNT_CPM",
    "AUCTION_MINIMUM_BID_TO_WIN",
    "MIN_BID_TO_WIN",
];

const PREFIX: &str = "AUCTION_";

/// Reports the first macro of the text that is wrong. `own` is how SSPs spell the price macro.
pub(super) fn check(text: &str, kind: TextKind, own: &[String], path: Arguments<'_>, findings: &mut Vec<Finding>) {
    let is_own = |at: &str| own.iter().any(|own| !own.is_empty() && at.starts_with(own));
    let positions = text.match_indices("${").filter_map(|(at, _)| text.get(at..)).filter(|at| !is_own(at));
    let Some(wrong) = positions.clone().find_map(wrong) else {
        // A URL has no scripts.
        if let Some(name) = positions.filter(|_| kind == TextKind::Url).find_map(unknown) {
            let suggestion =
                suggestion(&format!("{PREFIX}{name}"), KNOWN.into_iter(), "only macros of OpenRTB", findings);
            let message = format!("OpenRTB has no macro {name:?}; {suggestion}");
            findings.push(Finding::new(path.to_string(), Rule::Ambiguous, message));
        }
        return;
    };
    let message = match wrong {
        Wrong::Unknown(name) => {
            let expected = format!("one of {}", KNOWN.join(", "));
            let suggestion = suggestion(&name.to_ascii_uppercase(), KNOWN.into_iter(), &expected, findings);
            format!("no exchange fills the macro {name:?}; {suggestion}")
        }
        Wrong::Open(name) => format!("the macro {name:?} has no end; expected ${{{name}}} or ${{{name}:X}}"),
    };
    findings.push(Finding::new(path.to_string(), Rule::Unknown, message));
}

/// The name of the macro that starts here, if OpenRTB has none with it.
fn unknown(text: &str) -> Option<&str> {
    let (name, _) = text.strip_prefix("${")?.split_once('}')?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    (is_name && !name.is_empty() && !KNOWN.contains(&name)).then_some(name)
}

/// What is wrong with a macro, and its name.
enum Wrong<'t> {
    Unknown(&'t str),
    Open(&'t str),
}

/// What is wrong with the macro that starts here. Scripts in markup have the same form, `${name}`, so a name counts only
/// if it is nearly that of a macro.
fn wrong(text: &str) -> Option<Wrong<'_>> {
    let text = text.strip_prefix("${")?;
    let word = |text: &str| text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let (name, rest) = text.split_at_checked(word(text))?;
    let encoding = rest.strip_prefix(':');
    let rest = encoding.map_or(rest, |rest| rest.get(word(rest)..).unwrap_or_default());
    if KNOWN.contains(&name) {
        return (!rest.starts_with('}')).then_some(Wrong::Open(name));
    }
    let is_meant = name.starts_with(PREFIX)
        || nearest(name, KNOWN.into_iter()).is_some()
        || KNOWN.iter().any(|known| known.eq_ignore_ascii_case(name));
    is_meant.then_some(Wrong::Unknown(name))
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, wrong};

    #[test]
    fn what_exchanges_fill_is_right() {
        for known in KNOWN {
            for text in [format!("${{{known}}}"), format!("${{{known}:X}}"), format!("${{{known}:B64}}")] {
                assert!(wrong(&text).is_none(), "{text}");
            }
        }
    }
}
