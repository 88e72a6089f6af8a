//! What creatives need, in the index: it leaves out whoever has nothing to show, and nobody else.

use serde_json::{Value, json};

use super::{CAMPAIGNS, catalog_with, search};

/// So many have nothing that fits, a handful in each block, and the last campaign has.
const POOR: usize = CAMPAIGNS / 40;
/// How many of them are in the two blocks after which it is looked at what creatives need.
const EARLY: usize = 26;

fn with(mut value: Value, more: &Value) -> Value {
    value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    value
}

fn banner(more: &Value) -> Value {
    with(json!({"banner": {"w": 300, "h": 250, "adm": "<p>"}}), more)
}

fn gif() -> Value {
    json!({"banner": {"w": 300, "h": 250, "adm": "<p>", "mime": "image/gif"}})
}

fn expandable() -> Value {
    json!({"banner": {"w": 300, "h": 250, "adm": "<p>", "btype": 3}})
}

fn video(more: &Value) -> Value {
    let media = json!([{"url": "https://c.example/1.mp4", "mime": "video/mp4"}]);
    json!({"video": with(json!({"dur": 15, "protocol": 3, "w": 640, "h": 360, "media": media}), more)})
}

fn streamed(delivery: i64) -> Value {
    let media = json!([{"url": "https://c.example/1.mp4", "mime": "video/mp4", "delivery": delivery}]);
    video(&json!({ "media": media }))
}

/// With texts of type 2 and this one.
fn native(kind: i64) -> Value {
    let data = json!([{"type": 2, "value": "text"}, {"type": kind, "value": "text"}]);
    json!({"native": {"title": "t", "data": data, "link": "https://c.example/"}})
}

/// Takes texts of type 2, and of type 12, which are required or not.
fn assets(required: i64) -> Value {
    let assets =
        json!([{"id": 1, "data": {"type": 2}, "required": 1}, {"id": 2, "data": {"type": 12}, "required": required}]);
    json!({"native": {"request": json!({"ver": "1.2", "assets": assets}).to_string()}})
}

/// Who bids on the impression, by place, and how many were looked at, where all but the last campaign have the `poor` creatives.
fn found(poor: &[Value], rich: &[Value], imp: &Value) -> (usize, usize) {
    let named = |prefix: &str, creatives: &[Value]| -> Vec<Value> {
        let named = |(at, creative): (usize, &Value)| with(creative.clone(), &json!({"crid": format!("{prefix}{at}")}));
        creatives.iter().enumerate().map(named).collect()
    };
    let (poor, rich) = (named("poor", poor), named("rich", rich));
    let named_by = |of: &[Value]| of.iter().map(|creative| creative["crid"].clone()).collect::<Value>();
    let catalog = catalog_with(&[poor.clone(), rich.clone()].concat(), |place, campaign| {
        let is_last = place == CAMPAIGNS - 1;
        campaign["creatives"] = named_by(if is_last { &rich } else { &poor });
        if place % 40 != 0 && !is_last {
            campaign["target"] = json!({"tagid": {"include": ["another"]}});
        }
    });
    let request = json!({"id": "r", "imp": [with(json!({"id": "1"}), imp)], "wlang": imp["wlang"]});
    let (cids, examined, _) = search(&catalog.catalog(), &request);
    let [cid] = &cids[..] else { panic!("{cids:?} {imp}") };
    (cid.trim_start_matches('c').parse().unwrap(), examined)
}

#[test]
fn whoever_has_nothing_to_show_is_passed_over() {
    let offer = json!({"w": 300, "h": 250});
    let on = |more: Value| json!({ "banner": with(offer.clone(), &more) });
    let player = |more: Value| json!({"video": with(json!({"mimes": ["video/mp4"]}), &more)});
    let plain = || banner(&json!({}));
    for (poor, rich, imp) in [
        (gif(), plain(), on(json!({"mimes": ["text/html"]}))),
        (expandable(), plain(), on(json!({"btype": [3]}))),
        (banner(&json!({"api": [5]})), banner(&json!({"api": [3]})), on(json!({"api": [3]}))),
        (banner(&json!({"attr": [1, 2]})), plain(), on(json!({"battr": [2]}))),
        (banner(&json!({"iurl": "http://c.example/1.png"})), plain(), with(on(json!({})), &json!({"secure": 1}))),
        (
            banner(&json!({"language": "de"})),
            banner(&json!({"language": "fr"})),
            with(on(json!({})), &json!({"wlang": ["fr-CA"]})),
        ),
        (video(&json!({})), video(&json!({"protocol": 7})), player(json!({"protocols": [7]}))),
        (video(&json!({})), video(&json!({"linearity": 2})), player(json!({"linearity": 2}))),
        (streamed(2), streamed(1), player(json!({"delivery": [3, 1]}))),
        (native(1), native(12), assets(1)),
    ] {
        assert_eq!(found(&[poor], &[rich], &imp), (CAMPAIGNS - 1, EARLY + 1), "{imp}");
    }
}

#[test]
fn whoever_has_something_to_show_is_not() {
    let banner_on = |more: &Value| with(json!({"w": 300, "h": 250}), more);
    let player = |more: &Value| with(json!({"mimes": ["video/mp4"]}), more);
    let ready = || video(&json!({"protocol": 7}));
    // What one creative lacks, another has: the banner is refused, the video or native ad is not, and the reverse.
    for (poor, rich, imp) in [
        (
            [gif(), native(1)],
            [gif(), native(12)],
            with(json!({"banner": banner_on(&json!({"mimes": ["text/html"]}))}), &assets(1)),
        ),
        (
            [expandable(), video(&json!({}))],
            [expandable(), ready()],
            json!({"banner": banner_on(&json!({"btype": [3]})), "video": player(&json!({"protocols": [7]}))}),
        ),
        (
            [video(&json!({})), expandable()],
            [video(&json!({})), banner(&json!({}))],
            json!({"banner": banner_on(&json!({"btype": [3]})), "video": player(&json!({"protocols": [7]}))}),
        ),
        (
            [video(&json!({})), expandable()],
            [video(&json!({})), banner(&json!({}))],
            json!({"banner": banner_on(&json!({"btype": [3]})), "video": player(&json!({"linearity": 2}))}),
        ),
        (
            [streamed(2), expandable()],
            [streamed(2), banner(&json!({}))],
            json!({"banner": banner_on(&json!({"btype": [3]})), "video": player(&json!({"delivery": [1]}))}),
        ),
        (
            [banner(&json!({"attr": [1]})), with(video(&json!({})), &json!({"attr": [1]}))],
            [banner(&json!({"attr": [1]})), with(ready(), &json!({"attr": [1]}))],
            json!({"banner": banner_on(&json!({"battr": [1]})), "video": player(&json!({"protocols": [7]}))}),
        ),
    ] {
        assert_eq!(found(&poor, &rich, &imp), (CAMPAIGNS - 1, POOR + 1), "{imp}");
    }
    // A framework that one type of ad may use is enough for the index.
    let imp = json!({"banner": banner_on(&json!({"api": [3]})), "video": player(&json!({"api": [5]}))});
    let (poor, rich) = (banner(&json!({"api": [6]})), banner(&json!({"api": [3]})));
    assert_eq!(found(&[poor], &[rich], &imp), (CAMPAIGNS - 1, EARLY + 1));
    // What is not required keeps nobody out.
    assert_eq!(found(&[native(1)], &[native(12)], &assets(0)), (0, 1));
    let anything = json!({"video": player(&json!({"delivery": []}))});
    assert_eq!(found(&[streamed(2)], &[streamed(1)], &anything), (0, 1));
}

/// The campaigns of which one in forty is shown here have targets of their own; the last one has the other.
#[test]
fn whoever_wants_another_place_is_passed_over() {
    let placed = |creatives: Value, poor: Value, rich: Value, imp: Value| {
        let catalog = catalog_with(&[], |place, campaign| {
            // One that shows all, so that all of the impression is read.
            campaign["creatives"] = if place == 1 { json!(["b", "v"]) } else { creatives.clone() };
            let is_last = place == CAMPAIGNS - 1;
            campaign["target"] = match place % 40 {
                _ if is_last => rich.clone(),
                0 => poor.clone(),
                _ => json!({"tagid": {"include": ["another"]}}),
            };
        });
        let (cids, examined, _) = search(&catalog.catalog(), &json!({"id": "r", "imp": [imp]}));
        assert_eq!(cids, [format!("c{}", CAMPAIGNS - 1)]);
        examined
    };
    let only = |key: &str, value: i64| json!({key: {"include": [value]}});
    let banner = json!({"w": 300, "h": 250, "pos": 1, "topframe": 1});
    let video = json!({"mimes": ["video/mp4"], "pos": 3, "plcmt": 1, "startdelay": 0, "playbackmethod": [2], "podseq": 1,
        "slotinpod": 1});
    let (on_banner, on_video) = (json!({"id": "1", "banner": banner}), json!({"id": "1", "video": video}));
    assert_eq!(placed(json!(["b"]), only("pos", 3), only("pos", 1), on_banner.clone()), EARLY + 1);
    assert_eq!(placed(json!(["b"]), json!({"topframe": false}), json!({"topframe": true}), on_banner), EARLY + 1);
    for (key, value) in
        [("plcmt", 1), ("startdelay", 0), ("playbackmethod", 2), ("podseq", 1), ("slotinpod", 1), ("pos", 3)]
    {
        let examined = placed(json!(["v"]), only(key, 9), only(key, value), on_video.clone());
        assert_eq!(examined, EARLY + 1, "{key}");
    }
    // What another object of the impression tells lets everybody through; each creative is then judged by its own.
    let both = json!({"id": "1", "banner": banner, "video": video});
    assert_eq!(placed(json!(["b"]), only("pos", 3), only("pos", 1), both), POOR + 1);
}
