//! Generated and damaged GPP strings and US sections: the gate and the reference crate `iab_gpp` must agree.
//!
//! `iab_gpp` 0.1.2 has these differences from the specification. In each of them the gate is the stricter one.
//!
//! - It reads wrong ids from the third item of a header on, because it adds the offset of the last item instead of the
//!   last id. So the tests give it only headers with at most two items.
//! - It accepts a string that is cut off within the last byte that it needs, and ignores text after that byte.
//! - It reads the value 3, which is undefined, as "not applicable".

use consent::{Settings, Verdict};
use iab_gpp::v1::GPPString;
use openrtb::request::{Regs, Request, User};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

use super::encode::{ALPHABET, gpp, us_core};
use super::tcf_strings::{damage, mend};
use super::{FREE, NO_PRECISE_GEO, ask_gpp, verdict};

/// For each layout: the section, its version, and the number of its two-bit fields.
const LAYOUTS: [(u32, u8, usize); 18] = [
    (7, 1, 27),
    (7, 2, 32),
    (8, 1, 20),
    (9, 1, 17),
    (10, 1, 16),
    (11, 1, 18),
    (12, 1, 19),
    (13, 1, 20),
    (14, 1, 20),
    (15, 1, 23),
    (16, 1, 18),
    (17, 1, 23),
    (18, 1, 18),
    (19, 1, 18),
    (20, 1, 20),
    (21, 1, 24),
    (22, 1, 18),
    (23, 1, 18),
];

/// Every section ends with `MspaCoveredTransaction`, `MspaOptOutOptionMode` and `MspaServiceProviderMode`.
const COVERED_FROM_END: usize = 3;

/// Sections without a GPC segment, by their specifications and the reference.
const WITHOUT_GPC: [u32; 3] = [9, 11, 13];

fn ours(id: u32, text: &str) -> Verdict {
    ask_gpp(&gpp(&[(id, text)]), &[id.into()])
}

/// The verdict on a US section: the fields as `iab_gpp` reads them, and the rules of the gate. Contextual if it cannot
/// read the section.
fn reference(id: u32, text: &str) -> Verdict {
    let whole = GPPString::parse_str(&gpp(&[(id, text)])).unwrap();
    let [Ok(section)] = &whole.decode_all_sections()[..] else { return Verdict::Contextual };
    let named = serde_json::to_value(section).unwrap();
    let section = named.as_object().unwrap().values().next().unwrap();
    let core = &section["core"];
    let core = core.get("V1").or(core.get("V2")).unwrap_or(core);
    let is_out = |of: &str| {
        let (notice, opt_out) = (format!("{of}_opt_out_notice"), format!("{of}_opt_out"));
        core[notice] == "NotProvided" || core[opt_out] == "OptedOut"
    };
    let is_child = match &core["known_child_sensitive_data_consents"] {
        Value::Object(ages) => ages.values().any(|consent| consent != "NotApplicable"),
        consent => consent != "NotApplicable",
    };
    if ["sale", "sharing", "targeted_advertising"].into_iter().any(is_out)
        || is_child
        || core["mspa_service_provider_mode"] == "Yes"
        || section["gpc"] == true
    {
        return Verdict::Contextual;
    }
    // California has an opt-out where other states ask for consent. Colorado has no category for precise location.
    let categories = ["precise_geolocation_data", "specific_geolocation_data", "precise_geolocation"];
    let geo = categories.iter().find_map(|category| core["sensitive_data_processing"].get(category));
    match geo.map(|geo| geo.as_str().unwrap()) {
        None if id == 10 => FREE,
        Some("Consent" | "DidNotOptOut") => FREE,
        Some("NoConsent" | "OptedOut" | "NotApplicable") => NO_PRECISE_GEO,
        other => panic!("{other:?} of section {id}"),
    }
}

/// A section in which most fields refuse nothing, so that a single field often decides the verdict.
fn us_section() -> impl Strategy<Value = (u32, String)> {
    let fields = vec(prop_oneof![6 => Just(0_u8), 1 => Just(1), 2 => Just(2)], 40);
    (select(&LAYOUTS[..]), fields, 1..=2_u8, select(vec!["", "", ".Q", ".Y", ".QA", ".YA"])).prop_map(
        |((id, version, count), mut fields, covered, gpc)| {
            fields.truncate(count);
            fields[count - COVERED_FROM_END] = covered;
            let gpc = if WITHOUT_GPC.contains(&id) { "" } else { gpc };
            (id, us_core(version, &fields) + gpc)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn generated_us_sections_get_the_verdict_of_the_reference((id, text) in us_section()) {
        prop_assert_eq!(ours(id, &text), reference(id, &text));
    }

    /// The gate never allows more than the reference. It allows the same if the missing zeros are added.
    #[test]
    fn damaged_us_sections_never_get_a_higher_verdict((id, text) in us_section(), how: u8, at: Index, with in "[A-Za-z0-9_=+.-]") {
        let text = damage(&text, how, at, with.chars().next().unwrap());
        let (ours_as_is, reference) = (ours(id, &text), reference(id, &text));
        prop_assert!(ours_as_is <= reference);
        let (core, rest) = text.split_once('.').map_or((text.as_str(), String::new()), |(core, rest)| (core, format!(".{rest}")));
        let same = ours_as_is == reference || ours(id, &(mend(core) + &rest)) == reference;
        prop_assert!(same || has_three(core) || WITHOUT_GPC.contains(&id), "{} {:?} {:?}", text, ours_as_is, reference);
    }

    /// The gate finds every section, and each section decides only its own verdict.
    #[test]
    fn sections_are_found_by_generated_headers(ids in btree_set(1..=60_u32, 1..12), which: Index) {
        let ids: Vec<u32> = ids.into_iter().collect();
        let chosen = ids[which.index(ids.len())];
        let text = |id: u32| match (id, id == chosen) {
            (6, false) => "1YNN".to_owned(),
            (7..=23, false) => free_section(id),
            (6, true) => "1YYN".to_owned(),
            _ => "refused".to_owned(),
        };
        let texts: Vec<String> = ids.iter().copied().map(text).collect();
        let sections: Vec<(u32, &str)> = ids.iter().copied().zip(texts.iter().map(String::as_str)).collect();
        let text = gpp(&sections);
        for id in 6..=23 {
            let expected = if ids.contains(&id) && id != chosen { FREE } else { Verdict::Contextual };
            prop_assert_eq!(ask_gpp(&text, &[id.into()]), expected, "{} of {}", id, &text);
        }
        let items = ids.chunk_by(|one, next| one + 1 == *next).count();
        if items <= 2 && ids.iter().all(|&id| id <= 23) {
            let reference = GPPString::parse_str(&text).unwrap();
            let reference_ids: Vec<u32> = reference.section_ids().map(|&id| id as u32).collect();
            prop_assert_eq!(&reference_ids, &ids);
            let reference_sections: Vec<&str> = reference.sections().collect();
            prop_assert_eq!(reference_sections, texts);
        }
    }

    #[test]
    fn any_text_gets_a_verdict_and_no_signal_raises_it(gpp in "(D[A-Z]{0,6}(~[BC1][-.A-Za-z0-9]{0,20}){0,4}|\\PC{0,40})", us_privacy in "(1[YN-]{3}|\\PC{0,5})?",
                 consent in "\\PC{0,30}", sid in vec(prop_oneof![-2..30_i64, any::<i64>()], 0..6), gdpr: Option<bool>) {
        let whole = Request {
            regs: Regs { gpp: &gpp, gpp_sid: &sid, us_privacy: &us_privacy, gdpr, ..Regs::default() },
            user: User { consent: &consent, ..User::default() },
            ..Request::default()
        };
        let all = verdict(&whole, &Settings::default());
        let mut part = whole;
        part.regs.us_privacy = "";
        prop_assert!(all <= verdict(&part, &Settings::default()));
        part.regs.gpp_sid = &[];
        prop_assert!(all <= verdict(&part, &Settings::default()));
        part.regs.coppa = true;
        prop_assert!(verdict(&part, &Settings::default()) <= Verdict::Contextual);
    }
}

#[test]
fn each_value_of_each_field_gets_the_verdict_of_the_reference() {
    for (id, version, count) in LAYOUTS {
        let free = free_fields(id, version, count);
        for field in 0..count {
            let text = |value: u8| {
                let mut fields = free.clone();
                fields[field] = value;
                us_core(version, &fields)
            };
            let found = [0, 1, 2, 3].map(|value| ours(id, &text(value)));
            let mut expected = [0, 1, 2, 3].map(|value| reference(id, &text(value)));
            // 3 refuses everything that any other value refuses.
            expected[3] = expected[1].min(expected[2]).min(expected[3]);
            assert_eq!(found, expected, "section {id}, version {version}, field {field}");
        }
    }
}

/// Fields that refuse nothing: no notice or opt-out applies, consent to everything else, and no known child. Finds the
/// number of fields on children by trying.
fn free_fields(id: u32, version: u8, count: usize) -> Vec<u8> {
    let fields = |children: usize| {
        let mut fields = vec![2; count];
        fields[..6].fill(0);
        fields[count - COVERED_FROM_END - children..count - COVERED_FROM_END].fill(0);
        fields
    };
    (1..=6).map(fields).find(|fields| reference(id, &us_core(version, fields)) == FREE).unwrap()
}

fn free_section(id: u32) -> String {
    let &(_, version, count) = LAYOUTS.iter().find(|layout| layout.0 == id).unwrap();
    us_core(version, &free_fields(id, version, count))
}

/// Whether a two-bit field of a core segment is 3.
fn has_three(core: &str) -> bool {
    let sextets = core.bytes().filter_map(|byte| ALPHABET.iter().position(|letter| *letter == byte));
    sextets.skip(1).any(|six| [six & 3, six >> 2 & 3, six >> 4 & 3].contains(&3))
}
