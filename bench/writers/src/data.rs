//! The bids to write, as in a response or in a log.

use bidder_wasm::write::Object;
use serde::Deserialize;
use serde_json::value::RawValue;

/// One bid.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Bid {
    /// Id of the bid.
    pub id: String,
    /// Id of its impression.
    pub impid: String,
    /// Price in micros, not negative.
    pub micros: i64,
    /// Id of the campaign.
    pub cid: String,
    /// Id of the creative.
    pub crid: String,
    /// Domains of the advertiser.
    pub adomain: Vec<String>,
    /// Markup.
    pub adm: String,
    /// Width.
    pub w: i64,
    /// Height.
    pub h: i64,
    /// Seconds until billing.
    pub exp: i64,
    /// Id of the deal, if it has one.
    pub dealid: Option<String>,
}

/// A bid with the parts that a catalog renders in advance.
#[derive(Debug)]
pub struct Record {
    /// The bid.
    pub bid: Bid,
    /// `cid` to `exp` as members of a JSON object, each after a comma.
    pub fragment: String,
    /// `adm` as a JSON string.
    pub adm: Box<RawValue>,
    /// `adomain` as one field of a CSV line.
    pub domains: String,
}

/// Reads lists of bids from a JSON array of arrays.
///
/// # Errors
///
/// If the JSON is anything else.
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

/// Writes the attributes of a bid that the catalog knows.
pub(crate) fn known(object: &mut Object<'_>, bid: &Bid) {
    object.string("cid", &bid.cid);
    object.string("crid", &bid.crid);
    object.texts("adomain", &bid.adomain);
    object.string("adm", &bid.adm);
    object.number("w", bid.w);
    object.number("h", bid.h);
    object.number("exp", bid.exp);
}
