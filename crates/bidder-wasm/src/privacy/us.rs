//! The US sections of a GPP string: the national section and those of the states, 7 to 23; and the US Privacy string.
//!
//! A section is a core segment with a version and two-bit fields, and may have a segment with the browser's Global
//! Privacy Control (GPC). In most fields, 0 = not applicable, 1 = no or opted out, 2 = yes or did not opt out. The
//! verdict is contextual if
//!
//! - the person opted out of sale, sharing or targeted advertising,
//! - the person got no notice of such an opt-out,
//! - the person is a known child, with or without consent,
//! - GPC is set, or
//! - the publisher makes us a service provider (MSPA Service Provider Mode: no targeted advertising across contexts).
//!
//! Notices of processing and consents to sensitive categories are ignored: these fields are about data that a bid never
//! has.

use core::ops::RangeInclusive;

use super::Verdict;
use super::bits::Bits;

/// The sections with a [`layout`].
pub(super) const IDS: RangeInclusive<i64> = 7..=23;

const GPC_SEGMENT: u32 = 1;

/// The verdict of a section: contextual if it cannot be read or there is no such section.
pub(super) fn verdict(id: i64, text: &str) -> Verdict {
    read(id, text).unwrap_or(Verdict::Contextual)
}

/// The verdict of a section; `None` if the section cannot be read.
fn read(id: i64, text: &str) -> Option<Verdict> {
    let mut segments = text.split('.');
    let verdict = core_segment(id, segments.next()?)?;
    // There is at most one more segment: repeating a type is an error.
    let Some(segment) = segments.next() else { return Some(verdict) };
    let mut bits = Bits::new(segment)?;
    if bits.take(2)? != GPC_SEGMENT || segments.next().is_some() {
        return None;
    }
    Some(if bits.bit()? { Verdict::Contextual } else { verdict })
}

fn core_segment(id: i64, segment: &str) -> Option<Verdict> {
    let mut bits = Bits::new(segment)?;
    let version = bits.take(6)?;
    let mut verdict = Verdict::FREE;
    for field in layout(id, version)?.bytes().filter(|&field| field != b' ') {
        let value = bits.take(2)?;
        verdict = verdict.min(match (field, value) {
            // 3 has no meaning in any field, so it counts as a refusal.
            (b'n', 2 | 3) | (b'o' | b'p', 1 | 3) | (b'c', 1..=3) => Verdict::Contextual,
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
