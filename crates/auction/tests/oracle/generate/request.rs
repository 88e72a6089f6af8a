//! What the grammar cannot say of requests.

use serde_json::{Value, json};

use super::functions::{as_number, near};
use crate::json::{at, has, list, merge, text};

/// A request has only one of `wlang` and `wlangb` (OpenRTB 2.6, 3.2.1). `odd` is a value, or a form of the value that is
/// there, for an attribute of the request.
pub fn request(mut request: Value) -> Value {
    if let Some(odd) = request.as_object_mut().unwrap().remove("odd") {
        let (object, name) = text(&odd, "at").rsplit_once('/').unwrap();
        if let Some(object) = request.pointer_mut(object).and_then(Value::as_object_mut) {
            let value = in_form(object.get(name).unwrap_or(&Value::Null), &odd);
            object.insert(name.to_owned(), value);
        }
    }
    if has(&request, "wlang") {
        request.as_object_mut().unwrap().remove("wlangb");
    }
    request
}

/// The value of `odd`, or a list in its form.
fn in_form(list: &Value, odd: &Value) -> Value {
    let items = list.as_array().cloned().unwrap_or_default();
    let is_plain =
        items.iter().all(|item| item.is_i64() || item.as_str().is_some_and(|text| !text.contains([' ', ','])));
    match text(odd, "form") {
        "text" if is_plain => {
            let texts = items.iter().map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned));
            texts.collect::<Vec<_>>().join(", ").into()
        }
        "numbered" => items.into_iter().enumerate().map(|(position, item)| (position.to_string(), item)).collect(),
        "nested" => json!([items]),
        _ => at(odd, "value").clone(),
    }
}

/// Gives the impressions their ids, and one pod to those that are only video.
pub fn imps(parts: &Value) -> Value {
    let mut imps = list(parts, "imps").to_vec();
    // With a banner or audio object, only some bids on the impression would be in the pod.
    let is_video_only = |imp: &Value| has(imp, "video") && !has(imp, "banner") && !has(imp, "audio");
    // The same ads win on equal slots, so that they are duplicates.
    let slot = imps.iter().find(|imp| is_video_only(imp)).cloned();
    if let (true, Some(slot)) = (at(parts, "pod/same") == true, slot) {
        imps.fill(slot);
    }
    for (imp, id) in imps.iter_mut().zip(list(parts, "ids")).filter(|(_, id)| !id.is_null()) {
        imp["id"] = id.clone();
    }
    // All impressions of a pod have the same `poddedupe`.
    for imp in imps.iter_mut().filter(|imp| has(parts, "pod") && is_video_only(imp)) {
        merge(imp, json!({"video": {"podid": "p", "poddedupe": at(parts, "pod/poddedupe")}}));
    }
    imps.into()
}

/// All media objects of an impression have the same `battr` and `api`.
pub fn imp(mut imp: Value) -> Value {
    let shared = imp.as_object_mut().unwrap().remove("shared").unwrap();
    for medium in ["banner", "video", "audio", "native"] {
        if let Some(offer) = imp.get_mut(medium) {
            merge(offer, shared.clone());
        }
    }
    imp
}

/// A seller says only one floor by duration.
pub fn linear(mut offer: Value) -> Value {
    if has(&offer, "mincpmpersec") {
        offer.as_object_mut().unwrap().remove("durfloors");
    }
    offer
}

/// Some deals with these ids.
pub fn deals(parts: &Value) -> Value {
    let deals = list(parts, "ids").iter().zip(list(parts, "deals")).map(|(id, deal)| {
        let mut deal = deal.clone();
        deal["id"] = id.clone();
        deal
    });
    deals.collect()
}

/// `bidfloor` and `bidfloorcur`, sometimes unreadable or with a digit below the micro.
pub fn floor(parts: &Value) -> Value {
    let amount = near(parts);
    let has_micros = amount.split('.').nth(1).is_some_and(|digits| digits.len() == 6);
    match (text(parts, "odd"), text(parts, "cur")) {
        ("list", _) => json!({"bidfloor": [3]}),
        ("text", "EUR") => json!({"bidfloor": "abc"}),
        ("cur", "EUR") => json!({"bidfloor": as_number(&amount), "bidfloorcur": 978}),
        ("digit", "USD") if has_micros => json!({"bidfloor": as_number(&(amount + "1"))}),
        (_, "USD") => json!({"bidfloor": as_number(&amount)}),
        (_, cur) => json!({"bidfloor": as_number(&amount), "bidfloorcur": cur}),
    }
}

/// The text of a native request, whose assets have ids.
pub fn native(parts: &Value) -> Value {
    let ver = at(parts, "ver");
    let title = json!({"required": 1, "title": at(parts, "title")});
    let mut assets: Vec<Value> = [title].iter().chain(list(parts, "assets")).cloned().collect();
    for (position, asset) in assets.iter_mut().enumerate() {
        asset["id"] = (position + 1).into();
    }
    let trackers = json!([{"event": 1, "methods": [1, 2]}]);
    let request = json!({"ver": ver, "assets": assets, "eventtrackers": trackers, "privacy": 1});
    let request = if ver == "1.0" { json!({"native": request}) } else { request };
    json!({"request": request.to_string(), "ver": ver})
}
