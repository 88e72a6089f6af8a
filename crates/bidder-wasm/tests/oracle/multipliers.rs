//! The multipliers of a campaign's price, and prices of deals.

use bidder_wasm::catalog::Catalog;
use serde_json::{Value, json};

use super::auction::Auction;
use super::campaign::{of_imp, schain};
use super::creative::{medium, placement};
use super::eligible::Expected;
use super::json::{at, has, list, text};
use super::money::Exact;
use super::targeting::failures;

/// The ceiling of a catalog that states none, in US dollars.
const USUAL_CEILING: &str = "200";

/// The factors that hold for a bid, in the order of the campaign's `bids`.
pub fn factors<'p>(auction: &Auction<'_>, campaign: &'p Value, creative: &Value, imp: &Value) -> Vec<&'p str> {
    let holds = |when: &Value| {
        // A campaign with nothing but this target.
        let other = json!({ "target": when });
        failures(when, auction.request, auction.settings).is_empty()
            && schain(when, auction.request).is_none()
            && of_imp(&other, imp, auction).is_empty()
            && placement(when, medium(creative), at(imp, medium(creative))).is_none()
    };
    list(campaign, "bids").iter().filter(|bid| holds(at(bid, "when"))).map(|bid| text(bid, "times")).collect()
}

/// An amount in micros times all factors, each result rounded down to a micro, and at most the catalog's ceiling.
pub fn multiplied(micros: i128, factors: &[&str], auction: &Auction<'_>, campaign: &Value) -> i128 {
    if factors.is_empty() {
        return micros;
    }
    let product = factors.iter().fold(micros, |micros, factor| {
        let millionths = Exact::parse(factor).micros_down();
        micros * millionths / 1_000_000
    });
    let ceiling =
        if has(auction.catalog, "max_cpm_ceiling") { text(auction.catalog, "max_cpm_ceiling") } else { USUAL_CEILING };
    let cur = if has(campaign, "cur") { text(campaign, "cur") } else { "USD" };
    product.min(Exact::parse(ceiling).convert("USD", cur).unwrap().micros_down())
}

/// The deal's own price in the campaign.
pub fn of_deal<'p>(campaign: &'p Value, deal: &Value) -> Option<&'p str> {
    let id = text(deal, "id");
    list(campaign, "deals").iter().find(|own| !id.is_empty() && text(own, "id") == id).map(|own| text(own, "max_cpm"))
}

/// The ids of a campaign's deals, with and without prices.
pub fn deal_ids(campaign: &Value) -> Vec<&str> {
    list(campaign, "deals").iter().map(|deal| deal.as_str().unwrap_or_else(|| text(deal, "id"))).collect()
}

/// Whether no campaign pays more without a deal than its worth in the index says. The worth is in micros of a US dollar,
/// rounded down.
pub fn worth_is_most(auction: &Auction<'_>, expected: &Expected<'_>, catalog: &Catalog<'_>) -> Result<(), String> {
    let own = catalog.parts().campaigns();
    for eligible in expected.imps.iter().flat_map(|imp| &imp.eligible).filter(|eligible| eligible.deal.is_null()) {
        let cid = text(eligible.campaign, "cid");
        let place = own.iter().position(|campaign| campaign.cid() == cid).unwrap();
        let worth = catalog.index.stored.worth().get(place).unwrap();
        let most = Exact::micros(i128::from(worth) + 1).convert("USD", auction.cur().unwrap()).unwrap().micros_up();
        if let Some((_, price)) = eligible.creatives.iter().find(|(_, price)| price.least > most) {
            return Err(format!("campaign {cid} pays {price:?}, but is worth only {worth}"));
        }
    }
    Ok(())
}
