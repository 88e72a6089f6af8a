//! The deals of campaigns: reads them, with prices of their own, and checks them against the deals that the SSPs list.

use std::collections::HashSet;

use crate::compile::check::{self, out_of_range};
use crate::compile::document::{CampaignEntry, DealEntry, Document};
use crate::decode::{Finding, Rule};
use bidder_wasm::money::Micros;

/// The ids of a campaign's deals that have a price of their own, and these prices. A deal that is listed twice has only
/// one price, so this is an error.
pub(crate) fn prices(entry: &CampaignEntry, path: &str, findings: &mut Vec<Finding>) -> Vec<(String, Micros)> {
    let own = |deal: &DealEntry| Some((deal.id.clone()?, deal.max_cpm?.0));
    let prices: Vec<(String, Micros)> = entry.deals.iter().filter_map(own).collect();
    if prices.is_empty() {
        return prices;
    }
    let mut seen = HashSet::new();
    for (i, deal) in entry.deals.iter().enumerate() {
        if !seen.insert(&deal.id) {
            let id = deal.id.as_deref().unwrap_or_default();
            let message = format!("{id:?} is listed twice; expected each deal once if deals have prices");
            out_of_range(&format!("{path}.deals[{i}]"), message, findings);
        }
    }
    prices
}

/// Reports deals that no SSP of the campaign lists. Checks nothing if no SSP lists deals.
pub(crate) fn check(document: &Document, findings: &mut Vec<Finding>) {
    if document.ssps.iter().all(|entry| entry.deals.is_empty()) {
        return;
    }
    for (i, campaign) in document.campaigns.iter().enumerate() {
        let buys = |id: &str| campaign.ssps.is_empty() || campaign.ssps.iter().any(|own| own == id);
        let ssps = || document.ssps.iter().filter(|entry| buys(entry.id.as_deref().unwrap_or_default()));
        for (j, deal) in campaign.deals.iter().enumerate() {
            let Some(deal) = &deal.id else { continue };
            if !ssps().any(|entry| entry.deals.contains(deal)) {
                let known = ssps().flat_map(|entry| &entry.deals).map(String::as_str);
                let expected = "a deal of an SSP that the campaign buys from";
                let suggestion = check::suggestion(deal, known, expected, findings);
                let message = format!("no SSP of the campaign lists the deal {deal:?}; {suggestion}");
                findings.push(Finding::new(format!("campaigns[{i}].deals[{j}]"), Rule::Unknown, message));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;
    use bidder_wasm::money::Micros;

    /// The findings on a catalog whose campaign has these deals, or the deals' own prices in its snapshot.
    fn held(deals: &str) -> Result<Vec<(String, Micros)>, Vec<String>> {
        let document = format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"s"}}],"creatives":[{{"crid":"a","banner":{{"w":1,"h":1,"adm":"<b>"}}}}],
            "campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["a"],"deals":{deals}}}]}}"#
        );
        match compile(document.as_bytes(), &[]) {
            Ok(compiled) => {
                let catalog = compiled.snapshot.catalog();
                let prices = catalog.parts().campaigns().get(0).unwrap().prices();
                let prices = prices.map(|prices| prices.deals().iter().map(|(id, own)| (id.to_owned(), own)).collect());
                Ok(prices.unwrap_or_default())
            }
            Err(findings) => Err(findings.iter().map(|found| format!("{}: {}", found.path, found.message)).collect()),
        }
    }

    #[test]
    fn a_deal_may_have_a_price_of_its_own() {
        let own = |id: &str, micros: i64| (id.to_owned(), Micros(micros));
        assert_eq!(held(r#"["d-1","d-2"]"#), Ok(vec![]));
        assert_eq!(held(r#"["d-1","d-1",{"id":"d-1"}]"#), Ok(vec![]));
        assert_eq!(held(r#"["d-1",{"id":"d-2","max_cpm":"9.00"},"d-3"]"#), Ok(vec![own("d-2", 9_000_000)]));
        let two = r#"[{"id":"d-2","max_cpm":"0.5"},{"id":"d-1","max_cpm":1200000}]"#;
        assert_eq!(held(two), Ok(vec![own("d-2", 500_000), own("d-1", 1_200_000)]));
    }
}
