//! The response. Tests check the responses of edgebid against it.

use crate::decode::{Decimal, JsonObject, object};

object! {
    /// The response to a request (§4.2.1).
    pub struct BidResponse {
        /// The request's id.
        pub id: Option<String> = required,
        /// Bids by buyer seat; at least one if there is a bid.
        pub seatbid: Vec<SeatBid>,
        /// The bidder's id for this response, for logs.
        pub bidid: Option<String>,
        /// ISO 4217 code of all prices. Default USD.
        pub cur: Option<String>,
        /// Data that the exchange stores in its cookie, in base85.
        pub customdata: Option<String>,
        /// Why there is no bid (list of no-bid reason codes).
        pub nbr: Option<i64>,
        /// Extensions of the bidder.
        pub ext: Option<JsonObject>,
    }

    /// The bids of one buyer seat (§4.2.2).
    pub struct SeatBid {
        /// At least one bid; several may be for the same impression.
        pub bid: Vec<Bid> = required,
        /// The buyer seat.
        pub seat: Option<String>,
        /// 1: the bids win together or not at all. Default 0.
        pub group: Option<i64>,
        /// Extensions of the bidder.
        pub ext: Option<JsonObject>,
    }

    /// An offer for one impression (§4.2.3).
    pub struct Bid {
        /// The bidder's id for the bid.
        pub id: Option<String> = required,
        /// The impression's id.
        pub impid: Option<String> = required,
        /// CPM, in the response's currency.
        pub price: Option<Decimal> = required,
        /// Called by the exchange when the bid wins.
        pub nurl: Option<String>,
        /// Called by the exchange when the bid is charged.
        pub burl: Option<String>,
        /// Called by the exchange when the bid loses.
        pub lurl: Option<String>,
        /// The ad's markup.
        pub adm: Option<String>,
        /// Id of an ad that is already loaded at the exchange.
        pub adid: Option<String>,
        /// The advertiser's domains.
        pub adomain: Vec<String>,
        /// The advertised app, as its store id or bundle.
        pub bundle: Option<String>,
        /// URL of an image of the ad, for review.
        pub iurl: Option<String>,
        /// Campaign id, for review.
        pub cid: Option<String>,
        /// Creative id, for review.
        pub crid: Option<String>,
        /// Tactic id, for reports to the exchange.
        pub tactic: Option<String>,
        /// Taxonomy of `cat` (AdCOM list). Default 1.
        pub cattax: Option<i64>,
        /// Categories of the creative.
        pub cat: Vec<String>,
        /// Attributes of the creative (AdCOM list).
        pub attr: Vec<i64>,
        /// API frameworks that the markup needs (AdCOM list).
        pub apis: Vec<i64>,
        /// One API framework that the markup needs; deprecated, replaced by `apis`.
        pub api: Option<i64>,
        /// Protocol of the markup (AdCOM list of creative subtypes).
        pub protocol: Option<i64>,
        /// Media rating (AdCOM list): 1 = all audiences, 2 = over 12, 3 = mature.
        pub qagmediarating: Option<i64>,
        /// ISO 639-1 code of the creative's language.
        pub language: Option<String>,
        /// The language as a BCP 47 tag, instead of `language`.
        pub langb: Option<String>,
        /// Id of the deal that the bid is made under.
        pub dealid: Option<String>,
        /// Width in density-independent pixels.
        pub w: Option<i64>,
        /// Height in density-independent pixels.
        pub h: Option<i64>,
        /// Width relative to `hratio`, for flexible sizes.
        pub wratio: Option<i64>,
        /// Height relative to `wratio`, for flexible sizes.
        pub hratio: Option<i64>,
        /// Seconds that the bidder accepts between auction and impression.
        pub exp: Option<i64>,
        /// Duration in seconds of video or audio.
        pub dur: Option<i64>,
        /// Type of the markup: 1 = banner, 2 = video, 3 = audio, 4 = native.
        pub mtype: Option<i64>,
        /// Position in the pod for which the bid is made: 1 = first, -1 = last, 2 = first or last. Default 0, any.
        pub slotinpod: Option<i64>,
        /// Extensions of the bidder.
        pub ext: Option<JsonObject>,
    }
}
