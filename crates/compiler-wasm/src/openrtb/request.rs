//! The request itself and the laws it is under.

use super::{App, Device, Dooh, Imp, Site, Source, User};
use crate::decode::{Flag, JsonObject, object};

object! {
    /// A call for bids (§3.2.1).
    pub struct BidRequest {
        /// The exchange's id for this request; a response repeats it.
        pub id: Option<String> = required,
        /// What is for sale: at least one.
        pub imp: Vec<Imp> = required,
        /// The website, if it is one.
        pub site: Option<Site>,
        /// The app, if it is one.
        pub app: Option<App>,
        /// The out-of-home screen, if it is one.
        pub dooh: Option<Dooh>,
        /// What the ad will be shown on.
        pub device: Option<Device>,
        /// Who will see it.
        pub user: Option<User>,
        /// 1: a test, not billable. Default 0.
        pub test: Option<Flag>,
        /// Auction type: 1 first price, 2 second price plus, above 500 private to the exchange. Default 2.
        pub at: Option<i64>,
        /// Milliseconds until the exchange stops waiting, the network included.
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
        /// The same as BCP 47 tags; one of the two is used.
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
        /// Where the request comes from, and through whom.
        pub source: Option<Source>,
        /// Regulation that applies.
        pub regs: Option<Regs>,
        /// Whatever the exchange adds.
        pub ext: Option<JsonObject>,
    }
}

object! {
    /// Regulation (§3.2.3).
    pub struct Regs {
        /// 1: COPPA applies, the person may be a child.
        pub coppa: Option<Flag>,
        /// 1: GDPR applies; absent: not known.
        pub gdpr: Option<Flag>,
        /// The CCPA's US Privacy string, four characters.
        pub us_privacy: Option<String>,
        /// The Global Privacy Platform's consent string.
        pub gpp: Option<String>,
        /// Sections of `gpp` that hold for this transaction.
        pub gpp_sid: Vec<i64>,
        /// 1: the browser sent Global Privacy Control (community extension, as a rule in `ext`).
        pub gpc: Option<Flag>,
        /// What bids have to tell under the Digital Services Act (community extension, as a rule in `ext`).
        pub dsa: Option<Dsa>,
        /// Whatever the exchange adds.
        pub ext: Option<JsonObject>,
    }
}

object! {
    /// `regs.dsa` of the community extension `dsa_transparency`.
    pub struct Dsa {
        /// 0 not required, 1 supported, 2 required, 3 required by an online platform.
        pub dsarequired: Option<i64>,
        /// 0 the publisher cannot show the information, 1 it could, 2 it will.
        pub pubrender: Option<i64>,
        /// 0 the publisher wants no data, 1 optional, 2 it does.
        pub datatopub: Option<i64>,
        /// What others have used of the person.
        pub transparency: Vec<DsaTransparency>,
    }
}

object! {
    /// Who used what of the person.
    pub struct DsaTransparency {
        /// Domain of who did.
        pub domain: Option<String>,
        /// What: 1 profiling, 2 basic advertising, 3 the precise place.
        pub dsaparams: Vec<i64>,
    }
}
