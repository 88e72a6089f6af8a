//! What each privacy signal is told to mean.

use super::*;
use bidder_wasm::read::{Reader, Wants};
use bumpalo::Bump;
use core::num::NonZeroU16;

/// A TCF string that grants vendor 42 purpose 2 by consent, and no other purpose.
const BASIC_ADS: &str = "CPzHq4APzHq4AAMABBENAUEAAEAAAAAAAAAAAVAAAAAAAQAAAAA";

/// Each signal of a request with these members: its name, value, meaning and paths.
fn told(more: &str, vendor: u16) -> Vec<String> {
    let body = format!(r#"{{"id":"r","imp":[{{"id":"i"}}]{more}}}"#);
    let arena = Bump::new();
    let request = Reader::default().read(body.as_bytes(), &Wants::everything(""), &arena).unwrap();
    let settings = Settings { vendor_id: NonZeroU16::new(vendor), ..Settings::default() };
    let all = of(&Tree::read(body.as_bytes()), &request, &settings);
    all.iter().map(|one| format!("{} {}: {} @ {}", one.signal, one.said, one.means, one.at.join(" "))).collect()
}

#[test]
fn each_signal_is_told_with_its_value_and_its_place() {
    let contextual = "forbids ids, segments and the precise location";
    for (more, expected) in [
        ("", vec![]),
        (r#","regs":{"coppa":1}"#, vec![format!("regs.coppa 1: {contextual} @ regs.coppa")]),
        (
            r#","regs":{"coppa":0,"ext":{"gpc":"1"}},"device":{"lmt":null,"dnt":1,"devicetype":4}"#,
            vec![
                "regs.coppa 0: forbids nothing @ regs.coppa".to_owned(),
                format!("regs.gpc 1: {contextual} @ regs.ext.gpc"),
                format!("device.dnt 1: {contextual} @ device.dnt"),
            ],
        ),
        (
            r#","device":{"devicetype":8}"#,
            vec![format!("device.devicetype 8: a screen that many people see: {contextual} @ device.devicetype")],
        ),
        (
            r#","dooh":{"id":"s"},"device":{"devicetype":8}"#,
            vec![format!("dooh : a screen that many people see: {contextual} @ dooh")],
        ),
        (
            r#","regs":{"us_privacy":"1YNN","gpp":"garbage","gpp_sid":[7,8]}"#,
            vec![
                "regs.us_privacy 1YNN: forbids nothing @ regs.us_privacy".to_owned(),
                format!("regs.gpp garbage: the sections in gpp_sid: {contextual}, or cannot be read @ regs.gpp"),
                format!("regs.gpp_sid 7, 8: the sections in gpp_sid: {contextual}, or cannot be read @ regs.gpp_sid"),
            ],
        ),
        (
            r#","regs":{"gdpr":0},"user":{"consent":"x"}"#,
            vec![
                "regs.gdpr 0: GDPR does not apply: forbids nothing @ regs.gdpr".to_owned(),
                "user.consent x: not read, because GDPR does not apply @ user.consent".to_owned(),
            ],
        ),
        (
            r#","regs":{"ext":{"gdpr":1}}"#,
            vec!["regs.gdpr 1: GDPR applies; no TCF string: forbids every bid @ regs.ext.gdpr".to_owned()],
        ),
        (
            r#","regs":{"gdpr":0,"gpp_sid":[2]}"#,
            vec![
                "regs.gpp_sid 2: section 1 or 2 says that GDPR applies; the other sections in gpp_sid: forbids nothing @ regs.gpp_sid".to_owned(),
                "regs.gdpr 0: GDPR applies by another signal; no TCF string: forbids every bid @ regs.gdpr".to_owned(),
            ],
        ),
    ] {
        assert_eq!(told(more, 42), expected, "{more}");
    }
}

#[test]
fn a_consent_string_is_told_by_what_it_grants() {
    let consent = format!(r#","user":{{"ext":{{"consent":"{BASIC_ADS}"}}}}"#);
    let said = format!("user.consent {BASIC_ADS}");
    let place = "@ user.ext.consent";
    assert_eq!(
        told(&consent, 42),
        [format!(
            "{said}: the TCF string does not grant everything: forbids ids, segments and the precise location {place}"
        )]
    );
    assert_eq!(
        told(&consent, 41),
        [format!("{said}: the TCF string does not grant what a bid needs: forbids every bid {place}")]
    );
    let lacking = "the catalog has no vendor_id, so no consent string can name it";
    assert_eq!(told(&consent, 0), [format!("{said}: {lacking}: forbids every bid {place}")]);
}
