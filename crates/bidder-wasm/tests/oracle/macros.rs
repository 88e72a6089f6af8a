//! What stands in the place of macros, where the exchange fills none.

use serde_json::Value;

use super::crate_under_test::Bid;
use super::creative::medium;
use super::json::{at, has, int, text};
use super::world::World;

/// The first text of the bid that is not what the catalog has, filled.
pub fn fault(world: &World<'_>, bid: &Bid, (campaign, creative, deal): (&Value, &Value, &Value)) -> Option<String> {
    let medium = medium(creative);
    let ours = at(creative, medium);
    let mut texts = vec![(text(campaign, "nurl"), bid.nurl.clone()), (text(campaign, "burl"), bid.burl.clone())];
    if has(ours, "adm") {
        texts.push((text(ours, "adm"), bid.adm.clone()));
    }
    if medium == "native" {
        let answer: Value = serde_json::from_str(&bid.adm).unwrap();
        let answer = if has(&answer, "native") { at(&answer, "native") } else { &answer };
        texts.push((text(ours, "link"), text(answer, "link/url").to_owned()));
    }
    let first_price = int(deal, "at").or(int(world.request, "at")) == Some(1);
    let values = [
        ("ID", text(world.request, "id")),
        ("BID_ID", &bid.id),
        ("IMP_ID", &bid.imp),
        ("SEAT_ID", &bid.seat),
        ("CURRENCY", world.cur().unwrap()),
        ("PRICE", if first_price { &bid.price } else { "${AUCTION_PRICE}" }),
    ];
    texts.into_iter().find_map(|(told, found)| {
        let filled = |text: String, (name, value): &(&str, &str)| text.replace(&format!("${{AUCTION_{name}}}"), value);
        let expected = if world.fills() { values.iter().fold(told.to_owned(), filled) } else { told.to_owned() };
        (found != expected).then(|| format!("{found}, expected {expected}"))
    })
}
