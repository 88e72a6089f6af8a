//! A reader of its own for what explanations say: it compares their texts with the request.

use bidder_wasm::catalog::Catalog;
use bidder_wasm::context::Context;
use serde_json::Value;

use super::generate::Pair;
use super::generate::words::SSPS;
use super::json::{at, has, int, list, text, texts};

/// Checks the rows of a pair's explanation, and returns how many it could check.
pub fn check(pair: &Pair, catalog: &Catalog<'_>) -> Result<usize, String> {
    let ssp = SSPS.iter().position(|ssp| *ssp == text(&pair.context, "ssp")).unwrap();
    let context = Context { now_ms: int(&pair.context, "now_ms").unwrap(), ..Context::default() };
    let mut report = String::new();
    compiler_wasm::explain::explain(pair.request.to_string().as_bytes(), ssp, catalog, &context, None, &mut report)
        .unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let imp_of = |id: &str| list(&pair.request, "imp").iter().find(|imp| text(imp, "id") == id).unwrap_or(&Value::Null);
    let of_imps = list(&report, "imps").iter().flat_map(|imp| {
        let own = imp_of(text(imp, "id"));
        list(imp, "rejected").iter().map(move |row| (own, row))
    });
    let of_request = list(&report, "rejected").iter().map(|row| (&Value::Null, row));
    let mut checked = 0;
    for (imp, row) in of_request.chain(of_imps) {
        let Some(is_true) = is_true(&pair.request, imp, row) else { continue };
        checked += 1;
        if !is_true {
            return Err(format!("{row}\n{}", pair.request));
        }
    }
    Ok(checked)
}

/// Whether the row says what the request says. `None` for what is not read here.
fn is_true(request: &Value, imp: &Value, row: &Value) -> Option<bool> {
    let found = text(row, "found");
    let said = |of: &Value, path: &str| match at(of, path) {
        Value::Null => "unknown".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let device = |name: &str| said(request, &format!("device/{name}")) == found;
    let spots = |name: &str| {
        found.split(", ").all(|spot| {
            spot.split_once(' ')
                .is_some_and(|(medium, value)| has(imp, medium) && value == said(imp, &format!("{medium}/{name}")))
        })
    };
    Some(match text(row, "reason") {
        "make" => device("make"),
        "hwv" => device("hwv"),
        "carrier" => device("carrier"),
        "devicetype" => device("devicetype"),
        "connectiontype" => device("connectiontype"),
        "pos" => spots("pos"),
        "plcmt" => spots("plcmt"),
        "channel" => {
            let names: Vec<&str> = ["site", "app", "dooh"].into_iter().filter(|name| has(request, name)).collect();
            let found = if found == "unknown" { "" } else { found };
            names.join(", ") == found && text(row, "wanted").starts_with("only ")
        }
        "badv" => {
            let listed = found.strip_prefix("badv ")?;
            !listed.is_empty() && listed != "none" && texts(request, "badv").iter().any(|entry| listed.contains(entry))
        }
        "floor" => {
            // Several prices, or one in another currency, cannot be compared here.
            let (most, cur) = text(row, "wanted").strip_prefix("at most ")?.split_once(' ')?;
            let (least, floor_cur) = found.strip_prefix("at least ")?.split_once(' ')?;
            if cur != floor_cur {
                return None;
            }
            least.parse::<f64>().unwrap() > most.parse::<f64>().unwrap() || most == "0"
        }
        _ => return None,
    })
}
