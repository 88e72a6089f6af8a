//! What a bid tells in `bid.ext`, and the campaigns that may not bid because they cannot: under the Digital Services
//! Act, and for Apple's SKAdNetwork. The host of the tests signs, so a bid has positions for signatures.

use serde_json::{Value, json};

use super::json::{at, has, int, ints, list, text, texts};

fn asked(request: &Value) -> &Value {
    ["regs/dsa", "regs/ext/dsa"]
        .iter()
        .map(|path| at(request, path))
        .rev()
        .filter(|asked| asked.is_object())
        .max_by_key(|asked| int(asked, "dsarequired").unwrap_or(0))
        .unwrap_or(&Value::Null)
}

/// Whether nobody would show the information, or both the publisher and the ad would.
fn clashes(campaign: &Value, asked: &Value) -> bool {
    let by_ad = int(campaign, "dsa/adrender") == Some(1);
    matches!((int(asked, "pubrender"), by_ad), (Some(0), false) | (Some(2), true))
}

/// Whether the Digital Services Act keeps the campaign from bidding.
pub fn dsa_refuses(campaign: &Value, request: &Value) -> bool {
    let asked = asked(request);
    int(asked, "dsarequired").unwrap_or(0) >= 2 && (!has(campaign, "dsa") || clashes(campaign, asked))
}

/// What the Digital Services Act adds to `bid.ext`; `null` if nothing.
pub fn dsa(campaign: &Value, request: &Value) -> Value {
    let asked = asked(request);
    let number = |key: &str| int(asked, key).unwrap_or(0);
    let is_asked = number("dsarequired") >= 1 || number("datatopub") >= 1;
    if !is_asked || !has(campaign, "dsa") || clashes(campaign, asked) {
        return Value::Null;
    }
    let own = |key: &str| text(campaign, &format!("dsa/{key}"));
    let mut dsa =
        json!({"behalf": own("behalf"), "paid": own("paid"), "adrender": int(campaign, "dsa/adrender").unwrap_or(0)});
    let unwanted = int(asked, "datatopub") == Some(0) && number("pubrender") == 0;
    let transparency = list(campaign, "dsa/transparency");
    if !unwanted && !transparency.is_empty() {
        dsa["transparency"] = json!(transparency);
    }
    json!({ "dsa": dsa })
}

/// The version in which the campaign bids on the impression.
fn version(campaign: &Value, imp: &Value) -> Option<&'static str> {
    let (own, offer) = (at(campaign, "skadn"), at(imp, "ext/skadn"));
    let app = text(offer, "sourceapp");
    let is_id = !app.is_empty() && app.len() <= 20 && app.chars().all(|digit| digit.is_ascii_digit());
    let listed = [texts(offer, "skadnetids"), texts(offer, "skadnetlist/addl")].concat();
    let is_listed = listed.iter().any(|id| id.to_lowercase() == text(own, "network"));
    let number = int(own, "list_id").unwrap_or(i64::MAX);
    let is_in_range =
        number <= int(offer, "skadnetlist/max").unwrap_or(0) && !ints(offer, "skadnetlist/excl").contains(&number);
    if !own.is_object() || !is_id || !(is_listed || is_in_range) {
        return None;
    }
    let offered = [texts(offer, "versions"), vec![text(offer, "version")]].concat();
    let mut versions: Vec<&'static str> = vec![];
    if has(own, "sourceidentifier") {
        versions.push("4.0");
    }
    if has(own, "campaign") {
        versions.extend(["3.0", "2.2", "2.1", "2.0"]);
    }
    versions.into_iter().find(|version| offered.contains(version))
}

/// Whether the campaign bids only with SKAdNetwork, and the impression does not offer it.
pub fn skadn_refuses(campaign: &Value, imp: &Value) -> bool {
    at(campaign, "skadn/required") == true && version(campaign, imp).is_none()
}

/// `bid.ext` without what only the seed decides, or what is wrong with that.
pub fn without_nonces(ext: &Value, now_ms: i64) -> Result<Value, String> {
    let mut ext = ext.clone();
    let Some(skadn) = ext.get_mut("skadn").and_then(Value::as_object_mut) else { return Ok(ext) };
    let mut nonces: Vec<String> = vec![];
    let mut check = |object: &mut serde_json::Map<String, Value>| {
        let nonce = object.remove("nonce").unwrap_or_default();
        let nonce = nonce.as_str().unwrap_or_default();
        let positions = nonce.chars().enumerate().all(|(position, c)| match position {
            8 | 13 | 18 | 23 => c == '-',
            14 => c == '4',
            19 => "89ab".contains(c),
            _ => c.is_ascii_digit() || ('a'..='f').contains(&c),
        });
        let is_proof = object.remove("timestamp") == Some(json!(now_ms.to_string()))
            && object.remove("signature") == Some(json!(" ".repeat(96)));
        nonces.push(nonce.to_owned());
        positions && nonce.len() == 36 && is_proof
    };
    let sound = match skadn.get_mut("fidelities").and_then(Value::as_array_mut) {
        Some(several) => several.iter_mut().filter_map(Value::as_object_mut).all(&mut check),
        None => check(skadn),
    };
    nonces.sort();
    let count = nonces.len();
    nonces.dedup();
    if sound && nonces.len() == count { Ok(ext) } else { Err(format!("nonces, timestamps or signatures of {ext}")) }
}

/// What SKAdNetwork adds to `bid.ext`, without nonces, timestamps and signatures.
pub fn skadn(campaign: &Value, imp: &Value) -> Value {
    let Some(version) = version(campaign, imp) else { return Value::Null };
    let own = at(campaign, "skadn");
    let number = if version == "4.0" { "sourceidentifier" } else { "campaign" };
    let mut skadn = json!({
        "version": version,
        "network": text(own, "network"),
        number: text(own, number),
        "itunesitem": text(own, "itunesitem"),
        "sourceapp": text(imp, "ext/skadn/sourceapp"),
    });
    if !["2.0", "2.1"].contains(&version) {
        skadn["fidelities"] = json!([{"fidelity": 0}, {"fidelity": 1}]);
    }
    json!({ "skadn": skadn })
}
