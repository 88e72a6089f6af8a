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
//! - money: a number, or a string holding one; digits below a micro round up. A floor that is anything else is
//!   unreadable, which is not 0: see [`Micros::UNREADABLE`].
//! - list: an array, whose unreadable items are left out; a scalar or object counts as a list of one.
//! - object: an object; anything else is ignored.
//! - `null` is the same as absent, and of duplicate keys the last one counts, even when its value
//!   is then ignored (the earlier one does not come back).
//! - a lone surrogate escape (`\ud800`) reads as U+FFFD.
//!
//! First-party data, `ext.prebid.bidderconfig`: a list of objects, read by the same rules. Those whose
//! `bidders` hold our code, in any case of letters, or `*` are for us. In their order, each
//! `config.ortb2.site`, `.app` and `.user` that is an object is merged over the request's own:
//! - as a JSON merge patch (RFC 7396): `publisher`, `content`, its `network` and `channel`, and `geo`
//!   merge member by member; any other attribute is replaced whole, also by a value that is then
//!   ignored; `null` removes.
//! - `site` and `app` only over one that the request has: nothing turns an app into a site. `user` over nothing too: what
//!   describes a person tells nobody who it is.
//! - never a user's `id`, `buyeruid`, `consent`, `eids` and `ext`: a configuration can neither plant
//!   an id nor grant consent.

use crate::money::{Currency, Micros, Rounding};

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
    /// Whether more objects follow in the list than those that are looked at.
    pub more_imps: bool,
    /// Exactly one of `site`, `app`, `dooh` is meant to be present; none and several occur.
    pub site: Option<&'a Channel<'a>>,
    /// See `site`.
    pub app: Option<&'a Channel<'a>>,
    /// See `site`.
    pub dooh: Option<&'a Channel<'a>>,
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
    /// Languages that a creative may be in (ISO 639-1). Empty: any.
    pub wlang: &'a [&'a str],
    /// The same as BCP 47 tags; only one of the two is meant to be present.
    pub wlangb: &'a [&'a str],
    /// Privacy signals.
    pub regs: Regs<'a>,
    /// Who sold the request on: `source.schain`, else `source.ext.schain`.
    pub schain: Option<SupplyChain<'a>>,
    /// Whether a list that is read has more entries than its limit, which are not here, or a text more bytes.
    pub has_too_much: bool,
}

/// `Imp` (§3.2.4).
// The flags are the specification's.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Imp<'a> {
    /// Echoed as `bid.impid`.
    pub id: Text<'a>,
    /// Offered as a banner.
    pub banner: Option<Banner<'a>>,
    /// Offered as video.
    pub video: Option<&'a Linear<'a>>,
    /// Offered as audio.
    pub audio: Option<&'a Linear<'a>>,
    /// Offered as native.
    pub native: Option<Native<'a>>,
    /// Private marketplace terms: 1 means that only bids under `deals` are accepted.
    pub private_auction: bool,
    /// `pmp.deals`; entries without an `id`, or with one of over [`crate::limits::MAX_ID_BYTES`], are left out.
    pub deals: &'a [Deal<'a>],
    /// 1: interstitial or full screen. Default 0.
    pub instl: bool,
    /// The publisher's name for the placement.
    pub tagid: &'a str,
    /// The name of the placement everywhere: `ext.gpid`, else `ext.data.pbadslot` (Prebid).
    pub gpid: &'a str,
    /// Least CPM, in `bidfloorcur`. Default 0; a negative floor is 0.
    pub bidfloor: Micros,
    /// Currency of `bidfloor`. Default US dollars.
    pub bidfloorcur: Currency,
    /// 1: creative assets and markup must be HTTPS. Default 0.
    pub secure: bool,
    /// 1: the person is rewarded for watching: `rwdd`, else `ext.prebid.is_rewarded_inventory` (Prebid). Default 0.
    pub rwdd: bool,
    /// How the ad is inserted: 0 unknown, 1 client side, 2 assets stitched but tracking client side,
    /// 3 all server side. Default 0.
    pub ssai: i64,
    /// Seconds between auction and impression at most; 0 when not given.
    pub exp: i64,
    /// Milliseconds since the epoch when the ad will be shown, a fraction cut off; 0 when not given.
    pub dt: i64,
    /// What was measured of the placement; entries without a `type` or `value` are left out.
    pub metric: &'a [Metric<'a>],
}

impl<'a> Imp<'a> {
    /// The video and the audio that it is offered as.
    pub fn linear(&self) -> impl Iterator<Item = &'a Linear<'a>> {
        self.video.into_iter().chain(self.audio)
    }
}

/// `Metric` (§3.2.5).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Metric<'a> {
    /// What was measured, e.g. `viewability`.
    pub kind: &'a str,
    /// The value in millionths, digits below rounded up.
    pub value: Micros,
    /// Who measured, e.g. `EXCHANGE`.
    pub vendor: &'a str,
}

/// `Banner` (§3.2.6).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Banner<'a> {
    /// Permitted sizes, in density-independent pixels.
    pub format: &'a [Format],
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
    /// Position on screen; 0 when not given.
    pub pos: i64,
    /// Directions in which it may expand. Empty: not told.
    pub expdir: &'a [i64],
    /// Whether it is in the top frame, not in an iframe. `None` when unknown.
    pub topframe: Option<bool>,
}

/// `Format` (§3.2.10): a size, or a ratio with a least width.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Format {
    /// Exact size.
    pub size: Size,
    /// Width of the ratio; 0 when not given.
    pub wratio: i64,
    /// Height of the ratio; 0 when not given.
    pub hratio: i64,
    /// Least width at which the ratio is shown; 0 when not given.
    pub wmin: i64,
}

/// A width and a height; 0 where not given.
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
    /// Accepted VAST or DAAST versions (AdCOM creative subtypes); of video, the `protocol` that 2.6 has removed where the list
    /// is empty. Empty: any.
    pub protocols: &'a [i64],
    /// Player size (video only).
    pub size: Size,
    /// 1 linear, 2 non-linear; 0 when not given, which allows both.
    pub linearity: i64,
    /// Blocked creative attributes.
    pub battr: &'a [i64],
    /// Supported API frameworks; one that is not listed is not supported.
    pub api: &'a [i64],
    /// Seconds into the content: 0 pre-roll, -1 generic mid-roll, -2 generic post-roll.
    pub startdelay: Option<i64>,
    /// AdCOM video placement subtype; 0 when not given.
    pub plcmt: i64,
    /// Position on screen; 0 when not given.
    pub pos: i64,
    /// Whether the player lets the person skip. `None` when unknown.
    pub skip: Option<bool>,
    /// Only ads of at least this many seconds may be skipped; 0 when not given.
    pub skipmin: i64,
    /// Seconds by which an ad may be longer than `maxduration`: 0 not at all, -1 without limit.
    pub maxextended: i64,
    /// Least bit rate in kbps; 0 when not given.
    pub minbitrate: i64,
    /// Greatest bit rate in kbps; 0 when not given.
    pub maxbitrate: i64,
    /// Accepted delivery: 1 streaming, 2 progressive, 3 download. Empty: any.
    pub delivery: &'a [i64],
    /// How playback starts (AdCOM list). Empty: not told.
    pub playbackmethod: &'a [i64],
    /// Whether letter-boxing is allowed. `None`, when not given, means yes.
    pub boxingallowed: Option<bool>,
    /// Companion slots.
    pub companionad: &'a [Banner<'a>],
    /// What a companion may be: 1 static, 2 HTML, 3 iframe. Empty: any.
    pub companiontype: &'a [i64],
    /// The pod that this impression is part of; empty when none.
    pub podid: &'a str,
    /// Where the pod stands in the content: -1 last, 0 unknown, 1 first.
    pub podseq: i64,
    /// What can be said about the slot in the pod: -1 last, 0 any, 1 first, 2 first or last.
    pub slotinpod: i64,
    /// Most ads in a dynamic pod; 0 when not given.
    pub maxseq: i64,
    /// Seconds to fill in a dynamic pod; 0 when the slot is no such pod.
    pub poddur: i64,
    /// Least CPM per second in `imp.bidfloorcur`; 0 when not given.
    pub mincpmpersec: Micros,
    /// Floors by duration, in `imp.bidfloorcur`.
    pub durfloors: &'a [DurFloor],
    /// What the seller removes as a duplicate within a pod (1 adomain, 2 category, 3 creative id, 4
    /// media file URL).
    pub poddedupe: &'a [i64],
}

/// `DurFloors` (§3.2.35).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DurFloor {
    /// Shortest duration in seconds, itself included; 0 when open.
    pub mindur: i64,
    /// Longest duration in seconds, itself included; 0 when open.
    pub maxdur: i64,
    /// Least CPM.
    pub bidfloor: Micros,
}

/// `Native` (§3.2.9) together with the Native Ads request inside it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Native<'a> {
    /// The version to answer in.
    pub ver: NativeVersion,
    /// What the placement has room for; entries without an `id` are left out.
    pub assets: &'a [Asset<'a>],
    /// Which events can be tracked, and how; an entry for each event and method.
    pub eventtrackers: &'a [EventTracker],
    /// 1: a link to a privacy notice may be shown. Default 0.
    pub privacy: bool,
    /// Blocked creative attributes.
    pub battr: &'a [i64],
    /// Supported API frameworks; one that is not listed is not supported.
    pub api: &'a [i64],
}

/// A version of Native Ads, as far as answers differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum NativeVersion {
    /// The answer stands in `{"native":…}`.
    V1_0,
    /// Trackers are `imptrackers` and `jstracker`.
    V1_1,
    /// Trackers are those that the request asks for, and a privacy link may be shown.
    #[default]
    V1_2,
}

impl NativeVersion {
    /// The version that a request names; where it names none, its wrapper tells 1.0. Of what came
    /// after 1.2, 1.2 is what we speak.
    pub fn of(named: &str, wrapped: bool) -> NativeVersion {
        // A number may be written in many ways: 1, 1e0, 1.10.
        match Micros::parse(named, Rounding::Down) {
            Some(Micros(1_000_000)) => return NativeVersion::V1_0,
            Some(Micros(1_100_000)) => return NativeVersion::V1_1,
            _ => {}
        }
        match named {
            "" if wrapped => NativeVersion::V1_0,
            _ if named.starts_with("1.0") => NativeVersion::V1_0,
            _ if named.starts_with("1.1") => NativeVersion::V1_1,
            _ => NativeVersion::V1_2,
        }
    }

    /// As `ver` tells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            NativeVersion::V1_0 => "1.0",
            NativeVersion::V1_1 => "1.1",
            NativeVersion::V1_2 => "1.2",
        }
    }
}

impl EventTracker {
    /// AdCOM event type "impression".
    pub const IMPRESSION: i64 = 1;
    /// Called as an image.
    pub const IMAGE: i64 = 1;
    /// Run as a script.
    pub const SCRIPT: i64 = 2;
}

/// One way to track an event (Native Ads 1.2 §4.7).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EventTracker {
    /// 1 impression, 2 and 3 viewable, 4 viewable video.
    pub event: i64,
    /// 1 image, 2 JavaScript.
    pub method: i64,
}

/// One asset of a native request (Native Ads 1.2 §4.2).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Asset<'a> {
    /// Repeated by the asset that answers this one.
    pub id: i64,
    /// 1: an ad without this asset is refused.
    pub required: bool,
    /// What is asked for.
    pub kind: AssetKind<'a>,
}

/// What an asset asks for. The first of `title`, `img`, `video`, `data` that is present counts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum AssetKind<'a> {
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
    Video {
        /// Playable MIME types.
        mimes: &'a [&'a str],
        /// Shortest in seconds; 0 when not given.
        minduration: i64,
        /// Longest in seconds; 0 when not given.
        maxduration: i64,
        /// Accepted VAST versions. Empty: any.
        protocols: &'a [i64],
    },
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
    /// 1: whoever holds the deal must bid. Default 0.
    pub guar: bool,
    /// Least CPM per second, in `bidfloorcur`; 0 when not given.
    pub mincpmpersec: Micros,
    /// Floors by duration, in `bidfloorcur`.
    pub durfloors: &'a [DurFloor],
}

/// `Site` (§3.2.13), `App` (§3.2.14) or `DOOH` (§3.2.32): AdCOM's "distribution channel".
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Channel<'a> {
    /// The exchange's id for it.
    pub id: &'a str,
    /// `domain`, as sent.
    pub domain: &'a str,
    /// `page` (sites): the URL that the ad is shown on.
    pub page: &'a str,
    /// `bundle` (apps): package name or store id.
    pub bundle: &'a str,
    /// `publisher.id`.
    pub publisher_id: &'a str,
    /// `publisher.domain`.
    pub publisher_domain: &'a str,
    /// Categories of the whole: `cat`.
    pub cat: &'a [&'a str],
    /// Categories of the section: `sectioncat`.
    pub sectioncat: &'a [&'a str],
    /// Categories of the page or view: `pagecat`.
    pub pagecat: &'a [&'a str],
    /// Taxonomy of the categories. Default 1.
    pub cattax: i64,
    /// `keywords`: separated by commas.
    pub keywords: &'a str,
    /// `kwarray`: one by one.
    pub kwarray: &'a [&'a str],
    /// What is shown around the ad.
    pub content: Content<'a>,
}

/// `Content` (§3.2.16).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Content<'a> {
    /// Genre as free text.
    pub genre: &'a str,
    /// `genres`: one by one; 2.6-202505 had them as one text.
    pub genres: &'a [&'a str],
    /// Rating as free text, e.g. `MPAA`: `contentrating`.
    pub contentrating: &'a str,
    /// Whether it is live. `None` when unknown.
    pub livestream: Option<bool>,
    /// ISO 639-1.
    pub language: &'a str,
    /// BCP 47.
    pub langb: &'a str,
    /// `network.name`.
    pub network: &'a str,
    /// `channel.name`.
    pub channel: &'a str,
    /// Categories.
    pub cat: &'a [&'a str],
    /// Taxonomy of `cat`. Default 1.
    pub cattax: i64,
    /// `keywords`: separated by commas.
    pub keywords: &'a str,
    /// `kwarray`: one by one.
    pub kwarray: &'a [&'a str],
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
    /// The browser's own description of itself as one text.
    pub ua: &'a str,
    /// The same in parts; where present it wins over `ua`, `os` and `osv`.
    pub sua: Option<UserAgent<'a>>,
    /// Manufacturer.
    pub make: &'a str,
    /// Model.
    pub model: &'a str,
    /// Operating system.
    pub os: &'a str,
    /// Its version.
    pub osv: &'a str,
    /// ISO 639-1.
    pub language: &'a str,
    /// BCP 47.
    pub langb: &'a str,
    /// AdCOM connection type; 0 when not given.
    pub connectiontype: i64,
    /// Carrier or provider.
    pub carrier: &'a str,
    /// The advertising id; empty when not given.
    pub ifa: &'a str,
}

/// `UserAgent` (§3.2.29).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct UserAgent<'a> {
    /// Browsers and their versions.
    pub browsers: &'a [Brand<'a>],
    /// The platform, as a rule the operating system.
    pub platform: Brand<'a>,
    /// Model.
    pub model: &'a str,
}

/// `BrandVersion` (§3.2.30).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Brand<'a> {
    /// Name.
    pub brand: &'a str,
    /// Version, part by part, the most significant first.
    pub version: &'a [&'a str],
}

/// `Geo` (§3.2.19).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Geo<'a> {
    /// Three letters by the spec; two letters occur.
    pub country: &'a str,
    /// ISO 3166-2.
    pub region: &'a str,
    /// Metro code, e.g. Nielsen DMA.
    pub metro: &'a str,
    /// City name or code.
    pub city: &'a str,
    /// Postal code.
    pub zip: &'a str,
    /// Latitude and longitude in millionths of a degree; `None` unless both came.
    pub point: Option<Point>,
    /// Minutes of local time from UTC. `None` when unknown.
    pub utcoffset: Option<i64>,
}

/// A place on the globe.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Point {
    /// Millionths of a degree, north positive.
    pub lat: i64,
    /// Millionths of a degree, east positive.
    pub lon: i64,
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
    /// Year of birth; 0 when not given.
    pub yob: i64,
    /// `keywords`: separated by commas.
    pub keywords: &'a str,
    /// `kwarray`: one by one.
    pub kwarray: &'a [&'a str],
    /// Segments by provider.
    pub data: &'a [Data<'a>],
}

/// `Data` (§3.2.21).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Data<'a> {
    /// The provider's id, as the exchange knows it.
    pub id: &'a str,
    /// The provider's name.
    pub name: &'a str,
    /// `segment[].id`; entries without one are left out.
    pub segment: &'a [&'a str],
}

/// `EID` (§3.2.27).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Eid<'a> {
    /// Domain of the id's issuer.
    pub source: &'a str,
    /// The ids; entries without an `id` are left out.
    pub uids: &'a [Uid<'a>],
    /// How it was matched (AdCOM list "ID Match Methods"); 0 when not given.
    pub mm: i64,
}

impl Eid<'_> {
    /// Whether it holds an id that can be used: one that is not empty.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.uids.iter().any(|uid| !uid.id.is_empty())
    }
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
    /// 1: the browser sent Global Privacy Control: `regs.gpc` or `regs.ext.gpc`, where either counts (community
    /// extension). Default 0.
    pub gpc: bool,
    /// What the publisher asks for under the Digital Services Act: `regs.dsa`, else `regs.ext.dsa`.
    pub dsa: Dsa,
}

/// The EU's Digital Services Act: what the publisher asks of bids (community extension `dsa_transparency`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dsa {
    /// 0 not required, 1 supported, 2 required, 3 required by an online platform. Default 0.
    pub dsarequired: i64,
    /// Whether the publisher shows the information: 0 it cannot, 1 it could, 2 it will. `None` when unknown.
    pub pubrender: Option<i64>,
    /// Whether the publisher wants the data itself: 0 no, 1 optional, 2 yes. `None` when unknown.
    pub datatopub: Option<i64>,
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
