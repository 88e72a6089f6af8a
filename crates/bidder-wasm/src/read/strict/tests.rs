//! One row per rule of the header: what the decision gets to see.

use bumpalo::Bump;

use super::{read, validate};
use crate::decode::Rule;
use crate::limits::{MAX_DEPTH, MAX_IMPS, MAX_REQUEST_BYTES};
use crate::money::{Currency, Micros};
use crate::read::BadRequest;
use crate::request::{Asset, AssetKind, Imp, Native, Request, Size};

/// Reads a request that has the attributes `more` besides an id and an impression.
fn request<R>(more: &str, look: impl FnOnce(&Request<'_>) -> R) -> R {
    let arena = Bump::new();
    let body = format!(r#"{{"id":"r","imp":[{{"id":"1"}}],{more}}}"#);
    let request = read(body.as_bytes(), &arena).unwrap_or_else(|bad| panic!("{body}: {bad}"));
    look(&request)
}

/// Reads an impression that has the attributes `more` besides an id.
fn imp<R>(more: &str, look: impl FnOnce(&Imp<'_>) -> R) -> R {
    request(&format!(r#""imp":[{{"id":"1",{more}}}]"#), |request| look(&request.imp[0]))
}

fn refusal(body: &str) -> Option<BadRequest> {
    read(body.as_bytes(), &Bump::new()).err()
}

#[test]
fn refused() {
    for (body, expected) in [
        ("", Some(BadRequest::NotJson { at: 0 })),
        (r#"{"id":"1","imp":[{"id":"1"},]}"#, Some(BadRequest::NotJson { at: 28 })),
        ("[]", Some(BadRequest::NotAnObject)),
        ("null", Some(BadRequest::NotAnObject)),
        ("{}", Some(BadRequest::MissingId)),
        (r#"{"id":null,"imp":[{"id":"1"}]}"#, Some(BadRequest::MissingId)),
        (r#"{"id":true,"imp":[{"id":"1"}]}"#, Some(BadRequest::MissingId)),
        (r#"{"id":["1"],"imp":[{"id":"1"}]}"#, Some(BadRequest::MissingId)),
        (r#"{"id":"1","id":null,"imp":[{"id":"1"}]}"#, Some(BadRequest::MissingId)),
        (r#"{"id":"1"}"#, Some(BadRequest::MissingImp)),
        (r#"{"id":"1","imp":null}"#, Some(BadRequest::MissingImp)),
        (r#"{"id":"1","imp":"1"}"#, Some(BadRequest::MissingImp)),
        (r#"{"id":"1","imp":[]}"#, Some(BadRequest::MissingImp)),
        (r#"{"id":"1","imp":[null,5,[{"id":"1"}]]}"#, Some(BadRequest::MissingImp)),
        (r#"{"id":"1","imp":[{"id":"1"}],"imp":[]}"#, Some(BadRequest::MissingImp)),
        (r#"{"id":"","imp":[{}]}"#, None),
        (r#"{"id":1,"imp":{"id":"1"}}"#, None),
    ] {
        assert_eq!(refusal(body), expected, "{body}");
    }
    let large = format!(r#"{{"id":"1","imp":[{{"id":"1"}}]{}}}"#, " ".repeat(MAX_REQUEST_BYTES));
    assert_eq!(refusal(&large), Some(BadRequest::TooLarge));
    let deep = format!(r#"{{"id":"1","imp":{}{}}}"#, "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
    assert_eq!(refusal(&deep), Some(BadRequest::NotJson { at: 16 + MAX_DEPTH - 1 }));
}

#[test]
fn ids_are_echoed_as_text() {
    for (id, literal, value) in [
        (r#""a\/b\u0026\"\\""#, r#"a/b&\"\\"#, r#"a/b&"\"#),
        (r#""""#, "", ""),
        ("12", "12", "12"),
        ("-1.50E2", "-1.50E2", "-1.50E2"),
        ("123456789012345678901", "123456789012345678901", "123456789012345678901"),
        (r#""\ud800\u0001""#, "\u{fffd}\\u0001", "\u{fffd}\u{1}"),
    ] {
        request(&format!(r#""id":{id}"#), |request| {
            assert_eq!((request.id.literal, request.id.value), (literal, value), "{id}");
        });
    }
}

#[test]
fn imps_without_an_id_are_left_out_and_the_first_ones_kept() {
    let ids = |imps: &str| {
        request(&format!(r#""imp":{imps}"#), |request| {
            request.imp.iter().map(|imp| imp.id.value.to_string()).collect::<Vec<_>>().join("|")
        })
    };
    for (imps, expected) in [
        (r#"[{"id":"a"},{},{"id":null},{"id":[]},{"id":true},{"id":""},{"id":7},5,null,{"id":"a"}]"#, "a||7|a"),
        (r#"{"id":"a"}"#, "a"),
        ("[{}]", ""),
    ] {
        assert_eq!(ids(imps), expected, "{imps}");
    }
    let many = format!("[{{}},{}]", vec![r#"{"id":"x"}"#; MAX_IMPS + 1].join(","));
    assert_eq!(ids(&many), vec!["x"; MAX_IMPS].join("|"));
}

#[test]
fn defaults() {
    request(r#""x":0"#, |request| {
        let expected = Request { id: request.id, imp: request.imp, at: 2, cattax: 1, ..Request::default() };
        assert_eq!(*request, expected);
        assert_eq!(request.imp, [Imp { id: request.imp[0].id, ..Imp::default() }]);
    });
    request(r#""at":"first","cattax":{},"tmax":-5,"app":null,"site":[],"device":"x","regs":1"#, |request| {
        let expected = Request { id: request.id, imp: request.imp, at: 2, cattax: 1, tmax: -5, ..Request::default() };
        assert_eq!(*request, expected);
    });
}

#[test]
fn flags() {
    for (value, expected) in [
        ("1", true),
        ("true", true),
        (r#""1""#, true),
        (r#"" 1.0 ""#, true),
        ("1.0", true),
        ("0", false),
        ("false", false),
        ("2", false),
        ("-1", false),
        (r#""""#, false),
        (r#""true""#, false),
        ("null", false),
        ("[1]", false),
    ] {
        let members = format!(
            r#""test":{value},"regs":{{"coppa":{value}}},"device":{{"dnt":{value},"lmt":{value}}},
            "source":{{"schain":{{"complete":{value}}}}},
            "imp":[{{"id":"1","instl":{value},"secure":{value},"pmp":{{"private_auction":{value}}}}}]"#
        );
        let found = request(&members, |request| {
            let imp = request.imp[0];
            let complete = request.schain.unwrap().complete;
            let device = request.device;
            [
                request.test,
                request.regs.coppa,
                device.dnt,
                device.lmt,
                complete,
                imp.instl,
                imp.secure,
                imp.private_auction,
            ]
        });
        assert_eq!(found, [expected; 8], "{value}");
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
        (r#"" 2.01""#, 0),
        ("-1.5", 0),
        ("-0", 0),
        ("true", 0),
        ("[1]", 0),
        ("null", 0),
    ] {
        let members = format!(r#""bidfloor":{value},"pmp":{{"deals":{{"id":"d","bidfloor":{value}}}}}"#);
        let found = imp(&members, |imp| (imp.bidfloor, imp.deals[0].bidfloor));
        assert_eq!(found, (Micros(micros), Micros(micros)), "{value}");
    }
    for (value, currency) in [
        (r#""EUR""#, Currency::parse("EUR")),
        (r#""eur""#, Currency::parse("EUR")),
        (r#""""#, Currency::USD),
        ("null", Currency::USD),
        ("true", Currency::USD),
        (r#"["EUR"]"#, Currency::USD),
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

#[test]
fn privacy_at_both_places() {
    for (regs, gdpr) in [
        (r#"{"gdpr":1}"#, Some(true)),
        (r#"{"gdpr":"0"}"#, Some(false)),
        (r#"{"gdpr":2}"#, None),
        ("{}", None),
        (r#"{"ext":{"gdpr":1}}"#, Some(true)),
        (r#"{"gdpr":0,"ext":{"gdpr":1}}"#, Some(false)),
        (r#"{"gdpr":2,"ext":{"gdpr":1}}"#, Some(true)),
        (r#"{"gdpr":null,"ext":{"gdpr":true}}"#, Some(true)),
        (r#"{"gdpr":1,"gdpr":null,"ext":{"gdpr":1,"gdpr":0}}"#, Some(false)),
        (r#"{"ext":"gdpr"}"#, None),
    ] {
        assert_eq!(request(&format!(r#""regs":{regs}"#), |request| request.regs.gdpr), gdpr, "{regs}");
    }
    request(
        r#""regs":{"us_privacy":"","gpp":"A","gpp_sid":["x"],"ext":{"us_privacy":"1YNN","gpp":"B","gpp_sid":["7",8]}},
        "user":{"consent":5,"eids":[{"uids":[{"id":"1"}]}],"ext":{"consent":"C","eids":{"source":"s","uids":[{"id":1},{}]}}}"#,
        |request| {
            assert_eq!((request.regs.us_privacy, request.regs.gpp, request.regs.gpp_sid), ("1YNN", "A", &[7, 8][..]));
            assert_eq!(request.user.consent, "5");
            assert_eq!((request.user.eids[0].source, request.user.eids[0].uids.len()), ("s", 1));
            assert_eq!(request.user.eids[0].uids[0].id, "1");
        },
    );
}

#[test]
fn supply_chain_at_both_places() {
    for (source, expected) in [
        (r#"{"schain":{"nodes":[{"asi":"a","sid":1}]},"ext":{"schain":{"nodes":[]}}}"#, Some("a:1")),
        (r#"{"schain":{},"ext":{"schain":{"nodes":[{"asi":"a"}]}}}"#, Some("")),
        (r#"{"schain":"x","ext":{"schain":{"nodes":[{"asi":"a"},{},7]}}}"#, Some("a:|:")),
        (r#"{"ext":{"schain":"x"}}"#, None),
        (r#""/home""#, None),
    ] {
        let nodes = request(&format!(r#""source":{source}"#), |request| {
            let nodes = request.schain?.nodes.iter().map(|node| format!("{}:{}", node.asi, node.sid));
            Some(nodes.collect::<Vec<_>>().join("|"))
        });
        assert_eq!(nodes.as_deref(), expected, "{source}");
    }
}

#[test]
fn channels() {
    request(
        r#""site":{"id":1,"domain":"d","bundle":"b","publisher":{"id":"p"}},
        "app":{"bundle":658367131,"publisher":"p"},"dooh":{"bundle":"b"}"#,
        |request| {
            let site = request.site.unwrap();
            assert_eq!((site.id, site.domain, site.bundle, site.publisher_id), ("1", "d", "", "p"));
            let app = request.app.unwrap();
            assert_eq!((app.bundle, app.publisher_id), ("658367131", ""));
            assert_eq!(request.dooh.unwrap().bundle, "");
        },
    );
}

#[test]
fn media() {
    imp(
        r#""banner":{"format":[{"w":"300","h":250.0},{},5],"w":728,"api":3,"battr":[1,"2",44.0,"x"],"mimes":[1,"a"]},
        "video":{"mimes":"video/mp4","w":640,"h":-1,"linearity":1,"rqddurs":[15],"protocols":["2"]},
        "audio":{"mimes":null,"w":640,"linearity":1,"maxduration":"30"}"#,
        |imp| {
            let banner = imp.banner.unwrap();
            assert_eq!(banner.format, [Size { w: 300, h: 250 }, Size::default()]);
            assert_eq!((banner.size, banner.api, banner.battr), (Size { w: 728, h: 0 }, &[3][..], &[1, 2, 44][..]));
            assert_eq!(banner.mimes, ["1", "a"]);
            let video = imp.video.unwrap();
            assert_eq!((video.mimes, video.size, video.linearity), (&["video/mp4"][..], Size { w: 640, h: -1 }, 1));
            assert_eq!((video.rqddurs, video.protocols), (&[15][..], &[2][..]));
            let audio = imp.audio.unwrap();
            assert_eq!(
                (audio.mimes, audio.size, audio.linearity, audio.maxduration),
                (&[][..], Size::default(), 0, 30)
            );
        },
    );
    assert!(imp(r#""banner":{}"#, |imp| imp.banner.is_some()));
    assert!(imp(r#""banner":[],"video":"x","native":{}"#, |imp| {
        imp.banner.is_none() && imp.video.is_none() && imp.native.is_none()
    }));
}

fn native<R>(native: &str, look: impl FnOnce(Option<Native<'_>>) -> R) -> R {
    imp(&format!(r#""native":{native}"#), |imp| look(imp.native))
}

#[test]
fn native_wrapper() {
    for (request, wrapped) in [
        (r#"{"request":"{}"}"#, Some(false)),
        (r#"{"request":{}}"#, Some(false)),
        (r#"{"request":"{\"native\":{}}"}"#, Some(true)),
        (r#"{"request":{"native":{}}}"#, Some(true)),
        (r#"{"request":{"native":{"ver":"1.1"}}}"#, Some(false)),
        (r#"{"request":{"native":{"ver":""}},"ver":""}"#, Some(true)),
        (r#"{"request":{"ver":"1.0"}}"#, Some(true)),
        (r#"{"request":{"ver":"1.0"},"ver":"1.2"}"#, Some(false)),
        (r#"{"request":{"ver":"1.2"},"ver":"1.0.0.1"}"#, Some(true)),
        (r#"{"request":{"ver":"1.2"},"ver":{}}"#, Some(false)),
        (r#"{"request":{},"ver":1}"#, Some(true)),
        (r#"{"request":{},"ver":1.0}"#, Some(true)),
        (r#"{"request":{},"ver":1.2}"#, Some(false)),
        (r#"{"request":"json string"}"#, None),
        (r#"{"request":"[]"}"#, None),
        (r#"{"request":5,"ver":"1.2"}"#, None),
        (r#"{"request":null}"#, None),
    ] {
        assert_eq!(native(request, |native| native.map(|native| native.wrapped)), wrapped, "{request}");
    }
}

#[test]
fn native_assets() {
    native(
        r#"{"battr":1,"request":{"assets":[
            {"id":"1","required":1,"title":{"len":"25"},"img":{}},
            {"id":2.0,"img":{"type":3,"w":1,"h":2,"wmin":3,"hmin":4}},
            {"id":3,"video":{},"data":{}},{"id":4,"title":5,"data":{"type":2}},{"id":5},{"title":{}},7]}}"#,
        |native| {
            let native = native.unwrap();
            let (size, min) = (Size { w: 1, h: 2 }, Size { w: 3, h: 4 });
            assert_eq!(
                native.assets,
                [
                    Asset { id: 1, required: true, kind: AssetKind::Title { len: 25 } },
                    Asset { id: 2, required: false, kind: AssetKind::Img { kind: 3, size, min } },
                    Asset { id: 3, required: false, kind: AssetKind::Video },
                    Asset { id: 4, required: false, kind: AssetKind::Data { kind: 2, len: 0 } },
                    Asset { id: 5, required: false, kind: AssetKind::Other },
                ]
            );
            assert_eq!(native.battr, [1]);
        },
    );
}

#[test]
fn validate_tells_what_deviates() {
    let rules = |body: &str| {
        let findings = validate(body.as_bytes()).unwrap();
        findings.into_iter().map(|finding| (finding.path, finding.rule)).collect::<Vec<_>>()
    };
    assert_eq!(rules(r#"{"id":"1","imp":[{"id":"1","ext":{"anything":[1.5]}}]}"#), []);
    let at = |path: &str, rule| (path.to_string(), rule);
    assert_eq!(
        rules(r#"{"imp":[5,{"id":1,"banner":{"wmin":1},"native":{"request":"{\"assets\":[{}]}"}}],"Xid":1}"#),
        [
            at("imp[0]", Rule::Unreadable),
            at("imp[1].id", Rule::WrongType),
            at("imp[1].banner.wmin", Rule::UnknownAttribute),
            at("imp[1].native.request.assets[0].id", Rule::Missing),
            at("Xid", Rule::UnknownAttribute),
            at("id", Rule::Missing),
        ]
    );
    assert_eq!(validate(b"[]"), Err(BadRequest::NotAnObject));
    assert_eq!(validate(b"{"), Err(BadRequest::NotJson { at: 1 }));
}
