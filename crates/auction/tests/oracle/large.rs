//! Large catalogs, made of many generated ones. The search by the index must find the bids that a check of every
//! campaign finds.

use pacing::shares::{Shares, WHOLE};
use serde_json::{Value, json};

use auction::context::Context;
use auction::pace::Pacing;
use auction::recorder::Recorder;
use auction::{Outcome, Scratch, bid};
use catalog::Catalog;

use super::crate_under_test::{Recorded, now_ms, pacing_of, ssp};
use super::generate::Pair;
use super::json::{has, list, text};

/// One catalog with `campaigns` campaigns of the pairs. Each copy has ids of its own.
pub fn catalog(pairs: &[Pair], campaigns: usize) -> Value {
    let mut whole = pairs[0].catalog.clone();
    let (mut creatives, mut copies): (Vec<Value>, Vec<Value>) = (vec![], vec![]);
    for (number, pair) in pairs.iter().cycle().enumerate() {
        if copies.len() >= campaigns {
            break;
        }
        let own = |id: &str| format!("{id}-{number}");
        let rename = |entry: &Value, key: &str| {
            let mut entry = entry.clone();
            entry[key] = own(text(&entry, key)).into();
            entry
        };
        creatives.extend(list(&pair.catalog, "creatives").iter().map(|creative| rename(creative, "crid")));
        copies.extend(list(&pair.catalog, "campaigns").iter().map(|campaign| {
            let mut campaign = rename(campaign, "cid");
            for shown in campaign["creatives"].as_array_mut().unwrap() {
                let crid = if shown.is_object() { &mut shown["crid"] } else { shown };
                *crid = own(crid.as_str().unwrap()).into();
            }
            // The first catalog's rates count for all, so give every campaign the same currency.
            campaign["cur"] = json!("USD");
            if has(&campaign, "budget_of") {
                campaign["budget_of"] = json!("order");
            }
            campaign
        }));
    }
    copies.truncate(campaigns);
    whole["creatives"] = creatives.into();
    whole["campaigns"] = copies.into();
    whole["orders"] = json!([{"id": "order", "budget": {"daily": "5000"}}]);
    // Prices in yen count as dollars now, so the usual ceiling is too low.
    whole["max_cpm_ceiling"] = json!("1000");
    whole
}

/// Whether the search by the index stops before the last candidate.
pub fn is_cut_off(pair: &Pair, catalog: &Catalog<'_>) -> bool {
    let mut scratch = Scratch::default();
    decided(pair, catalog, &Context::default(), &mut scratch, &mut ());
    scratch.effort().gave_up
}

/// Every third campaign with a budget bids on no request, the next one on half of them, and the next one on all.
pub fn pacing(pair: &Pair, catalog: &Catalog<'_>) -> Pacing {
    let budgets = catalog.parts().budgets();
    let rows = budgets.iter().zip([0, WHOLE / 2, WHOLE].into_iter().cycle());
    let rows = rows.map(|(budget, share)| (budget.key(), share)).collect();
    pacing_of(&Shares { made_ms: now_ms(pair), rows, ..Shares::default() }, catalog)
}

/// Compares the outcome and answer of a search by the index with those of a check of every campaign. `also` is what the
/// context has besides the time and the seed.
pub fn agree(pair: &Pair, catalog: &Catalog<'_>, also: &Context<'_>) {
    let mut scratch = Scratch::default();
    let by_index = decided(pair, catalog, also, &mut scratch, &mut ());
    let by_all = decided(pair, catalog, also, &mut scratch, &mut Recorded::default());
    assert_eq!(
        by_index,
        by_all,
        "by index, and by all of {} campaigns: {}",
        catalog.parts().campaigns().len(),
        pair.request
    );
}

fn decided<R: Recorder>(
    pair: &Pair,
    catalog: &Catalog<'_>,
    also: &Context<'_>,
    scratch: &mut Scratch,
    recorder: &mut R,
) -> (Outcome, String) {
    let context = Context { now_ms: now_ms(pair), seed: 7, ..*also };
    let (request, mut response) = (pair.request.to_string(), String::new());
    let outcome = bid(scratch, request.as_bytes(), ssp(pair), catalog, &context, recorder, &mut response);
    (outcome, response)
}
