//! The functions of the grammar: they make values that depend on several drawn ones.

use serde_json::{Value, json};

use super::{catalog, request};
use crate::json::{int, text, texts};
use crate::money::Exact;

pub fn function(name: &str) -> fn(Value) -> Value {
    match name {
        "audio_ad" => |ad| catalog::linear_ad(ad, false),
        "campaign" => catalog::campaign,
        "catalog" => catalog::catalog,
        "creative" => catalog::creative,
        "deals" => |parts| request::deals(&parts),
        "floor" => |parts| request::floor(&parts),
        "flights" => |instants| catalog::flights(&instants),
        "hours" => catalog::hours,
        "imp" => request::imp,
        "imps" => |parts| request::imps(&parts),
        "joined" => |codes| json!([format!(" {} ", texts(&json!({"codes": codes}), "codes").join(", "))]),
        "linear" => request::linear,
        "long" => |length| "r".repeat(usize::try_from(length.as_u64().unwrap()).unwrap()).into(),
        "native" => |parts| request::native(&parts),
        "near" => |amount| near(&amount).into(),
        "notated" => |parts| text(&parts, "notation").replace('@', text(&parts, "domain")).into(),
        "number" => |text| as_number(text.as_str().unwrap()),
        "page" => |domain| format!("https://{}/a.html?u=//blog.example/", domain.as_str().unwrap()).into(),
        "parts" => |version| version.as_str().unwrap().split('.').collect(),
        "request" => request::request,
        "target" => catalog::target,
        "upper" => |text| text.as_str().unwrap().to_uppercase().into(),
        "video_ad" => |ad| catalog::linear_ad(ad, true),
        _ => panic!("no function {name}"),
    }
}

/// `micros` of a US dollar in the currency `cur`, divided by `parts`, plus `off` micros, as decimal text. Many amounts
/// differ by a micro, so prices are close to floors.
pub fn near(amount: &Value) -> String {
    let member = |key, or| int(amount, key).map_or(or, i128::from);
    let dollars = Exact::micros(member("micros", 0));
    let in_cur = dollars.convert("USD", text(amount, "cur")).unwrap_or(dollars);
    let micros = in_cur.micros_down() / member("parts", 1) + member("off", 0);
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Decimal text as a JSON number.
pub fn as_number(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
