//! The impression and the terms of its sale: floors, deals.

use super::native::Payload;
use super::{Audio, Banner, Video};
use crate::decode::{Code, Decimal, Flag, Floor, JsonObject, Signal, object};

object! {
    /// An opportunity to show an ad (§3.2.4).
    pub struct Imp {
        /// Unique within the request; a bid repeats it as `impid`.
        pub id: Option<String> = required,
        /// Measurements of past performance.
        pub metric: Vec<Metric>,
        /// Present if the impression is offered as a banner.
        pub banner: Option<Box<Banner>>,
        /// Present if the impression is offered as video.
        pub video: Option<Box<Video>>,
        /// Present if the impression is offered as audio.
        pub audio: Option<Box<Audio>>,
        /// Present if the impression is offered as native.
        pub native: Option<Box<Native>>,
        /// The private marketplace: deals that apply.
        pub pmp: Option<Pmp>,
        /// Name of the SDK or player that shows the ad.
        pub displaymanager: Option<String>,
        /// Version of the SDK or player.
        pub displaymanagerver: Option<String>,
        /// 1: interstitial or full screen. Default 0.
        pub instl: Option<Flag>,
        /// The placement's or tag's id.
        pub tagid: Option<String>,
        /// Lowest CPM, in `bidfloorcur`. Default 0.
        pub bidfloor: Option<Floor>,
        /// ISO 4217 code of the floor's currency. Default USD.
        pub bidfloorcur: Option<Code>,
        /// What a click opens in an app: 0 = an embedded browser, 1 = the native browser.
        pub clickbrowser: Option<Flag>,
        /// 1: creatives and their assets must come over HTTPS.
        pub secure: Option<Signal<Flag>>,
        /// Names of supported iframe busters.
        pub iframebuster: Vec<String>,
        /// 1: the person is rewarded for watching. Default 0.
        pub rwdd: Option<Flag>,
        /// Server-side ad insertion: 0 = unknown, 1 = all on the client, 2 = assets stitched on the server and pixels
        /// on the client, 3 = all on the server. Default 0.
        pub ssai: Option<i64>,
        /// Seconds that may pass between auction and impression.
        pub exp: Option<i64>,
        /// How many impressions one showing counts for.
        pub qty: Option<Qty>,
        /// The time at which the ad will be shown, in milliseconds since 1970.
        pub dt: Option<Decimal>,
        /// How the slot refreshes itself.
        pub refresh: Option<Refresh>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A measurement (§3.2.5).
    pub struct Metric {
        /// What is measured: a name on which the parties agree.
        pub kind as "type": Option<String> = required,
        /// The value; probabilities from 0 to 1.
        pub value: Option<Decimal> = required,
        /// The company that measured the value; `EXCHANGE` for the exchange itself.
        pub vendor: Option<String>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// How many impressions one showing counts for (§3.2.31).
    pub struct Qty {
        /// The factor, above 0. It may have a fraction.
        pub multiplier: Option<Decimal> = required,
        /// Where the factor comes from (AdCOM list of DOOH multiplier sources).
        pub sourcetype: Option<i64>,
        /// Domain of the company that measured the factor; required if `sourcetype` is 1.
        pub vendor: Option<String>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// How a slot refreshes itself (§3.2.33).
    pub struct Refresh {
        /// The triggers.
        pub refsettings: Vec<RefSettings>,
        /// Refreshes so far since the page or screen was opened.
        pub count: Option<i64>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A trigger of refreshes (§3.2.34).
    pub struct RefSettings {
        /// The trigger (AdCOM list of auto refresh triggers). Default 0, unknown.
        pub reftype: Option<i64>,
        /// Lowest number of seconds between two refreshes.
        pub minint: Option<i64>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A native placement (§3.2.9).
    pub struct Native {
        /// The Native Ads request: a string that holds JSON.
        pub request: Option<Payload> = required,
        /// Version of the Native Ads specification that `request` follows.
        pub ver: Option<String>,
        /// Supported API frameworks (AdCOM list).
        pub api: Vec<i64>,
        /// Blocked creative attributes (AdCOM list).
        pub battr: Vec<i64>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// The private marketplace (§3.2.11).
    pub struct Pmp {
        /// 1: only bids under one of `deals` are allowed. Default 0.
        pub private_auction: Option<Signal<Flag>>,
        /// The deals that apply to the impression.
        pub deals: Vec<Deal>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// An agreement between buyer and seller (§3.2.12).
    pub struct Deal {
        /// The deal's id; a bid under it repeats it as `dealid`.
        pub id: Option<String> = required,
        /// Lowest CPM, in `bidfloorcur`. Default 0.
        pub bidfloor: Option<Floor>,
        /// ISO 4217 code of the floor's currency. Default USD.
        pub bidfloorcur: Option<Code>,
        /// Auction type, instead of the request's; 3: `bidfloor` is the agreed price.
        pub at: Option<i64>,
        /// The only buyer seats that may use the deal.
        pub wseat: Vec<String>,
        /// The only advertiser domains that may use the deal.
        pub wadomain: Vec<String>,
        /// 1: the buyer has guaranteed to deliver. Default 0.
        pub guar: Option<Flag>,
        /// Lowest CPM for each second of video or audio, in `bidfloorcur`.
        pub mincpmpersec: Option<Floor>,
        /// Floors by duration, in `bidfloorcur`.
        pub durfloors: Vec<DurFloors>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A floor for a range of durations (§3.2.35).
    pub struct DurFloors {
        /// Shortest duration in seconds. Absent: no limit.
        pub mindur: Option<i64>,
        /// Longest duration in seconds. Absent: no limit.
        pub maxdur: Option<i64>,
        /// Lowest CPM within the range. Default 0.
        pub bidfloor: Option<Floor>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }
}
