//! The Native Ads request inside an impression.

use super::imp;
use bidder_wasm::request::NativeVersion::{V1_0, V1_1, V1_2};
use bidder_wasm::request::{Asset, AssetKind, EventTracker, Native, Size};

fn native<R>(native: &str, look: impl FnOnce(Option<Native<'_>>) -> R) -> R {
    imp(&format!(r#""native":{native}"#), |imp| look(imp.native))
}

#[test]
fn native_version() {
    for (request, ver) in [
        (r#"{"request":"{}"}"#, Some(V1_2)),
        (r#"{"request":{}}"#, Some(V1_2)),
        (r#"{"request":"{\"native\":{}}"}"#, Some(V1_0)),
        (r#"{"request":{"native":{}}}"#, Some(V1_0)),
        (r#"{"request":{"native":{"ver":"1.1"}}}"#, Some(V1_1)),
        (r#"{"request":{"native":{"ver":""}},"ver":""}"#, Some(V1_0)),
        (r#"{"request":{"ver":"1.0"}}"#, Some(V1_0)),
        (r#"{"request":{"ver":"1.0"},"ver":"1.2"}"#, Some(V1_2)),
        (r#"{"request":{"ver":"1.2"},"ver":"1.0.0.1"}"#, Some(V1_0)),
        (r#"{"request":{"ver":"1.2"},"ver":{}}"#, Some(V1_2)),
        (r#"{"request":{},"ver":1}"#, Some(V1_0)),
        (r#"{"request":{},"ver":1.0}"#, Some(V1_0)),
        (r#"{"request":{},"ver":1.2}"#, Some(V1_2)),
        (r#"{"request":{"ver":"1.1.4"}}"#, Some(V1_1)),
        (r#"{"request":{"native":{"ver":"1.2"}},"ver":1.1}"#, Some(V1_1)),
        (r#"{"request":{"ver":"1.3"}}"#, Some(V1_2)),
        (r#"{"request":"json string"}"#, None),
        (r#"{"request":"[]"}"#, None),
        (r#"{"request":5,"ver":"1.2"}"#, None),
        (r#"{"request":null}"#, None),
    ] {
        assert_eq!(native(request, |native| native.map(|native| native.ver)), ver, "{request}");
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
            let video = AssetKind::Video { mimes: &[], minduration: 0, maxduration: 0, protocols: &[] };
            let (size, min) = (Size { w: 1, h: 2 }, Size { w: 3, h: 4 });
            assert_eq!(
                native.assets,
                [
                    Asset { id: 1, required: true, kind: AssetKind::Title { len: 25 } },
                    Asset { id: 2, required: false, kind: AssetKind::Img { kind: 3, size, min } },
                    Asset { id: 3, required: false, kind: video },
                    Asset { id: 4, required: false, kind: AssetKind::Data { kind: 2, len: 0 } },
                    Asset { id: 5, required: false, kind: AssetKind::Other },
                ]
            );
            assert_eq!(native.battr, [1]);
        },
    );
}

#[test]
fn native_trackers_privacy_and_video() {
    native(
        r#"{"request":{"privacy":1,"eventtrackers":[{"event":1,"methods":[1,"2",null]},
            {"event":"2","methods":1},{"event":1,"methods":1},{"methods":[1]},{"event":3},
            {"event":4,"methods":[1],"methods":[]},{"event":1.5,"methods":[1]},7],
            "assets":{"id":1,"video":{"mimes":["m"],"minduration":"5","maxduration":6,
            "protocols":[2,3]}}}}"#,
        |native| {
            let native = native.unwrap();
            let pairs = native.eventtrackers.iter().map(|EventTracker { event, method }| (*event, *method));
            assert_eq!(pairs.collect::<Vec<_>>(), [(1, 1), (1, 2), (2, 1), (1, 1)]);
            assert!(native.privacy);
            let video = AssetKind::Video { mimes: &["m"], minduration: 5, maxduration: 6, protocols: &[2, 3] };
            assert_eq!(native.assets[0].kind, video);
        },
    );
}
