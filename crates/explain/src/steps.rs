//! Explains the price of a bid step by step, from the most that the campaign pays to the price.

use super::rejection::Case;
use super::{campaign, prices};
use auction::bid::Bid;
use auction::price::{self, FIRST_PRICE, FIXED_PRICE, auction_type};
use base::money::{Currency, Micros, Rounding};
use catalog::Auction;
use catalog::times;
use rules::targeting::Facts;
use shading::Spot;

/// The steps of a bid: what each one does, and the amount after it. There are at least three: the most that the campaign
/// pays, the floor, the price.
pub(super) fn of(bid: &Bid<'_>, &Case { ref facts, catalog, cur, .. }: &Case<'_>) -> Vec<(String, String)> {
    let offers = prices::offers(facts, bid.imp, bid.deal, &bid.campaign, catalog);
    let mut steps = Vec::new();
    let mut add = |what: String, amount: Micros, cur: Currency| {
        steps.push((what, format!("{amount} {}", cur.as_str())));
    };
    let media = bid.creative.media();
    let own = offers.with(&media);
    let mut most = offers.base.most;
    let under =
        bid.deal.filter(|_| offers.is_of_deal).map_or_else(String::new, |deal| format!(" under {}", deal.id.value));
    add(format!("campaign pays at most{under}"), most, own.cur);
    for (position, factor) in offers.factors(&media) {
        most = times(most, factor);
        let when = campaign::condition_of(&bid.campaign, position, catalog);
        add(format!("× {} (bids[{position}]: {when})", Micros(factor.into())), most, own.cur);
    }
    if own.most < most {
        add("at most max_cpm_ceiling".into(), own.most, own.cur);
    }
    if own.cur != cur {
        add(format!("in {}", cur.as_str()), bid.price.most, cur);
    }
    let (floor, from) = price::floor(facts, bid.imp, bid.deal, &bid.creative);
    let converted = if floor > Micros::ZERO && from != cur {
        format!("floor {floor} {}, in {}", from.as_str(), cur.as_str())
    } else {
        "floor".to_owned()
    };
    add(converted, bid.price.floor, cur);
    match auction_type(facts, bid.deal) {
        FIXED_PRICE if bid.deal.is_some() && bid.price.bid < bid.price.most => {
            add("the deal has a fixed price (at 3)".into(), bid.price.bid, cur);
        }
        FIRST_PRICE
            if own.learned
                && let curve = facts.shade.curve(bid.price.spot)
                && let Some(learned) = facts.shade.bid(curve, bid.price.most, cur, &catalog.rates) =>
        {
            add(learned_from(bid, facts), learned, cur);
            if learned < bid.price.floor {
                add("raised to the floor".into(), bid.price.bid, cur);
            }
        }
        FIRST_PRICE if own.shaded < own.most => {
            let shaded = catalog.rates.convert(own.shaded, own.cur, cur, Rounding::Down).unwrap_or_default();
            let by = match facts.ssp.auction() {
                Auction::Request => "at 1",
                Auction::First => "the SSP's record says so",
            };
            add(format!("shading, because the auction is first-price ({by})"), shaded, cur);
            if shaded < bid.price.floor {
                add("raised to the floor".into(), bid.price.bid, cur);
            }
        }
        _ => {}
    }
    add("price".into(), bid.price.bid, cur);
    steps
}

/// Where the price of a bid was learned.
fn learned_from(bid: &Bid<'_>, facts: &Facts<'_>) -> String {
    let spot = facts.shade.curve(bid.price.spot).map(|(Spot(spot), _)| spot).unwrap_or_default();
    let wider = match spot {
        _ if spot == bid.price.spot.0 => "this placement",
        0 => "all of this SSP",
        _ if spot >> 3 == 0 => "this media type",
        _ => "this type of device and media",
    };
    format!("learned shading, from {wider} (spot {spot:08x})")
}
