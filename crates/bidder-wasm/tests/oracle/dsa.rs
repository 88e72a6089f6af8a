//! The Digital Services Act: the campaigns that may not bid, and `bid.ext.dsa` of the others.

use serde_json::{Value, json};

use super::json::{at, has, int, list, text};

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

pub fn is_refused(campaign: &Value, request: &Value) -> bool {
    let asked = asked(request);
    int(asked, "dsarequired").unwrap_or(0) >= 2 && (!has(campaign, "dsa") || clashes(campaign, asked))
}

/// The expected `bid.ext`; `null` without one.
pub fn ext(campaign: &Value, request: &Value) -> Value {
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
