//! Channels, devices, people and the supply chain.

use super::request;
use bidder_wasm::request::{
    Brand, Channel, Content, Data, Device, Eid, Geo, Point, UNKNOWN_SECTION, Uid, User, UserAgent,
};

#[test]
fn every_attribute_of_a_channel() {
    let channel = r#"{"id":"i","domain":"d","page":"u","bundle":"b","publisher":{"id":"p","domain":"o"},"cat":["1"],"sectioncat":["2"],
        "pagecat":["3"],"cattax":6,"keywords":"k,l","kwarray":["m"],"content":{"genre":"g","genres":["h"],"contentrating":"r",
        "livestream":0,"language":"en","langb":"en-US","network":{"name":"n"},"channel":{"name":"c"},"cat":["4"],
        "cattax":7,"keywords":"o","kwarray":["q"]}}"#;
    let content = Content {
        genre: "g",
        genres: &["h"],
        contentrating: "r",
        livestream: Some(false),
        language: "en",
        langb: "en-US",
        network: "n",
        channel: "c",
        cat: &["4"],
        cattax: 7,
        keywords: "o",
        kwarray: &["q"],
    };
    let app = Channel {
        id: "i",
        domain: "d",
        page: "",
        bundle: "b",
        publisher_id: "p",
        publisher_domain: "o",
        cat: &["1"],
        sectioncat: &["2"],
        pagecat: &["3"],
        cattax: 6,
        keywords: "k,l",
        kwarray: &["m"],
        content,
    };
    let site = Channel { page: "u", bundle: "", ..app };
    let dooh = Channel { page: "", cat: &[], sectioncat: &[], pagecat: &[], cattax: 1, kwarray: &[], ..site };
    request(&format!(r#""site":{channel},"app":{channel},"dooh":{channel}"#), |request| {
        assert_eq!([request.site, request.app, request.dooh], [Some(&site), Some(&app), Some(&dooh)]);
    });
    let twice = r#"{"network":{"name":"n"},"network":{"id":1},"channel":{"name":"c"},"channel":7}"#;
    request(&format!(r#""app":{{"id":"i","content":{channel},"content":{twice}}}"#), |request| {
        let content = request.app.unwrap().content;
        assert_eq!((content.network, content.channel, content.keywords), ("", "", ""));
    });
}

#[test]
fn keywords_in_an_array() {
    for (members, text, list) in [
        (r#""keywords":"a,b""#, "a,b", &[][..]),
        (r#""keywords":5"#, "5", &[]),
        (r#""keywords":["a",5,null,{},"b"]"#, "", &["a", "5", "b"]),
        (r#""keywords":{"a":1}"#, "", &[]),
        (r#""kwarray":["k"],"keywords":["a"]"#, "", &["k"]),
        (r#""keywords":["a"],"kwarray":"k""#, "", &["k"]),
        (r#""keywords":["a"],"kwarray":["k"],"kwarray":null"#, "", &["a"]),
        (r#""keywords":["a"],"kwarray":[{}]"#, "", &["a"]),
        (r#""keywords":["a"],"keywords":"b""#, "b", &[]),
        (r#""keywords":"b","keywords":["a"]"#, "", &["a"]),
        (r#""keywords":["a"],"keywords":null"#, "", &[]),
        (r#""keywords":"b","kwarray":["k"]"#, "b", &["k"]),
    ] {
        let object = format!(r#"{{{members},"content":{{{members}}}}}"#);
        request(&format!(r#""site":{object},"app":{object},"dooh":{object},"user":{object}"#), |request| {
            let (site, app, dooh) = (request.site.unwrap(), request.app.unwrap(), request.dooh.unwrap());
            for found in [site, app].map(|channel| (channel.keywords, channel.kwarray)) {
                assert_eq!(found, (text, list), "{members}");
            }
            for found in [site, app, dooh].map(|channel| (channel.content.keywords, channel.content.kwarray)) {
                assert_eq!(found, (text, list), "{members}");
            }
            assert_eq!((request.user.keywords, request.user.kwarray), (text, list), "{members}");
            assert_eq!(dooh.keywords, text, "{members}");
        });
    }
    request(r#""dooh":{"keywords":["a"],"kwarray":["k"]}"#, |request| {
        assert_eq!(request.dooh.unwrap().kwarray, ["a"]);
    });
}

#[test]
fn every_attribute_of_a_device() {
    let sua = r#"{"browsers":[{"brand":"B","version":["1",2]},{"version":"3"},{},7],
        "platform":{"brand":"P","version":["4"]},"model":"M"}"#;
    let agent = UserAgent {
        browsers: &[
            Brand { brand: "B", version: &["1", "2"] },
            Brand { brand: "", version: &["3"] },
            Brand { brand: "", version: &[] },
        ],
        platform: Brand { brand: "P", version: &["4"] },
        model: "M",
    };
    let device = format!(
        r#""device":{{"geo":{{"country":"USA","region":"NY","metro":501,"city":"c","zip":10001,"lat":40.7,"lon":-74,
        "utcoffset":-300}},"devicetype":4,"dnt":1,"lmt":1,"ua":"u","sua":{sua},"make":"a","model":"b","hwv":5,"os":"c","osv":14.10,
        "language":"en","langb":"en-US","connectiontype":2,"carrier":"v","ifa":"f"}}"#
    );
    let geo = Geo {
        country: "USA",
        region: "NY",
        metro: "501",
        city: "c",
        zip: "10001",
        point: Some(Point { lat: 40_700_000, lon: -74_000_000 }),
        utcoffset: Some(-300),
    };
    let expected = Device {
        geo,
        has_geo: true,
        devicetype: Some(4),
        dnt: true,
        lmt: true,
        ua: "u",
        sua: Some(agent),
        make: "a",
        model: "b",
        hwv: "5",
        os: "c",
        osv: "14.10",
        language: "en",
        langb: "en-US",
        connectiontype: Some(2),
        carrier: "v",
        ifa: "f",
    };
    request(&device, |request| assert_eq!(request.device, expected));
    for (device, expected) in [
        (format!(r#"{{"ext":{{"sua":{sua}}}}}"#), Some(agent)),
        (format!(r#"{{"sua":"x","ext":{{"sua":{sua}}}}}"#), Some(agent)),
        (format!(r#"{{"ext":{{"sua":{sua}}},"sua":{{}}}}"#), Some(UserAgent::default())),
        (format!(r#"{{"sua":{sua},"sua":{{"platform":[]}}}}"#), Some(UserAgent::default())),
        (format!(r#"{{"ext":{{"sua":{sua},"sua":null}}}}"#), None),
        (format!(r#"{{"sua":[{sua}]}}"#), None),
    ] {
        request(&format!(r#""device":{device}"#), |request| assert_eq!(request.device.sua, expected, "{device}"));
    }
}

#[test]
fn points() {
    for (geo, expected) in [
        (r#""lat":"35.6","lon":139.70000099"#, Some((35_600_000, 139_700_000))),
        (r#""lat":-0.0000019,"lon":1.5e1"#, Some((-1, 15_000_000))),
        (r#""lat":90,"lon":-180.0"#, Some((90_000_000, -180_000_000))),
        (r#""lat":-90.0000009,"lon":180.0000009"#, Some((-90_000_000, 180_000_000))),
        (r#""lat":90.000001,"lon":0"#, None),
        (r#""lat":0,"lon":-180.000001"#, None),
        (r#""lat":1e400,"lon":0"#, None),
        (r#""lat":1"#, None),
        (r#""lat":1,"lon":null"#, None),
        (r#""lat":1,"lon":2,"lat":"north""#, None),
        (r#""lat":" 1","lon":2"#, None),
        (r#""lat":true,"lon":2"#, None),
        (r#""lat":[1],"lon":2"#, None),
    ] {
        let point = expected.map(|(lat, lon)| Point { lat, lon });
        request(&format!(r#""device":{{"geo":{{{geo}}}}},"user":{{"geo":{{{geo}}}}}"#), |request| {
            assert_eq!((request.device.geo.point, request.user.geo.point), (point, point), "{geo}");
        });
    }
}

#[test]
fn every_attribute_of_a_user() {
    request(
        r#""wlang":["en"],"wlangb":"en-US","user":{"id":7,"buyeruid":"b","consent":"c","geo":{"utcoffset":"60"},"yob":"1980",
        "keywords":"k","kwarray":["l"],"eids":[{"source":"s","uids":[{"id":"1"}],"mm":3},{"source":"t","mm":"x"}],
        "data":[{"id":1,"name":"n","segment":[{"id":"x"},{"name":"y"},{"id":2},{"id":{}},"z"]},{},{"segment":{"id":""}},9]}"#,
        |request| {
            let expected = User {
                id: "7",
                buyeruid: "b",
                consent: "c",
                ext_consent: "",
                geo: Geo { utcoffset: Some(60), ..Geo::default() },
                eids: &[Eid { source: "s", uids: &[Uid { id: "1" }], mm: 3 }, Eid { source: "t", uids: &[], mm: 0 }],
                yob: 1980,
                keywords: "k",
                kwarray: &["l"],
                data: &[
                    Data { id: "1", name: "n", segment: &["x", "2"] },
                    Data::default(),
                    Data { id: "", name: "", segment: &[""] },
                ],
            };
            assert_eq!(request.user, expected);
            assert_eq!((request.wlang, request.wlangb), (&["en"][..], &["en-US"][..]));
        },
    );
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
fn privacy_in_regs_and_in_ext() {
    for (regs, gdpr) in [
        (r#"{"gdpr":1}"#, Some(true)),
        (r#"{"gdpr":"0"}"#, Some(false)),
        (r#"{"gdpr":2}"#, Some(true)),
        (r#"{"gdpr":""}"#, None),
        (r#"{"gdpr":[0]}"#, Some(true)),
        ("{}", None),
        (r#"{"ext":{"gdpr":1}}"#, Some(true)),
        (r#"{"gdpr":0,"ext":{"gdpr":1}}"#, Some(true)),
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
            assert_eq!(
                (request.regs.us_privacy, request.regs.gpp, request.regs.gpp_sid),
                ("1YNN", "A", &[UNKNOWN_SECTION][..])
            );
            assert_eq!(request.user.consent, "5");
            assert_eq!((request.user.eids[0].source, request.user.eids[0].uids.len()), ("s", 1));
            assert_eq!(request.user.eids[0].uids[0].id, "1");
        },
    );
}

#[test]
fn supply_chain_in_source_and_in_ext() {
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
