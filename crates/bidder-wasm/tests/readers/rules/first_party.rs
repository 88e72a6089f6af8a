//! First-party data: which bidders they are for, what they change and what they cannot change.

use bumpalo::Bump;

use super::request;
use crate::read;
use bidder_wasm::request::{Point, Request, User};

/// Reads a request with `own` as `site`, `app` and `user`, and with `patch` as our first-party data for each of them.
fn merged<R>(own: &str, patch: &str, look: impl FnOnce(&Request<'_>) -> R) -> R {
    let all = |object: &str| format!(r#""site":{object},"app":{object},"user":{object}"#);
    let entry = format!(r#"{{"bidders":["edgebid"],"config":{{"ortb2":{{{}}}}}}}"#, all(patch));
    request(&format!(r#"{},"ext":{{"prebid":{{"bidderconfig":[{entry}]}}}}"#, all(own)), look)
}

#[test]
fn only_data_addressed_to_us_count() {
    let keywords = |ext: &str| {
        request(&format!(r#""site":{{"keywords":"own"}},"ext":{ext}"#), |request| {
            request.site.copied().unwrap_or_default().keywords.to_owned()
        })
    };
    let config = r#""config":{"ortb2":{"site":{"keywords":"new"}}}"#;
    for (bidders, expected) in [
        (r#"["edgebid"]"#, "new"),
        (r#"["*"]"#, "new"),
        (r#"["other","EdgeBid"]"#, "new"),
        (r#""edgebid""#, "new"),
        (r#"["\u0065dgebid"]"#, "new"),
        (r#"[{},null,"*"]"#, "new"),
        (r#"["other"]"#, "own"),
        (r#"["edgebid2","edge"," edgebid"]"#, "own"),
        (r#"[""]"#, "own"),
        ("[]", "own"),
        ("null", "own"),
        (r#"{"edgebid":1}"#, "own"),
        (r#"[["edgebid"]]"#, "own"),
    ] {
        let ext = format!(r#"{{"prebid":{{"bidderconfig":[{{"bidders":{bidders},{config}}}]}}}}"#);
        assert_eq!(keywords(&ext), expected, "{bidders}");
    }
    let ours = format!(r#"{{"bidders":"*",{config}}}"#);
    for (ext, expected) in [
        (format!(r#"{{"prebid":{{"bidderconfig":{ours}}}}}"#), "new"),
        (format!(r#"{{"prebid":{{"bidderconfig":[7,null,{ours},"x"]}}}}"#), "new"),
        (format!(r#"{{"prebid":{{"bidderconfig":[[{ours}]]}}}}"#), "own"),
        (format!(r#"{{"prebid":[{{"bidderconfig":{ours}}}]}}"#), "own"),
        (format!(r#"{{"prebid":{{"bidderconfig":{ours}}},"prebid":{{}}}}"#), "own"),
        (format!(r#"{{"prebid":{{"bidderconfig":{ours}}}}},"ext":null"#), "own"),
        (format!(r#"{{"bidderconfig":{ours}}}"#), "own"),
        (format!(r#"{{"prebid":{{"bidderconfig":{{{config}}}}}}}"#), "own"),
        (format!(r#"{{"prebid":{{"bidderconfig":[{ours},{{"bidders":"*","config":{{"site":{{}}}}}}]}}}}"#), "new"),
        (
            r#"{"prebid":{"bidderconfig":{"bidders":"*","config":{"ortb2":{"site":{"keywords":"1"},"site":{}}}}}}"#
                .to_owned(),
            "own",
        ),
    ] {
        assert_eq!(keywords(&ext), expected, "{ext}");
    }
}

#[test]
fn without_a_code_only_data_for_all_bidders_count() {
    for (bidders, expected) in [(r#"["*"]"#, "new"), (r#"[""]"#, "own"), (r#"["edgebid"]"#, "own")] {
        let body = format!(
            r#"{{"id":"r","imp":[{{"id":"1"}}],"site":{{"keywords":"own"}},"ext":{{"prebid":{{"bidderconfig":[
            {{"bidders":{bidders},"config":{{"ortb2":{{"site":{{"keywords":"new"}}}}}}}}]}}}}}}"#
        );
        let arena = Bump::new();
        let request = read(body.as_bytes(), "", &arena).unwrap();
        assert_eq!(request.site.unwrap().keywords, expected, "{bidders}");
    }
}

/// The JSON is merged before it is decoded.
#[test]
fn attributes_that_belong_together_may_come_from_both_sides() {
    for (own, patch, text, list) in [
        (r#""keywords":["a"]"#, r#""keywords":"b""#, "b", &[][..]),
        (r#""keywords":["a"]"#, r#""kwarray":["k"]"#, "", &["k"]),
        (r#""keywords":["a"],"kwarray":["k"]"#, r#""kwarray":null"#, "", &["a"]),
        (r#""keywords":"a""#, r#""kwarray":"k""#, "a", &["k"]),
        (r#""keywords":"a""#, r#""keywords":"b","keywords":null"#, "", &[]),
    ] {
        let all = |members: &str| format!(r#"{{{members},"content":{{{members}}}}}"#);
        merged(&all(own), &all(patch), |request| {
            let (site, user) = (request.site.unwrap(), request.user);
            assert_eq!((site.keywords, site.kwarray), (text, list), "{own} {patch}");
            assert_eq!((site.content.keywords, site.content.kwarray), (text, list), "{own} {patch}");
            assert_eq!((user.keywords, user.kwarray), (text, list), "{own} {patch}");
        });
    }
    for (own, patch, expected) in [
        (r#"{"lat":1}"#, r#"{"lon":2}"#, Some((1, 2))),
        (r#"{"lat":1,"lon":1}"#, r#"{"lon":2}"#, Some((1, 2))),
        (r#"{"lat":1,"lon":1}"#, r#"{"lon":null}"#, None),
        (r#"{"lat":1}"#, r#"{"lat":2},"geo":{"lon":2}"#, Some((1, 2))),
        (r#"{"lat":1}"#, r#"7,"geo":{"lon":2}"#, Some((1, 2))),
        (r#"{"lat":1}"#, r#"{"lon":2},"geo":7"#, None),
    ] {
        let point = expected.map(|(lat, lon)| Point { lat: lat * 1_000_000, lon: lon * 1_000_000 });
        merged(&format!("{{\"geo\":{own}}}"), &format!("{{\"geo\":{patch}}}"), |request| {
            assert_eq!(request.user.geo.point, point, "{own} {patch}");
        });
    }
}

#[test]
fn later_entries_go_over_earlier_ones() {
    let entry = |site: &str| format!(r#"{{"bidders":["*"],"config":{{"ortb2":{{"site":{site}}}}}}}"#);
    for (entries, genre, domain) in [
        ([r#"{"content":{"genre":"1"}}"#, r#"{"domain":"2"}"#], "1", "2"),
        ([r#"{"content":{"genre":"1"}}"#, r#"{"content":{"genre":"2"}}"#], "2", "own"),
        ([r#"{"content":{"genre":"1"}}"#, r#"{"content":null}"#], "", "own"),
        ([r#"{"content":null}"#, r#"{"content":{"genre":"2"}}"#], "2", "own"),
        ([r#"{"content":7,"domain":"1"}"#, r#"{"content":{}}"#], "", "1"),
        (["null", "{}"], "own", "own"),
    ] {
        let list = entries.map(entry).join(",");
        let own = r#""site":{"domain":"own","content":{"genre":"own"}}"#;
        request(&format!(r#"{own},"ext":{{"prebid":{{"bidderconfig":[{list}]}}}}"#), |request| {
            let site = request.site.unwrap();
            assert_eq!((site.content.genre, site.domain), (genre, domain), "{list}");
        });
    }
}

#[test]
fn only_a_user_can_be_added() {
    let ext = r#""ext":{"prebid":{"bidderconfig":[{"bidders":["*"],"config":{"ortb2":{"site":{"id":"s"},
        "app":{"id":"a"},"dooh":{"id":"d"},"user":{"yob":1980,"buyeruid":"b"},"device":{"os":"x"},"regs":{"coppa":1}}}}]}}"#;
    for own in [
        r#""tmax":1"#,
        r#""site":{},"site":null,"app":7,"user":"x""#,
        r#""user":{"yob":1},"user":[]"#,
        r#""user":null"#,
        r#""user":{}"#,
    ] {
        request(&format!("{own},{ext}"), |request| {
            assert_eq!((request.site, request.app, request.dooh), (None, None, None), "{own}");
            assert_eq!(request.user, User { yob: 1980, ..User::default() }, "{own}");
        });
    }
    request(&format!(r#""dooh":{{"id":"own"}},"device":{{"os":"own"}},"user":{{}},{ext}"#), |request| {
        assert_eq!((request.site, request.dooh.unwrap().id, request.device.os), (None, "own", "own"));
        assert_eq!((request.user.yob, request.regs.coppa), (1980, false));
    });
}
