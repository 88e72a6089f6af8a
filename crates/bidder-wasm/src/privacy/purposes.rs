//! What a use of data needs under the TCF: purposes, each with its legal basis.
//!
//! Knows no string: what one grants is up to `tcf`.

use crate::flat::flat;

/// Most purposes that a TCF string can hold.
const MAX_PURPOSE: u8 = 24;

/// On what a purpose may rest. The first four are the ways to declare one on the Global Vendor
/// List. A basis that the publisher rules out for us is lost, and with it the purpose, unless it
/// has another: a vendor that did not declare it flexible must not process at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LegalBasis {
    /// Consent alone.
    Consent,
    /// Legitimate interest alone. Never fulfilled for purposes 1 and 3 to 6.
    LegitimateInterest,
    /// Flexible: consent, or legitimate interest where the publisher requires that.
    FlexibleConsent,
    /// Flexible: legitimate interest, or consent where the publisher requires that.
    FlexibleInterest,
    /// Whichever of the two the string establishes: laxer than a declaration can be.
    Either,
}

flat! {
    /// A set of purposes, each with the basis that it needs. One bit per purpose: purpose 1 is bit 0.
    #[derive(PartialEq, Eq)]
    pub struct Purposes {
        /// Fulfilled by consent.
        pub(super) by_consent: u32,
        /// Fulfilled by legitimate interest.
        pub(super) by_interest: u32,
        /// Fulfilled by whichever of the two the publisher requires.
        pub(super) flexible: u32,
        /// All of the set.
        pub(super) all: u32,
    }
}

impl Purposes {
    /// Nothing is needed.
    pub const NONE: Self = Self { by_consent: 0, by_interest: 0, flexible: 0, all: 0 };

    /// The set and `purpose`, 1 to 24, on `basis`; a purpose that is already in takes the new
    /// basis. A purpose beyond 24 makes a set that no string fulfils.
    #[must_use]
    pub const fn with(self, purpose: u8, basis: LegalBasis) -> Self {
        let bit = bit(purpose);
        let (consent, interest, flexible) = match basis {
            LegalBasis::Consent => (bit, 0, 0),
            LegalBasis::LegitimateInterest => (0, bit, 0),
            LegalBasis::FlexibleConsent => (bit, 0, bit),
            LegalBasis::FlexibleInterest => (0, bit, bit),
            LegalBasis::Either => (bit, bit, 0),
        };
        Self {
            by_consent: self.by_consent & !bit | consent,
            by_interest: self.by_interest & !bit | interest,
            flexible: self.flexible & !bit | flexible,
            all: self.all | bit,
        }
    }
}

impl Purposes {
    /// The purposes, each with whether consent and whether legitimate interest will do.
    pub fn iter(self) -> impl Iterator<Item = (u8, bool, bool)> {
        let has = |set: u32, purpose: u8| set & bit(purpose) != 0;
        (1..=MAX_PURPOSE)
            .filter(move |purpose| has(self.all, *purpose))
            .map(move |purpose| (purpose, has(self.by_consent, purpose), has(self.by_interest, purpose)))
    }
}

/// The bit of a purpose; one that no string holds if there is no such purpose.
const fn bit(purpose: u8) -> u32 {
    if purpose == 0 || MAX_PURPOSE < purpose { 1 << 31 } else { 1 << (purpose - 1) }
}
