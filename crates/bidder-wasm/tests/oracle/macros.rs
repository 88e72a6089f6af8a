//! The macros that the bidder fills: its own, and those of an exchange that fills none.

use serde_json::Value;

use super::auction::Auction;
use super::crate_under_test::Bid;
use super::creative::medium;
use super::json::{at, has, text};

/// The first text of the bid that differs from the catalog's text with its macros filled.
pub fn fault(auction: &Auction<'_>, bid: &Bid, (campaign, creative, deal): (&Value, &Value, &Value)) -> Option<String> {
    let medium = medium(creative);
    let ours = at(creative, medium);
    let own = super::ours::Values::of(auction, bid, (campaign, deal));
    let nurl = if auction.calls("nurl") { text(campaign, "nurl") } else { "" };
    let mut texts = vec![(nurl, bid.nurl.clone()), (text(campaign, "burl"), bid.burl.clone())];
    if has(ours, "adm") {
        texts.push((text(ours, "adm"), bid.adm.clone()));
    }
    if medium == "native" {
        let answer: Value = serde_json::from_str(&bid.adm).unwrap();
        let answer = if has(&answer, "native") { at(&answer, "native") } else { &answer };
        texts.push((text(ours, "link"), text(answer, "link/url").to_owned()));
    }
    let pays_bid = [1, 3].contains(&auction.at(deal));
    let imp = auction.imps().into_iter().find(|imp| text(imp, "id") == bid.imp).unwrap();
    let multiplier = at(imp, "qty/multiplier").as_f64().unwrap_or(1.0).to_string();
    let values = [
        ("ID", text(auction.request, "id")),
        // `bidid` of the response, to which a bid's id adds two digits.
        ("BID_ID", bid.id.get(..bid.id.len() - 2).unwrap()),
        ("IMP_ID", &bid.imp),
        ("SEAT_ID", &bid.seat),
        ("CURRENCY", auction.cur().unwrap()),
        ("MULTIPLIER", &multiplier),
        ("PRICE", if pays_bid { &bid.price } else { "${AUCTION_PRICE}" }),
    ];
    texts.into_iter().find_map(|(template, found)| {
        let filled = |text: String, (name, value): &(&str, &str)| text.replace(&format!("${{AUCTION_{name}}}"), value);
        let template = own.filled(template);
        let expected = if auction.fills_macros() { values.iter().fold(template, filled) } else { template };
        (found != expected).then(|| format!("{found}, expected {expected}"))
    })
}
