//! Explanations of privacy signals and of the values that they hide.

use crate::compile::compile;
use crate::explain::explain;
use bidder_wasm::context::Context;

/// A TCF string that grants vendor 42 purpose 2 by consent, and no other purpose.
const BASIC_ADS: &str = "CPzHq4APzHq4AAMABBENAUEAAEAAAAAAAAAAAVAAAAAAAQAAAAA";

/// The explanation of a request for a catalog with one campaign and this target.
fn explained(privacy: &str, target: &str, more: &str) -> String {
    let document = format!(
        r#"{{"format":1,"ssps":[{{"id":"a"}}],"privacy":{privacy},"creatives":[{{"crid":"b","banner":{{"w":1,"h":1,"adm":"<b>"}}}}],
        "campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["b"],"target":{target}}}]}}"#
    );
    let compiled = compile(document.as_bytes(), &[]).unwrap();
    let request = format!(r#"{{"id":"r","imp":[{{"id":"i","banner":{{"w":1,"h":1}}}}]{more}}}"#);
    let mut report = String::new();
    let context = Context::default();
    explain(request.as_bytes(), 0, &compiled.snapshot.catalog(), &context, None, &mut report).unwrap();
    report
}

#[test]
fn the_signals_that_lower_the_verdict_are_named() {
    let unregistered = r#"{"bid_unregistered":true}"#;
    let registered = r#"{"vendor_id":42,"bid_without_string":true}"#;
    for (privacy, more, expected) in [
        ("{}", "", r#""personal","cur""#),
        ("{}", r#","regs":{"gpc":1}"#, r#""contextual","privacy_by":"regs.gpc","cur""#),
        (
            "{}",
            r#","regs":{"coppa":1,"us_privacy":"1YYN"},"device":{"lmt":1,"dnt":1}"#,
            r#""contextual","privacy_by":"regs.coppa, device.lmt, device.dnt, regs.us_privacy 1YYN","cur""#,
        ),
        ("{}", r#","dooh":{"id":"1"}"#, r#""contextual","privacy_by":"dooh","cur""#),
        ("{}", r#","device":{"devicetype":8}"#, r#""contextual","privacy_by":"device.devicetype 8","cur""#),
        (
            "{}",
            r#","regs":{"gpp":"garbage","gpp_sid":[7,8]}"#,
            r#""contextual","privacy_by":"regs.gpp with gpp_sid 7, 8","cur""#,
        ),
        (
            unregistered,
            r#","regs":{"gdpr":1}"#,
            r#""contextual","privacy_by":"GDPR: the catalog has no vendor_id, so no consent string can name it","cur""#,
        ),
        (registered, r#","regs":{"gdpr":1}"#, r#""contextual","privacy_by":"GDPR: no TCF string","cur""#),
        (
            registered,
            &format!(r#","user":{{"consent":"{BASIC_ADS}"}}"#),
            r#""contextual","privacy_by":"GDPR: the TCF string grants no more","cur""#,
        ),
    ] {
        let report = explained(privacy, "{}", more);
        assert!(report.contains(&format!(r#""privacy":{expected}"#)), "{expected} in {report}");
    }
}

#[test]
fn a_hidden_value_is_not_called_unknown() {
    let person = r#","user":{"buyeruid":"b","yob":1990,"eids":[{"source":"e.example","mm":2,"uids":[{"id":"u"}]}],
        "data":[{"id":"p","segment":[{"id":"1"}]}]},"device":{"geo":{"country":"DEU","zip":"1","lat":1,"lon":1}}"#;
    for (target, reason) in [
        (r#"{"segment":{"include":[{"provider":"p","id":"2"}]}}"#, "segment"),
        (r#"{"eids":{"include":["f.example"]}}"#, "eids"),
        (r#"{"yob":{"min":2000,"max":2001}}"#, "yob"),
        (r#"{"zip":{"include":["2"]}}"#, "zip"),
        (r#"{"radius":{"include":[{"lat":"50","lon":"50","metres":1000}]}}"#, "radius"),
    ] {
        let hidden = r#""found":"hidden: privacy is contextual""#;
        for (regs, is_hidden) in [("", false), (r#","regs":{"gpc":1}"#, true)] {
            let report = explained("{}", target, &format!("{person}{regs}"));
            assert!(report.contains(&format!(r#""reason":"{reason}""#)), "{reason} in {report}");
            assert_eq!(report.contains(hidden), is_hidden, "{reason} in {report}");
        }
    }
}
