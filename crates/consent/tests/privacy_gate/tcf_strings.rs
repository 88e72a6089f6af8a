//! Generated and damaged TCF strings with all their segments: the gate, the reference crate `iab_gpp` and a simple decoder must agree.
//!
//! `iab_gpp` 0.1.2 has two differences from the TCF specification:
//!
//! - It expects a length and an encoding flag before the ranges of a publisher restriction. So the tests ask it only
//!   about strings without restrictions.
//! - It accepts a string that is cut off within the last byte that it needs, where it adds zeros, and ignores text after
//!   that byte.
//!
//! The simple decoder has neither fault; the tests compare it with `iab_gpp` too.

use consent::LegalBasis;
use iab_gpp::sections::tcfeuv2::TcfEuV2;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::encode::{ALPHABET, Ranges, Tcf, Vendors, segment};
use super::{BASES, ask_tcf};

/// A string as lists of ids, decoded bit by bit.
#[derive(Debug, PartialEq, Eq)]
struct Decoded {
    /// In days since 1970.
    created: u64,
    policy: u64,
    is_service_specific: bool,
    special_features: Vec<u16>,
    consent: Vec<u16>,
    interest: Vec<u16>,
    vendor_consent: Vec<u16>,
    vendor_interest: Vec<u16>,
    /// For each restriction: purpose, kind, vendors.
    restrictions: Vec<(u16, u16, Vec<u16>)>,
    disclosed: Option<Vec<u16>>,
}

/// Takes the bits of a text one by one.
struct Reader(std::vec::IntoIter<bool>);

impl Reader {
    fn new(text: &str) -> Option<Self> {
        let sextet = |byte| ALPHABET.iter().position(|letter| *letter == byte);
        let sextets: Option<Vec<usize>> = text.bytes().map(sextet).collect();
        let bits: Vec<bool> = sextets?.iter().flat_map(|six| (0..6).rev().map(move |at| six >> at & 1 == 1)).collect();
        Some(Self(bits.into_iter()))
    }

    fn number(&mut self, count: usize) -> Option<u64> {
        (0..count).try_fold(0, |sum, _| Some(sum * 2 + u64::from(self.0.next()?)))
    }

    fn id(&mut self, count: usize) -> Option<u16> {
        self.number(count).map(|id| u16::try_from(id).unwrap())
    }

    fn field(&mut self, count: u16) -> Option<Vec<u16>> {
        let mut ids = vec![];
        for id in 1..=count {
            if self.0.next()? {
                ids.push(id);
            }
        }
        Some(ids)
    }

    fn ranges(&mut self) -> Option<Vec<u16>> {
        let mut ids = vec![];
        for _ in 0..self.number(12)? {
            let is_range = self.0.next()?;
            let first = self.id(16)?;
            ids.extend(first..=if is_range { self.id(16)? } else { first });
        }
        ids.sort_unstable();
        ids.dedup();
        Some(ids)
    }

    fn vendors(&mut self) -> Option<Vec<u16>> {
        let length = self.id(16)?;
        if self.0.next()? { self.ranges() } else { self.field(length) }
    }
}

fn decode(text: &str) -> Option<Decoded> {
    let mut segments = text.split('.');
    let mut decoded = decode_core(segments.next()?)?;
    let mut kinds = vec![];
    for segment in segments {
        let mut reader = Reader::new(segment)?;
        let kind = reader.number(3)?;
        match kind {
            1 => decoded.disclosed = Some(reader.vendors()?),
            2 => drop(reader.vendors()?),
            3 => {
                reader.field(48)?;
                let custom = reader.id(6)?;
                reader.field(2 * custom)?;
            }
            _ => return None,
        }
        (!kinds.contains(&kind)).then_some(())?;
        kinds.push(kind);
    }
    Some(decoded)
}

fn decode_core(text: &str) -> Option<Decoded> {
    let mut reader = Reader::new(text)?;
    (reader.number(6)? == 2).then_some(())?;
    let created = reader.number(36)? / 864_000;
    for count in [36, 12, 12, 6, 12, 12] {
        reader.number(count)?;
    }
    let (policy, is_service_specific, _) = (reader.number(6)?, reader.number(1)? == 1, reader.number(1)?);
    let special_features = reader.field(12)?;
    let consent = reader.field(24)?;
    let interest = reader.field(24)?;
    reader.number(1 + 12)?;
    let vendor_consent = reader.vendors()?;
    let vendor_interest = reader.vendors()?;
    let mut restrictions = vec![];
    for _ in 0..reader.number(12)? {
        restrictions.push((reader.id(6)?, reader.id(2)?, reader.ranges()?));
    }
    let disclosed = None;
    Some(Decoded {
        created,
        policy,
        is_service_specific,
        special_features,
        consent,
        interest,
        vendor_consent,
        vendor_interest,
        restrictions,
        disclosed,
    })
}

impl Decoded {
    /// Whether the string counts for the vendor. Days 19,631 and 20,513 are 2023-10-01 and 2026-03-01.
    fn counts(&self, vendor: u16) -> bool {
        self.is_service_specific
            && (self.created < 19_631 || self.policy >= 4)
            && self.disclosed.as_ref().map_or(self.created < 20_513, |vendors| vendors.contains(&vendor))
    }

    fn allows(&self, vendor: u16, purpose: u16, basis: LegalBasis) -> bool {
        let own = self.restrictions.iter().filter(|(of, _, vendors)| *of == purpose && vendors.contains(&vendor));
        let kinds: Vec<u16> = own.map(|(_, kind, _)| *kind).collect();
        let restricted = |by: &[u16]| kinds.iter().any(|kind| by.contains(kind));
        let consent =
            self.consent.contains(&purpose) && self.vendor_consent.contains(&vendor) && !restricted(&[0, 2, 3]);
        let interest = [2, 7, 8, 9, 10, 11].contains(&purpose)
            && self.interest.contains(&purpose)
            && self.vendor_interest.contains(&vendor)
            && !restricted(&[0, 1, 3]);
        match basis {
            // A restriction of the other basis changes the basis.
            LegalBasis::FlexibleConsent if restricted(&[2]) => interest,
            LegalBasis::Consent | LegalBasis::FlexibleConsent => consent,
            LegalBasis::FlexibleInterest if restricted(&[1]) => consent,
            LegalBasis::LegitimateInterest | LegalBasis::FlexibleInterest => interest,
            LegalBasis::Either => consent || interest,
        }
    }
}

/// The reference's reading; `None` for strings with restrictions, which it misreads.
fn reference(text: &str) -> Option<Decoded> {
    let TcfEuV2 { core, disclosed_vendors, .. } = text.parse::<TcfEuV2>().ok()?;
    core.publisher_restrictions.is_empty().then_some(())?;
    let ids = |set: std::collections::BTreeSet<u16>| set.into_iter().collect();
    Some(Decoded {
        created: core.created / 86_400,
        policy: core.policy_version.into(),
        is_service_specific: core.is_service_specific,
        special_features: ids(core.special_feature_optins),
        consent: ids(core.purpose_consents),
        interest: ids(core.purpose_legitimate_interests),
        vendor_consent: ids(core.vendor_consents),
        vendor_interest: ids(core.vendor_legitimate_interests),
        restrictions: vec![],
        disclosed: disclosed_vendors.map(ids),
    })
}

/// The segments as the reference reads them: with zeros after their ends, and without foreign characters, which it does
/// not see after the last byte that it needs.
pub(crate) fn mend(text: &str) -> String {
    let of_alphabet = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    let text = text.chars().map(|character| if of_alphabet(character) { character } else { 'A' }).collect::<String>();
    text.replace('.', "AA.") + "AA"
}

/// Compares the gate with the simple decoder, and the decoder with the reference.
fn check(text: &str) -> Result<(), TestCaseError> {
    let decoded = decode(text);
    let reference = reference(text);
    match &decoded {
        Some(reading) if reading.restrictions.is_empty() => prop_assert_eq!(reference.as_ref(), Some(reading)),
        Some(_) => {}
        None => prop_assert!(reference.is_none() || reference == decode(&mend(text)), "{}", text),
    }
    for vendor in [1, 2, 7, 30, 61, 4_000, u16::MAX] {
        for purpose in 1..=24 {
            for basis in BASES {
                let counting = decoded.as_ref().filter(|reading| reading.counts(vendor));
                let expected = counting.map(|reading| {
                    let allowed = reading.allows(vendor, purpose.into(), basis);
                    (allowed, allowed && reading.special_features.contains(&1))
                });
                let answer = ask_tcf(text, vendor, purpose, basis);
                prop_assert_eq!(answer, expected, "vendor {}, purpose {}, {:?}", vendor, purpose, basis);
            }
        }
    }
    Ok(())
}

fn ranges(most: usize) -> impl Strategy<Value = Ranges> {
    vec((1..70_u16, 0..20_u16).prop_map(|(first, more)| (first, first + more)), 0..most)
}

fn vendors() -> impl Strategy<Value = Vendors> {
    prop_oneof![
        vec(any::<bool>(), 0..70).prop_map(Vendors::Field),
        (0..100_u16, ranges(6)).prop_map(|(max, ranges)| Vendors::Ranges { max, ranges }),
    ]
}

fn tcf() -> impl Strategy<Value = Tcf> {
    let restrictions = prop_oneof![Just(vec![]), vec((0..30_u8, 0..4_u8, ranges(4)), 0..6)];
    let created = prop_oneof![Just(19_630), Just(19_631), Just(20_512), Just(20_513)];
    let metadata = (created, 2..6_u8, prop::bool::weighted(0.9));
    let lists = (vendors(), vendors(), prop::option::weighted(0.8, vendors()));
    (metadata, any::<[u32; 3]>(), lists, restrictions).prop_map(
        |(
            (created, policy, is_service_specific),
            masks,
            (vendor_consent, vendor_interest, disclosed),
            restrictions,
        )| {
            let (version, [special_features, consent, interest]) = (2, masks);
            Tcf {
                version,
                created,
                policy,
                is_service_specific,
                special_features,
                consent,
                interest,
                vendor_consent,
                vendor_interest,
                restrictions,
                disclosed,
            }
        },
    )
}

/// Segments beside the core and the disclosed vendors: the formerly allowed vendors, and the publisher's purposes.
fn others() -> impl Strategy<Value = String> {
    let allowed = vendors().prop_map(|vendors| ".".to_owned() + &segment(2, &vendors));
    prop_oneof![3 => Just(String::new()), 1 => allowed, 1 => Just(".YAAAAAAAAAA".to_owned())]
}

/// Changes, inserts or removes a character, or cuts the text off.
pub(crate) fn damage(text: &str, how: u8, at: Index, with: char) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let at = at.index(characters.len());
    match how % 4 {
        0 => characters[at] = with,
        1 => characters.insert(at, with),
        2 => drop(characters.remove(at)),
        _ => characters.truncate(at),
    }
    characters.into_iter().collect()
}

proptest! {
    #[test]
    fn generated_strings_are_read_alike(tcf in tcf(), others in others()) {
        let text = tcf.text() + &others;
        prop_assert!(decode(&text).is_some());
        check(&text)?;
    }

    #[test]
    fn damaged_strings_are_read_alike(tcf in tcf(), others in others(), how: u8, at: Index, with in "[A-Za-z0-9_ =+.-]") {
        check(&damage(&(tcf.text() + &others), how, at, with.chars().next().unwrap()))?;
    }

    #[test]
    fn any_text_is_read_or_refused_alike(text in "(C|C[A-Z]{0,3})?[\\PC]{0,60}") {
        let counts = decode(&text).is_some_and(|reading| reading.counts(1));
        prop_assert_eq!(ask_tcf(&text, 1, 1, LegalBasis::Consent).is_some(), counts);
    }
}
