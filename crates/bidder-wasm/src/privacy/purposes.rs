//! The TCF purposes that a use of data needs, each with a legal basis. `tcf` reads which purposes a string grants.

use crate::flat::flat;

/// The number of purposes in a TCF string.
const MAX_PURPOSE: u8 = 24;

/// The legal basis of a purpose. A vendor declares the first four on the Global Vendor List. If the publisher rules out
/// a basis, the purpose needs another one; a vendor that did not declare the purpose flexible has no other basis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LegalBasis {
    /// Consent alone.
    Consent,
    /// Legitimate interest alone. Never fulfilled for purposes 1 and 3 to 6.
    LegitimateInterest,
    /// Flexible: consent, or legitimate interest if the publisher requires it.
    FlexibleConsent,
    /// Flexible: legitimate interest, or consent if the publisher requires it.
    FlexibleInterest,
    /// Consent or legitimate interest, as the string grants. A vendor cannot declare this basis.
    Either,
}

flat! {
    /// A set of purposes, each with its legal basis. One bit per purpose: purpose 1 is bit 0.
    #[derive(PartialEq, Eq)]
    pub struct Purposes {
        /// Purposes that consent fulfils.
        pub(super) by_consent: u32,
        /// Purposes that legitimate interest fulfils.
        pub(super) by_interest: u32,
        /// Purposes that either basis fulfils if the publisher requires that basis.
        pub(super) flexible: u32,
        /// All purposes of the set.
        pub(super) all: u32,
    }
}

impl Purposes {
    /// The empty set.
    pub const NONE: Self = Self { by_consent: 0, by_interest: 0, flexible: 0, all: 0 };

    /// Adds `purpose`, 1 to 24, or changes its basis. With any other number, no string fulfils the set.
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
    /// The purposes, each with whether consent fulfils it and whether legitimate interest does.
    pub fn iter(self) -> impl Iterator<Item = (u8, bool, bool)> {
        let has = |set: u32, purpose: u8| set & bit(purpose) != 0;
        (1..=MAX_PURPOSE)
            .filter(move |purpose| has(self.all, *purpose))
            .map(move |purpose| (purpose, has(self.by_consent, purpose), has(self.by_interest, purpose)))
    }
}

/// The bit of a purpose; bit 31, which no string sets, if there is no such purpose.
const fn bit(purpose: u8) -> u32 {
    if purpose == 0 || MAX_PURPOSE < purpose { 1 << 31 } else { 1 << (purpose - 1) }
}
