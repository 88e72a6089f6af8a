//! The bid request as the decision sees it: the attributes that a rule reads, already coerced.
//!
//! Both readers fill this one shape: the fast one from the body's bytes, the strict one from the
//! complete object model; tests hold them equal. Strings borrow from the body, or from the
//! request's arena where they had escapes. Attributes that no rule reads are not here.
//!
//! How a value becomes an attribute, for both readers:
//! - text: a string; a number becomes its own text; anything else is ignored.
//! - integer: a number without a fraction (`320`, `320.0`, `3.2e2`), a string holding one
//!   (surrounding spaces allowed), `true` = 1, `false` = 0; anything else, or a value
//!   beyond ±2^53, is ignored.
//! - money: a number, or a string holding one; digits below a micro round up.
//! - list: an array, whose unreadable items are left out; a scalar or object counts as a list of one.
//! - object: an object; anything else is ignored.
//! - `null` is the same as absent, and of duplicate keys the last one counts, even when its value
//!   is then ignored (the earlier one does not come back).
//! - a lone surrogate escape (`\ud800`) reads as U+FFFD.

use crate::money::{Currency, Micros};

/// A string that the response repeats: what it means, and the very literal that stood in the
/// body, so that an echo is byte-exact and needs no escaping.
#[derive(Debug, Clone, Copy, Default, Eq)]
pub struct Text<'a> {
    /// The text between the quotes in the body, escapes and all: valid inside a JSON string.
    pub literal: &'a str,
    /// The decoded text.
    pub value: &'a str,
}

/// Equal when they mean the same, however they were escaped.
impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// `BidRequest` (§3.2.1).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Request<'a> {
    /// Echoed as the response's `id`.
    pub id: Text<'a>,
    /// At least one, at most [`crate::limits::MAX_IMPS`]; entries without an `id` are left out.
    pub imp: &'a [Imp<'a>],
    /// Exactly one of `site`, `app`, `dooh` is meant to be present; none and several occur.
    pub site: Option<Channel<'a>>,
    /// See `site`.
    pub app: Option<Channel<'a>>,
    /// See `site`.
    pub dooh: Option<Channel<'a>>,
    /// The device the ad is for.
    pub device: Device<'a>,
    /// The person, where one is known.
    pub user: User<'a>,
    /// 1: not billable. Default 0.
    pub test: bool,
    /// 1 first price, 2 second price plus, 500+ exchange-specific. Default 2.
    pub at: i64,
    /// Milliseconds until the exchange stops listening; 0 when not given.
    pub tmax: i64,
    /// Only these buyer seats may bid. Empty: any.
    pub wseat: &'a [&'a str],
    /// These buyer seats may not bid.
    pub bseat: &'a [&'a str],
    /// Currencies that a bid may be in. Empty: US dollars.
    pub cur: &'a [Currency],
    /// Blocked advertiser categories, in the taxonomy `cattax`.
    pub bcat: &'a [&'a str],
    /// Allowed advertiser categories, in the taxonomy `cattax`. Empty: any.
    pub acat: &'a [&'a str],
    /// Taxonomy of `bcat` and `acat`. Default 1.
    pub cattax: i64,
    /// Blocked advertiser domains.
    pub badv: &'a [&'a str],
    /// Blocked applications, as `bid.bundle` values.
    pub bapp: &'a [&'a str],
    /// Privacy signals.
    pub regs: Regs<'a>,
    /// Who sold the request on: `source.schain`, else `source.ext.schain`.
    pub schain: Option<SupplyChain<'a>>,
}

/// `Imp` (§3.2.4).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Imp<'a> {
    /// Echoed as `bid.impid`.
    pub id: Text<'a>,
    /// Offered as a banner.
    pub banner: Option<Banner<'a>>,
    /// Offered as video.
    pub video: Option<Linear<'a>>,
    /// Offered as audio.
    pub audio: Option<Linear<'a>>,
    /// Offered as native.
    pub native: Option<Native<'a>>,
    /// Private marketplace terms: 1 means that only bids under `deals` are accepted.
    pub private_auction: bool,
    /// `pmp.deals`; entries without an `id` are left out.
    pub deals: &'a [Deal<'a>],
    /// 1: interstitial or full screen. Default 0.
    pub instl: bool,
    /// The publisher's name for the placement.
    pub tagid: &'a str,
    /// Least CPM, in `bidfloorcur`. Default 0; a negative floor is 0.
    pub bidfloor: Micros,
    /// Currency of `bidfloor`. Default US dollars.
    pub bidfloorcur: Currency,
    /// 1: creative assets and markup must be HTTPS. Default 0.
    pub secure: bool,
}

/// `Banner` (§3.2.6).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Banner<'a> {
    /// Permitted sizes, in density-independent pixels.
    pub format: &'a [Size],
    /// The size where `format` is absent.
    pub size: Size,
    /// Blocked banner types (AdCOM list: 1 XHTML text, 2 XHTML banner, 3 JavaScript, 4 iframe).
    pub btype: &'a [i64],
    /// Blocked creative attributes.
    pub battr: &'a [i64],
    /// Permitted MIME types. Empty: any.
    pub mimes: &'a [&'a str],
    /// Supported API frameworks; one that is not listed is not supported.
    pub api: &'a [i64],
}

/// A width and a height; 0 where not given. `Format` (§3.2.10), or `w` and `h` of a media object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Width.
    pub w: i64,
    /// Height.
    pub h: i64,
}

/// `Video` (§3.2.7) or `Audio` (§3.2.8).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Linear<'a> {
    /// Playable MIME types (required by the spec).
    pub mimes: &'a [&'a str],
    /// Shortest ad in seconds; 0 when not given.
    pub minduration: i64,
    /// Longest ad in seconds; 0 when not given.
    pub maxduration: i64,
    /// The only durations accepted, in seconds. Empty: use `minduration` and `maxduration`.
    pub rqddurs: &'a [i64],
    /// Accepted VAST or DAAST versions (AdCOM creative subtypes). Empty: any.
    pub protocols: &'a [i64],
    /// Player size (video only).
    pub size: Size,
    /// 1 linear, 2 non-linear; 0 when not given, which allows both.
    pub linearity: i64,
    /// Blocked creative attributes.
    pub battr: &'a [i64],
    /// Supported API frameworks; one that is not listed is not supported.
    pub api: &'a [i64],
}

/// `Native` (§3.2.9) together with the Native Ads request inside it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Native<'a> {
    /// Whether the answer needs the `{"native":…}` wrapper: the request's version is 1.0, or it
    /// came wrapped without naming a version.
    pub wrapped: bool,
    /// What the placement has room for; entries without an `id` are left out.
    pub assets: &'a [Asset],
    /// Blocked creative attributes.
    pub battr: &'a [i64],
    /// Supported API frameworks; one that is not listed is not supported.
    pub api: &'a [i64],
}

/// One asset of a native request (Native Ads 1.2 §4.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asset {
    /// Repeated by the asset that answers this one.
    pub id: i64,
    /// 1: an ad without this asset is refused.
    pub required: bool,
    /// What is asked for.
    pub kind: AssetKind,
}

/// What an asset asks for. The first of `title`, `img`, `video`, `data` that is present counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AssetKind {
    /// None of the known kinds.
    #[default]
    Other,
    /// A title of at most `len` characters (0: no limit).
    Title {
        /// Most characters.
        len: i64,
    },
    /// An image. `w`/`h` exact, `wmin`/`hmin` least; 0 where not given.
    Img {
        /// 1 icon, 3 main image, 500+ exchange-specific; 0 when not given.
        kind: i64,
        /// Exact size wanted.
        size: Size,
        /// Least size accepted.
        min: Size,
    },
    /// A video, answered by VAST.
    Video,
    /// A data asset of at most `len` characters (0: no limit).
    Data {
        /// Data asset type, 1 sponsored, 2 desc, 12 ctatext and so on.
        kind: i64,
        /// Most characters.
        len: i64,
    },
}

/// `Deal` (§3.2.12).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Deal<'a> {
    /// Echoed as `bid.dealid`.
    pub id: Text<'a>,
    /// Least CPM under this deal, in `bidfloorcur`. Default 0.
    pub bidfloor: Micros,
    /// Default US dollars; never inherited from the impression.
    pub bidfloorcur: Currency,
    /// Overrides the request's `at`; 3: `bidfloor` is the agreed price. 0 when not given.
    pub at: i64,
    /// Only these buyer seats. Empty: any.
    pub wseat: &'a [&'a str],
    /// Only these advertiser domains. Empty: any.
    pub wadomain: &'a [&'a str],
}

/// `Site` (§3.2.13), `App` (§3.2.14) or `DOOH` (§3.2.32): AdCOM's "distribution channel".
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Channel<'a> {
    /// The exchange's id for it.
    pub id: &'a str,
    /// `domain`, as sent.
    pub domain: &'a str,
    /// `bundle` (apps): package name or store id.
    pub bundle: &'a str,
    /// `publisher.id`.
    pub publisher_id: &'a str,
}

/// `Device` (§3.2.18).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Device<'a> {
    /// Where it is: `device.geo`.
    pub geo: Geo<'a>,
    /// AdCOM device type; 0 when not given.
    pub devicetype: i64,
    /// 1: do not track. Default 0.
    pub dnt: bool,
    /// 1: limit ad tracking. Default 0.
    pub lmt: bool,
}

/// `Geo` (§3.2.19).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Geo<'a> {
    /// Three letters by the spec; two letters occur.
    pub country: &'a str,
}

/// `User` (§3.2.20).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct User<'a> {
    /// Our id for the person, from cookie sync.
    pub buyeruid: &'a str,
    /// TCF consent string: `user.consent`, else `user.ext.consent`.
    pub consent: &'a str,
    /// Where the person is: `user.geo`, used where `device.geo` has no country.
    pub geo: Geo<'a>,
    /// `user.eids`, else `user.ext.eids`; entries without a `source` are left out.
    pub eids: &'a [Eid<'a>],
}

/// `EID` (§3.2.27).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Eid<'a> {
    /// Domain of the id's issuer.
    pub source: &'a str,
    /// The ids; entries without an `id` are left out.
    pub uids: &'a [Uid<'a>],
}

/// `UID` (§3.2.28).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Uid<'a> {
    /// The id.
    pub id: &'a str,
}

/// `Regs` (§3.2.3).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Regs<'a> {
    /// 1: the person may be a child. Default 0.
    pub coppa: bool,
    /// 1: GDPR applies: `regs.gdpr`, else `regs.ext.gdpr`. `None` when unknown.
    pub gdpr: Option<bool>,
    /// US Privacy string: `regs.us_privacy`, else `regs.ext.us_privacy`.
    pub us_privacy: &'a str,
    /// GPP string: `regs.gpp`, else `regs.ext.gpp`.
    pub gpp: &'a str,
    /// GPP sections that apply: `regs.gpp_sid`, else `regs.ext.gpp_sid`.
    pub gpp_sid: &'a [i64],
}

/// `SupplyChain` (§3.2.25).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SupplyChain<'a> {
    /// Whether the chain holds every party back to the owner.
    pub complete: bool,
    /// The parties, first seller first.
    pub nodes: &'a [Node<'a>],
}

/// `SupplyChainNode` (§3.2.26).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Node<'a> {
    /// Domain of the advertising system.
    pub asi: &'a str,
    /// The seller's account id there.
    pub sid: &'a str,
}
