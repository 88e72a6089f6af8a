//! What is written: bids, as a response carries them and as a log of them would.

use bidder_wasm::write::Object;
use serde::Deserialize;
use serde_json::value::RawValue;

/// One bid, and what a bidder knows of it beforehand.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Bid {
    /// Of the bid.
    pub id: String,
    /// Of its impression.
    pub impid: String,
    /// Of the price; at least 0.
    pub micros: i64,
    /// Of the campaign.
    pub cid: String,
    /// Of the creative.
    pub crid: String,
    /// Its advertiser.
    pub adomain: Vec<String>,
    /// Its markup.
    pub adm: String,
    /// Width.
    pub w: i64,
    /// Height.
    pub h: i64,
    /// Seconds until billing.
    pub exp: i64,
    /// Of the deal, if it has one.
    pub dealid: Option<String>,
}

/// A bid with what a catalog holds rendered once.
#[derive(Debug)]
pub struct Record {
    /// What to write.
    pub bid: Bid,
    /// `cid` to `exp` as members of a JSON object, each with a comma in front.
    pub fragment: String,
    /// `adm` as a JSON string.
    pub adm: Box<RawValue>,
    /// `adomain` as one field of a table.
    pub domains: String,
}

/// The lists of bids in a JSON array of arrays; the error in words.
///
/// # Errors
///
/// When it is something else.
pub fn read(json: &[u8]) -> Result<Vec<Vec<Record>>, serde_json::Error> {
    let lists: Vec<Vec<Bid>> = serde_json::from_slice(json)?;
    lists.into_iter().map(|bids| bids.into_iter().map(record).collect()).collect()
}

fn record(bid: Bid) -> Result<Record, serde_json::Error> {
    let mut fragment = String::new();
    known(&mut Object::more(&mut fragment), &bid);
    let adm = serde_json::value::to_raw_value(&bid.adm)?;
    Ok(Record { fragment, adm, domains: bid.adomain.join(" "), bid })
}

/// What the catalog knows of a bid.
pub(crate) fn known(object: &mut Object<'_>, bid: &Bid) {
    object.string("cid", &bid.cid);
    object.string("crid", &bid.crid);
    object.texts("adomain", &bid.adomain);
    object.string("adm", &bid.adm);
    object.number("w", bid.w);
    object.number("h", bid.h);
    object.number("exp", bid.exp);
}
