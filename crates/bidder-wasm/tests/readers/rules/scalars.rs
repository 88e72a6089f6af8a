//! Flags, floors and currencies in all objects.

use super::{imp, request};
use bidder_wasm::money::{Currency, Micros};

#[test]
fn flags() {
    for (value, expected, signal) in [
        ("1", true, true),
        ("true", true, true),
        (r#""1""#, true, true),
        (r#"" 1.0 ""#, true, true),
        ("1.0", true, true),
        ("0", false, false),
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

#[test]
fn floors_and_currencies() {
    for (value, micros) in [
        ("2.5", 2_500_000),
        ("3", 3_000_000),
        ("1.0E-5", 10),
        ("2.4301341", 2_430_135),
        (r#""2.01""#, 2_010_000),
        (r#"" 2.01""#, Micros::UNREADABLE.0),
        ("-1.5", 0),
        ("-0", 0),
        ("true", Micros::UNREADABLE.0),
        ("[1]", Micros::UNREADABLE.0),
        ("null", 0),
    ] {
        let per_second = format!(r#""mincpmpersec":{value},"durfloors":[{{"bidfloor":{value}}}]"#);
        let members = format!(
            r#""bidfloor":{value},"pmp":{{"deals":{{"id":"d","bidfloor":{value},{per_second}}}}},
            "video":{{{per_second}}},"audio":{{{per_second}}}"#
        );
        let found = imp(&members, |imp| {
            let (deal, video, audio) = (imp.deals[0], imp.video.unwrap(), imp.audio.unwrap());
            let by_duration = [deal.durfloors, video.durfloors, audio.durfloors].map(|floors| floors[0].bidfloor);
            let per_second = [deal.mincpmpersec, video.mincpmpersec, audio.mincpmpersec];
            ([imp.bidfloor, deal.bidfloor], by_duration, per_second)
        });
        let micros = Micros(micros);
        assert_eq!(found, ([micros; 2], [micros; 3], [micros; 3]), "{value}");
    }
    for (value, currency) in [
        (r#""EUR""#, Currency::parse("EUR")),
        (r#""eur""#, Currency::parse("EUR")),
        (r#""""#, Currency::USD),
        ("null", Currency::USD),
        ("true", Currency::UNKNOWN),
        (r#"["EUR"]"#, Currency::UNKNOWN),
        (r#""euro""#, Currency::UNKNOWN),
        ("978", Currency::UNKNOWN),
    ] {
        let members = format!(r#""bidfloorcur":{value},"pmp":{{"deals":[{{"id":"d","bidfloorcur":{value}}}]}}"#);
        let found = imp(&members, |imp| (imp.bidfloorcur, imp.deals[0].bidfloorcur));
        assert_eq!(found, (currency, currency), "{value}");
    }
    request(r#""cur":["JPY","","euro",null,"usd"]"#, |request| {
        assert_eq!(request.cur, [Currency::parse("JPY"), Currency::UNKNOWN, Currency::USD]);
    });
    request(r#""cur":"""#, |request| assert_eq!(request.cur, []));
}
