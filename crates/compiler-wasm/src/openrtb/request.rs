//! The request itself, and the regulations that apply.

use super::{App, Device, Dooh, Imp, Site, Source, User};
use crate::decode::{Flag, JsonObject, Signal, object};

object! {
    /// A call for bids (§3.2.1).
    pub struct BidRequest {
        /// The exchange's id for this request; a response repeats it.
        pub id: Option<String> = required,
        /// The impressions on offer, at least one.
        pub imp: Vec<Imp> = required,
        /// The website, if the ad appears on one.
        pub site: Option<Site>,
        /// The app, if the ad appears in one.
        pub app: Option<App>,
        /// The out-of-home screen, if the ad appears on one.
        pub dooh: Option<Dooh>,
        /// The device that shows the ad.
        pub device: Option<Device>,
        /// The person who sees the ad.
        pub user: Option<User>,
        /// 1: a test, which is not billed. Default 0.
        pub test: Option<Flag>,
        /// Auction type: 1 = first price, 2 = second price plus, above 500 = private to the exchange. Default 2.
        pub at: Option<i64>,
        /// Milliseconds that the exchange waits for the response, including the network.
        pub tmax: Option<i64>,
        /// The only buyer seats that may bid.
        pub wseat: Vec<String>,
        /// Buyer seats that may not bid.
        pub bseat: Vec<String>,
        /// 1: these are all impressions of the page or screen. Default 0.
        pub allimps: Option<Flag>,
        /// Currencies that bids may be in, as ISO 4217 codes.
        pub cur: Vec<String>,
        /// Languages that creatives may be in, as ISO 639-1 codes.
        pub wlang: Vec<String>,
        /// Languages that creatives may be in, as BCP 47 tags, instead of `wlang`.
        pub wlangb: Vec<String>,
        /// The only advertiser categories allowed; not together with `bcat`.
        pub acat: Vec<String>,
        /// Advertiser categories that are blocked.
        pub bcat: Vec<String>,
        /// Taxonomy of `acat` and `bcat` (AdCOM list). Default 1.
        pub cattax: Option<i64>,
        /// Advertiser domains that are blocked.
        pub badv: Vec<String>,
        /// Apps that may not be advertised, as store ids or bundles.
        pub bapp: Vec<String>,
        /// The source of the request: who decides the sale, and the supply chain.
        pub source: Option<Source>,
        /// Regulation that applies.
        pub regs: Option<Regs>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }
}

object! {
    /// Regulation (§3.2.3).
    pub struct Regs {
        /// 1: COPPA applies, the person may be a child.
        pub coppa: Option<Signal<Flag>>,
        /// 1: GDPR applies, 0: it does not. Absent: unknown.
        pub gdpr: Option<Signal<Flag>>,
        /// The CCPA's US Privacy string, four characters.
        pub us_privacy: Option<Signal<String>>,
        /// The Global Privacy Platform's consent string.
        pub gpp: Option<Signal<String>>,
        /// Sections of `gpp` that apply to this transaction.
        pub gpp_sid: Vec<Signal<i64>>,
        /// 1: the browser sent Global Privacy Control (community extension, usually in `ext`).
        pub gpc: Option<Signal<Flag>>,
        /// What bids must tell under the Digital Services Act (community extension, usually in `ext`).
        pub dsa: Option<Dsa>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }
}

object! {
    /// `regs.dsa` of the community extension `dsa_transparency`.
    pub struct Dsa {
        /// Whether DSA data are required: 0 = no, 1 = supported, 2 = required, 3 = required by an online platform.
        pub dsarequired: Option<i64>,
        /// Whether the publisher shows the information: 0 = it cannot, 1 = it can, 2 = it will.
        pub pubrender: Option<i64>,
        /// Whether the publisher wants the data: 0 = no, 1 = optional, 2 = yes.
        pub datatopub: Option<i64>,
        /// The companies that used data of the person.
        pub transparency: Vec<DsaTransparency>,
    }
}

object! {
    /// A company that used data of the person.
    pub struct DsaTransparency {
        /// The domain of the company.
        pub domain: Option<String>,
        /// What the company used: 1 = profiling, 2 = basic advertising, 3 = precise location.
        pub dsaparams: Vec<i64>,
    }
}
