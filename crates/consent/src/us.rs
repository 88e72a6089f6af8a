//! The US sections of a GPP string: the national section and those of the states, 7 to 27; and the US Privacy string.
//!
//! A section is a core segment with a version and two-bit fields, and may have a second segment: with the browser's Global
//! Privacy Control (GPC), or with consents to sensitive categories. In most fields, 0 = not applicable, 1 = no or opted
//! out, 2 = yes or did not opt out. The verdict is contextual if
//!
//! - the person opted out of sale, sharing or targeted advertising,
//! - the person got no notice of such an opt-out,
//! - the person is a known child, with or without consent,
//! - GPC is set, or
//! - the publisher makes us a service provider (MSPA Service Provider Mode: no targeted advertising across contexts).
//!
//! Notices of processing and consents to sensitive categories other than the precise location are ignored: these fields
//! are about data that a bid never has.
//!
//! Sections 24 to 27 exist in two layouts. Their specifications (October 2025) put a header before the core: the section's
//! id, a version, and which other segments there are. IAB's library (iabgpp-es 3.2.0) writes no header.

use core::ops::RangeInclusive;

use super::bits::Bits;
use super::verdict::Verdict;

/// The sections with a [`layout`].
pub(super) const IDS: RangeInclusive<i64> = 7..=27;

/// The sections that may have a header.
const WITH_HEADER: RangeInclusive<i64> = 24..=27;

/// Indiana, Kentucky, Rhode Island: their second segment has the consents to [`SENSITIVE`] categories. That of all other
/// sections has GPC.
const WITH_SENSITIVE: RangeInclusive<i64> = 25..=27;

const SENSITIVE: &str = "-------g";

/// The id of the second segment.
const SECOND: u32 = 1;

/// The verdict of a section: contextual if it cannot be read or there is no such section.
pub(super) fn verdict(id: i64, text: &str) -> Verdict {
    read(id, text).unwrap_or(Verdict::Contextual)
}

/// The verdict of a section; `None` if the section cannot be read.
fn read(id: i64, text: &str) -> Option<Verdict> {
    let mut segments = text.split('.');
    let mut bits = Bits::new(segments.next()?)?;
    let mut version = bits.take(6)?;
    // No version is as high as these ids.
    let has_header = WITH_HEADER.contains(&id) && i64::from(version) == id;
    let header = if has_header { Some(announces_second(bits)?) } else { None };
    if header.is_some() {
        bits = Bits::new(segments.next()?)?;
        version = bits.take(6)?;
    }
    let core = fields(layout(id, version)?, &mut bits)?;
    let second = match segments.next() {
        Some(_) if header == Some(false) => return None,
        Some(segment) => Some(Bits::new(segment)?),
        // After a header, the second segment may follow the core in the same text.
        None => (header == Some(true)).then_some(bits),
    };
    // Repeating a segment is an error.
    if segments.next().is_some() {
        return None;
    }
    let second = match (second, WITH_SENSITIVE.contains(&id)) {
        (Some(mut bits), true) => fields(SENSITIVE, &mut bits)?,
        (None, true) => Verdict::Personal { precise_geo: false },
        (Some(bits), false) => gpc(bits)?,
        (None, false) => Verdict::FREE,
    };
    Some(core.min(second))
}

/// Reads the rest of a header, after the section's id: whether there is a second segment. `None` if the header is of
/// another version, or names another segment.
fn announces_second(mut bits: Bits<'_>) -> Option<bool> {
    if bits.take(6)? != 1 {
        return None;
    }
    // A "Range (Fibonacci)", as in the header of `gpp`. It never lists the core.
    match bits.take(12)? {
        0 => Some(false),
        1 => (!bits.bit()? && bits.fibonacci()? == SECOND).then_some(true),
        _ => None,
    }
}

fn gpc(mut bits: Bits<'_>) -> Option<Verdict> {
    let is_gpc = bits.take(2)? == SECOND;
    let is_set = bits.bit()?;
    is_gpc.then_some(if is_set { Verdict::Contextual } else { Verdict::FREE })
}

/// The verdict of two-bit fields, which [`layout`] explains.
fn fields(layout: &str, bits: &mut Bits<'_>) -> Option<Verdict> {
    let mut verdict = Verdict::FREE;
    for field in layout.bytes().filter(|&field| field != b' ') {
        let value = bits.take(2)?;
        verdict = verdict.min(match (field, value) {
            // 3 has no meaning in any field, so it counts as a refusal.
            (b'n' | b's', 2 | 3) | (b'o' | b'p', 1 | 3) | (b'c', 1..=3) => Verdict::Contextual,
            (b'g', 0 | 1 | 3) => Verdict::Personal { precise_geo: false },
            (b'm', 0 | 3) => return None,
            _ => Verdict::FREE,
        });
    }
    Some(verdict)
}

/// The two-bit fields after the version, in order:
///
/// - `n`: notice of an opt-out from sale, sharing or targeted advertising
/// - `o`: the opt-out
/// - `g`: the sensitive category "precise geolocation"; only 2 allows it
/// - `c`: consent for a known child; 0 if there is no child
/// - `m`: whether the MSPA covers the transaction: 1 = yes, 2 = no
/// - `p`: MSPA service provider mode
/// - `s`: MSPA mode: 2 = service provider mode
/// - `-`: ignored
fn layout(id: i64, version: u32) -> Option<&'static str> {
    Some(match (id, version) {
        // US national
        (7, 1) => "-nnn-- ooo -------g---- cc - m-p",
        (7, 2) => "-nnn-- ooo -------g-------- ccc - m-p",
        // California
        (8, 1) => "nn- oo --g------ cc - m-p",
        // Virginia
        (9, 1) => "-nn oo -------g c m-p",
        // Colorado
        (10, 1) => "-nn oo ------- c m-p",
        // Utah, Iowa
        (11 | 18, 1) => "-nn- oo -------g c m-p",
        // Connecticut
        (12, 1) => "-nn oo -------g ccc m-p",
        // Florida, Montana, New Hampshire
        (13 | 14 | 20, 1) => "-nn oo -------g ccc - m-p",
        // Oregon
        (15, 1) => "-nn oo ----------g ccc - m-p",
        // Texas, Nebraska, Tennessee, Minnesota
        (16 | 19 | 22 | 23, 1) => "-nn oo -------g c - m-p",
        // Delaware
        (17, 1) => "-nn oo -------g- ccccc - m-p",
        // New Jersey
        (21, 1) => "-nn oo -------g-- ccccc - m-p",
        // Maryland
        (24, 1) => "ms -nn oo -",
        // Indiana, Kentucky, Rhode Island
        (25..=27, 1) => "ms -nn oo c -",
        _ => return None,
    })
}

/// The verdict of `regs.us_privacy`, the US Privacy string (CCPA, version 1): `1`, then three answers, each `Y`, `N` or
/// `-`: notice given, opted out of sale, covered by the LSPA. `1---` says that CCPA does not apply. Empty means absent.
pub(super) fn verdict_of_ccpa(text: &str) -> Verdict {
    if text.is_empty() { Verdict::FREE } else { verdict_of_ccpa_section(text) }
}

/// The verdict of GPP section 6. Empty means unreadable: `gpp_sid` says that the section applies.
///
/// Only the opt-out matters. Text in any other form, also in lower case, may be an opt-out, so its verdict is
/// contextual.
pub(super) fn verdict_of_ccpa_section(text: &str) -> Verdict {
    match text.as_bytes() {
        [b'1', b'Y' | b'N' | b'-', b'N' | b'-', b'Y' | b'N' | b'-'] => Verdict::FREE,
        _ => Verdict::Contextual,
    }
}
