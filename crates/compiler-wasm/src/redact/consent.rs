//! Removes from consent strings what no decision reads. What stays are the answers that a person and a publisher gave.
//!
//! A string of the TCF tells when the person answered, to a tenth of a second: together with the site, that is nearly an
//! id. The times become zero. A string that no decision can read becomes [`UNREADABLE`], because its text could be
//! anything, and because its presence counts.

use std::borrow::Cow;

use bidder_wasm::privacy;

/// Stands for a string that no decision can read. No format of consent strings can be read from it.
const UNREADABLE: &str = "-";

/// Characters of a core segment with six bits each: the version, and the two times with 36 bits each.
const VERSION: usize = 1;
const TIMES: usize = 12;

/// The section of the TCF in a string of the Global Privacy Platform.
const TCF_EU_V2: u32 = 2;

/// The sections whose strings are kept: the US Privacy string, and those of the United States.
const US: core::ops::RangeInclusive<u32> = 6..=23;

/// The core segment of a TCF string of version 2, with both times set to zero.
pub(super) fn tcf(text: &str) -> Cow<'static, str> {
    let core = text.split_once('.').map_or(text, |(core, _)| core);
    let is_readable = core.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    match (core.get(..VERSION), core.get(VERSION + TIMES..)) {
        _ if text.is_empty() => Cow::Borrowed(""),
        (Some("C"), Some(rest)) if is_readable => Cow::Owned(format!("C{}{rest}", "A".repeat(TIMES))),
        _ => Cow::Borrowed(UNREADABLE),
    }
}

/// A string of the Global Privacy Platform, with the sections that a decision may read. The others become
/// [`UNREADABLE`], so that the header still fits.
pub(super) fn gpp(text: &str) -> String {
    let mut kept = String::new();
    for (id, section) in privacy::sections(text) {
        kept.push('~');
        match id {
            TCF_EU_V2 => kept.push_str(&tcf(section)),
            _ if US.contains(&id) => kept.push_str(section),
            _ => kept.push_str(UNREADABLE),
        }
    }
    match text.split_once('~') {
        Some((header, _)) if !kept.is_empty() => format!("{header}{kept}"),
        _ if text.is_empty() => String::new(),
        _ => UNREADABLE.to_owned(),
    }
}

/// A US Privacy string, which has four characters.
pub(super) fn us_privacy(text: &str) -> &str {
    if text.len() <= 4 { text } else { UNREADABLE }
}
