//! Keywords, user agents and points.

use super::request;
use bidder_wasm::request::{Brand, Point, UserAgent};

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
fn user_agents_in_2_6_or_ext() {
    let sua = r#"{"browsers":[{"version":"3"},7],"model":"M"}"#;
    let browsers = &[Brand { brand: "", version: &["3"] }];
    let agent = UserAgent { browsers, model: "M", ..UserAgent::default() };
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
