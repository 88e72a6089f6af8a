//! Flags in all objects.

use super::{imp, request};

#[test]
fn flags() {
    for (value, expected, signal) in [
        ("1", true, true),
        ("true", true, true),
        (r#""1""#, true, true),
        (r#"" 1.0 ""#, true, true),
        ("1.0", true, true),
        ("0", false, false),
        ("0.0", false, false),
        ("false", false, false),
        ("2", false, true),
        ("-1", false, true),
        (r#""""#, false, false),
        (r#""true""#, false, true),
        ("null", false, false),
        ("[1]", false, true),
        ("{}", false, true),
    ] {
        let members = format!(
            r#""test":{value},"regs":{{"coppa":{value}}},"device":{{"dnt":{value},"lmt":{value}}},
            "source":{{"schain":{{"complete":{value}}}}},
            "imp":[{{"id":"1","instl":{value},"secure":{value},"rwdd":{value},
            "native":{{"request":{{"privacy":{value},"assets":{{"id":1,"required":{value}}}}}}},
            "pmp":{{"private_auction":{value},"deals":[{{"id":"d","guar":{value}}}]}}}}]"#
        );
        let found = request(&members, |request| {
            let imp = request.imp[0];
            let complete = request.schain.unwrap().complete;
            let device = request.device;
            let flags = [
                request.test,
                complete,
                imp.instl,
                imp.rwdd,
                imp.native.unwrap().privacy,
                imp.native.unwrap().assets[0].required,
                imp.deals[0].guar,
            ];
            (flags, [request.regs.coppa, device.dnt, device.lmt, imp.secure, imp.private_auction])
        });
        assert_eq!(found, ([expected; 7], [signal; 5]), "{value}");
    }
}

#[test]
fn flags_that_may_be_unknown() {
    for (value, expected) in [
        ("1", Some(true)),
        ("true", Some(true)),
        (r#"" 1""#, Some(true)),
        ("0", Some(false)),
        ("false", Some(false)),
        ("2", Some(false)),
        ("-1.0", Some(false)),
        ("1.5", None),
        (r#""""#, None),
        ("null", None),
        ("[1]", None),
        ("9007199254740993", None),
    ] {
        let content = format!(r#""site":{{"content":{{"livestream":{value}}}}}"#);
        assert_eq!(request(&content, |request| request.site.unwrap().content.livestream), expected, "{value}");
        let video = format!(r#""video":{{"skip":0,"skip":{value},"boxingallowed":{value}}}"#);
        let found = imp(&video, |imp| (imp.video.unwrap().skip, imp.video.unwrap().boxingallowed));
        assert_eq!(found, (expected, expected), "{value}");
    }
}
