//! Removes from consent strings what no decision reads. What stays are the answers that a person and a publisher gave.
//!
//! A string of the TCF tells when the person answered, to a tenth of a second: together with the site, that is nearly an
//! id. The times become the first day with the rules that hold for the string. A string that no decision can read becomes
//! [`UNREADABLE`], because its text could be anything, and because its presence counts.

use std::borrow::Cow;

/// Stands for a string that no decision can read. No format of consent strings can be read from it.
const UNREADABLE: &str = "-";

/// Lengths in a core segment of the TCF, in characters of six bits: the version, and each of the two times.
const VERSION: usize = 1;
const TIME: usize = 6;

/// The section of the TCF in a string of the Global Privacy Platform.
const TCF_EU_V2: u32 = 2;

/// The sections whose strings are kept: the US Privacy string, and those of the United States.
const US: core::ops::RangeInclusive<u32> = 6..=27;

/// A valid TCF string with other times, and without segments that no decision reads.
pub(super) fn tcf(text: &str) -> Cow<'static, str> {
    if text.is_empty() {
        return Cow::Borrowed("");
    }
    let core = text.split_once('.').map_or(text, |(core, _)| core);
    let (Some((day, disclosed)), Some(rest)) = (consent::kept_tcf(text), core.get(VERSION + 2 * TIME..)) else {
        return Cow::Borrowed(UNREADABLE);
    };
    let time = time(day);
    let disclosed = disclosed.map_or_else(String::new, |segment| format!(".{segment}"));
    Cow::Owned(format!("C{time}{time}{rest}{disclosed}"))
}

/// The beginning of a day since 1970 in tenths of a second, as a TCF string has it.
fn time(day: u32) -> String {
    let tenths = u64::from(day) * 24 * 60 * 60 * 10;
    let character = |at: usize| ALPHABET.get((tenths >> (6 * at) & 63) as usize).copied().map(char::from);
    (0..TIME).rev().filter_map(character).collect()
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A string of the Global Privacy Platform, with the sections that a decision may read. The others become
/// [`UNREADABLE`], so that the header still fits.
pub(super) fn gpp(text: &str) -> String {
    let mut kept = String::new();
    for (id, section) in consent::sections(text) {
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
