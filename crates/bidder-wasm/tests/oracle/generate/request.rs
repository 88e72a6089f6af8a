//! Generates requests: device, person, channel, supply chain, privacy signals and the restrictions of the exchange.

use bidder_wasm::kind::{DIMENSIONS, Kind, kind_of};
use bidder_wasm::read::spec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use super::imp::imp;
use super::strategies::{Any, codes, maybe, number, object, one_field, overlaid, word, words, zero_or_one};
use super::words::*;
use crate::json::{has, merge};
use crate::money::NO_RATE;

pub fn request() -> Any {
    let base = object(vec![
        ("id", prop_oneof![300 => word(&["r1", "r2", "r\"3\\", "r4", "r5", "ré-6"]), 1 => Just(json!("r".repeat(512))), 1 => Just(json!("r".repeat(513)))].boxed()),
        ("imp", imps()),
        ("device", maybe(0.95, device())),
        ("user", maybe(0.8, user())),
        ("source", maybe(0.7, schain())),
        ("at", maybe(0.7, number(&[1, 1, 2, 500]))),
    ]);
    let within = (base, prop_oneof![10 => channel(), 1 => Just(json!({}))]).prop_map(|(mut base, channel)| {
        merge(&mut base, channel);
        base
    });
    overlaid(within.boxed(), prop_oneof![8 => restrictions(), 3 => privacy(), 1 => gate(), 1 => dsa()].boxed(), 2)
        .prop_map(|mut request| {
            // A request has only one of `wlang` and `wlangb` (OpenRTB 2.6, 3.2.1).
            if has(&request, "wlang") {
                request.as_object_mut().unwrap().remove("wlangb");
            }
            request
        })
        .boxed()
}

fn imps() -> Any {
    let ids = prop_oneof![40 => Just(["1", "2", "3"]), 1 => Just(["1", "1", "2"]), 1 => Just(["1", "1", "1"]), 2 => Just(["", "2", "3"])];
    // All impressions of a pod have the same `poddedupe`.
    let kinds: &[&[i64]] = &[&[1], &[2], &[3], &[4], &[1, 2, 3, 4], &[]];
    let pod = weighted(0.35, (select(kinds.to_vec()), any::<bool>()));
    let some = (prop::collection::vec(imp(), 1..=3), ids, 0..100_u8, pod);
    some.prop_map(|(mut imps, ids, odd, pod)| {
        // With a banner or audio object, only some bids on the impression would be in the pod.
        let is_video_only = |imp: &Value| has(imp, "video") && !has(imp, "banner") && !has(imp, "audio");
        // The same ads win on equal slots, so that they are duplicates.
        let slot = imps.iter().find(|imp| is_video_only(imp)).cloned();
        if let (Some((_, true)), Some(slot)) = (pod, slot) {
            imps.fill(slot);
        }
        for (imp, id) in imps.iter_mut().zip(ids) {
            imp["id"] = id.into();
            if let Some((kinds, _)) = pod.filter(|_| is_video_only(imp)) {
                merge(imp, json!({"video": {"podid": "p", "poddedupe": kinds}}));
            }
        }
        if odd == 98 {
            imps[0]["id"] = "i".repeat(513).into();
        }
        if odd == 99 {
            imps[0].as_object_mut().unwrap().remove("id");
        }
        Value::from(imps)
    })
    .boxed()
}

/// Reasons not to bid on the whole request.
fn gate() -> Any {
    let crawler = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    one_field(vec![("tmax", number(&[1, 20, 21, 50, 51, 300])), ("device", Just(json!({ "ua": crawler })).boxed())])
}

/// Restrictions of the exchange.
fn restrictions() -> Any {
    let tags = || subsequence(LANGUAGE_TAGS, 1..=2).prop_map(|some| json!(some)).boxed();
    let currencies: &[&'static [&'static str]] = &[&["USD"], &["EUR"], &["JPY", "USD"], &[NO_RATE, "EUR"], &[NO_RATE]];
    one_field(vec![
        ("wseat", words(SEAT_NAMES)),
        ("bseat", words(SEAT_NAMES)),
        ("cur", select(currencies.to_vec()).prop_map(|cur| json!(cur)).boxed()),
        ("cur", select(currencies.to_vec()).prop_map(|cur| json!(cur)).boxed()),
        ("bcat", codes(CATEGORIES)),
        ("acat", subsequence(CATEGORIES, 2..=5).prop_map(|some| json!(some)).boxed()),
        ("cattax", number(TAXONOMIES)),
        ("badv", words(BLOCKED_ADVERTISERS)),
        ("badv", unusual_domain().prop_map(|entry| json!([entry])).boxed()),
        ("bapp", codes(APPS)),
        ("wlang", codes(LANGUAGES)),
        ("test", number(&[1])),
        ("wlangb", tags()),
    ])
}

/// A blocked domain in an unusual notation.
fn unusual_domain() -> BoxedStrategy<String> {
    (select(BLOCKED_ADVERTISERS), select(DOMAIN_NOTATIONS))
        .prop_map(|(domain, notation)| notation.replace('@', domain))
        .boxed()
}

fn privacy() -> Any {
    let consent = word(&["garbage", "CO", ""]);
    one_field(vec![
        ("regs", object(vec![("coppa", signal())])),
        ("regs", object(vec![("gdpr", signal())])),
        ("regs", object(vec![("ext", object(vec![("gdpr", signal())]))])),
        ("regs", object(vec![("us_privacy", word(&["1YNN", "1YYN", "1---", "nonsense"]))])),
        ("regs", object(vec![("ext", object(vec![("us_privacy", word(&["1YNN", "1YYN"]))]))])),
        (
            "regs",
            object(vec![
                ("us_privacy", word(&["1YNN", "1YYN", ""])),
                ("ext", object(vec![("us_privacy", word(&["1YNN", "1YYN"]))])),
            ]),
        ),
        ("regs", object(vec![("gpc", signal())])),
        ("regs", object(vec![("ext", object(vec![("gpc", word(&["0", "1"]))]))])),
        ("user", object(vec![("consent", consent.clone())])),
        ("user", object(vec![("ext", object(vec![("consent", consent)]))])),
        ("device", object(vec![("lmt", signal())])),
        ("device", object(vec![("dnt", signal())])),
        ("device", object(vec![("devicetype", number(&[8]))])),
    ])
}

/// A flag of privacy, sometimes in a form that no specification has.
fn signal() -> Any {
    prop_oneof![6 => zero_or_one(), 1 => word(&["0", "1", "true", "yes", ""]), 1 => number(&[2, 33, -1])].boxed()
}

/// What a publisher asks for under the Digital Services Act.
fn dsa() -> Any {
    let asked = || {
        let kinds = number(&[0, 0, 1, 1, 2, 3]);
        object(vec![
            ("dsarequired", maybe(0.9, kinds)),
            ("pubrender", maybe(0.8, number(&[0, 1, 2]))),
            ("datatopub", maybe(0.6, number(&[0, 1, 2]))),
        ])
    };
    one_field(vec![
        ("regs", object(vec![("dsa", asked())])),
        ("regs", object(vec![("ext", object(vec![("dsa", asked())]))])),
    ])
}

fn device() -> Any {
    let sua = (select(BRANDS), word(SYSTEMS), select(VERSIONS)).prop_map(|(brands, system, version)| {
        let brands: Vec<Value> = brands.iter().map(|brand| json!({ "brand": brand })).collect();
        let version: Vec<&str> = version.split('.').collect();
        json!({"browsers": brands, "platform": {"brand": system, "version": version}})
    });
    let agents: Vec<&'static str> = BROWSERS.iter().map(|(agent, _)| *agent).collect();
    let own = vec![
        ("geo", maybe(0.9, geo(0.9))),
        ("ua", maybe(0.8, select(agents).prop_map(Value::from).boxed())),
        ("sua", maybe(0.2, sua.boxed())),
        ("model", maybe(0.8, word(words_of("model")))),
        ("os", maybe(0.8, word(SYSTEMS))),
        ("osv", maybe(0.8, word(VERSIONS))),
        ("language", maybe(0.5, word(LANGUAGES))),
        ("langb", maybe(0.2, word(LANGUAGE_TAGS))),
        ("ifa", maybe(0.5, word(&["3f6d-4b1c"]))),
    ];
    object([attributes("device", "device"), own].concat())
}

/// The targeting attributes that an object has, each with a value that a target may name. `root` is the object's name
/// in the paths of the dimensions. Attributes with alternatives are not among them.
fn attributes(object: &str, root: &str) -> Vec<(&'static str, Any)> {
    let own = DIMENSIONS.iter().filter_map(|dimension| match dimension.paths {
        [path] => Some((dimension, path.strip_prefix(root)?.strip_prefix('.')?)),
        _ => None,
    });
    let own = own.filter(|(_, name)| !name.contains(['.', '|']) && spec::has(&format!("{object}.{name}")));
    let valued = own.filter_map(|(dimension, name)| {
        let value = match kind_of(dimension.reason)? {
            Kind::Flag => zero_or_one(),
            Kind::Number => number(codes_of(dimension.name)),
            Kind::Text | Kind::Id => word(words_of(dimension.name)),
            _ => return None,
        };
        Some((name, maybe(0.8, value)))
    });
    valued.collect()
}

fn geo(country: f64) -> Any {
    let said = select(COUNTRY_NOTATIONS).prop_map(|(said, _)| Value::from(said)).boxed();
    let own = vec![("country", maybe(country, said)), ("utcoffset", maybe(0.8, number(&[0, 60, -480, 330, 840])))];
    let fields = object([attributes("device.geo", "geo"), own].concat());
    let point = maybe(0.8, select(POINTS).prop_map(|(lat, lon)| json!({"lat": lat, "lon": lon})).boxed());
    (fields, point)
        .prop_map(|(mut geo, point)| {
            if !point.is_null() {
                merge(&mut geo, point);
            }
            geo
        })
        .boxed()
}

fn user() -> Any {
    let segment = word(SEGMENTS).prop_map(|id| json!({ "id": id }));
    let data = object(vec![
        ("id", maybe(0.6, word(PROVIDERS))),
        ("name", maybe(0.6, word(PROVIDERS))),
        ("segment", prop::collection::vec(segment, 0..=2).prop_map(Value::from).boxed()),
    ]);
    let eid = object(vec![
        ("source", word(SOURCES)),
        (
            "uids",
            prop_oneof![5 => Just(json!([{"id": "x"}])), 1 => Just(json!([])), 1 => Just(json!([{"id": ""}]))].boxed(),
        ),
        ("mm", maybe(0.7, number(METHODS))),
    ]);
    object(vec![
        ("buyeruid", maybe(0.6, word(&["b1"]))),
        ("geo", maybe(0.4, geo(0.8))),
        ("yob", maybe(0.7, number(&[1979, 1980, 1990, 1999, 2000]))),
        ("keywords", maybe(0.3, word(&["cars", "news, garden"]))),
        ("kwarray", maybe(0.2, words(KEYWORDS))),
        ("data", maybe(0.7, prop::collection::vec(data, 0..=2).prop_map(Value::from).boxed())),
        ("eids", maybe(0.75, prop::collection::vec(eid, 0..=2).prop_map(Value::from).boxed())),
    ])
}

fn channel() -> Any {
    let content = vec![
        ("genre", maybe(0.6, word(words_of("genre")))),
        ("genres", maybe(0.4, words(words_of("genre")))),
        ("language", maybe(0.5, word(LANGUAGES))),
        ("langb", maybe(0.2, word(LANGUAGE_TAGS))),
        ("network", maybe(0.8, object(vec![("name", word(words_of("network")))]))),
        ("channel", maybe(0.8, object(vec![("name", word(words_of("content_channel")))]))),
        ("cat", maybe(0.3, words(CATEGORIES))),
        ("cattax", maybe(0.2, number(TAXONOMIES))),
        ("keywords", maybe(0.3, word(&["garden", "cars,news"]))),
    ];
    let content = object([attributes("app.content", "channel.content"), content].concat());
    let of_any = |channel: &str| {
        let own = vec![
            (
                "publisher",
                maybe(0.8, object(vec![("id", word(words_of("publisher"))), ("domain", maybe(0.2, word(DOMAINS)))])),
            ),
            ("keywords", maybe(0.3, word(&["cars", " news ,garden"]))),
            ("content", maybe(0.8, content.clone())),
        ];
        [attributes(channel, "channel"), own].concat()
    };
    let site_or_app = |more: Vec<(&'static str, Any)>| {
        let both = vec![
            ("domain", maybe(0.7, word(DOMAINS))),
            ("cat", maybe(0.5, words(CATEGORIES))),
            ("sectioncat", maybe(0.2, words(CATEGORIES))),
            ("pagecat", maybe(0.2, words(CATEGORIES))),
            ("cattax", maybe(0.2, number(TAXONOMIES))),
            ("kwarray", maybe(0.3, words(KEYWORDS))),
        ];
        object([more, both].concat())
    };
    let url = select(DOMAINS).prop_map(|domain| Value::from(format!("https://{domain}/a.html?u=//blog.example/")));
    let page = vec![("page", maybe(0.3, url.boxed()))];
    prop_oneof![
        5 => site_or_app([of_any("site"), page].concat()).prop_map(|site| json!({ "site": site })),
        4 => site_or_app(of_any("app")).prop_map(|app| json!({ "app": app })),
        1 => object(of_any("dooh")).prop_map(|dooh| json!({ "dooh": dooh })),
    ]
    .boxed()
}

fn schain() -> Any {
    let node = word(SYSTEMS_OF_CHAIN).prop_map(|asi| json!({"asi": asi, "sid": "1", "hp": 1}));
    let nodes = prop::collection::vec(node, 1..=3);
    let chain = (nodes, zero_or_one())
        .prop_map(|(nodes, complete)| json!({"complete": complete, "nodes": nodes, "ver": "1.0"}));
    let chain = chain.boxed();
    prop_oneof![
        3 => chain.clone().prop_map(|chain| json!({ "schain": chain })),
        1 => chain.prop_map(|chain| json!({"ext": {"schain": chain}})),
    ]
    .boxed()
}
