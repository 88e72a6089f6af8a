//! After the first requests, the reader makes no heap allocation.

use bumpalo::Bump;
use openrtb::read::{Reader, Wants};

use super::counting::allocations_of;

#[test]
fn a_warm_reader_makes_no_heap_allocation() {
    let imps = (0..70).map(|number| {
        format!(
            r#"{{"id":{number},"bidfloor":"1.5","banner":{{"format":[{{"w":300,"h":250}},{{"w":320,"h":50}}],"mimes":["a","b\n"]}},
            "native":{{"request":"{{\"ver\":\"1.2\",\"assets\":[{{\"id\":1,\"title\":{{\"len\":90}}}}]}}"}},
            "pmp":{{"deals":[{{"id":"d\u0026","wseat":["s"]}}]}},"ext":{{"deep":[[[{{"\u0061":"\ud83d\ude00"}}]]]}}}}"#
        )
    });
    let rich = format!(
        r#"{{"id":"r\/1","imp":[{}],"site":{{"domain":"bücher.example","publisher":{{"id":"é"}}}},"badv":["{}"],
        "user":{{"eids":[{{"source":"s","uids":[{{"id":"\u00e9"}}]}}],"ext":{{"consent":"c"}},
            "keywords":["a","\u00e9"],"data":[{{"name":"n\n","segment":[{{"id":"1"}},{{"id":2}}]}}]}},"tmax":"1.2e2",
        "device":{{"geo":{{"lat":"1.5","lon":2}},"sua":{{"browsers":[{{"brand":"b\u0041","version":["1","2"]}}]}}}},
        "app":{{"cat":["IAB1"],"kwarray":["k"],"content":{{"genre":"g\t","network":{{"name":"n"}},"cat":["c","d"]}}}},
        "ext":{{"prebid":{{"bidderconfig":[{{"bidders":["edgebid"],"config":{{"ortb2":{{"site":{{"cat":["1"],
        "content":{{"keywords":"\u0061"}}}},"user":{{"data":[{{"segment":[{{"id":1}}]}}]}}}}}}}}]}}}},
        "source":{{"ext":{{"schain":{{"complete":1,"nodes":[{{"asi":"a","sid":"1"}}]}}}}}}}}"#,
        imps.collect::<Vec<_>>().join(","),
        vec!["x.example"; 300].join("\",\""),
    );
    let bodies = [
        rich.as_bytes(),
        br#"{"id":"1","imp":[{"id":"1"}]}"#,
        br#"{"id":"1","imp":[{"id":"1"}]"#,
        br#"{"imp":[]}"#,
        b"[1,2]",
        b"\xFF",
        b"",
    ];
    let mut reader = Reader::default();
    let mut arena = Bump::new();
    let mut round = || {
        for body in bodies {
            arena.reset();
            let read = reader.read(body, &Wants::everything("edgebid"), &arena);
            assert_eq!(read.is_ok(), body.len() > 28 && body.ends_with(b"}"));
        }
    };
    // Warm up: the arena grows to one chunk that fits all bodies.
    for _ in 0..3 {
        round();
    }
    let warm = allocations_of(|| {
        for _ in 0..10 {
            round();
        }
    });
    assert_eq!(warm, 0);
    assert_ne!(allocations_of(|| drop(vec![0_u8; 100])), 0, "the allocator must count allocations");
}
