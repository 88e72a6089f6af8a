//! Every attribute that restricts bids, by the table of attributes, in every odd form: a form whose meaning is plain counts
//! like the list, any other refuses the bid, for the reason of the restriction. The search by the index, the full scan and the
//! explanation must agree.

use auction::context::Context;
use auction::{Outcome, Scratch};
use explain::explain;
use openrtb::read::spec::{self, Type};
use reasons::no_bid::NoBidReason;
use serde_json::{Value, json};

use super::{NOW_MS, Reasons, SEED, compiled, decide, demo};

/// An attribute that restricts bids.
struct Restriction {
    /// The path of its object in the request of [`request`].
    object: String,
    name: &'static str,
    of: Type,
    is_list: bool,
    reason: NoBidReason,
}

/// The objects on the way to restrictions that are a list in the request, and have their first entry there.
const LISTS: [&str; 6] = ["imp", "deals", "companionad", "assets", "format", "durfloors"];

/// All restrictions below an object of this kind. `outer` is the reason of the object around it.
fn below(kind: &'static str, path: &str, outer: Option<NoBidReason>, all: &mut Vec<Restriction>) {
    for row in spec::read(kind) {
        let entry = if LISTS.contains(&row.name) { "/0" } else { "" };
        let inner = format!("{path}/{}{entry}", row.name);
        // A companion slot that takes nothing refuses an ad that needs a companion.
        let reason = outer.or(row.restricts);
        if let Some(reason) = reason.filter(|_| row.restricts.is_some()) {
            let Value::String(object) = json!(path) else { unreachable!() };
            all.push(Restriction { object, name: row.name, of: row.of, is_list: row.is_list, reason });
        }
        let outer = if row.name == "companionad" { Some(NoBidReason::Companion) } else { outer };
        match row.of {
            Type::Object(inner_kind) if request().pointer(&inner).is_some_and(Value::is_object) => {
                below(inner_kind, &inner, outer, all);
            }
            Type::Native => below("NativeContent", &inner, outer, all),
            _ => {}
        }
    }
}

/// A request for an ad of every type, under a deal and without one, with every object that has restrictions.
fn request() -> Value {
    let linear = |mime: &str| {
        json!({
            "mimes": [mime], "protocols": [3], "minduration": 5, "maxduration": 30, "delivery": [2], "w": 640, "h": 360,
            "companionad": [{"w": 300, "h": 250, "format": [{"w": 300, "h": 250}]}],
            "durfloors": [{"mindur": 5, "maxdur": 60, "bidfloor": 0.5}],
        })
    };
    let assets = json!([
        {"id": 1, "required": 1, "title": {"len": 90}, "img": {}, "video": {}, "data": {}},
    ]);
    json!({
        "id": "r", "at": 1, "site": {"domain": "news.example"}, "badv": ["other.example"],
        "imp": [{
            "id": "1", "banner": {"format": [{"w": 300, "h": 250}]}, "video": linear("video/mp4"),
            "audio": linear("audio/mp4"), "native": {"request": {"ver": "1.2", "assets": assets}},
            "qty": {"multiplier": 1},
            "pmp": {"deals": [{"id": "d-1", "durfloors": [{"mindur": 5, "bidfloor": 0.5}]}]},
        }],
        "regs": {"ext": {"dsa": {"dsarequired": 0}}, "dsa": {"dsarequired": 0}},
    })
}

/// The request with only the media object on this path, and only under the deal if the path is of the deal.
fn request_for(path: &str) -> Value {
    let mut request = request();
    let media = ["banner", "video", "audio", "native"];
    let own = media.iter().find(|medium| path.starts_with(&format!("/imp/0/{medium}"))).unwrap_or(&"video");
    let imp = request.pointer_mut("/imp/0").and_then(Value::as_object_mut).unwrap();
    imp.retain(|name, _| name == own || !media.contains(&name.as_str()));
    if path.starts_with("/imp/0/pmp/deals") {
        imp["pmp"]["private_auction"] = 1.into();
    }
    // An asset is of the first kind that it has.
    if let Some(kind) =
        ["title", "img", "video", "data"].iter().find(|kind| path.ends_with(&format!("assets/0/{kind}")))
    {
        let asset = request.pointer_mut("/imp/0/native/request/assets/0").and_then(Value::as_object_mut).unwrap();
        asset.retain(|name, _| ["id", "required", kind].contains(&name.as_str()));
        asset.insert((*kind).to_owned(), if *kind == "data" { json!({"type": 1}) } else { json!({}) });
    }
    request
}

/// A campaign with an ad of every type.
pub(super) fn catalog() -> Vec<u8> {
    let linear = |mime: &str| {
        json!({
            "dur": 15, "protocol": 3, "w": 640, "h": 360, "media": [{"url": "https://c.example/a", "mime": mime}],
            "companions": [{"w": 300, "h": 250, "html": "<b>Acme</b>"}], "companion_required": true,
        })
    };
    let audio = json!({
        "dur": 15, "protocol": 3, "media": [{"url": "https://c.example/a", "mime": "audio/mp4"}],
        "companions": [{"w": 300, "h": 250, "html": "<b>Acme</b>"}], "companion_required": true,
    });
    let native = json!({
        "title": "Acme", "link": "https://acme.example/", "data": [{"type": 1, "value": "Acme Inc"}],
        "img": [{"type": 3, "url": "https://c.example/m.jpg", "w": 1200, "h": 627}],
        "video": {"dur": 15, "protocol": 3, "w": 640, "h": 360, "media": [{"url": "https://c.example/a", "mime": "video/mp4"}]},
    });
    let document = json!({
        "format": 1, "privacy": {"bid_unregistered": false}, "ssps": [{"id": "demo"}],
        "creatives": [
            {"crid": "b", "banner": {"w": 300, "h": 250, "adm": "<b>Acme</b>"}}, {"crid": "v", "video": linear("video/mp4")},
            {"crid": "a", "audio": audio}, {"crid": "n", "native": native},
        ],
        "campaigns": [{
            "cid": "acme", "seat": "s-1", "adomain": ["acme.example"], "cat": ["IAB1"], "max_cpm": "2", "deals": ["d-1"],
            "open": true, "creatives": ["b", "v", "a", "n"],
        }],
    });
    document.to_string().into_bytes()
}

/// Decides with `value` instead of the restriction, in three ways that must agree.
fn outcome(restriction: &Restriction, value: &Value) -> (Outcome, String) {
    let mut request = request_for(&restriction.object);
    let object = request.pointer_mut(&restriction.object).and_then(Value::as_object_mut);
    object.unwrap_or_else(|| panic!("no {}", restriction.object)).insert(restriction.name.to_owned(), value.clone());
    let (text, document) = (request.to_string(), compiled(catalog()).unwrap());
    let (catalog, mut scratch) = (document.catalog(), Scratch::default());
    let context = Context { now_ms: NOW_MS, seed: SEED, ..Context::default() };
    let mut decide = |recorder: &mut Reasons| {
        let ssp = demo(&catalog);
        let by_scan = decide(&mut scratch, text.as_bytes(), ssp, &catalog, &context, recorder);
        let by_index = decide(&mut scratch, text.as_bytes(), ssp, &catalog, &context, &mut ());
        assert_eq!(by_scan, by_index, "{text}");
        by_scan
    };
    let decided = decide(&mut Reasons::default());
    let mut report = String::new();
    explain(text.as_bytes(), demo(&catalog), &catalog, &context, None, &mut report).unwrap();
    let explained: Value = serde_json::from_str(&report).unwrap();
    let expected = if let Outcome::NoBid(reason) = decided.0 { reason.as_str() } else { "bid" };
    assert_eq!(explained["outcome"], expected, "{text}");
    decided
}

fn all() -> Vec<Restriction> {
    let mut all = vec![];
    below("BidRequest", "", None, &mut all);
    all
}

#[test]
fn a_restriction_that_nobody_can_read_refuses_the_bid() {
    let all = all();
    for restriction in &all {
        let path = format!("{}/{}", restriction.object, restriction.name);
        let is_number = matches!(restriction.of, Type::Integer | Type::Flag);
        let is_object = matches!(restriction.of, Type::Object(_));
        let mut odd = vec![json!([[{"a": 1}]]), json!([[["1"]]]), json!({"0": {"1": 1}, "1": "x"})];
        if !is_object {
            odd.extend([json!({"a": 1}), json!({"id": "1", "name": "x"}), json!([{"id": 1}])]);
        }
        if is_number || is_object {
            odd.extend([json!("x"), json!(["x"]), json!("1 to 3"), json!(1.5)]);
        }
        if is_number && restriction.is_list {
            odd.extend([json!([1, "x"]), json!([1, "1,3"]), json!("1,x"), json!([1.5])]);
        }
        if is_number && !restriction.is_list {
            odd.extend([json!("30s"), json!([1]), json!({"0": 1}), json!("1,3"), json!([]), json!({})]);
        }
        if restriction.of == Type::Text {
            odd.extend([json!(true), json!(["x", false]), json!(["x", {"id": "y"}]), json!({"x": 1})]);
        }
        for value in odd.iter().filter(|value| !is_object || restriction.is_list || !value.is_object()) {
            let (found, _) = outcome(restriction, value);
            assert_eq!(found, Outcome::NoBid(restriction.reason), "{path}: {value}");
        }
        let nothing = [json!(null), json!(""), json!([]), json!({})];
        let is_nothing = |value: &&Value| match value {
            Value::Object(_) => !is_object && (restriction.is_list || !is_number),
            Value::Array(_) => restriction.is_list || !is_number,
            _ => true,
        };
        for value in nothing.iter().filter(is_nothing) {
            let (found, absent) = (outcome(restriction, value), outcome(restriction, &Value::Null));
            assert_eq!(found, absent, "{path}: {value}");
        }
    }
    assert!(all.len() > 60, "{}", all.len());
}

#[test]
fn a_list_in_another_plain_form_counts() {
    let mut bids = 0;
    for restriction in all().iter().filter(|one| one.is_list && !matches!(one.of, Type::Object(_))) {
        let path = format!("{}/{}", restriction.object, restriction.name);
        let lists = if restriction.of == Type::Text {
            [["acme.example", "s-1"], ["video/mp4", "USD"], ["IAB1", "other.example"], ["xx", "no.example"]]
                .map(|list| json!(list))
        } else {
            [[1, 2], [3, 15], [5, 4], [98, 99]].map(|list| json!(list))
        };
        for list in lists {
            let [first, second] = [0, 1].map(|at| list[at].clone());
            let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let texts = [text(&first), text(&second)];
            let expected = outcome(restriction, &list);
            bids += usize::from(expected.0 == Outcome::Bid);
            for form in [
                json!(texts.join(",")),
                json!(texts.join(" ; ")),
                json!(texts.join("|")),
                json!({"0": first, "1": second}),
                json!({"3": texts[0], "17": texts[1]}),
                json!([[first, second]]),
                json!([[first], [], texts[1]]),
                json!([null, first, "", second]),
            ] {
                assert_eq!(outcome(restriction, &form), expected, "{path}: {form}");
            }
        }
    }
    assert!(bids > 20, "{bids}");
}
