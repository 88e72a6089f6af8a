//! What the grammar cannot say of catalogs.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::functions::near;
use super::words::{CIDS, CRIDS, LISTS, RANGES, SSPS};
use crate::json::{has, int, ints, list, merge, text};
use crate::money::RATES;

fn remove(object: &mut Value, key: &str) -> Value {
    object.as_object_mut().and_then(|members| members.remove(key)).unwrap_or_default()
}

/// Gives creatives and campaigns their ids, and an order to the campaigns of each currency that were chosen for it.
pub fn catalog(mut parts: Value) -> Value {
    let (mut creatives, mut campaigns) = (list(&parts, "creatives").to_vec(), list(&parts, "campaigns").to_vec());
    for (creative, crid) in creatives.iter_mut().zip(CRIDS) {
        creative["crid"] = (*crid).into();
    }
    let mut orders = Map::new();
    for (campaign, cid) in campaigns.iter_mut().zip(CIDS) {
        campaign["cid"] = (*cid).into();
        campaign["creatives"] = shown(campaign, creatives.len());
        remove(campaign, "weights");
        if remove(campaign, "in_order") == true {
            let cur = campaign.get("cur").unwrap_or(&json!("USD")).clone();
            let id = format!("order in {}", cur.as_str().unwrap());
            remove(campaign, "budget");
            campaign["budget_of"] = id.clone().into();
            orders.insert(id.clone(), json!({"id": id, "cur": cur, "budget": {"daily": "5000"}}));
        }
    }
    let rates: Vec<Value> = RATES.iter().map(|(cur, usd)| json!({"cur": cur, "usd": usd})).collect();
    let listed = |(id, values): &(&str, &str)| json!({"id": id, "values": values.split(' ').collect::<Vec<_>>()});
    let lists: Vec<Value> = LISTS.iter().chain(RANGES).map(listed).collect();
    // An SSP with settings of its own. Its name for seat s2 is the catalog's name of another seat.
    let seats = json!([{"seat": "s1", "name": "t1"}, {"seat": "s2", "name": "s1"}]);
    let mut south =
        json!({"id": SSPS[1], "latency_ms": 50, "cur": "EUR", "seats": seats, "max_multiplier": 3, "test": true});
    merge(&mut south, remove(&mut parts, "south"));
    let states = remove(&mut parts, "states");
    south["needs_approval"] = states.is_array().into();
    let states = states.as_array().into_iter().flatten().zip(CRIDS).filter(|(state, _)| !state.is_null());
    let approvals: Vec<Value> =
        states.map(|(state, crid)| json!({"ssp": SSPS[1], "crid": crid, "state": state})).collect();
    let supply = json!({
        "date": remove(&mut parts, "date"),
        "systems": [{"domain": "ssp.example", "sellers": ["P:p1", "B:1", "I:2"]}, {"domain": "reseller.example"}],
        "ads": ["news.example,0D:p1,0R:1,1D:1", "blog.example,0D:p2,1R:2", "sport.news.example,0D:1,0R:1"],
        "app_ads": ["com.acme.app,0R:p1,1D:1,=blog.example,=new.example", "123456789"]
    });
    let mut catalog = json!({
        "format": 1, "rates": rates, "ssps": [{"id": SSPS[0], "domain": "ssp.example"}, south], "supply": supply, "lists": lists, "creatives": creatives,
        "campaigns": campaigns, "approvals": approvals
    });
    if !orders.is_empty() {
        catalog["orders"] = orders.into_iter().map(|(_, order)| order).collect();
    }
    if has(&parts, "privacy") {
        catalog["privacy"] = remove(&mut parts, "privacy");
    }
    catalog
}

/// The campaign's creatives, of the first `count`, with weights if it has weights.
fn shown(campaign: &Value, count: usize) -> Value {
    let mut seen = BTreeSet::new();
    let positions = list(campaign, "creatives").iter().filter_map(|crid| CRIDS.iter().position(|own| crid == own));
    let crids = positions.map(|position| CRIDS[position % count]).filter(|crid| seen.insert(*crid));
    let weighted = |(number, crid)| match list(campaign, "weights").get(number) {
        Some(weight) => json!({"crid": crid, "weight": weight}),
        None => json!(crid),
    };
    crids.enumerate().map(weighted).collect()
}

/// A campaign with a price, and deals that may have a price of their own, in the currency of the campaign.
pub fn campaign(mut campaign: Value) -> Value {
    let price = remove(&mut campaign, "max_cpm");
    campaign["max_cpm"] = near(&price).into();
    if price["cur"] != "USD" {
        campaign["cur"] = price["cur"].clone();
    }
    let of_deals = remove(&mut campaign, "deal_price");
    for deal in campaign.get_mut("deals").and_then(Value::as_array_mut).into_iter().flatten() {
        if !of_deals.is_null() {
            // A price ends with its last digit: one in ten deals is agreed to be guaranteed.
            *deal = json!({"id": *deal, "max_cpm": of_deals, "guaranteed": of_deals.as_str().unwrap().ends_with('5')});
        }
    }
    // Without deals, only the open auction is left.
    if !has(&campaign, "deals") {
        remove(&mut campaign, "open");
    }
    if has(&campaign, "flights") {
        remove(&mut campaign, "start");
        remove(&mut campaign, "end");
    }
    campaign
}

/// Flights between the instants; the last one may have no end.
pub fn flights(instants: &Value) -> Value {
    let flight = |ends: &[Value]| match ends {
        [start, end] => json!({"start": start, "end": end}),
        _ => json!({"start": ends[0]}),
    };
    instants.as_array().unwrap().chunks(2).map(flight).collect()
}

/// Hours that begin before they end.
pub fn hours(mut hours: Value) -> Value {
    let [a, b] = ["from", "to"].map(|key| int(&hours, key).unwrap());
    (hours["from"], hours["to"]) = (a.min(b).into(), (a.max(b) + 1).into());
    hours
}

/// Beside `mm`, `eids` takes no lists.
pub fn target(mut target: Value) -> Value {
    if has(&target, "mm")
        && let Some(eids) = target.get_mut("eids").and_then(Value::as_object_mut)
    {
        eids.retain(|key, _| !key.ends_with("_lists"));
    }
    target
}

/// The creative with the codes in `attr` and `api` that its skipping, VPAID and SIMID need.
pub fn creative(mut creative: Value) -> Value {
    let said = creative.to_string();
    let codes = [("attr", "skipoffset", 16), ("api", "VPAID", 2), ("api", "interactive", 8)];
    for (list, _, code) in codes.into_iter().filter(|(_, word, _)| said.contains(&format!("\"{word}\""))) {
        let mut listed = ints(&creative, list);
        listed.push(code);
        creative[list] = listed.into();
    }
    creative
}

/// The ad without what its VAST version or an audio ad cannot have.
pub fn linear_ad(mut ad: Value, is_video: bool) -> Value {
    if has(&ad, "adm") {
        ad["adm"] = vast(&ad).into();
    }
    let protocol = int(&ad, "protocol").unwrap();
    let removed = [("skipoffset", protocol == 2 || !is_video), ("interactive", protocol < 11 || !is_video)];
    for (name, _) in removed.into_iter().filter(|(_, removed)| *removed) {
        remove(&mut ad, name);
    }
    for event in ad.get_mut("tracking").and_then(Value::as_array_mut).into_iter().flatten() {
        match (text(event, "event"), protocol) {
            ("progress", 2) => event["event"] = "start".into(),
            ("progress", _) => event["offset"] = 3.into(),
            _ => {}
        }
    }
    if let Some(errors) = ad.get_mut("error").and_then(Value::as_array_mut).filter(|_| protocol < 7) {
        errors.truncate(1);
    }
    for file in ad.get_mut("media").and_then(Value::as_array_mut).into_iter().flatten().filter(|_| !is_video) {
        remove(file, "w");
        remove(file, "h");
    }
    ad
}

/// A VAST document with the ad's version and duration.
fn vast(ad: &Value) -> String {
    let version = match int(ad, "protocol") {
        Some(2) => "2.0",
        Some(3) => "3.0",
        Some(13) => "4.2",
        _ => "4.0",
    };
    let duration = format!("00:00:{:02}", int(ad, "dur").unwrap());
    format!(
        "<VAST version=\"{version}\" xmlns=\"http://www.iab.com/VAST\"><Ad><InLine><Creatives><Creative><Linear>\
         <Duration>{duration}</Duration></Linear></Creative></Creatives></InLine></Ad></VAST>"
    )
}
