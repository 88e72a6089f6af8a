//! Ways to bill through Prebid Server: each line of `fixtures/prebid-server.tsv`, whose head explains it, is a request as
//! Prebid Server sends it. The test shows the ad as the line says, calls every URL of ours that is called then, and
//! books as the ledger does: one bid once.

use std::fs;

use auction::Scratch;
use auction::context::Context;
use notices::settle::Effect;
use serde_json::{Value, json};

use super::fixture_table::root;
use super::notice_urls::markup::urls;
use super::settle::Ssp;
use super::{NOW_MS, ORIGIN, compiled, decide, notices, text};

#[test]
fn every_way_to_show_an_ad_bills_it_once_at_the_price_of_the_bid() {
    let table = file("fixtures/prebid-server.tsv");
    let lines: Vec<Vec<&str>> =
        table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    assert!(lines.len() >= 58, "only {} ways", lines.len());
    let wrong = lines.iter().filter_map(|line| {
        let [name, medium, shown, request, campaign, expected] = line[..] else { panic!("{line:?}") };
        let found = found(medium, shown, &parsed(request), &parsed(campaign));
        (found != expected).then(|| format!("{name}: {found}, expected {expected}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The bid and what is booked for it, as in the last column of the table.
fn found(medium: &str, shown: &str, request: &Value, campaign: &Value) -> String {
    let mut document = parsed(&file("integrations/prebid-server/catalog.json"));
    merge(&mut document["campaigns"][0], campaign);
    let mut whole = base(medium);
    merge(&mut whole, request);
    let (snapshot, notices) = (compiled(document.to_string()).unwrap(), notices());
    let context = Context { now_ms: NOW_MS, notices: Some(&notices), ..Context::default() };
    let request = whole.to_string();
    let (_, answer) = decide(&mut Scratch::default(), request.as_bytes(), 0, &snapshot.catalog(), &context, &mut ());
    assert!(!answer.contains("${"), "a macro is left, and nobody fills it: {answer}");
    let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("no bid on {whole}"));
    let bid = &answer["seatbid"][0]["bid"][0];
    let ssp = Ssp::of(snapshot, 0, "");
    let mut booked = None;
    for url in called(bid, shown) {
        let end = url.strip_prefix(&format!("{ORIGIN}/n/")).unwrap();
        match ssp.read_url(end.as_bytes(), 60).unwrap().effect {
            Effect::Bill(cost) => _ = booked.get_or_insert(cost),
            Effect::Win => {}
            other => panic!("{url}: {other:?}"),
        }
    }
    let booked = booked.map_or("nothing".to_owned(), |cost| format!("{} {}", cost.price.0, cost.cur.as_str()));
    format!("{} {}: {booked}", bid["price"], answer["cur"].as_str().unwrap())
}

/// The URLs of ours that are called when the ad is shown.
fn called<'b>(bid: &'b Value, shown: &str) -> Vec<&'b str> {
    let (is_linear, in_page) = (bid["mtype"] == 2 || bid["mtype"] == 3, shown == "page");
    let ours = |name: &str| urls(text(bid, name));
    match shown {
        // Prebid.js gives the player the URL `nurl` if there is one, and else the document.
        "page" if is_linear && bid.get("nurl").is_some() => ours("nurl"),
        // Prebid.js calls `nurl` with a banner, and `burl` when any ad is shown.
        "page" | "app" | "amp" | "cache" | "screen" => {
            let (nurl, burl) = if in_page { (ours("nurl"), ours("burl")) } else { (vec![], vec![]) };
            [ours("adm"), nurl, burl].concat()
        }
        _ => panic!("{shown}"),
    }
}

/// A request as Prebid Server sends it: it sets `at`, `secure`, `tmax` and one currency where the publisher does not.
fn base(medium: &str) -> Value {
    let linear =
        json!({"mimes": ["video/mp4", "audio/mpeg"], "protocols": [3, 7], "minduration": 5, "maxduration": 30});
    let assets = json!({"ver": "1.2", "assets": [{"id": 1, "required": 1, "title": {"len": 90}},
        {"id": 2, "required": 1, "img": {"type": 3, "wmin": 600, "hmin": 300}}],
        "eventtrackers": [{"event": 1, "methods": [1]}]});
    let offer = match medium {
        "banner" => json!({"w": 300, "h": 250}),
        "video" | "audio" => linear,
        "native" => json!({"ver": "1.2", "request": assets.to_string()}),
        _ => panic!("{medium}"),
    };
    json!({"id": "r", "at": 1, "tmax": 500, "cur": ["USD"], "imp": {"id": "1", "secure": 1, medium: offer}})
}

/// Writes the members of an object into another; `null` removes one.
fn merge(into: &mut Value, from: &Value) {
    for (name, value) in from.as_object().unwrap() {
        match value {
            Value::Null => _ = into.as_object_mut().unwrap().remove(name),
            Value::Object(_) if into[name].is_object() => merge(&mut into[name], value),
            _ => into[name] = value.clone(),
        }
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn file(path: &str) -> String {
    fs::read_to_string(root().join("..").join(path)).unwrap()
}
