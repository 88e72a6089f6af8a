//! Published strings, with the meaning that their publishers give, and strings that their libraries have written.

use consent::LegalBasis::{Consent, Either, LegitimateInterest};
use consent::Verdict;

use super::encode::{gpp, gpp_header};
use super::{FREE, NO_PRECISE_GEO, ask_gpp, ask_tcf};

/// IAB, "Global Privacy Platform String", GPP String Examples 1 and 2.
const GPP_EXAMPLE_TCF: &str = "CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA";

/// The example TC string of IAB, "Consent string and vendor list formats v2", with its second segment: consent to
/// purposes 1 to 3 and to vendors 2, 6 and 8.
const TCF_EXAMPLE: &str = "COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA.IFoEUQQgAIQwgIwQABAEAAAAOIAACAIAAAAQAIAgEAACEAAAAAgAQBAAAAAAAGBAAgAAAAAAAFAAECAAAgAAQARAEQAAAAAJAAIAAgAAAYQEAAAQmAgBC3ZAYzUw";

/// The example of IAB's text on TCF 2.3, with all three segments. It was created in 2025 with policy version 2, which
/// makes it invalid by the same text.
const TCF_2_3_EXAMPLE: &str = "CQSbk4AQSbk4ANwAAAENAwCgAAAAAAAAAAYgACPAAAAA.IDKQA4AAgAKAGQAygAAA.YAAAAAAAAAAA";

/// Written by `@iabtechlabtcf/core` 1.5.21 on 2026-06-01: consent to purposes 1 to 4 and to vendors 42 and 300, interest
/// of vendor 42. The segments disclose vendors 2, 7 and 42; 2 and 7; 1 to 300, beside the publisher's purposes.
const CORE: &str = "CQlH_MAQlH_MAAfABBENB4FoAPAAAEIAAAYgCWQAgAVAEsACoAAAAAACAAAA";
const DISCLOSED: &str = ".IAVEIAAAAAQA";
const UNDISCLOSED: &str = ".IADkIAAA";
const DISCLOSED_AS_RANGE: &str = ".ICWQAYAAgJYA.cAAAAAAAAAAA";

/// prebid/go-gdpr, `TestPubRestrictions`: vendor 32 must have consent for purpose 7.
const RESTRICTED: &str = "COwAdDhOwAdDhN4ABAENAPCgAAQAAv___wAAAFP_AAp_4AI6ACACAA";

/// prebid/go-gdpr, `TestPubRestrictions`: vendor 32 is not allowed purposes 1 and 2.
const RESTRICTED_MORE: &str =
    "COxPe2TOxPe2TALABAENAPCgAAAAAAAAAAAAAFAAAAoAAA4IACACAIABgACAFA4ADACAAIygAGADwAQBIAIAIB0AEAEBSACACAA";

#[test]
fn published_tcf_strings() {
    // Readable, but grants nothing.
    assert_eq!(ask_tcf(GPP_EXAMPLE_TCF, 1, 2, Either), Some((false, false)));

    // It is global, so it is invalid today. With another `IsServiceSpecific` it is valid.
    assert_eq!(ask_tcf(TCF_EXAMPLE, 2, 1, Consent), None);
    let example = TCF_EXAMPLE.replacen("PCAAOA", "PCgAOA", 1);
    let core = example.split('.').next().unwrap();
    for (vendor, granted) in [(1, false), (2, true), (3, false), (6, true), (7, false), (8, true), (9, false)] {
        assert_eq!(ask_tcf(core, vendor, 1, Consent), Some((granted, false)), "vendor {vendor}");
        assert_eq!(ask_tcf(core, vendor, 3, Consent), Some((granted, false)), "vendor {vendor}");
        assert_eq!(ask_tcf(core, vendor, 4, Consent), Some((false, false)), "vendor {vendor}");
        assert_eq!(ask_tcf(core, vendor, 2, LegitimateInterest), Some((false, false)), "vendor {vendor}");
        // The second segment discloses vendors 2, 6, 8, 12 and some others.
        assert_eq!(ask_tcf(&example, vendor, 1, Consent), granted.then_some((true, false)), "vendor {vendor}");
    }
    assert_eq!(ask_tcf(&example, 12, 1, Consent), Some((false, false)));
}

#[test]
fn published_strings_of_tcf_2_3() {
    assert_eq!(ask_tcf(TCF_2_3_EXAMPLE, 2, 1, Either), None);
    // With policy version 5 it is valid. It discloses vendors 1 to 5, 100 and 404, and grants nothing.
    let of_policy_5 = TCF_2_3_EXAMPLE.replacen("AwCgAA", "AwFgAA", 1);
    for (vendor, is_disclosed) in
        [(1, true), (5, true), (6, false), (99, false), (100, true), (404, true), (405, false)]
    {
        assert_eq!(ask_tcf(&of_policy_5, vendor, 1, Either), is_disclosed.then_some((false, false)), "vendor {vendor}");
    }

    for (segments, vendor, expected) in [
        (DISCLOSED, 42, Some((true, true))),
        (DISCLOSED, 2, Some((false, false))),
        (DISCLOSED, 300, None),
        (UNDISCLOSED, 42, None),
        (DISCLOSED_AS_RANGE, 42, Some((true, true))),
        (DISCLOSED_AS_RANGE, 301, None),
        ("", 42, None),
    ] {
        assert_eq!(
            ask_tcf(&format!("{CORE}{segments}"), vendor, 4, Consent),
            expected,
            "vendor {vendor} in {segments}"
        );
    }
}

#[test]
fn tcf_strings_that_are_cut_off_are_refused() {
    // From `invalid_tcfeuv2_section` of iab_gpp, a test that this string is too short.
    let cut_off = "CQLvHAAQLvHAAAKA4DENBaFsAP_gAEPgAAwIKxtX_G9_bXlr8X736ftkeY1f99h77sQxBhZBk-4FzLvW_JwX32E7NA36tqYKmRIAu3TBIQNlHJDURVCgaogVrTDMaEyUoTtKJ6BkiFMRY2dYCFxvm4tjeQCY5vr991d52R-tbdrs3dzyy4hnv3a9_-S1WJCdA5-tDfv9bROb89IO5_x8v4v4_N7pE2_eT1l_tWvp7D9-ctv_9XX99_fbff9Pn_-uB_-_X__f_H37grAAQYCABAEAQICAAAAAQAAEAAEABAAAAAAACgAABEEAAEDAAAQAIAQAAABAABAAAAIAAAAAgACAAAAAEAgAAAACgADAAAAAAAYAAAMAEgIAAAAAQACmABAIFAAEJAFAEACEAEEAIQAABAEACAEABRwBAACBAoAAAQAAEAAAFgIDgAQEpAgACIgEAAAIAEAggAAEQjYACCAASCqqBAiiCAQLBoQFPaQAkgBACDgmQAgABQAHAAsA";
    assert_eq!(ask_tcf(cut_off, 1, 1, Consent), None);
    // These strings end with their last field, so without the last characters they are too short.
    for whole in [GPP_EXAMPLE_TCF, RESTRICTED, RESTRICTED_MORE] {
        assert!(ask_tcf(whole, 1, 1, Consent).is_some(), "{whole}");
        assert_eq!(ask_tcf(&whole[..whole.len() - 4], 1, 1, Consent), None, "{whole}");
    }
}

#[test]
fn published_strings_with_restrictions() {
    // Vendor 32 is restricted, and the string lists only vendors up to 10, so no basis is left.
    assert_eq!(ask_tcf(RESTRICTED, 32, 7, Either), Some((false, false)));
    // Vendor 7 has a legitimate interest in purpose 7, no consent to it, and is not restricted.
    assert_eq!(ask_tcf(RESTRICTED, 7, 7, LegitimateInterest), Some((true, false)));
    assert_eq!(ask_tcf(RESTRICTED, 7, 7, Consent), Some((false, false)));
    assert_eq!(ask_tcf(RESTRICTED_MORE, 32, 1, Consent), Some((false, false)));
    assert_eq!(ask_tcf(RESTRICTED_MORE, 32, 2, Either), Some((false, false)));
}

#[test]
fn published_gpp_strings() {
    // iabgpp-es publishes sections without the rest of the string.
    let with = |id: u32, section: &str| gpp(&[(id, section)]);
    let rows: &[(&str, String, &[i64], Verdict)] = &[
        ("GPP String Example 2", format!("DBACNYA~{GPP_EXAMPLE_TCF}~1YNN"), &[6], FREE),
        ("header example 2", format!("DBACNY~{GPP_EXAMPLE_TCF}~1YNN"), &[6], FREE),
        ("GPP String Example 3", format!("DBABjw~{GPP_EXAMPLE_TCF}~1YNN"), &[6], FREE),
        ("iab_gpp readme", "DBABTA~1YNN".into(), &[6], FREE),
        ("iab_gpp test, all yes", "DBABTA~1YYY".into(), &[6], Verdict::Contextual),
        (
            "iab_gpp test, truncated",
            "DBACNY~CPytTYAPytTYABEACBENDXCoAP_AAH_AAAIwgoNf".into(),
            &[6],
            Verdict::Contextual,
        ),
        ("iab_gpp usnat_v1_with_gpc", "DBABLA~BVVVVVVVVWA.YA".into(), &[7], Verdict::Contextual),
        ("iabgpp-es UsNat, not opted out", with(7, "BVQqAAAACg"), &[7], NO_PRECISE_GEO),
        ("iabgpp-es UsNj, opted out", with(21, "BVWSSRklWA.YA"), &[21], Verdict::Contextual),
        ("iabgpp-es UsNj, defaults", with(21, "BAAAAAAAQA.QA"), &[21], NO_PRECISE_GEO),
        ("iabgpp-es UsTx, opted out", with(16, "BVWSSVW.Y"), &[16], Verdict::Contextual),
        ("iabgpp-es UsMn, defaults", with(23, "BAAAAAQ.Q"), &[23], NO_PRECISE_GEO),
        ("iabgpp-es UsMn, opted out", with(23, "BVWSSVW.Y"), &[23], Verdict::Contextual),
        ("iabgpp-es UsFl, defaults", with(13, "BAAAAABA"), &[13], NO_PRECISE_GEO),
        ("iabgpp-es UsFl, opted out", with(13, "BVWSSZlY"), &[13], Verdict::Contextual),
    ];
    for (name, text, sid, expected) in rows {
        assert_eq!(ask_gpp(text, sid), *expected, "{name}: {text}");
    }
}

#[test]
fn published_gpp_headers() {
    // IAB, "Global Privacy Platform String", Header Examples 1 to 3; iabgpp-es, `GppModel`.
    assert_eq!(gpp_header(&[2]), "DBABM");
    assert_eq!(gpp_header(&[2, 6]), "DBACNY");
    assert_eq!(gpp_header(&[5, 6]), "DBABjw");
    assert_eq!(gpp_header(&[2, 5, 6, 7, 8, 9, 10, 11, 12]), "DBACOaw");
}
