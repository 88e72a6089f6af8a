//! The behaviours of the gate, with rows for both sides of each.

use bidder_wasm::privacy::{self, Fallback, LegalBasis, Purposes, Settings, Verdict};
use bidder_wasm::request::{Channel, Device, Regs, Request, User};

use crate::encode::{Tcf, Vendors, gpp, us_core};
use crate::{FREE, NO_PRECISE_GEO, vendor};

const NONE: Verdict = Verdict::None;
const CONTEXTUAL: Verdict = Verdict::Contextual;

/// Our vendor id in these tests.
const OUR_ID: u16 = 300;

/// A string that grants everything to our vendor id, by both bases.
fn granted() -> Tcf {
    Tcf {
        version: 2,
        special_features: 1,
        consent: 0x00ff_ffff,
        interest: 0x00ff_ffff,
        vendor_consent: Vendors::field(&[OUR_ID]),
        vendor_interest: Vendors::field(&[OUR_ID]),
        restrictions: vec![],
    }
}

fn registered() -> Settings {
    Settings { vendor_id: Some(vendor(OUR_ID)), ..Settings::default() }
}

fn check(settings: &Settings, rows: &[(&str, Request<'_>, Verdict)]) {
    for (behaviour, request, expected) in rows {
        assert_eq!(privacy::verdict(request, settings), *expected, "{behaviour}");
    }
}

fn regs(regs: Regs<'_>) -> Request<'_> {
    Request { regs, ..Request::default() }
}

fn device(device: Device<'_>) -> Request<'_> {
    Request { device, ..Request::default() }
}

/// GDPR, and the string in `user.consent`.
fn gdpr(gdpr: Option<bool>, consent: &str) -> Request<'_> {
    Request { regs: Regs { gdpr, ..Regs::default() }, user: User { consent, ..User::default() }, ..Request::default() }
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
    let dooh = Some(&screen);
    check(
        &Settings::default(),
        &[
            ("no signals", Request::default(), FREE),
            ("coppa", regs(Regs { coppa: true, ..Regs::default() }), CONTEXTUAL),
            ("lmt", device(Device { lmt: true, ..Device::default() }), CONTEXTUAL),
            ("dnt", device(Device { dnt: true, ..Device::default() }), CONTEXTUAL),
            ("a screen", Request { dooh, ..Request::default() }, CONTEXTUAL),
            ("a screen by its device type", device(Device { devicetype: Some(8), ..Device::default() }), CONTEXTUAL),
            ("a set-top box", device(Device { devicetype: Some(7), ..Device::default() }), FREE),
        ],
    );
}

#[test]
fn us_privacy() {
    let of = |us_privacy| regs(Regs { us_privacy, ..Regs::default() });
    check(
        &Settings::default(),
        &[
            ("absent", of(""), FREE),
            ("not opted out", of("1YNN"), FREE),
            ("opted out", of("1YYN"), CONTEXTUAL),
            ("opted out without notice", of("1NYN"), CONTEXTUAL),
            ("no notice", of("1NN-"), FREE),
            ("does not apply", of("1---"), FREE),
            ("opt-out does not apply", of("1Y-N"), FREE),
            ("lower case", of("1ynn"), CONTEXTUAL),
            ("another version", of("2YNN"), CONTEXTUAL),
            ("too short", of("1YN"), CONTEXTUAL),
            ("too long", of("1YNN "), CONTEXTUAL),
            ("unknown letter", of("1YNX"), CONTEXTUAL),
        ],
    );
}

#[test]
fn of_two_texts_the_stricter_counts() {
    let all = granted().text();
    let nothing = Tcf { consent: 0, interest: 0, ..granted() }.text();
    let (with_all, with_nothing) = (gpp(&[(2, all.as_str())]), gpp(&[(2, nothing.as_str())]));
    let consents = |consent, ext_consent| {
        let of_one = gdpr(Some(true), consent);
        Request { user: User { ext_consent, ..of_one.user }, ..of_one }
    };
    let usp = |us_privacy, ext_us_privacy| regs(Regs { us_privacy, ext_us_privacy, ..Regs::default() });
    let gpps = |gpp, ext_gpp| regs(Regs { gpp, ext_gpp, gpp_sid: &[2], ..Regs::default() });
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
            (
                "a section listed in ext",
                regs(Regs { gpp_sid: &[-1], ext_gpp_sid: &[7], ..Regs::default() }),
                CONTEXTUAL,
            ),
        ],
    );
}

#[test]
fn when_gdpr_applies() {
    let all = granted().text();
    let nothing = Tcf { consent: 0, interest: 0, ..granted() }.text();
    let in_gpp = gpp(&[(2, nothing.as_str())]);
    let of = |gdpr, gpp_sid| regs(Regs { gdpr, gpp: &in_gpp, gpp_sid, ..Regs::default() });
    let assumed = Settings { assume_gdpr: true, ..registered() };
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
        &assumed,
        &[
            ("assumed", gdpr(None, ""), NONE),
            ("assumed and granted", gdpr(None, &all), FREE),
            ("assumed, but gdpr 0", gdpr(Some(false), ""), FREE),
        ],
    );
}

#[test]
fn consent_strings() {
    let text = |change: fn(&mut Tcf)| {
        let mut tcf = granted();
        change(&mut tcf);
        tcf.text()
    };
    let restricted = |purpose: u8, kind: u8, ids: (u16, u16)| {
        Tcf { restrictions: vec![(9, 0, vec![(1, 9)]), (purpose, kind, vec![(1, 1), ids])], ..granted() }.text()
    };
    let rows: Vec<(&str, String, Verdict)> = vec![
        ("all granted", text(|_| {}), FREE),
        ("no special feature 1", text(|tcf| tcf.special_features = 2), NO_PRECISE_GEO),
        ("no purpose 1", text(|tcf| tcf.consent = !1), CONTEXTUAL),
        ("no purpose 3", text(|tcf| tcf.consent = !4), CONTEXTUAL),
        ("no consent to purpose 4, legitimate interest", text(|tcf| tcf.consent = !8), CONTEXTUAL),
        ("purpose 2 by legitimate interest", text(|tcf| tcf.consent = !2), FREE),
        ("purpose 2 by consent", text(|tcf| tcf.interest = 0), FREE),
        (
            "purpose 2 by neither",
            text(|tcf| {
                tcf.consent = !2;
                tcf.interest = !2;
            }),
            NONE,
        ),
        ("no vendor consent", text(|tcf| tcf.vendor_consent = Vendors::field(&[299, 301])), CONTEXTUAL),
        (
            "no vendor consent, no vendor interest",
            text(|tcf| {
                tcf.vendor_consent = Vendors::field(&[]);
                tcf.vendor_interest = Vendors::field(&[]);
            }),
            NONE,
        ),
        (
            "vendor in a range",
            text(|tcf| tcf.vendor_consent = Vendors::Ranges { max: 400, ranges: vec![(1, 2), (299, 301)] }),
            FREE,
        ),
        (
            "a range of many",
            text(|tcf| tcf.vendor_consent = Vendors::Ranges { max: 65_535, ranges: vec![(2, 65_535)] }),
            FREE,
        ),
        (
            "ranges of high ids",
            text(|tcf| {
                tcf.vendor_consent = Vendors::Ranges { max: 65_535, ranges: vec![(33_068, 33_068), (32_800, 33_100)] }
            }),
            CONTEXTUAL,
        ),
        (
            "vendor beside the ranges",
            text(|tcf| tcf.vendor_consent = Vendors::Ranges { max: 400, ranges: vec![(1, 299), (301, 301)] }),
            CONTEXTUAL,
        ),
        ("purpose 4 not allowed", restricted(4, 0, (OUR_ID, OUR_ID)), CONTEXTUAL),
        ("purpose 4 not allowed to others", restricted(4, 0, (OUR_ID + 1, OUR_ID + 9)), FREE),
        ("purpose 2 not allowed", restricted(2, 0, (OUR_ID - 1, OUR_ID + 1)), NONE),
        ("purpose 2 needs consent, which is there", restricted(2, 1, (OUR_ID, OUR_ID)), FREE),
        ("purpose 2 needs legitimate interest, which is there", restricted(2, 2, (OUR_ID, OUR_ID)), FREE),
        ("purpose 4 needs legitimate interest", restricted(4, 2, (OUR_ID, OUR_ID)), CONTEXTUAL),
        ("purpose 2, a kind that is undefined", restricted(2, 3, (OUR_ID, OUR_ID)), NONE),
        ("a purpose that does not exist", restricted(63, 0, (OUR_ID, OUR_ID)), FREE),
        ("an older version", text(|tcf| tcf.version = 1), NONE),
        ("a newer version", text(|tcf| tcf.version = 3), NONE),
        ("other segments", granted().text() + ".YAAAAAAAAAA.$", FREE),
        ("cut off", granted().text()[..40].into(), NONE),
        ("a character that is not base64", granted().text().replacen('A', "=", 1), NONE),
        ("absent", String::new(), NONE),
        ("a GPP string", gpp(&[(2, &granted().text())]), NONE),
    ];
    for (behaviour, text, expected) in &rows {
        check(&registered(), &[(behaviour, gdpr(Some(true), text), *expected)]);
    }
    let only_interest = Tcf { consent: 0, ..granted() }.text();
    let needs_consent = Tcf { consent: 0, restrictions: vec![(2, 1, vec![(OUR_ID, OUR_ID)])], ..granted() }.text();
    check(
        &registered(),
        &[
            ("contextual on legitimate interest", gdpr(Some(true), &only_interest), CONTEXTUAL),
            ("legitimate interest that the publisher refuses", gdpr(Some(true), &needs_consent), NONE),
        ],
    );
}

#[test]
fn settings_under_gdpr() {
    let all = granted().text();
    let consent_alone = Tcf { interest: 0, ..granted() }.text();
    let both = [gdpr(Some(true), &all), gdpr(Some(true), "")];
    let of = |settings: &Settings| both.map(|request| privacy::verdict(&request, settings));
    let unregistered = Settings::default();
    assert_eq!(of(&unregistered), [NONE, NONE]);
    assert_eq!(of(&Settings { unregistered: Fallback::Contextual, ..unregistered }), [CONTEXTUAL, CONTEXTUAL]);
    assert_eq!(of(&registered()), [FREE, NONE]);
    assert_eq!(of(&Settings { without_string: Fallback::Contextual, ..registered() }), [FREE, CONTEXTUAL]);
    let interest = LegalBasis::LegitimateInterest;
    for (purpose, expected) in [(1, CONTEXTUAL), (2, FREE), (3, CONTEXTUAL), (6, CONTEXTUAL), (7, FREE), (11, FREE)] {
        let personal = Purposes::NONE.with(purpose, interest);
        assert_eq!(of(&Settings { personal, ..registered() })[0], expected, "purpose {purpose}");
    }
    let no_such_purpose = Purposes::NONE.with(0, LegalBasis::Either);
    assert_eq!(of(&Settings { contextual: no_such_purpose, ..registered() }), [NONE, NONE]);
    // Adding a purpose does not change the basis of another one.
    let consent_alone = gdpr(Some(true), &consent_alone);
    let personal = Purposes::NONE.with(7, interest).with(2, LegalBasis::Consent);
    assert_eq!(privacy::verdict(&consent_alone, &Settings { personal, ..registered() }), CONTEXTUAL);
    let changed = Purposes::NONE.with(2, interest).with(2, LegalBasis::Consent);
    assert_eq!(changed, Purposes::NONE.with(2, LegalBasis::Consent));
}

#[test]
fn flexible_purposes() {
    use LegalBasis::{Consent, Either, FlexibleConsent, FlexibleInterest, LegitimateInterest};
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
        (
            "interest, required",
            only(0, 2, Some(2)),
            vec![LegitimateInterest, FlexibleConsent, FlexibleInterest, Either],
        ),
        ("interest, consent required", only(0, 2, Some(1)), vec![]),
        ("interest, not allowed", only(0, 2, Some(0)), vec![]),
    ];
    for (name, text, fulfilled) in rows {
        for basis in [Consent, LegitimateInterest, FlexibleConsent, FlexibleInterest, Either] {
            let (allowed, _) = crate::ask_tcf(&text, OUR_ID, 2, basis).unwrap();
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
    let without_two = gpp(&[(9, &free)]);
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
            ("Maryland cannot be read", of(&several, &[24]), CONTEXTUAL),
            ("a section from the future", of(&several, &[i64::MAX, 64, 72]), CONTEXTUAL),
            ("a section but no string", of("", &[9]), CONTEXTUAL),
            ("not a string", of("~~~", &[9]), CONTEXTUAL),
            ("more sections than announced", of(&one_more, &[9]), CONTEXTUAL),
            ("TCF applies but the string lacks it", with_consent(&without_two, &[2], &all), NONE),
            ("TCF applies, only user.consent", with_consent("", &[2], &all), FREE),
            ("user.consent grants less", with_consent(&several, &[2], &basic), CONTEXTUAL),
            ("user.consent grants the same", with_consent(&several, &[2], &all), FREE),
            ("user.consent cannot be read", with_consent(&several, &[2], "C"), NONE),
        ],
    );
    let less = gpp(&[(2, &basic)]);
    check(&registered(), &[("the section grants less", with_consent(&less, &[2], &all), CONTEXTUAL)]);
}

#[test]
fn us_sections() {
    // The fields of a national section, version 1, that allows everything. Each row below changes one field.
    let allowed = [1, 1, 1, 1, 0, 0, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2];
    let changes: &[(&str, usize, u8, Verdict)] = &[
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
    ];
    let judge = |section: &str| crate::ask_gpp(&gpp(&[(7, section)]), &[7]);
    let core = us_core(1, &allowed);
    for &(behaviour, field, value, expected) in changes {
        let mut fields = allowed;
        fields[field] = value;
        assert_eq!(judge(&us_core(1, &fields)), expected, "{behaviour}");
    }
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
        assert_eq!(judge(&section), expected, "{behaviour}");
    }
}
