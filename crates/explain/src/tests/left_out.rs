//! Impressions that get no bid, whatever the campaign, and values that the privacy verdict leaves out.

use super::*;

#[test]
fn an_impression_that_is_left_out_has_its_reason() {
    let imp = |id: &str, more: Value| with(json!({"id": id, "banner": {"w": 1, "h": 1}}), &more);
    let long = "i".repeat(513);
    let imps = [
        imp("fine", json!({})),
        imp("nine", json!({"qty": {"multiplier": 9}})),
        imp("words", json!({"qty": [9]})),
        imp("twice", json!({})),
        imp("twice", json!({})),
        imp(&long, json!({})),
    ];
    let request = json!({"id": "r", "imp": imps});
    let snapshot = catalog(&json!({}), &[json!({})]);
    let report = explained(&snapshot, &request);
    let told = |imp: &Value| ["reason", "wanted", "found"].map(|name| imp[name].as_str().unwrap_or("").to_owned());
    let all: Vec<_> = rows(&report["imps"]).iter().map(told).collect();
    let most = "at most 1 impressions a showing (max_multiplier)";
    let repeated = ["duplicate-imp", "an impression with a unique id", r#""twice" several times"#];
    let unreadable = ["multiplier", "a restriction that can be read", "a value that cannot be read"];
    let expected = [
        [""; 3],
        ["multiplier", most, "multiplier 9"],
        unreadable,
        repeated,
        repeated,
        ["id-bytes", "ids of at most 512 bytes", "513 bytes"],
    ];
    assert_eq!(all, expected);
    assert_eq!(report["imps"][1]["at"], json!(["imp[1].qty.multiplier"]));
    // Asked about alone, it is left out too.
    for (imp, outcome) in [("fine", "bid"), ("nine", "multiplier"), ("twice", "duplicate-imp"), (&*long, "id-bytes")] {
        let only = Only { imp, ..Only::default() };
        let context = Context { now_ms: NOW_MS, ..Context::default() };
        assert_eq!(asked(&snapshot, &request, &context, only).unwrap()["outcome"], outcome);
    }
}

#[test]
fn only_what_the_request_tells_is_hidden() {
    let eids = json!([{"source": "e.example", "mm": 3, "uids": [{"id": "1f"}]}]);
    for (target, unknown, sent) in [
        (json!({"zip": {"include": ["1"]}}), "unknown", json!({"device": {"lmt": 1, "geo": {"zip": "2"}}})),
        (
            json!({"radius": {"include": [{"lat": "1", "lon": "1", "metres": 9}]}}),
            "unknown",
            json!({"device": {"lmt": 1, "geo": {"lat": 1, "lon": 1, "type": 1}}}),
        ),
        (
            json!({"segment": {"include": [{"provider": "p", "id": "1"}]}}),
            "none",
            json!({"user": {"data": [{"id": "p", "segment": [{"id": "1"}]}]}}),
        ),
        (json!({"eids": {"include": ["e.example"]}}), "none", json!({"user": {"eids": eids}})),
        (json!({"yob": {"min": 1990}}), "unknown", json!({"user": {"yob": 1999}})),
        (json!({"buyeruid": true}), "unknown", json!({"user": {"buyeruid": "b-77"}})),
        (json!({"keywords": {"include": ["k"]}}), "unknown", json!({"user": {"keywords": "k"}, "device": {"lmt": 1}})),
    ] {
        let snapshot = catalog(&json!({"privacy": {"vendor_id": 1}}), &[json!({"target": target})]);
        let tracked = json!({"device": {"lmt": 1}});
        let found = |more: &Value| {
            let report = explained(&snapshot, &request(&json!({}), &with(tracked.clone(), more)));
            let row =
                [&report["rejected"][0], &report["imps"][0]["rejected"][0]].into_iter().find(|row| row.is_object());
            row.unwrap_or_else(|| panic!("{report}"))["found"].as_str().unwrap().to_owned()
        };
        assert_eq!(found(&json!({})), unknown, "{target}");
        assert!(found(&sent).ends_with("hidden: privacy is contextual"), "{target}: {}", found(&sent));
    }
}
