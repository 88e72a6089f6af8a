//! Impressions: metrics, times and native trackers.

use super::imp;
use bidder_wasm::request::{AssetKind, EventTracker};

#[test]
fn metrics() {
    for (entry, expected) in [
        (r#"{"type":"v","value":0.1234561}"#, Some(("v", 123_457))),
        (r#"{"type":"","value":"1e-9"}"#, Some(("", 1))),
        (r#"{"type":7,"value":-0.5000001}"#, Some(("7", -500_001))),
        (r#"{"type":"v","value":" 1"}"#, None),
        (r#"{"type":"v","value":true}"#, None),
        (r#"{"type":"v","value":1,"value":null}"#, None),
        (r#"{"type":null,"value":1}"#, None),
        (r#"{"type":["v"],"value":1}"#, None),
        (r#""v""#, None),
    ] {
        let found = imp(&format!(r#""metric":{entry}"#), |imp| {
            imp.metric.first().map(|metric| (metric.kind.to_string(), metric.value.0))
        });
        assert_eq!(found, expected.map(|(kind, value)| (kind.to_string(), value)), "{entry}");
    }
}

#[test]
fn times_lose_their_fraction() {
    for (dt, expected) in [
        ("1700000000000", 1_700_000_000_000),
        ("1.7e12", 1_700_000_000_000),
        ("1700000000000.999", 1_700_000_000_000),
        (r#""1700000000000.5""#, 1_700_000_000_000),
        ("-1.5", -1),
        ("1e-7", 0),
        ("9007199254740992.9", 1 << 53),
        ("9007199254740993", 0),
        ("-9007199254740993", 0),
        ("1e400", 0),
        ("0e400", 0),
        (r#"" 1""#, 0),
        (r#""now""#, 0),
        ("true", 0),
        ("[5]", 0),
        ("null", 0),
    ] {
        assert_eq!(imp(&format!(r#""dt":5,"dt":{dt}"#), |imp| imp.dt), expected, "{dt}");
    }
}

#[test]
fn native_trackers_privacy_and_video() {
    imp(
        r#""native":{"request":{"privacy":1,"eventtrackers":[{"event":1,"methods":[1,"2",null]},
            {"event":"2","methods":1},{"event":1,"methods":1},{"methods":[1]},{"event":3},
            {"event":4,"methods":[1],"methods":[]},{"event":1.5,"methods":[1]},7],
            "assets":{"id":1,"video":{"mimes":["m"],"minduration":"5","maxduration":6,
            "protocols":[2,3]}}}}"#,
        |imp| {
            let native = imp.native.unwrap();
            let pairs = native.eventtrackers.iter().map(|EventTracker { event, method }| (*event, *method));
            assert_eq!(pairs.collect::<Vec<_>>(), [(1, 1), (1, 2), (2, 1), (1, 1)]);
            assert!(native.privacy);
            let video = AssetKind::Video { mimes: &["m"], minduration: 5, maxduration: 6, protocols: &[2, 3] };
            assert_eq!(native.assets[0].kind, video);
        },
    );
}
