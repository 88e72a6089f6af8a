//! Every fault of a TCF string at every position where a request or a sync call has one, in JSON and in protobuf.

use bumpalo::Bump;
use consent::sync::Call;
use consent::{Fallback, Settings, Verdict, judge};
use openrtb::read::{Body, Format, Reader, Wants};
use serde_json::{Value, json};

use super::encode::{Tcf, Vendors, gpp, segment};
use super::verdicts::{OUR_ID, granted, registered};
use super::{FREE, NO_PRECISE_GEO};

/// The last day before Disclosed Vendors became mandatory, and the last day before policy version 4 did.
const BEFORE_DISCLOSURE: u16 = 20_512;
const BEFORE_POLICY_4: u16 = 19_630;

/// Strings that count: all grant everything.
fn valid() -> Vec<(&'static str, String)> {
    let range = Vendors::Ranges { max: OUR_ID, ranges: vec![(2, 2), (7, OUR_ID)] };
    let older = Tcf { created: BEFORE_DISCLOSURE, disclosed: None, ..granted() };
    let with = |more: &str| granted().text() + more;
    vec![
        ("disclosed", granted().text()),
        ("disclosed in a range", Tcf { disclosed: Some(range), ..granted() }.text()),
        ("publisher's purposes", with(".YAAAAAAAAAA")),
        ("two of the publisher's own purposes", with(".YAAAAAAAAQA")),
        ("disclosed after the publisher's purposes", granted().core() + ".YAAAAAAAAAA." + &disclosed(&[OUR_ID])),
        ("formerly allowed vendors", with(&format!(".{}", segment(2, &Vendors::field(&[1]))))),
        ("older, without the segment", older.text()),
        ("much older, of policy version 2", Tcf { created: BEFORE_POLICY_4, policy: 2, ..older }.text()),
    ]
}

/// Strings that are not valid.
fn invalid() -> Vec<(&'static str, String)> {
    let (core, all) = (granted().core(), granted().text());
    let old = |created, policy| Tcf { created, policy, disclosed: None, ..granted() }.text();
    let many = segment(1, &Vendors::Field(vec![true; 400]));
    let ranges = segment(1, &Vendors::Ranges { max: 400, ranges: vec![(1, 400), (401, 402)] });
    let cut = |segment: &str, characters: usize| format!("{core}.{}", &segment[..segment.len() - characters]);
    vec![
        ("created 2026-03-01 without the segment", old(BEFORE_DISCLOSURE + 1, 5)),
        ("created 2026-06-01 without the segment", core.clone()),
        ("only the publisher's purposes", format!("{core}.YAAAAAAAAAA")),
        ("only the formerly allowed vendors", format!("{core}.{}", segment(2, &Vendors::field(&[OUR_ID])))),
        ("an empty segment", format!("{core}.")),
        ("an empty segment after a good one", format!("{all}.")),
        ("an empty segment before a good one", all.replacen('.', "..", 1)),
        ("a segment of one character", format!("{core}.I")),
        ("cut off in its bits", cut(&many, 2)),
        ("cut off in its length", format!("{core}.IA")),
        ("cut off in its ranges", cut(&ranges, 4)),
        ("cut off before its ranges", format!("{core}.IAZAA")),
        ("the publisher's purposes, cut off", format!("{all}.YAAAAAAA")),
        ("the publisher's own purposes, cut off", format!("{all}.YAAAAAAAH-A")),
        ("the formerly allowed vendors, cut off", format!("{all}.QA")),
        ("no base64", format!("{core}.I?VEAAAAAAQ")),
        ("no base64 beside a good one", format!("{all}.$")),
        ("padding", format!("{all}=")),
        ("spaces", format!("{core}. {}", disclosed(&[OUR_ID]))),
        ("a second core", format!("{all}.{core}")),
        ("a core instead of the segment", format!("{core}.{core}")),
        ("a segment of type 0", format!("{all}.AAAA")),
        ("a segment of type 4", format!("{all}.gAAA")),
        ("a segment of type 7", format!("{all}.4AAA")),
        ("twice the same", format!("{all}.{}", disclosed(&[OUR_ID]))),
        ("twice, one without us", format!("{all}.{}", disclosed(&[2]))),
        ("twice the publisher's purposes", format!("{all}.YAAAAAAAAAA.YAAAAAAAAAA")),
        ("global", Tcf { is_service_specific: false, ..granted() }.text()),
        ("global and old", Tcf { is_service_specific: false, created: BEFORE_POLICY_4, policy: 2, ..granted() }.text()),
        ("policy version 3 on 2023-10-01", old(BEFORE_POLICY_4 + 1, 3)),
        ("policy version 2 on 2026-06-01", Tcf { policy: 2, ..granted() }.text()),
        ("a core that is cut off", format!("{}.{}", &core[..40], disclosed(&[OUR_ID]))),
        ("segments in the wrong order", format!("{}.{core}", disclosed(&[OUR_ID]))),
        ("garbage", "garbage".to_owned()),
    ]
}

/// Valid strings that do not disclose our vendor.
fn undisclosed() -> Vec<(&'static str, String)> {
    let others = Vendors::Ranges { max: 400, ranges: vec![(1, OUR_ID - 1), (OUR_ID + 1, 400)] };
    let of = |disclosed| Tcf { disclosed: Some(disclosed), ..granted() };
    vec![
        ("others", of(Vendors::field(&[2, 7])).text()),
        ("others in ranges", of(others).text()),
        ("the next one", of(Vendors::field(&[OUR_ID + 1])).text()),
        ("nobody", of(Vendors::field(&[])).text()),
        ("others, in an older string", Tcf { created: BEFORE_DISCLOSURE, ..of(Vendors::field(&[2])) }.text()),
        (
            "others, and allowed formerly",
            of(Vendors::field(&[2])).text() + "." + &segment(2, &Vendors::field(&[OUR_ID])),
        ),
    ]
}

fn disclosed(ids: &[u16]) -> String {
    segment(1, &Vendors::field(ids))
}

/// The members of a request with a string at each position.
fn positions(text: &str) -> Vec<(&'static str, Value)> {
    let in_gpp = gpp(&[(2, text), (6, "1YNN")]);
    vec![
        ("user.consent", json!({"regs": {"gdpr": 1}, "user": {"consent": text}})),
        ("user.consent alone", json!({"user": {"consent": text}})),
        ("user.ext.consent", json!({"regs": {"ext": {"gdpr": 1}}, "user": {"ext": {"consent": text}}})),
        ("regs.gpp", json!({"regs": {"gpp": in_gpp, "gpp_sid": [2]}})),
        ("regs.ext.gpp", json!({"regs": {"ext": {"gpp": in_gpp, "gpp_sid": [2, 6]}}})),
        (
            "the second position",
            json!({"regs": {"gdpr": 1}, "user": {"consent": granted().text(), "ext": {"consent": text}}}),
        ),
        (
            "beside a good section",
            json!({"regs": {"gpp": gpp(&[(2, &granted().text())]), "gpp_sid": [2]}, "user": {"consent": text}}),
        ),
        (
            "beside a good consent",
            json!({"regs": {"gpp": in_gpp, "gpp_sid": [2]}, "user": {"consent": granted().text()}}),
        ),
    ]
}

/// The verdict on a request with these members, and whether a string is refused.
fn of_json(members: &Value, settings: &Settings) -> (Verdict, bool) {
    let mut request = json!({"id": "r", "imp": [{"id": "1"}]});
    request.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    read(Body::from(request.to_string().as_bytes()), settings)
}

fn read(body: Body<'_>, settings: &Settings) -> (Verdict, bool) {
    let arena = Bump::new();
    judge(&Reader::default().read(body, &Wants::everything(""), &arena).unwrap(), settings)
}

/// The same in protobuf, by the field numbers of `openrtb.proto`. `None` if protobuf has no such position.
fn of_protobuf(members: &Value, settings: &Settings) -> Option<(Verdict, bool)> {
    let text = |number, value: &Value| value.as_str().map(|text| field(number, text.as_bytes())).unwrap_or_default();
    let (regs, user) = (&members["regs"], &members["user"]);
    if regs["ext"]["gpp"].is_string() {
        return None;
    }
    let number =
        |number: u8, value: &Value| value.as_u64().map(|value| vec![number << 3, byte(value)]).unwrap_or_default();
    let regs_ext = number(1, &regs["ext"]["gdpr"]);
    let regs = [number(4, &regs["gdpr"]), text(2, &regs["gpp"]), number(3, &regs["gpp_sid"][0]), field(99, &regs_ext)];
    let user = [text(10, &user["consent"]), field(99, &text(1, &user["ext"]["consent"]))];
    let body =
        [field(1, b"r"), field(2, &field(1, b"1")), field(14, &regs.concat()), field(6, &user.concat())].concat();
    Some(read(Body::from(body.as_slice()).encoded_as(Format::Protobuf), settings))
}

/// A field with a length.
fn field(number: u64, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![];
    for mut rest in [number << 3 | 2, bytes.len() as u64] {
        while rest > 0x7f {
            out.push(byte(rest & 0x7f) | 0x80);
            rest >>= 7;
        }
        out.push(byte(rest));
    }
    [&out, bytes].concat()
}

fn byte(value: u64) -> u8 {
    u8::try_from(value).unwrap()
}

/// What a sync call with the string gets, in `gdpr_consent` and in `gpp`.
fn of_sync(text: &str, settings: &Settings) -> [Result<(), &'static str>; 2] {
    let arena = Bump::new();
    let in_gpp = gpp(&[(2, text)]);
    [format!("gdpr=1&gdpr_consent={text}"), format!("gpp={in_gpp}&gpp_sid=2")].map(|query| {
        let query = query.replace('=', "%3D").replace("%3D", "=");
        Call::read(query.replace(' ', "%20").as_bytes(), &arena).ok_or("bad-call")?.allow(false, settings, &arena)
    })
}

/// Asserts the verdict and whether a string is refused, at every position.
fn check(strings: &[(&str, String)], settings: &Settings, expected: (Verdict, bool)) {
    for (fault, text) in strings {
        let mut in_protobuf = 0;
        for (position, members) in positions(text) {
            assert_eq!(of_json(&members, settings), expected, "{fault}, in {position}: {members}");
            if let Some(found) = of_protobuf(&members, settings) {
                assert_eq!(found, expected, "{fault}, in {position} in protobuf: {members}");
                in_protobuf += 1;
            }
        }
        assert_eq!(in_protobuf, 7, "positions in protobuf");
        let allowed = match expected {
            (verdict, _) if verdict.allows_personal() => [Ok(()); 2],
            (_, _) if text.contains(' ') => [Err("bad-call"); 2],
            (_, true) => [Err("tcf-refused"); 2],
            (_, false) => [Err("no-consent"); 2],
        };
        assert_eq!(of_sync(text, settings), allowed, "{fault}, in a sync call");
    }
}

#[test]
fn a_valid_string_counts_at_every_position() {
    check(&valid(), &registered(), (FREE, false));
}

#[test]
fn an_invalid_string_is_no_string_at_every_position() {
    check(&invalid(), &registered(), (Verdict::None, true));
    let lenient = Settings { without_string: Fallback::Contextual, ..registered() };
    check(&invalid(), &lenient, (Verdict::Contextual, true));
}

#[test]
fn a_string_that_does_not_disclose_us_is_no_legal_basis_at_every_position() {
    check(&undisclosed(), &registered(), (Verdict::None, true));
    // The string is there, and it says no.
    let lenient = Settings { without_string: Fallback::Contextual, ..registered() };
    check(&undisclosed(), &lenient, (Verdict::None, true));
}

#[test]
fn a_string_that_grants_less_is_not_refused_for_its_form() {
    let no_precise_geo = vec![("no special feature 1", Tcf { special_features: 0, ..granted() }.text())];
    check(&no_precise_geo, &registered(), (NO_PRECISE_GEO, false));
    let nothing = vec![("no purpose", Tcf { consent: 0, interest: 0, ..granted() }.text())];
    check(&nothing, &registered(), (Verdict::None, false));
}
