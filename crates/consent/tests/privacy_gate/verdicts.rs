//! The behaviours of the gate, with rows for both sides of each.

use core::num::NonZeroU16;

use consent::LegalBasis::{Consent, Either, FlexibleConsent, FlexibleInterest, LegitimateInterest};
use consent::{Fallback, Purposes, Settings, Verdict};
use openrtb::request::{Channel, Device, Regs, Request, User};

use super::encode::{Tcf, Vendors, gpp, us_core};
use super::{BASES, FREE, NO_PRECISE_GEO, ask_gpp, ask_tcf, gdpr, regs, verdict};

const NONE: Verdict = Verdict::None;
const CONTEXTUAL: Verdict = Verdict::Contextual;

/// Our vendor id in these tests.
pub(super) const OUR_ID: u16 = 300;

/// A string of 2026-06-01 that discloses our vendor id, and grants it everything by both bases.
pub(super) fn granted() -> Tcf {
    Tcf {
        version: 2,
        created: 20_605,
        policy: 5,
        is_service_specific: true,
        special_features: 1,
        consent: 0x00ff_ffff,
        interest: 0x00ff_ffff,
        vendor_consent: Vendors::field(&[OUR_ID]),
        vendor_interest: Vendors::field(&[OUR_ID]),
        restrictions: vec![],
        disclosed: Some(Vendors::field(&[OUR_ID])),
    }
}

/// A string that grants nothing.
fn refused() -> String {
    Tcf { consent: 0, interest: 0, ..granted() }.text()
}

pub(super) fn registered() -> Settings {
    Settings { vendor_id: NonZeroU16::new(OUR_ID), ..Settings::default() }
}

fn check(settings: &Settings, rows: &[(&str, Request<'_>, Verdict)]) {
    for (behaviour, request, expected) in rows {
        assert_eq!(verdict(request, settings), *expected, "{behaviour}");
    }
}

#[test]
fn what_a_verdict_allows() {
    let of = |verdict: Verdict| [verdict.allows_bid(), verdict.allows_personal(), verdict.allows_precise_geo()];
    assert_eq!(of(NONE), [false, false, false]);
    assert_eq!(of(CONTEXTUAL), [true, false, false]);
    assert_eq!(of(NO_PRECISE_GEO), [true, true, false]);
    assert_eq!(of(FREE), [true, true, true]);
}

#[test]
fn flags_and_screens() {
    let screen = Channel::default();
    let device = |device| Request { device, ..Request::default() };
    let of_type = |devicetype| device(Device { devicetype: Some(devicetype), ..Device::default() });
    check(
        &Settings::default(),
        &[
            ("no signals", Request::default(), FREE),
            ("coppa", regs(Regs { coppa: true, ..Regs::default() }), CONTEXTUAL),
            ("lmt", device(Device { lmt: true, ..Device::default() }), CONTEXTUAL),
            ("dnt", device(Device { dnt: true, ..Device::default() }), CONTEXTUAL),
            ("tracking not allowed", device(Device { atts: true, ..Device::default() }), CONTEXTUAL),
            ("a screen", Request { dooh: Some(&screen), ..Request::default() }, CONTEXTUAL),
            ("a screen by its device type", of_type(8), CONTEXTUAL),
            ("a set-top box", of_type(7), FREE),
        ],
    );
}

#[test]
fn us_privacy() {
    for (behaviour, us_privacy, expected) in [
        ("absent", "", FREE),
        ("not opted out", "1YNN", FREE),
        ("opted out", "1YYN", CONTEXTUAL),
        ("opted out without notice", "1NYN", CONTEXTUAL),
        ("no notice", "1NN-", FREE),
        ("does not apply", "1---", FREE),
        ("opt-out does not apply", "1Y-N", FREE),
        ("lower case", "1ynn", CONTEXTUAL),
        ("another version", "2YNN", CONTEXTUAL),
        ("too short", "1YN", CONTEXTUAL),
        ("too long", "1YNN ", CONTEXTUAL),
        ("unknown letter", "1YNX", CONTEXTUAL),
    ] {
        let request = regs(Regs { us_privacy, ..Regs::default() });
        check(&Settings::default(), &[(behaviour, request, expected)]);
    }
}

#[test]
fn of_two_texts_the_stricter_counts() {
    let (all, nothing) = (granted().text(), refused());
    let (with_all, with_nothing) = (gpp(&[(2, all.as_str())]), gpp(&[(2, nothing.as_str())]));
    let consents = |consent, ext_consent| {
        let of_one = gdpr(Some(true), consent);
        Request { user: User { ext_consent, ..of_one.user }, ..of_one }
    };
    let usp = |us_privacy, ext_us_privacy| regs(Regs { us_privacy, ext_us_privacy, ..Regs::default() });
    let gpps = |gpp, ext_gpp| regs(Regs { gpp, ext_gpp, gpp_sid: &[2], ..Regs::default() });
    let listed_in_ext = regs(Regs { gpp_sid: &[-1], ext_gpp_sid: &[7], ..Regs::default() });
    check(
        &registered(),
        &[
            ("a consent that grants all twice", consents(&all, &all), FREE),
            ("a consent that grants nothing in ext", consents(&all, &nothing), NONE),
            ("a consent that grants nothing before one in ext", consents(&nothing, &all), NONE),
            ("an unreadable consent in ext", consents(&all, "?"), NONE),
            ("an opt-out in ext", usp("1YNN", "1YYN"), CONTEXTUAL),
            ("an opt-out before ext", usp("1YYN", "1YNN"), CONTEXTUAL),
            ("no opt-out in two ways", usp("1YNN", "1YNY"), FREE),
            ("a section that grants nothing in ext", gpps(&with_all, &with_nothing), NONE),
            ("a section that grants nothing before ext", gpps(&with_nothing, &with_all), NONE),
            ("sections that grant all", gpps(&with_all, &with_all), FREE),
            ("a section listed in ext", listed_in_ext, CONTEXTUAL),
        ],
    );
}

#[test]
fn when_gdpr_applies() {
    let (all, nothing) = (granted().text(), refused());
    let in_gpp = gpp(&[(2, nothing.as_str())]);
    let of = |gdpr, gpp_sid| regs(Regs { gdpr, gpp: &in_gpp, gpp_sid, ..Regs::default() });
    check(
        &registered(),
        &[
            ("gdpr 1", gdpr(Some(true), &nothing), NONE),
            ("gdpr 0, a string that is ignored", gdpr(Some(false), &nothing), FREE),
            ("gdpr unknown, a string", gdpr(None, &nothing), NONE),
            ("gdpr unknown, a string that grants all", gdpr(None, &all), FREE),
            ("gdpr unknown, no string", gdpr(None, ""), FREE),
            ("gdpr unknown, section 2 applies", of(None, &[2]), NONE),
            ("gdpr 0, section 2 applies", of(Some(false), &[2]), NONE),
            ("gdpr 0, section 1 applies", of(Some(false), &[1]), NONE),
            ("gdpr 0, section 2 does not apply", of(Some(false), &[-1]), FREE),
            ("gdpr unknown, section 2 does not apply", of(None, &[]), FREE),
        ],
    );
    check(
        &Settings { assume_gdpr: true, ..registered() },
        &[
            ("assumed", gdpr(None, ""), NONE),
            ("assumed and granted", gdpr(None, &all), FREE),
            ("assumed, but gdpr 0", gdpr(Some(false), ""), FREE),
        ],
    );
}

#[test]
fn consent_strings() {
    let vendors = |vendor_consent| Tcf { vendor_consent, ..granted() }.text();
    let ranges = |max, ranges: &[(u16, u16)]| vendors(Vendors::Ranges { max, ranges: ranges.to_vec() });
    let restricted = |purpose: u8, kind: u8, ids: (u16, u16)| {
        Tcf { restrictions: vec![(9, 0, vec![(1, 9)]), (purpose, kind, vec![(1, 1), ids])], ..granted() }.text()
    };
    let (us, all) = ((OUR_ID, OUR_ID), granted().text());
    let by_neither = Tcf { consent: !2, interest: !2, ..granted() };
    let (none, field) = (Vendors::field(&[]), Vendors::field(&[299, 301]));
    let no_vendor = Tcf { vendor_consent: none.clone(), vendor_interest: none, ..granted() };
    let needs_consent = Tcf { consent: 0, restrictions: vec![(2, 1, vec![us])], ..granted() };
    for (behaviour, text, expected) in [
        ("all granted", all.clone(), FREE),
        ("no special feature 1", Tcf { special_features: 2, ..granted() }.text(), NO_PRECISE_GEO),
        ("no purpose 1", Tcf { consent: !1, ..granted() }.text(), CONTEXTUAL),
        ("no purpose 3", Tcf { consent: !4, ..granted() }.text(), CONTEXTUAL),
        ("no consent to purpose 4, legitimate interest", Tcf { consent: !8, ..granted() }.text(), CONTEXTUAL),
        ("purpose 2 by legitimate interest", Tcf { consent: !2, ..granted() }.text(), FREE),
        ("purpose 2 by consent", Tcf { interest: 0, ..granted() }.text(), FREE),
        ("purpose 2 by neither", by_neither.text(), NONE),
        ("contextual on legitimate interest", Tcf { consent: 0, ..granted() }.text(), CONTEXTUAL),
        ("legitimate interest that the publisher refuses", needs_consent.text(), NONE),
        ("no vendor consent", vendors(field), CONTEXTUAL),
        ("no vendor consent, no vendor interest", no_vendor.text(), NONE),
        ("vendor in a range", ranges(400, &[(1, 2), (299, 301)]), FREE),
        ("a range of many", ranges(65_535, &[(2, 65_535)]), FREE),
        ("ranges of high ids", ranges(65_535, &[(33_068, 33_068), (32_800, 33_100)]), CONTEXTUAL),
        ("vendor beside the ranges", ranges(400, &[(1, 299), (301, 301)]), CONTEXTUAL),
        ("purpose 4 not allowed", restricted(4, 0, us), CONTEXTUAL),
        ("purpose 4 not allowed to others", restricted(4, 0, (OUR_ID + 1, OUR_ID + 9)), FREE),
        ("purpose 2 not allowed", restricted(2, 0, (OUR_ID - 1, OUR_ID + 1)), NONE),
        ("purpose 2 needs consent, which is there", restricted(2, 1, us), FREE),
        ("purpose 2 needs legitimate interest, which is there", restricted(2, 2, us), FREE),
        ("purpose 4 needs legitimate interest", restricted(4, 2, us), CONTEXTUAL),
        ("purpose 2, a kind that is undefined", restricted(2, 3, us), NONE),
        ("a purpose that does not exist", restricted(63, 0, us), FREE),
        ("an older version", Tcf { version: 1, ..granted() }.text(), NONE),
        ("a newer version", Tcf { version: 3, ..granted() }.text(), NONE),
        ("cut off", all[..40].into(), NONE),
        ("a character that is not base64", all.replacen('A', "=", 1), NONE),
        ("absent", String::new(), NONE),
        ("a GPP string", gpp(&[(2, &all)]), NONE),
    ] {
        check(&registered(), &[(behaviour, gdpr(Some(true), &text), expected)]);
    }
}

#[test]
fn settings_under_gdpr() {
    let all = granted().text();
    let of = |settings: &Settings| [&all, ""].map(|consent| verdict(&gdpr(Some(true), consent), settings));
    let unregistered = Settings::default();
    assert_eq!(of(&unregistered), [NONE, NONE]);
    assert_eq!(of(&Settings { unregistered: Fallback::Contextual, ..unregistered }), [CONTEXTUAL, CONTEXTUAL]);
    assert_eq!(of(&registered()), [FREE, NONE]);
    assert_eq!(of(&Settings { without_string: Fallback::Contextual, ..registered() }), [FREE, CONTEXTUAL]);
    for (purpose, expected) in [(1, CONTEXTUAL), (2, FREE), (3, CONTEXTUAL), (6, CONTEXTUAL), (7, FREE), (11, FREE)] {
        let personal = Purposes::NONE.with(purpose, LegitimateInterest);
        assert_eq!(of(&Settings { personal, ..registered() })[0], expected, "purpose {purpose}");
    }
    let no_such_purpose = Purposes::NONE.with(0, Either);
    assert_eq!(of(&Settings { contextual: no_such_purpose, ..registered() }), [NONE, NONE]);
    // Adding a purpose does not change the basis of another one.
    let consent_alone = Tcf { interest: 0, ..granted() }.text();
    let personal = Purposes::NONE.with(7, LegitimateInterest).with(2, Consent);
    assert_eq!(verdict(&gdpr(Some(true), &consent_alone), &Settings { personal, ..registered() }), CONTEXTUAL);
    let changed = Purposes::NONE.with(2, LegitimateInterest).with(2, Consent);
    assert_eq!(changed, Purposes::NONE.with(2, Consent));
}

#[test]
fn flexible_purposes() {
    let only = |consent, interest, kind: Option<u8>| {
        let restrictions = kind.map(|kind| (2, kind, vec![(OUR_ID, OUR_ID)])).into_iter().collect();
        Tcf { consent, interest, restrictions, ..granted() }.text()
    };
    // The string grants purpose 2 by one basis only. The last column lists the bases that are fulfilled.
    let rows = [
        ("consent", only(2, 0, None), vec![Consent, FlexibleConsent, Either]),
        ("consent, required", only(2, 0, Some(1)), vec![Consent, FlexibleConsent, FlexibleInterest, Either]),
        ("consent, interest required", only(2, 0, Some(2)), vec![]),
        ("consent, not allowed", only(2, 0, Some(0)), vec![]),
        ("interest", only(0, 2, None), vec![LegitimateInterest, FlexibleInterest, Either]),
        ("interest, required", only(0, 2, Some(2)), BASES[1..].to_vec()),
        ("interest, consent required", only(0, 2, Some(1)), vec![]),
        ("interest, not allowed", only(0, 2, Some(0)), vec![]),
    ];
    for (name, text, fulfilled) in rows {
        for basis in BASES {
            let (allowed, _) = ask_tcf(&text, OUR_ID, 2, basis).unwrap();
            assert_eq!(allowed, fulfilled.contains(&basis), "{name}, {basis:?}");
        }
    }
    // Adding purpose 7 does not make purpose 2 flexible.
    let text = only(0, 0b100_0010, Some(2));
    let personal = Purposes::NONE.with(2, Consent).with(7, Either);
    let settings = Settings { contextual: Purposes::NONE, personal, ..registered() };
    check(&settings, &[("purpose 2 by consent alone", gdpr(Some(true), &text), CONTEXTUAL)]);
}

#[test]
fn gpp_sections() {
    let all = granted().text();
    let basic = Tcf { consent: 2, ..granted() }.text();
    // Virginia: not opted out, consent to precise location, no child, not covered by the MSPA.
    let free = us_core(1, &[1, 1, 1, 2, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 0]);
    let opted_out = us_core(1, &[1, 1, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 0]);
    let several = gpp(&[(2, &all), (6, "1YYN"), (9, &free)]);
    let refused = gpp(&[(9, &opted_out)]);
    let one_more = format!("{several}~");
    let (without_two, less) = (gpp(&[(9, &free)]), gpp(&[(2, &basic)]));
    let of = |gpp, gpp_sid| regs(Regs { gpp, gpp_sid, ..Regs::default() });
    let with_consent =
        |gpp, gpp_sid, consent| Request { user: User { consent, ..User::default() }, ..of(gpp, gpp_sid) };
    check(
        &registered(),
        &[
            ("no section is listed", of(&several, &[]), FREE),
            ("no section applies", of(&several, &[-1]), FREE),
            ("not known yet which section applies", of(&several, &[0]), FREE),
            ("the header and integrity sections", of(&several, &[3, 4]), FREE),
            ("a section that allows", of(&several, &[9]), FREE),
            ("a section that refuses", of(&refused, &[9]), CONTEXTUAL),
            ("another section refuses", of(&several, &[9, -1]), FREE),
            ("US Privacy in the string", of(&several, &[6]), CONTEXTUAL),
            ("two sections, the stricter wins", of(&several, &[2, 9, 6]), CONTEXTUAL),
            ("TCF in the string", of(&several, &[2]), FREE),
            ("the string lacks a listed section", of(&several, &[9, 10]), CONTEXTUAL),
            ("Canada cannot be read", of(&several, &[5]), CONTEXTUAL),
            ("Maryland is missing", of(&several, &[24]), CONTEXTUAL),
            ("a section from the future", of(&several, &[i64::MAX, 64, 72]), CONTEXTUAL),
            ("a section but no string", of("", &[9]), CONTEXTUAL),
            ("not a string", of("~~~", &[9]), CONTEXTUAL),
            ("more sections than announced", of(&one_more, &[9]), CONTEXTUAL),
            ("TCF applies but the string lacks it", with_consent(&without_two, &[2], &all), NONE),
            ("TCF applies, only user.consent", with_consent("", &[2], &all), FREE),
            ("the section grants less", with_consent(&less, &[2], &all), CONTEXTUAL),
            ("user.consent grants less", with_consent(&several, &[2], &basic), CONTEXTUAL),
            ("user.consent grants the same", with_consent(&several, &[2], &all), FREE),
            ("user.consent cannot be read", with_consent(&several, &[2], "C"), NONE),
        ],
    );
}

#[test]
fn us_sections() {
    // The fields of a national section, version 1, that allows everything. Each row below changes one field.
    let allowed = [1, 1, 1, 1, 0, 0, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2];
    let of = |section: &str| ask_gpp(&gpp(&[(7, section)]), &[7]);
    for (behaviour, field, value, expected) in [
        ("no sharing notice", 0, 2, FREE),
        ("no notice of the sale opt-out", 1, 2, CONTEXTUAL),
        ("no notice of the sharing opt-out", 2, 2, CONTEXTUAL),
        ("no notice of the targeting opt-out", 3, 2, CONTEXTUAL),
        ("notice of the sale opt-out does not apply", 1, 0, FREE),
        ("opted out of sale", 6, 1, CONTEXTUAL),
        ("opted out of sharing", 7, 1, CONTEXTUAL),
        ("opted out of targeting", 8, 1, CONTEXTUAL),
        ("sale does not apply", 6, 0, FREE),
        ("an opt-out of 3", 8, 3, CONTEXTUAL),
        ("health data refused", 11, 1, FREE),
        ("precise location refused", 16, 1, NO_PRECISE_GEO),
        ("precise location does not apply", 16, 0, NO_PRECISE_GEO),
        ("a teenager without consent", 21, 1, CONTEXTUAL),
        ("a child with consent", 22, 2, CONTEXTUAL),
        ("not covered by the MSPA", 24, 2, FREE),
        ("MSPA coverage of 0", 24, 0, CONTEXTUAL),
        ("opt-out option mode", 25, 2, FREE),
        ("service provider mode", 26, 1, CONTEXTUAL),
    ] {
        let mut fields = allowed;
        fields[field] = value;
        assert_eq!(of(&us_core(1, &fields)), expected, "{behaviour}");
    }
    let core = us_core(1, &allowed);
    for (behaviour, section, expected) in [
        ("allowed", core.clone(), FREE),
        ("no GPC", format!("{core}.Q"), FREE),
        ("GPC", format!("{core}.Y"), CONTEXTUAL),
        ("GPC, cut off", format!("{core}."), CONTEXTUAL),
        ("GPC twice", format!("{core}.Q.Q"), CONTEXTUAL),
        ("an unknown segment", format!("{core}.A"), CONTEXTUAL),
        ("cut off", core[..9].into(), CONTEXTUAL),
        ("version 2 is longer", us_core(2, &allowed), CONTEXTUAL),
        ("version 3", us_core(3, &[2; 40]), CONTEXTUAL),
    ] {
        assert_eq!(of(&section), expected, "{behaviour}");
    }
}

/// Sections 24 to 27, written by iabgpp-es 3.2.0 without a header, and with the header of their specifications.
#[test]
fn us_sections_of_2025() {
    const IN_TO_RI: [u32; 3] = [25, 26, 27];
    for (behaviour, ids, section, expected) in [
        ("no opt-out in Maryland", &[24][..], "BgWg", FREE),
        ("no opt-out, no GPC", &[24], "BgWg.QA", FREE),
        ("GPC", &[24], "BgWg.YA", CONTEXTUAL),
        ("opted out of sale in Maryland", &[24], "BgVg.QA", CONTEXTUAL),
        ("opted out of targeting in Maryland", &[24], "BgWQ.QA", CONTEXTUAL),
        ("no opt-out, consent to the precise location", &IN_TO_RI, "BgWg.AAI", FREE),
        ("no consent to the precise location", &IN_TO_RI, "BgWg.AAE", NO_PRECISE_GEO),
        ("nothing about sensitive data", &IN_TO_RI, "BgWg", NO_PRECISE_GEO),
        ("opted out of sale", &IN_TO_RI, "BgVg.AAI", CONTEXTUAL),
        ("opted out of targeting", &IN_TO_RI, "BgWQ.AAI", CONTEXTUAL),
        ("a known child", &IN_TO_RI, "BgWk.AAI", CONTEXTUAL),
        ("the defaults of the library", &IN_TO_RI, "BQAA.AAA", NO_PRECISE_GEO),
        ("a second segment that is cut off", &IN_TO_RI, "BgWg.AA", CONTEXTUAL),
        ("a third segment", &IN_TO_RI, "BgWg.AAI.AAI", CONTEXTUAL),
        ("a core that is cut off", &[24, 25, 26, 27], "BgW", CONTEXTUAL),
        ("another version", &[24, 25, 26, 27], "CgWg", CONTEXTUAL),
        ("empty", &[24, 25, 26, 27], "", CONTEXTUAL),
        ("a header that lists no segment", &[27], "bBAA.BhWg", NO_PRECISE_GEO),
        ("a header that lists a segment, which follows the core", &[27], "bBABYA.BhWgAAI", FREE),
        ("a header that lists a segment", &[27], "bBABYA.BhWg.AAI", FREE),
        ("a header that lists a segment, and an opt-out", &[27], "bBABYA.BhVgAAI", CONTEXTUAL),
        ("a header of Maryland with GPC", &[24], "YBABYA.BgWg.YA", CONTEXTUAL),
        ("a header that lists a segment that is missing", &[27], "bBABYA.BhWg", CONTEXTUAL),
        ("a segment that the header does not list", &[27], "bBAA.BhWg.AAI", CONTEXTUAL),
        ("a header of another section", &[26], "bBABYA.BhWgAAI", CONTEXTUAL),
        ("a header of another version", &[27], "bCABYA.BhWgAAI", CONTEXTUAL),
        ("a header alone", &[27], "bBABYA", CONTEXTUAL),
    ] {
        for &id in ids {
            assert_eq!(ask_gpp(&gpp(&[(id, section)]), &[id.into()]), expected, "{behaviour}, section {id}");
        }
    }
    // The whole string, as the library writes it.
    assert_eq!(ask_gpp("DBABSYA~BgWg.AAI", &[27]), FREE);
}
