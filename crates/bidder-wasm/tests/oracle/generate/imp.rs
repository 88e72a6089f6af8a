//! Generates impressions: media objects, deals and floors.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use super::strategies::{
    Any, amount, as_number, maybe, member, merged, near, number, numbers, object, one_field, overlaid, several, size,
    word, words, yes, zero_or_one,
};
use super::words::*;
use crate::json::{has, merge, of_fields};

pub fn imp() -> Any {
    let base = object(vec![
        ("tagid", maybe(0.8, word(TAGS))),
        ("instl", maybe(0.4, zero_or_one())),
        ("rwdd", maybe(0.4, zero_or_one())),
        ("ext", maybe(0.5, prebid_ext())),
        ("pmp", maybe(0.5, pmp())),
        ("metric", maybe(0.5, metrics())),
        ("qty", maybe(0.3, qty())),
    ]);
    let floor = prop_oneof![2 => Just(json!({})), 3 => floor()].boxed();
    overlaid(merged([base, media(), floor]), terms(), 1)
}

/// How many impressions one play counts for.
fn qty() -> Any {
    member("multiplier", select(&[0.5_f64, 1.0, 1.0005, 3.0, 40.25][..]).prop_map(Value::from))
}

/// The extensions that Prebid adds.
fn prebid_ext() -> Any {
    object(vec![
        ("gpid", maybe(0.5, word(TAGS))),
        ("data", maybe(0.5, object(vec![("pbadslot", word(TAGS))]))),
        ("skadn", maybe(0.4, skadn_offer())),
        ("prebid", maybe(0.3, object(vec![("is_rewarded_inventory", zero_or_one())]))),
    ])
}

fn skadn_offer() -> Any {
    let list = object(vec![
        ("max", maybe(0.7, number(&[6, 7, 300]))),
        ("excl", maybe(0.3, numbers(&[7, 8], 2))),
        ("addl", maybe(0.3, words(&["xyz.skadnetwork"]))),
    ]);
    object(vec![
        ("version", maybe(0.3, word(&["1.0", "2.0", "4.0"]))),
        ("versions", maybe(0.8, words(&["2.0", "2.1", "2.2", "3.0", "4.0"]))),
        ("sourceapp", maybe(0.9, word(&["880047117", "880047117", "com.acme.app"]))),
        ("skadnetids", maybe(0.5, words(&["abc123.skadnetwork", "XYZ.skadnetwork"]))),
        ("skadnetlist", maybe(0.5, list)),
    ])
}

fn terms() -> Any {
    one_field(vec![
        ("secure", yes()),
        ("ssai", number(&[2, 3])),
        ("exp", number(&[60, 300, 301, 3600])),
        (
            "dt",
            select(&[1_774_747_800_000.5_f64, 1_784_154_600_000.0, 1_774_744_200_000.0][..])
                .prop_map(Value::from)
                .boxed(),
        ),
    ])
}

/// `bidfloor` and `bidfloorcur`.
fn floor() -> Any {
    (amount(false), 0..20_u8)
        .prop_map(|((text, cur), odd)| {
            // Sometimes add a digit below the micro.
            let text = if odd == 19 && text.split('.').nth(1).is_some_and(|digits| digits.len() == 6) {
                text + "1"
            } else {
                text
            };
            match cur {
                _ if odd == 18 => json!({"bidfloor": [3]}),
                "EUR" if odd == 17 => json!({"bidfloor": "abc"}),
                "EUR" if odd == 16 => json!({"bidfloor": as_number(&text), "bidfloorcur": 978}),
                "USD" => json!({ "bidfloor": as_number(&text) }),
                cur => json!({"bidfloor": as_number(&text), "bidfloorcur": cur}),
            }
        })
        .boxed()
}

/// `mincpmpersec` or `durfloors`.
fn floor_by_duration() -> Any {
    let micros = || select(MICROS);
    let per_second = (micros(), select(DURATIONS), -1..=1_i128).prop_map(
        |(micros, seconds, off)| json!({"mincpmpersec": as_number(&near(micros, i128::from(seconds), "USD", off))}),
    );
    let ranges = (micros(), micros(), 0..4_u8).prop_map(|(low, high, kind)| {
        let (low, high) = (as_number(&near(low, 1, "USD", 0)), as_number(&near(high, 1, "USD", 1)));
        match kind {
            0 => json!([{"maxdur": 15, "bidfloor": low}, {"mindur": 16, "bidfloor": high}]),
            1 => json!([{"mindur": 10, "maxdur": 15, "bidfloor": high}]),
            2 => json!([{"mindur": 1, "maxdur": 14, "bidfloor": low}, {"mindur": 15, "maxdur": 16, "bidfloor": high}]),
            _ => json!([{"mindur": 16, "bidfloor": low}]),
        }
    });
    prop_oneof![per_second, ranges.prop_map(|ranges| json!({ "durfloors": ranges }))].boxed()
}

fn metrics() -> Any {
    let metric = (word(METRICS), maybe(0.7, word(VENDORS)), select(SHARES))
        .prop_map(|(kind, vendor, value)| of_fields([("type", kind), ("vendor", vendor), ("value", as_number(value))]));
    several(metric.boxed(), 1..=2)
}

fn pmp() -> Any {
    let deals = prop::collection::vec(deal(), 3..=3);
    (maybe(0.7, zero_or_one()), subsequence(DEALS, 0..=3), deals)
        .prop_map(|(private, ids, deals)| {
            let deals: Vec<Value> = ids
                .iter()
                .zip(deals)
                .map(|(id, mut deal)| {
                    merge(&mut deal, json!({ "id": id }));
                    deal
                })
                .collect();
            of_fields([("private_auction", private), ("deals", deals.into())])
        })
        .boxed()
}

fn deal() -> Any {
    let terms = object(vec![
        ("at", maybe(0.3, number(&[1, 2]))),
        ("wseat", maybe(0.15, words(SEAT_NAMES))),
        ("wadomain", maybe(0.15, words(ADVERTISERS))),
        ("guar", maybe(0.3, yes())),
    ]);
    let agreed_price = merged([floor(), Just(json!({"at": 3})).boxed()]);
    let floors = prop_oneof![3 => Just(json!({})), 3 => floor(), 1 => floor_by_duration(), 1 => agreed_price].boxed();
    merged([terms, floors])
}

fn media() -> Any {
    let (banner, video) = (|| member("banner", banner()), || member("video", video()));
    let (audio, native) = (|| member("audio", linear(AUDIO_MIMES)), || member("native", native()));
    let offers = prop_oneof![
        5 => banner(),
        6 => video(),
        1 => audio(),
        2 => native(),
        4 => merged([banner(), video()]),
        1 => merged([banner(), native()]),
        1 => merged([video(), audio()]),
    ];
    // All media objects of an impression have the same `battr` and `api`.
    let shared = object(vec![("battr", maybe(0.2, numbers(ATTRIBUTES, 2))), ("api", maybe(0.4, numbers(APIS, 2)))]);
    let pos = || maybe(0.7, number(&[1, 3, 0]));
    let startdelay = || maybe(0.7, number(&[0, -1, -2, 15]));
    let placement = (pos(), pos(), startdelay(), startdelay(), maybe(0.7, number(&[1, 2, 4])));
    (offers, shared, placement)
        .prop_map(|(mut offers, shared, (banner_pos, video_pos, video_delay, audio_delay, plcmt))| {
            let of_medium: &[(&str, &str, Value)] = &[
                ("banner", "pos", banner_pos),
                ("video", "pos", video_pos),
                ("video", "startdelay", video_delay),
                ("audio", "startdelay", audio_delay),
                ("video", "plcmt", plcmt),
            ];
            for (medium, offer) in offers.as_object_mut().unwrap() {
                merge(offer, shared.clone());
                for (_, key, value) in of_medium.iter().filter(|(of, _, value)| of == medium && !value.is_null()) {
                    offer[*key] = value.clone();
                }
            }
            // Other media objects beside the video would not be in the pod.
            if offers.as_object().unwrap().len() > 1 && has(&offers, "video/podid") {
                offers["video"].as_object_mut().unwrap().remove("podid");
            }
            offers
        })
        .boxed()
}

fn banner() -> Any {
    let size = || size(SIZES);
    let ratio = (select(RATIOS), maybe(0.8, number(&[1, 100, 200])))
        .prop_map(|((w, h), wmin)| of_fields([("wratio", w.into()), ("hratio", h.into()), ("wmin", wmin)]));
    let axes = || any::<bool>().prop_map(|keeps_w| if keeps_w { ["w", "h"] } else { ["h", "w"] });
    let one_side = || {
        (size(), axes()).prop_map(|(mut size, [_, other])| {
            size.as_object_mut().unwrap().remove(other);
            size
        })
    };
    let format = prop_oneof![6 => size(), 1 => one_side(), 2 => ratio].boxed();
    let formats = member("format", several(format, 1..=2));
    let sizes = prop_oneof![3 => formats, 3 => size(), 1 => one_side(), 1 => Just(json!({}))];
    let additions = one_field(vec![
        ("topframe", zero_or_one()),
        ("topframe", zero_or_one()),
        ("btype", numbers(&[1, 2, 3, 4], 2)),
        ("mimes", words(BANNER_MIMES)),
        ("expdir", numbers(&[1, 2, 4], 2)),
    ]);
    overlaid(sizes.boxed(), additions, 2)
}

fn video() -> Any {
    let player = object(vec![
        ("linearity", maybe(0.2, number(&[1, 2]))),
        ("boxingallowed", maybe(0.3, zero_or_one())),
        ("playbackmethod", maybe(0.6, numbers(PLAYBACKS, 2))),
        ("skip", maybe(0.4, zero_or_one())),
        ("skipmin", maybe(0.2, number(&[10]))),
        ("protocol", maybe(0.1, number(PROTOCOLS))),
    ]);
    merged([linear(VIDEO_MIMES), maybe(0.8, size(PLAYERS)), player])
}

fn linear(mimes: &'static [&'static str]) -> Any {
    let required = member("mimes", subsequence(mimes, mimes.len() - 1..=mimes.len()).prop_map(|some| json!(some)));
    let lengths = object(vec![
        ("minduration", maybe(0.5, number(&[6, 7, 15]))),
        ("maxduration", maybe(0.7, number(&[14, 15, 16, 29]))),
        ("maxextended", maybe(0.3, number(&[-1, 0, 1, 14]))),
    ]);
    let additions = prop_oneof![
        4 => one_field(vec![
            ("protocols", numbers(PROTOCOLS, 2)),
            ("rqddurs", numbers(DURATIONS, 2)),
            ("poddur", number(&[15, 30])),
            ("minbitrate", number(&[400, 401])),
            ("maxbitrate", number(&[399, 1200])),
            ("delivery", numbers(&[1, 2, 3], 2)),
        ]),
        2 => lengths,
        2 => floor_by_duration(),
    ];
    let places = object(vec![
        ("podseq", maybe(0.4, number(&[-1, 0, 1]))),
        ("slotinpod", maybe(0.4, number(&[-1, 0, 1, 2]))),
        ("poddur", maybe(0.35, number(&[30, 60]))),
        ("maxseq", maybe(0.3, number(&[1, 2, 3]))),
        ("companionad", maybe(0.4, several(companion_slot(), 1..=2))),
        ("companiontype", maybe(0.3, numbers(&[1, 2, 3], 2))),
    ]);
    merged([overlaid(required, additions.boxed(), 2), places])
        .prop_map(|mut offer| {
            // A seller uses one of the two attributes.
            if has(&offer, "mincpmpersec") {
                offer.as_object_mut().unwrap().remove("durfloors");
            }
            offer
        })
        .boxed()
}

fn companion_slot() -> Any {
    let size = || size(COMPANIONS);
    let sizes = prop_oneof![4 => size(), 1 => size().prop_map(|size| json!({"format": [size]}))];
    let terms = one_field(vec![
        ("mimes", words(&["image/png", "image/gif", "text/html"])),
        ("btype", numbers(&[2, 3, 4], 2)),
        ("battr", numbers(ATTRIBUTES, 2)),
        ("api", numbers(APIS, 2)),
    ]);
    overlaid(sizes.boxed(), terms, 2)
}

fn native() -> Any {
    let img = object(vec![
        ("type", number(&[1, 3])),
        ("w", maybe(0.3, number(&[80, 300]))),
        ("wmin", maybe(0.4, number(&[0, 80, 81, 300]))),
        ("hmin", maybe(0.3, number(&[80, 600, 628]))),
    ]);
    let data = object(vec![("type", number(&[1, 2, 12])), ("len", maybe(0.6, number(&[5, 6, 25])))]);
    let video = object(vec![
        ("mimes", words(VIDEO_MIMES)),
        ("minduration", number(&[5, 15, 16])),
        ("maxduration", number(&[15, 16, 30])),
        ("protocols", numbers(PROTOCOLS, 2)),
    ]);
    let asset = (one_field(vec![("img", img), ("data", data), ("video", video)]), zero_or_one());
    let title = number(&[6, 7, 8, 25, 90]);
    (title, prop::collection::vec(asset, 0..=2), select(&["1.0", "1.1", "1.2"][..]))
        .prop_map(|(len, others, ver)| {
            let title = json!({"id": 1, "required": 1, "title": {"len": len}});
            let others = others.into_iter().enumerate().map(|(place, (mut asset, required))| {
                merge(&mut asset, json!({"id": place + 2, "required": required}));
                asset
            });
            let assets: Vec<Value> = std::iter::once(title).chain(others).collect();
            let trackers = json!([{"event": 1, "methods": [1, 2]}]);
            let request = json!({"ver": ver, "assets": assets, "eventtrackers": trackers, "privacy": 1});
            let request = if ver == "1.0" { json!({ "native": request }) } else { request };
            json!({"request": request.to_string(), "ver": ver})
        })
        .boxed()
}
