//! The creatives' needs in the index: the search skips campaigns with no creative that fits, and no others.

use std::slice::from_ref;

use reasons::no_bid::NoBidReason;
use serde_json::{Value, json};

use super::{CAMPAIGNS, catalog_with, request, search, with};

/// The number of campaigns without a creative that fits, a few in each block. The last campaign has one.
const UNFIT: usize = CAMPAIGNS / 40;
/// How many of these campaigns are tried before the search checks what creatives need.
const EARLY: usize = 33;
/// A main image of a native ad: type, width and height.
const MAIN: (i64, i64, i64) = (3, 1200, 627);

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

/// A native ad with texts of type 2 and this type.
fn native(kind: i64) -> Value {
    let data = json!([{"type": 2, "value": "text"}, {"type": kind, "value": "text"}]);
    json!({"native": {"title": "t", "data": data, "link": "https://c.example/"}})
}

/// A native object that requires texts of type 2, and texts of type 12 if `required` is 1.
fn assets(required: i64) -> Value {
    let assets =
        json!([{"id": 1, "data": {"type": 2}, "required": 1}, {"id": 2, "data": {"type": 12}, "required": required}]);
    json!({"native": {"request": json!({"ver": "1.2", "assets": assets}).to_string()}})
}

/// A native ad with this title, picture, text of type 2 and perhaps a video.
fn native_of(title: &str, (kind, w, h): (i64, i64, i64), text: &str, video: Option<&Value>) -> Value {
    let img = json!([{"type": kind, "url": "https://c.example/1.png", "w": w, "h": h}]);
    let own = json!({"title": title, "img": img, "data": [{"type": 2, "value": text}], "link": "https://c.example/"});
    json!({"native": video.map_or(own.clone(), |ad| with(own.clone(), &json!({"video": ad["video"]})))})
}

/// A native object that requires this asset.
fn required(asset: &Value) -> Value {
    let assets = json!([with(json!({"id": 1, "required": 1}), asset)]);
    json!({"native": {"request": json!({"ver": "1.2", "assets": assets}).to_string()}})
}

/// The position of the campaign that bids and the number of examined candidates. The last campaign has the `fit`
/// creatives, all others the `unfit` ones.
fn found(unfit: &[Value], fit: &[Value], imp: &Value) -> (usize, usize) {
    let named = |prefix: &str, creatives: &[Value]| -> Vec<Value> {
        let named = |(at, creative): (usize, &Value)| with(creative.clone(), &json!({"crid": format!("{prefix}{at}")}));
        creatives.iter().enumerate().map(named).collect()
    };
    let (unfit, fit) = (named("unfit", unfit), named("fit", fit));
    let named_by = |of: &[Value]| of.iter().map(|creative| creative["crid"].clone()).collect::<Value>();
    let catalog = catalog_with(&[unfit.clone(), fit.clone()].concat(), |position, campaign| {
        let is_last = position == CAMPAIGNS - 1;
        campaign["creatives"] = named_by(if is_last { &fit } else { &unfit });
        if position % 40 != 0 && !is_last {
            campaign["target"] = json!({"tagid": {"include": ["another"]}});
        }
    });
    let request = with(request([with(json!({"id": "1"}), imp)]), &json!({"wlang": imp["wlang"]}));
    let (cids, examined, _) = search(&catalog.catalog(), &request);
    let [cid] = &cids[..] else { panic!("{cids:?} {imp}") };
    (cid.trim_start_matches('c').parse().unwrap(), examined)
}

#[test]
fn campaigns_without_a_fitting_creative_are_skipped() {
    let offer = json!({"w": 300, "h": 250});
    let on = |more: Value| json!({ "banner": with(offer.clone(), &more) });
    let player = |more: Value| json!({"video": with(json!({"mimes": ["video/mp4"]}), &more)});
    let plain = || banner(&json!({}));
    let ad = native_of;
    for (unfit, fit, imp) in [
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
        (ad("ten words!", MAIN, "t", None), ad("nine word", MAIN, "t", None), required(&json!({"title": {"len": 9}}))),
        (
            ad("t", (3, 599, 400), "t", None),
            ad("t", (3, 600, 400), "t", None),
            required(&json!({"img": {"type": 3, "wmin": 600, "hmin": 300}})),
        ),
        (
            ad("t", (3, 600, 400), "t", None),
            ad("t", (3, 600, 300), "t", None),
            required(&json!({"img": {"w": 600, "h": 300}})),
        ),
        (ad("t", (1, 80, 80), "t", None), ad("t", MAIN, "t", None), required(&json!({"img": {"type": 3}}))),
        (
            ad("t", MAIN, "ten words!", None),
            ad("t", MAIN, "nine word", None),
            required(&json!({"data": {"type": 2, "len": 9}})),
        ),
        (
            ad("t", MAIN, "t", None),
            ad("t", MAIN, "t", Some(&video(&json!({})))),
            required(
                &json!({"video": {"mimes": ["video/mp4"], "minduration": 1, "maxduration": 30, "protocols": [3]}}),
            ),
        ),
        (video(&json!({"h": 480})), video(&json!({})), player(json!({"w": 1280, "h": 720, "boxingallowed": 0}))),
        (video(&json!({"dur": 20})), video(&json!({})), player(json!({"maxduration": 15}))),
    ] {
        assert_eq!(found(&[unfit], &[fit], &imp), (CAMPAIGNS - 1, EARLY + 1), "{imp}");
    }
}

#[test]
fn campaigns_with_a_fitting_creative_are_not_skipped() {
    let banner_on = |more: &Value| with(json!({"w": 300, "h": 250}), more);
    let player = |more: &Value| with(json!({"mimes": ["video/mp4"]}), more);
    let ready = || video(&json!({"protocol": 7}));
    // For each check of the index one of the two creatives passes, so no campaign is skipped, although no creative
    // passes all.
    for (unfit, fit, imp) in [
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
        assert_eq!(found(&unfit, &fit, &imp), (CAMPAIGNS - 1, UNFIT + 1), "{imp}");
    }
    // For the index, an API framework that one media type supports is enough.
    let imp = json!({"banner": banner_on(&json!({"api": [3]})), "video": player(&json!({"api": [5]}))});
    let (unfit, fit) = (banner(&json!({"api": [6]})), banner(&json!({"api": [3]})));
    assert_eq!(found(&[unfit], &[fit], &imp), (CAMPAIGNS - 1, EARLY + 1));
    // An asset that is not required skips no campaign.
    assert_eq!(found(&[native(1)], &[native(12)], &assets(0)), (0, 1));
    let long = native_of("ten words!", MAIN, "t", None);
    let short = native_of("t", MAIN, "t", None);
    let optional = json!([{"id": 1, "title": {"len": 3}}, {"id": 2, "img": {"type": 3}}]);
    let optional = json!({"native": {"request": json!({"ver": "1.2", "assets": optional}).to_string()}});
    assert_eq!(found(from_ref(&long), &[short], &optional), (0, 1));
    // Beside a banner, an asset skips no campaign.
    let beside = with(required(&json!({"title": {"len": 3}})), &json!({"banner": banner_on(&json!({"btype": [3]}))}));
    assert_eq!(found(&[long.clone(), expandable()], &[long, banner(&json!({}))], &beside), (CAMPAIGNS - 1, UNFIT + 1));
    // An ad fills a player of unknown size, and any player that allows boxes.
    let boxed = video(&json!({"h": 480}));
    for offer in [json!({"boxingallowed": 0}), json!({"w": 1280, "h": 720})] {
        assert_eq!(found(from_ref(&boxed), from_ref(&boxed), &json!({"video": player(&offer)})), (0, 1));
    }
    let anything = json!({"video": player(&json!({"delivery": []}))});
    assert_eq!(found(&[streamed(2)], &[streamed(1)], &anything), (0, 1));
}

#[test]
fn a_search_ends_when_no_creative_has_what_the_impression_wants() {
    let player = |more: Value| json!({"id": "1", "video": with(json!({"mimes": ["video/mp4"]}), &more)});
    let title = || native_of("ten words!", MAIN, "t", None);
    for (creative, imp, reason, examined) in [
        (title(), with(required(&json!({"title": {"len": 9}})), &json!({"id": "1"})), NoBidReason::Asset, EARLY),
        (
            video(&json!({"h": 480})),
            player(json!({"w": 1280, "h": 720, "boxingallowed": 0})),
            NoBidReason::Boxing,
            EARLY,
        ),
        (video(&json!({})), player(json!({"protocols": [7]})), NoBidReason::Protocols, EARLY),
        (video(&json!({})), player(json!({"linearity": 2})), NoBidReason::Linearity, EARLY),
        (video(&json!({})), player(json!({"minduration": 16})), NoBidReason::Duration, EARLY),
        (gif(), json!({"id": "1", "banner": {"w": 300, "h": 250, "mimes": ["text/html"]}}), NoBidReason::Mimes, EARLY),
        // The floor is the same for all durations.
        (video(&json!({})), player(json!({"mincpmpersec": "abc"})), NoBidReason::FloorUnreadable, 1),
    ] {
        let all = [with(creative, &json!({"crid": "own"}))];
        let catalog = catalog_with(&all, |_, campaign| campaign["creatives"] = json!(["own"]));
        let found = search(&catalog.catalog(), &request([imp]));
        assert_eq!(found, (vec![], examined, Some(reason)));
    }
}

/// One campaign in forty has the target `unfit`, and the last one has `fit`.
#[test]
fn campaigns_that_target_another_spot_are_skipped() {
    let placed = |creatives: Value, unfit: Value, fit: Value, imp: Value| {
        let catalog = catalog_with(&[], |position, campaign| {
            // One campaign has a banner and a video, so that the reader needs all of the impression.
            campaign["creatives"] = if position == 1 { json!(["b", "v"]) } else { creatives.clone() };
            let is_last = position == CAMPAIGNS - 1;
            campaign["target"] = match position % 40 {
                _ if is_last => fit.clone(),
                0 => unfit.clone(),
                _ => json!({"tagid": {"include": ["another"]}}),
            };
        });
        let (cids, examined, _) = search(&catalog.catalog(), &request([imp]));
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
    // With a video too, the index lets all campaigns through, and the rules check each creative against its own object.
    let both = json!({"id": "1", "banner": banner, "video": video});
    assert_eq!(placed(json!(["b"]), only("pos", 3), only("pos", 1), both), UNFIT + 1);
}
