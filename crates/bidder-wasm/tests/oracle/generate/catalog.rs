//! Generates catalogs: campaigns, creatives, SSPs and privacy settings.

use std::iter::repeat;

use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use serde_json::{Value, json};

use super::strategies::{
    Any, amount, maybe, member, merged, near, number, numbers, object, one_field, overlaid, several, size, truth, word,
    words, zero_or_one,
};
use super::target::{condition, target};
use super::words::*;
use crate::json::{has, int, ints, list, merge, of_fields};
use crate::money::RATES;

pub fn catalog() -> Any {
    let creatives = prop::collection::vec(creative(), 1..=4);
    let campaigns = prop_oneof![60 => prop::collection::vec(campaign(), 1..=6), 1 => Just(vec![])];
    let settings = object(vec![
        ("one_bid_per_imp", maybe(0.4, truth())),
        ("fill_macros", maybe(0.6, truth())),
        ("auction", maybe(0.3, word(&["first", "request"]))),
        ("floors", maybe(0.3, word(&["highest", "specific"]))),
        ("uncalled", maybe(0.2, Just(json!(["lurl", "nurl"])).boxed())),
        ("bid_ext", maybe(0.3, bid_ext())),
    ]);
    (creatives, campaigns, privacy(), settings)
        .prop_map(|(creatives, campaigns, privacy, settings)| assemble(creatives, campaigns, &privacy, settings))
        .boxed()
}

type Campaign = (Value, Vec<Index>);

/// Gives creatives and campaigns their ids, and each campaign its creatives.
fn assemble(mut creatives: Vec<Value>, campaigns: Vec<Campaign>, privacy: &Value, ssp_settings: Value) -> Value {
    for (creative, crid) in creatives.iter_mut().zip(CRIDS) {
        merge(creative, json!({ "crid": crid }));
    }
    let mut campaigns: Vec<Value> = campaigns
        .into_iter()
        .zip(CIDS)
        .map(|((mut campaign, chosen), cid)| {
            let mut crids: Vec<&str> = vec![];
            for crid in chosen.iter().map(|index| CRIDS[index.index(creatives.len())]) {
                if !crids.contains(&crid) {
                    crids.push(crid);
                }
            }
            // The campaign's creatives, with weights if it has weights.
            let shown = crids.into_iter().zip(list(&campaign, "weights").to_vec().into_iter().chain(repeat(json!(2))));
            let shown = shown.map(|(crid, weight)| {
                if has(&campaign, "weights") { json!({ "crid": crid, "weight": weight }) } else { json!(crid) }
            });
            let shown: Vec<Value> = shown.collect();
            campaign.as_object_mut().unwrap().remove("weights");
            merge(&mut campaign, json!({ "cid": cid, "creatives": shown }));
            campaign
        })
        .collect();
    // An order for each currency, with the campaigns that were chosen for it.
    let mut orders: Vec<Value> = vec![];
    for campaign in &mut campaigns {
        if campaign.as_object_mut().and_then(|campaign| campaign.remove("in_order")).is_none() {
            continue;
        }
        let cur = campaign.get("cur").unwrap_or(&json!("USD")).clone();
        let id = format!("order in {}", cur.as_str().unwrap());
        campaign.as_object_mut().unwrap().remove("budget");
        merge(campaign, json!({ "budget_of": id }));
        if !orders.iter().any(|order| order["cur"] == cur) {
            orders.push(json!({"id": id, "cur": cur, "budget": {"daily": "5000"}}));
        }
    }
    let rates: Vec<Value> = RATES.iter().map(|(cur, usd)| json!({"cur": cur, "usd": usd})).collect();
    let ssps: Vec<Value> = vec![json!({"id": SSPS[0]}), south(ssp_settings)];
    let lists: Vec<Value> = LISTS.iter().map(|(id, values)| json!({"id": id, "values": values})).collect();
    let mut catalog = json!({"format": 1, "rates": rates, "ssps": ssps, "lists": lists, "creatives": creatives, "campaigns": campaigns});
    if !orders.is_empty() {
        catalog["orders"] = orders.into();
    }
    if !privacy.is_null() {
        catalog["privacy"] = privacy.clone();
    }
    catalog
}

/// An SSP with settings of its own. Its name for seat s2 is the catalog's name of another seat.
fn south(settings: Value) -> Value {
    let seats = json!([{"seat": "s1", "name": "t1"}, {"seat": "s2", "name": "s1"}]);
    let mut south =
        json!({"id": SSPS[1], "latency_ms": 50, "cur": "EUR", "seats": seats, "max_multiplier": 3, "test": true});
    merge(&mut south, settings);
    south
}

fn bid_ext() -> Any {
    select(&["{}", "{\"deal\": {\"type\": [1, \"a\\\"b\", true, 0.50]}, \"n\": -1}"][..])
        .prop_map(|ext| serde_json::from_str(ext).unwrap())
        .boxed()
}

fn privacy() -> Any {
    let settings = object(vec![
        ("vendor_id", maybe(0.5, number(&[42]))),
        ("bid_unregistered", maybe(0.5, truth())),
        ("bid_without_string", maybe(0.5, truth())),
        ("assume_gdpr", maybe(0.1, truth())),
    ]);
    maybe(0.4, settings)
}

fn campaign() -> BoxedStrategy<Campaign> {
    let price = amount(true).prop_map(|(max_cpm, cur)| match cur {
        "USD" => json!({ "max_cpm": max_cpm }),
        cur => json!({"max_cpm": max_cpm, "cur": cur}),
    });
    let shading = (select(MICROS), number(&[1, 2, 4]))
        .prop_map(|(typical, steepness)| json!({"typical": near(typical, 2, "USD", 0), "steepness": steepness}));
    let fields = object(vec![
        ("seat", word(SEATS)),
        (
            "adomain",
            prop_oneof![6 => subsequence(ADVERTISERS, 1), 1 => subsequence(ADVERTISERS, 2)]
                .prop_map(|some| json!(some))
                .boxed(),
        ),
        ("bundle", maybe(0.2, word(APPS))),
        ("cat", maybe(0.8, words(CATEGORIES))),
        ("cattax", maybe(0.5, number(TAXONOMIES))),
        ("ssps", maybe(0.1, words(SSPS))),
        ("deals", maybe(0.7, deals())),
        ("bids", maybe(0.3, several(multiplier(), 1..=3))),
        ("target", maybe(0.9, target())),
        ("nurl", maybe(0.1, word(&["https://t.example/win", "http://t.example/win", WITH_MACROS, WITH_OURS]))),
        ("burl", maybe(0.1, word(&["https://t.example/bill", "http://t.example/bill", WITH_MACROS, WITH_OURS]))),
        ("shading", maybe(0.2, shading.boxed())),
        ("budget", maybe(0.3, Just(json!({"daily": "5000"})).boxed())),
        ("in_order", maybe(0.2, Just(json!(true)).boxed())),
        ("paused", maybe(0.1, truth())),
        ("start", maybe(0.1, instant(STARTS))),
        ("end", maybe(0.1, instant(ENDS))),
        ("flights", maybe(0.03, flights())),
        ("exp", maybe(0.15, number(&[60, 300, 301]))),
        ("dsa", maybe(0.5, dsa())),
        ("skadn", maybe(0.08, skadn())),
    ]);
    let rotation = prop_oneof![
        5 => Just(json!({})),
        1 => Just(json!({"rotation": "sequence"})),
        1 => Just(json!({"rotation": "random"})),
        2 => prop::collection::vec(1..=5_i64, 4).prop_map(|weights| json!({ "weights": weights })),
    ];
    let open = prop_oneof![4 => Just(Value::Null), 1 => Just(json!(true)), 2 => Just(json!(false))];
    let whole = (fields, price, open, rotation).prop_map(|(mut campaign, price, open, rotation)| {
        merge(&mut campaign, price);
        merge(&mut campaign, rotation);
        // Without deals, only the open auction is left.
        if !open.is_null() && campaign.get("deals").is_some() {
            campaign["open"] = open;
        }
        if let Some(campaign) = campaign.as_object_mut().filter(|campaign| campaign.contains_key("flights")) {
            campaign.retain(|key, _| !["start", "end"].contains(&key.as_str()));
        }
        campaign
    });
    (whole, prop::collection::vec(any::<Index>(), 1..=4)).boxed()
}

/// One or two deals, some with a price of their own, in the currency of the campaign.
fn deals() -> Any {
    let price = maybe(0.3, select(MICROS).prop_map(|micros| json!(near(micros, 1, "USD", 0))).boxed());
    let deal = |(id, price): (&str, Value)| {
        if price.is_null() { json!(id) } else { json!({"id": id, "max_cpm": price}) }
    };
    let priced = move |(ids, prices): (Vec<&'static str>, Vec<Value>)| {
        json!(ids.into_iter().zip(prices).map(deal).collect::<Vec<_>>())
    };
    (subsequence(DEALS, 1..=2), prop::collection::vec(price, 2)).prop_map(priced).boxed()
}

/// A multiplier of `max_cpm`. Some make the price less than a micro, or more than the ceiling.
fn multiplier() -> Any {
    let times = word(&["1.25", "0.8", "2", "1.000001", "0.333333", "1", "0.01", "100"]);
    object(vec![("when", condition()), ("times", times)])
}

/// Flights between some of the known instants; the last one may have no end.
fn flights() -> Any {
    let instants: Vec<&str> = STARTS.iter().chain(ENDS).map(|(text, _)| *text).collect();
    let flight = |ends: &[&str]| match ends {
        [start, end] => json!({"start": start, "end": end}),
        _ => json!({"start": ends[0]}),
    };
    prop::sample::subsequence(instants, 1..=6).prop_map(move |some| some.chunks(2).map(flight).collect()).boxed()
}

fn instant(instants: &'static [(&'static str, i64)]) -> Any {
    select(instants).prop_map(|(text, _)| json!(text)).boxed()
}

fn skadn() -> Any {
    let (four, three) = (json!({"sourceidentifier": "4321"}), json!({"campaign": "45"}));
    let both = json!({"sourceidentifier": "4321", "campaign": "45"});
    let numbers = select(vec![both, four, three]).boxed();
    let own = object(vec![
        ("network", word(APP_NETWORKS)),
        ("itunesitem", word(&["123456789"])),
        ("list_id", maybe(0.5, number(&[7]))),
        ("required", maybe(0.3, truth())),
    ]);
    merged([own, numbers])
}

fn dsa() -> Any {
    let data = json!([{"domain": "bidder.example", "dsaparams": [2]}]);
    object(vec![
        ("behalf", word(&["Acme", "Ünë \"Velo\""])),
        ("paid", word(&["Agency"])),
        ("adrender", maybe(0.8, zero_or_one())),
        ("transparency", maybe(0.7, Just(data).boxed())),
    ])
}

fn creative() -> Any {
    let ad = prop_oneof![
        5 => member("banner", banner()),
        5 => member("video", linear(VIDEO_MIMES, true)),
        1 => member("audio", linear(AUDIO_MIMES, false)),
        2 => member("native", native()),
    ];
    let additions = prop_oneof![
        2 => member("attr", numbers(ATTRIBUTES, 2)),
        1 => member("api", numbers(APIS, 2)),
        1 => member("language", word(&["en", "de", "xx"])),
        1 => Just(json!({"clientside": true})),
        1 => member("iurl", word(&["https://c.example/i.png", "http://c.example/i.png"])),
    ];
    let advertiser = object(vec![
        ("adomain", words(ADVERTISERS)),
        ("bundle", maybe(0.3, word(APPS))),
        ("cat", maybe(0.6, words(CATEGORIES))),
        ("cattax", maybe(0.4, number(TAXONOMIES))),
    ]);
    let shown = overlaid(ad.boxed(), additions.boxed(), 1);
    let own = prop_oneof![3 => Just(json!({})).boxed(), 1 => advertiser];
    overlaid(shown, own.boxed(), 1).prop_map(telling).boxed()
}

/// The creative with the codes in `attr` and `api` that its skipping, VPAID and SIMID need.
fn telling(mut creative: Value) -> Value {
    let said = creative.to_string();
    let codes = [("attr", "skipoffset", 16), ("api", "VPAID", 2), ("api", "interactive", 8)];
    for (list, _, code) in codes.into_iter().filter(|(_, word, _)| said.contains(&format!("\"{word}\""))) {
        let mut listed = ints(&creative, list);
        listed.push(code);
        creative[list] = listed.into();
    }
    creative
}

fn banner() -> Any {
    let ratio = (select(RATIOS), maybe(0.7, number(&[100, 200])))
        .prop_map(|((w, h), wmin)| of_fields([("wratio", w.into()), ("hratio", h.into()), ("wmin", wmin)]));
    let shape = prop_oneof![5 => size(SIZES), 1 => ratio].boxed();
    let fields = object(vec![
        ("expdir", maybe(0.1, numbers(&[1, 2, 4], 2))),
        ("btype", maybe(0.6, number(&[1, 2, 3, 4]))),
        ("mime", maybe(0.3, word(BANNER_MIMES))),
        (
            "adm",
            word(&[
                "<b>hello</b>",
                MARKUP_WITH_OURS,
                "<img src=\"https://c.example/b.png\">",
                "<img src=\"http://c.example/b.png\">",
                "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>",
                "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"http://c.example/b.png\"/></svg>",
                "<b id=\"${AUCTION_IMP_ID}\">${AUCTION_BID_ID}${AUCTION_ID}, ${AUCTION_PRICE:B64} ${AUCTION_PRICE}</b>",
            ]),
        ),
    ]);
    merged([shape, fields])
}

fn linear(mimes: &'static [&'static str], is_video: bool) -> Any {
    let of_video = |strategy: Any| if is_video { strategy } else { Just(Value::Null).boxed() };
    let media = object(vec![
        ("url", word(&["https://c.example/1", "https://c.example/2", "https://c.example/3", "http://c.example/4"])),
        ("mime", word(mimes)),
        ("bitrate", maybe(0.8, number(BITRATES))),
        ("delivery", maybe(0.5, number(&[1, 2, 3]))),
        ("w", of_video(maybe(0.1, number(&[640])))),
        ("h", of_video(maybe(0.1, number(&[360, 480])))),
        ("api", maybe(0.03, word(&["VPAID"]))),
    ]);
    let media = merged([member("media", several(media, 1..=3)), companions(), trackers()]);
    let ready = words(mimes).prop_map(|mimes| {
        let adm = "<VAST version=\"3.0\"><Ad><Wrapper><VASTAdTagURI><![CDATA[https://v.example/1.xml?s=${AUCTION_SEAT_ID}]]></VASTAdTagURI></Wrapper></Ad></VAST>";
        json!({"adm": adm, "mimes": mimes})
    });
    let fields = object(vec![
        ("dur", number(DURATIONS)),
        ("protocol", number(PROTOCOLS)),
        ("linearity", of_video(maybe(0.3, number(&[1, 2])))),
    ]);
    merged([of_video(size(PLAYERS)), prop_oneof![4 => media, 1 => ready].boxed(), fields])
        .prop_map(move |mut ad| {
            if has(&ad, "adm") {
                ad["adm"] = vast(&ad).into();
            }
            of_version(ad, is_video)
        })
        .boxed()
}

/// A VAST document with the ad's version and duration.
fn vast(ad: &Value) -> String {
    let version = match int(ad, "protocol") {
        Some(2) => "2.0",
        Some(3) => "3.0",
        Some(13) => "4.2",
        _ => "4.0",
    };
    let seconds = int(ad, "dur").unwrap();
    let duration = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!(
        "<VAST version=\"{version}\" xmlns=\"http://www.iab.com/VAST\"><Ad><InLine><Creatives><Creative><Linear>\
         <Duration>{duration}</Duration></Linear></Creative></Creatives></InLine></Ad></VAST>"
    )
}

/// What a player tells and is told while it plays an ad.
fn trackers() -> Any {
    let url = || word(&["https://t.example/a?b=1&c=]]>", "https://t.example/[ERRORCODE]", "http://t.example/d"]);
    let urls = || words(&["https://t.example/1", "https://t.example/2?<&>"]);
    let event = word(&["start", "firstQuartile", "complete", "progress"]);
    let event = (event, url()).prop_map(|(event, url)| match event.as_str() {
        Some("progress") => json!({"event": event, "offset": 3, "url": url}),
        _ => json!({"event": event, "url": url}),
    });
    let script = object(vec![
        ("vendor", word(&["v.example-omid", "\"<&>\""])),
        ("url", word(&["https://v.example/omid.js"])),
        ("params", maybe(0.5, word(&["{\"key\": \"a]]>b\"}"]))),
        ("not_executed", maybe(0.5, url())),
    ]);
    let some = object(vec![
        ("tracking", maybe(0.5, several(event.boxed(), 1..=2))),
        ("error", maybe(0.5, urls())),
        ("clickthrough", maybe(0.5, url())),
        ("clicktracking", maybe(0.5, urls())),
        ("skipoffset", maybe(0.2, number(&[0, 5]))),
        ("verification", maybe(0.5, several(script, 1..=2))),
        ("interactive", maybe(0.1, url())),
    ]);
    prop_oneof![4 => Just(json!({})), 1 => some].boxed()
}

/// The ad without what its VAST version or an audio ad cannot have.
fn of_version(mut ad: Value, is_video: bool) -> Value {
    let protocol = int(&ad, "protocol").unwrap();
    let removed = [("skipoffset", protocol == 2 || !is_video), ("interactive", protocol < 11 || !is_video)];
    for (name, _) in removed.into_iter().filter(|(_, removed)| *removed) {
        ad.as_object_mut().unwrap().remove(name);
    }
    if let Some(tracking) = ad.get_mut("tracking").and_then(Value::as_array_mut) {
        tracking.retain(|entry| protocol > 2 || entry["event"] != "progress");
    }
    if let Some(errors) = ad.get_mut("error").and_then(Value::as_array_mut).filter(|_| protocol < 7) {
        errors.truncate(1);
    }
    ad
}

/// Companions, sometimes required.
fn companions() -> Any {
    let content = one_field(vec![
        ("static", word(&["https://c.example/c.png"])),
        ("html", word(&["<b>]]></b>"])),
        ("iframe", word(&["https://c.example/c", "http://c.example/c"])),
    ]);
    let terms = object(vec![
        ("mime", maybe(0.2, word(&["image/gif"]))),
        ("btype", maybe(0.2, number(&[2, 3]))),
        ("attr", maybe(0.2, numbers(ATTRIBUTES, 1))),
        ("api", maybe(0.2, numbers(APIS, 1))),
    ]);
    let companion = merged([size(COMPANIONS), content, terms]);
    let some = object(vec![("companions", several(companion, 1..=2)), ("companion_required", maybe(0.6, truth()))]);
    prop_oneof![2 => Just(json!({})), 1 => some].boxed()
}

fn native() -> Any {
    let img = object(vec![
        ("type", number(&[1, 3])),
        ("url", word(&["https://c.example/i.png"])),
        ("w", number(&[80, 300, 1200])),
        ("h", number(&[80, 627])),
    ]);
    let data = object(vec![
        ("type", number(&[1, 2, 12])),
        ("value", word(&["short", "ümlaut", "a longer text", "in {country}"])),
    ]);
    object(vec![
        ("title", word(&["Seven77", "Größer 8", "A title of twenty-five ch"])),
        ("img", several(img, 0..=2)),
        ("data", several(data, 0..=2)),
        ("link", word(&["https://a.example/go", WITH_MACROS, WITH_OURS, "http://a.example/go"])),
        ("video", maybe(0.4, linear(VIDEO_MIMES, true))),
        ("imptrackers", maybe(0.5, words(&["https://t.example/1", "https://t.example/2"]))),
        ("jstracker", maybe(0.5, word(&["https://t.example/t.js"]))),
        ("privacy", maybe(0.5, word(&["https://a.example/privacy"]))),
    ])
}
