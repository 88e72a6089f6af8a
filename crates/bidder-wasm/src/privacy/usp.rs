//! The US Privacy string (CCPA, version 1): `1`, then notice given, opted out of sale, covered by
//! the LSPA, each `Y`, `N` or `-`.
//!
//! Only the opt-out is acted upon. A string that is anything else, also in lower case, shows that
//! somebody had a choice to state and leaves it unknown: contextual. `1---`: CCPA does not apply.

use super::Verdict;

/// Of `regs.us_privacy`; an empty string is an absent one.
pub(super) fn verdict(text: &str) -> Verdict {
    if text.is_empty() { Verdict::FREE } else { verdict_of_section(text) }
}

/// Of GPP section 6, which is there if it is listed.
pub(super) fn verdict_of_section(text: &str) -> Verdict {
    match text.as_bytes() {
        [b'1', b'Y' | b'N' | b'-', b'N' | b'-', b'Y' | b'N' | b'-'] => Verdict::FREE,
        _ => Verdict::Contextual,
    }
}
