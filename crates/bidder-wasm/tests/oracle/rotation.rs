//! The order in which a campaign's creatives are tried, and the advertiser of each creative.

use bidder_wasm::draw::Draw;
use serde_json::Value;

use super::auction::Auction;
use super::budget::hash;
use super::json::{has, int, list, text};

/// The creatives of a campaign on the impression with this number, in the order in which they are tried.
pub fn in_order<'p>(campaign: &Value, auction: &Auction<'p>, imp: usize) -> Vec<&'p Value> {
    let mut left: Vec<(usize, &Value)> = auction.creatives(campaign).into_iter().enumerate().collect();
    if text(campaign, "rotation") == "sequence" || left.len() == 1 {
        return left.into_iter().map(|(_, creative)| creative).collect();
    }
    let draw = Draw::new(text(auction.request, "id"), imp).of(hash(text(campaign, "cid")));
    let weight = |place: usize| int(&list(campaign, "creatives")[place], "weight").map(i128::from);
    if weight(0).is_none() {
        left.sort_by_key(|(place, _)| draw.lot(*place));
        return left.into_iter().map(|(_, creative)| creative).collect();
    }
    let mut drawn = vec![];
    while !left.is_empty() {
        // One ticket for each unit of weight. The lot says how far into the tickets the drawn one is.
        let tickets = left.iter().enumerate();
        let tickets: Vec<usize> = tickets
            .flat_map(|(at, (place, _))| std::iter::repeat_n(at, usize::try_from(weight(*place).unwrap()).unwrap()))
            .collect();
        let ticket = u128::from(draw.lot(drawn.len())) * u128::try_from(tickets.len()).unwrap() / (1 << 32);
        drawn.push(left.remove(tickets[usize::try_from(ticket).unwrap()]).1);
    }
    drawn
}

/// The object that says who advertises with a creative: the creative or the campaign.
pub fn advertiser<'p>(campaign: &'p Value, creative: &'p Value) -> &'p Value {
    if has(creative, "adomain") { creative } else { campaign }
}

/// Whether a creative of the campaign has an advertiser of its own.
pub fn has_advertisers(campaign: &Value, auction: &Auction<'_>) -> bool {
    auction.creatives(campaign).iter().any(|creative| has(creative, "adomain"))
}
