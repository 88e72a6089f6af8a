//! The deals of campaigns: reads them, with prices of their own, and checks them against the deals that the SSPs list.

use std::collections::HashSet;

use base::money::Micros;
use document::check::At;
use document::decode::Rule;
use document::{CampaignEntry, Document};

/// The ids of a campaign's deals that have a price of their own, and these prices. A deal that is listed twice has only
/// one price, so this is an error.
pub(crate) fn prices(entry: &CampaignEntry, at: &At<'_>) -> Vec<(String, Micros)> {
    let prices = entry.deals.iter().filter_map(|deal| Some((deal.id.clone(), deal.max_cpm?.0)));
    let prices: Vec<(String, Micros)> = prices.collect();
    if prices.is_empty() {
        return prices;
    }
    let mut seen = HashSet::new();
    for (i, deal) in entry.deals.iter().enumerate().filter(|(_, deal)| !seen.insert(&deal.id)) {
        let message = format!("{:?} is listed twice; expected each deal once if deals have prices", deal.id);
        at.item("deals", i).error(message);
    }
    prices
}

/// Notes ids with spaces around them, and reports deals that no SSP of the campaign lists, if any SSP lists deals.
pub(crate) fn check(document: &Document, at: &At<'_>) {
    for (i, campaign) in document.campaigns.iter().enumerate() {
        let trimmed = campaign.deals.iter().enumerate().map(|(j, deal)| (j, &deal.id, deal.id.trim()));
        for (j, id, expected) in trimmed.filter(|(_, id, trimmed)| id != trimmed) {
            let message = format!("{id:?} has spaces around it; expected {expected:?}");
            at.item("campaigns", i).item("deals", j).report(Rule::Ambiguous, message);
        }
        note_open(campaign, &at.item("campaigns", i));
    }
    if document.ssps.iter().all(|entry| entry.deals.is_empty()) {
        return;
    }
    for (i, campaign) in document.campaigns.iter().enumerate() {
        let known = || document.ssps.iter().filter(|ssp| campaign.buys_from(&ssp.id)).flat_map(|ssp| &ssp.deals);
        let of_campaign = campaign.deals.iter().enumerate().filter(|(_, deal)| !deal.id.is_empty());
        for (j, deal) in of_campaign.filter(|(_, deal)| !known().any(|known| *known == deal.id)) {
            let expected = "a deal of an SSP that the campaign buys from";
            let suggestion = at.suggestion(&deal.id, known().map(String::as_str), expected);
            let message = format!("no SSP of the campaign lists the deal {:?}; {suggestion}", deal.id);
            at.item("campaigns", i).item("deals", j).report(Rule::Unknown, message);
        }
    }
}

/// Notes a campaign with prices for deals that also bids without a deal: it says so, or its deals are dearer and all have
/// prices, so that `max_cpm` is perhaps not meant as a price.
fn note_open(entry: &CampaignEntry, at: &At<'_>) {
    let prices = || entry.deals.iter().map(|deal| deal.max_cpm.map(|price| price.0));
    let is_dearer = prices().all(|price| price.is_some()) && prices().flatten().any(|price| price > entry.max_cpm.0);
    if prices().flatten().next().is_some() && entry.open.unwrap_or(is_dearer) {
        let (cpm, cur) = (entry.max_cpm.0, entry.cur.as_deref().unwrap_or("USD"));
        let message = format!(
            "the campaign also bids without a deal, at {cpm} {cur}; expected \"open\": false, and another campaign for auctions without a deal"
        );
        at.attribute("open").report(Rule::Ambiguous, message);
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{compiled, with};
    use base::money::Micros;
    use serde_json::json;

    #[test]
    fn a_deal_may_have_a_price_of_its_own() {
        for (deals, expected) in [
            (json!(["d-1", "d-2"]), vec![]),
            (json!(["d-1", "d-1", {"id": "d-1"}]), vec![]),
            (json!(["d-1", {"id": "d-2", "max_cpm": "9.00"}, "d-3"]), vec![("d-2", 9_000_000)]),
            (
                json!([{"id": "d-2", "max_cpm": "0.5"}, {"id": "d-1", "max_cpm": 1_200_000}]),
                vec![("d-2", 500_000), ("d-1", 1_200_000)],
            ),
        ] {
            let compiled = compiled(&with([("campaigns", json!({ "deals": deals }))])).unwrap();
            let catalog = compiled.snapshot.catalog();
            let prices = catalog.parts().campaigns().get(0).unwrap().prices();
            let prices: Vec<_> = prices.map(|prices| prices.deals().iter().collect()).unwrap_or_default();
            let expected: Vec<_> = expected.into_iter().map(|(id, micros)| (id, Micros(micros))).collect();
            assert_eq!(expected, prices, "{deals}");
        }
    }
}
