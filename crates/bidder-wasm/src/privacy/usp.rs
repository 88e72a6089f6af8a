//! The US Privacy string (CCPA, version 1): `1`, then three answers, each `Y`, `N` or `-`: notice given, opted out of
//! sale, covered by the LSPA. `1---` says that CCPA does not apply.
//!
//! Only the opt-out matters. Text in any other form, also in lower case, may be an opt-out, so its verdict is
//! contextual.

use super::Verdict;

/// The verdict of `regs.us_privacy`. Empty means absent.
pub(super) fn verdict(text: &str) -> Verdict {
    if text.is_empty() { Verdict::FREE } else { verdict_of_section(text) }
}

/// The verdict of GPP section 6. Empty means unreadable: `gpp_sid` says that the section applies.
pub(super) fn verdict_of_section(text: &str) -> Verdict {
    match text.as_bytes() {
        [b'1', b'Y' | b'N' | b'-', b'N' | b'-', b'Y' | b'N' | b'-'] => Verdict::FREE,
        _ => Verdict::Contextual,
    }
}
