//! The TCF purposes that a use of data needs, and the purposes that a TCF 2.3 string grants one vendor ("TC String
//! Format", version 2).
//!
//! Reads all segments to their ends, so that it refuses a string that is cut off anywhere. Ignores CMP, language, the
//! publisher's country and purposes, and `PurposeOneTreatment`, because an undisclosed purpose has no consent.

use core::num::NonZeroU16;

use super::bits::Bits;
use flat::flat;

const VERSION: u32 = 2;

/// `CmpId`, `CmpVersion`, `ConsentScreen`, `ConsentLanguage`, `VendorListVersion`.
const METADATA_BITS: usize = 12 + 12 + 6 + 12 + 12;

/// `PurposeOneTreatment` and `PublisherCC`.
const JURISDICTION_BITS: usize = 1 + 12;

const DISCLOSED_VENDORS: u32 = 1;
/// Removed in TCF 2.2, so older strings may have it.
const ALLOWED_VENDORS: u32 = 2;
const PUBLISHER_TC: u32 = 3;

/// A day in the first 32 of the 36 bits of `Created`, which counts tenths of a second since 1970.
const DAY: u32 = (24 * 60 * 60 * 10) >> 4;
/// 2023-10-01: a string created from this day on is of policy version 4 or later.
const POLICY_4_DAY: u32 = 19_631;
/// 2026-03-01: a string created from this day on has the segment Disclosed Vendors.
const DISCLOSURE_DAY: u32 = 20_513;

/// The purposes that legitimate interest can fulfil: 2 and 7 to 11 (TCF 2.2, `PurposesLITransparency`).
const MAY_BE_INTEREST: u32 = 0b111_1100_0010;

const SPECIAL_FEATURES: usize = 12;
const PURPOSES: usize = 24;

/// The purposes that a string grants. One bit per purpose: purpose 1 is bit 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grant {
    special_features: u32,
    /// Purposes with consent to the purpose and the vendor, that the publisher does not rule out.
    consent: u32,
    /// Purposes with a legitimate interest of the vendor, without an objection, that the publisher does not rule out.
    interest: u32,
    restrictions: Restrictions,
}

impl Grant {
    /// Whether the string fulfils every purpose of the set.
    pub(super) fn covers(self, needed: &Purposes) -> bool {
        // Ruling out one basis for a purpose means requiring the other.
        let as_required = self.consent & self.restrictions.no_interest | self.interest & self.restrictions.no_consent;
        let fulfilled =
            needed.by_consent & self.consent | needed.by_interest & self.interest | needed.flexible & as_required;
        needed.all & !fulfilled == 0
    }

    /// Whether the person opted in to special feature 1, "use precise geolocation data".
    pub(super) fn precise_geo(self) -> bool {
        self.special_features & 1 == 1
    }
}

/// Why a string grants nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It does not start with a complete core segment of version 2.
    Unreadable,
    /// A segment after the core is empty, cut off, unknown or there twice.
    Segment,
    /// `IsServiceSpecific` is 0.
    Global,
    /// It was created after 2023-09-30 with a policy version below 4.
    Policy,
    /// It was created after 2026-02-28 without the segment Disclosed Vendors.
    NoDisclosure,
    /// It is valid, but does not list our vendor as disclosed to the person. So there is no legal basis at all.
    Undisclosed,
}

/// The purposes that the text grants `vendor`.
pub(super) fn read(text: &str, vendor: NonZeroU16) -> Result<Grant, Fault> {
    let mut segments = text.split('.');
    let core =
        segments.next().and_then(Bits::new).and_then(|bits| Core::read(bits, vendor)).ok_or(Fault::Unreadable)?;
    let mut disclosed = None;
    let mut seen = 0_u32;
    for segment in segments {
        let (kind, lists) = read_segment(segment, vendor).ok_or(Fault::Segment)?;
        if seen & 1 << kind != 0 {
            return Err(Fault::Segment);
        }
        seen |= 1 << kind;
        if kind == DISCLOSED_VENDORS {
            disclosed = Some(lists);
        }
    }
    if !core.is_service_specific {
        Err(Fault::Global)
    } else if core.created_day >= POLICY_4_DAY && core.policy < 4 {
        Err(Fault::Policy)
    } else if core.created_day >= DISCLOSURE_DAY && disclosed.is_none() {
        Err(Fault::NoDisclosure)
    } else if disclosed == Some(false) {
        Err(Fault::Undisclosed)
    } else {
        Ok(core.grant)
    }
}

/// What a string that is kept needs to be read alike without its exact time: the first day of the period with the rules
/// of its day, and its segment Disclosed Vendors. `None` if the string is not valid.
pub fn kept(text: &str) -> Option<(u32, Option<&str>)> {
    if !matches!(read(text, NonZeroU16::MIN), Ok(_) | Err(Fault::Undisclosed)) {
        return None;
    }
    let mut segments = text.split('.');
    let core = Core::read(Bits::new(segments.next()?)?, NonZeroU16::MIN)?;
    let day = [DISCLOSURE_DAY, POLICY_4_DAY].into_iter().find(|day| *day <= core.created_day).unwrap_or_default();
    let kind = |segment: &&str| Bits::new(segment).and_then(|mut bits| bits.take(3));
    Some((day, segments.find(|segment| kind(segment) == Some(DISCLOSED_VENDORS))))
}

/// What the core segment says.
struct Core {
    /// The day of `Created`, in days since 1970.
    created_day: u32,
    policy: u32,
    is_service_specific: bool,
    grant: Grant,
}

impl Core {
    fn read(mut bits: Bits<'_>, vendor: NonZeroU16) -> Option<Self> {
        if bits.take(6)? != VERSION {
            return None;
        }
        let created_day = bits.take(32)? / DAY;
        // The rest of `Created`, and `LastUpdated`.
        bits.skip(4 + 36)?;
        bits.skip(METADATA_BITS)?;
        let policy = bits.take(6)?;
        let is_service_specific = bits.bit()?;
        // `UseNonStandardTexts`.
        bits.skip(1)?;
        let special_features = bit_field(&mut bits, SPECIAL_FEATURES)?;
        let consent = bit_field(&mut bits, PURPOSES)?;
        let interest = bit_field(&mut bits, PURPOSES)?;
        bits.skip(JURISDICTION_BITS)?;
        let vendor_consent = vendors(&mut bits, vendor)?;
        let vendor_interest = vendors(&mut bits, vendor)?;
        let restrictions = Restrictions::read(&mut bits, vendor)?;
        let only_if = |condition: bool, granted: u32| if condition { granted } else { 0 };
        let grant = Grant {
            special_features,
            consent: only_if(vendor_consent, consent) & !restrictions.no_consent,
            interest: only_if(vendor_interest, interest) & MAY_BE_INTEREST & !restrictions.no_interest,
            restrictions,
        };
        Some(Self { created_day, policy, is_service_specific, grant })
    }
}

/// The type of a segment after the core, and whether it lists the vendor. `None` if it is cut off or of an unknown type.
fn read_segment(segment: &str, vendor: NonZeroU16) -> Option<(u32, bool)> {
    let mut bits = Bits::new(segment)?;
    let kind = bits.take(3)?;
    let lists = match kind {
        DISCLOSED_VENDORS | ALLOWED_VENDORS => vendors(&mut bits, vendor)?,
        PUBLISHER_TC => {
            bits.skip(2 * PURPOSES)?;
            let custom = bits.take(6)? as usize;
            bits.skip(2 * custom)?;
            false
        }
        _ => return None,
    };
    Some((kind, lists))
}

/// The next `count` bits, the first of them as bit 0.
fn bit_field(bits: &mut Bits<'_>, count: usize) -> Option<u32> {
    Some((bits.take(count)? << (u32::BITS as usize - count)).reverse_bits())
}

/// Whether the next list of vendors (such as "Vendor Consent Section" or "Disclosed Vendors") has the vendor. The list is
/// one bit per vendor, or ranges of ids.
fn vendors(bits: &mut Bits<'_>, vendor: NonZeroU16) -> Option<bool> {
    let length = bits.take(16)? as usize;
    if bits.bit()? {
        return ranges(bits, vendor);
    }
    let before = usize::from(vendor.get()) - 1;
    if length <= before {
        bits.skip(length)?;
        return Some(false);
    }
    bits.skip(before)?;
    let listed = bits.bit()?;
    bits.skip(length - before - 1)?;
    Some(listed)
}

/// Whether the next list of range entries has the vendor. The ids may be in any order.
fn ranges(bits: &mut Bits<'_>, vendor: NonZeroU16) -> Option<bool> {
    let vendor = u32::from(vendor.get());
    let mut listed = false;
    for _ in 0..bits.take(12)? {
        // `IsARange` and `StartOrOnlyVendorId` in one read: strings have hundreds of entries.
        let entry = bits.take(1 + 16)?;
        let start = entry & 0xffff;
        let end = if start < entry { bits.take(16)? } else { start };
        listed |= (start..=end).contains(&vendor);
    }
    Some(listed)
}

/// "Publisher Restrictions" on the vendor: the purposes for which the publisher rules out a basis.
#[derive(Debug, Clone, Copy)]
struct Restrictions {
    no_consent: u32,
    no_interest: u32,
}

impl Restrictions {
    fn read(bits: &mut Bits<'_>, vendor: NonZeroU16) -> Option<Self> {
        let mut restrictions = Self { no_consent: 0, no_interest: 0 };
        for _ in 0..bits.take(12)? {
            let purpose = bits.take(6)?;
            let kind = bits.take(2)?;
            if !ranges(bits, vendor)? {
                continue;
            }
            // Purposes 1 to 32 have a bit; others do not exist and are ignored.
            let purpose = purpose.checked_sub(1).and_then(|shift| 1_u32.checked_shl(shift)).unwrap_or(0);
            match kind {
                // Consent is required.
                1 => restrictions.no_interest |= purpose,
                // Legitimate interest is required.
                2 => restrictions.no_consent |= purpose,
                // 0 is "not allowed". 3 is undefined, and the strict reading is "not allowed" too.
                _ => {
                    restrictions.no_consent |= purpose;
                    restrictions.no_interest |= purpose;
                }
            }
        }
        Some(restrictions)
    }
}

/// The number of purposes in a TCF string.
const MAX_PURPOSE: u8 = 24;

/// The legal basis of a purpose. A vendor declares the first four on the Global Vendor List. If the publisher rules out
/// a basis, the purpose needs the other one, which only a vendor with a flexible purpose has.
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
    /// Consent or legitimate interest, whichever the string grants. A vendor cannot declare this basis.
    Either,
}

flat! {
    /// A set of purposes, each with its legal basis. One bit per purpose: purpose 1 is bit 0.
    #[derive(PartialEq, Eq)]
    pub struct Purposes {
        /// Purposes that consent fulfils.
        by_consent: u32,
        /// Purposes that legitimate interest fulfils.
        by_interest: u32,
        /// Purposes that either basis fulfils if the publisher requires that basis.
        flexible: u32,
        /// All purposes of the set.
        all: u32,
    }
}

impl Purposes {
    /// The empty set.
    pub const NONE: Self = Self { by_consent: 0, by_interest: 0, flexible: 0, all: 0 };

    /// Adds `purpose`, 1 to 24, or changes its basis. With any other number, no string fulfils the set.
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
