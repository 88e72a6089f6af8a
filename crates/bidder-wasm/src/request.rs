//! The bid request as the decision sees it: only attributes that a rule reads, with values of the right type.
//!
//! [`crate::read`] fills these types from the body's bytes. Tests compare it with a plain reader, which looks up each
//! attribute in a tree. Strings borrow from the body, or from the arena if they have escapes.
//!
//! Both readers convert values by these rules:
//! - Text: a string. A number becomes its own text. Other values are ignored.
//! - Integer: a number without a fraction (`320`, `320.0`, `3.2e2`) or a string with such a number, with or without
//!   spaces around it. `true` is 1, `false` is 0. Other values and values beyond ±2^53 are ignored.
//! - Money: a number, or a string with a number. Digits below a micro round up. A floor with another value is
//!   unreadable, which is not 0: see [`Micros::UNREADABLE`].
//! - List: an array. Its unreadable items are left out. A scalar or an object counts as a list with one item.
//! - Names and codes (`bcat`, `acat`, `bapp`, `wlang`, `wlangb`): a list of texts, each of which may hold several: see
//!   [`codes_in`]. A list with none is absent.
//! - Object: an object. Other values are ignored.
//! - `null` equals absent.
//! - Signal of privacy or safety (`coppa`, `gdpr`, `gpc`, `lmt`, `dnt`, `secure`, `private_auction`, `consent`,
//!   `us_privacy`, `gpp`, `gpp_sid`): a value that is there and cannot be read counts as set, because somebody wanted to
//!   say something. The empty text equals absent.
//! - The last of duplicate keys counts. If its value is ignored, the earlier value does not come back.
//! - A lone surrogate escape (`\ud800`) becomes U+FFFD.
//!
//! First-party data (`ext.prebid.bidderconfig`) is a list of objects under the same rules:
//! - An entry applies to us if its `bidders` contain our code, in upper or lower case, or `*`. Entries apply in their
//!   order.
//! - `config.ortb2.site`, `.app` and `.user`, if they are objects, are merged over the objects of the request.
//! - The merge is a JSON merge patch (RFC 7396). `publisher`, `content`, its `network` and `channel`, and `geo` merge
//!   member by member. Any other attribute is replaced as a whole, even by a value that is then ignored. `null` removes
//!   it.
//! - `site` and `app` are merged only if the request has that object: an app must not become a site.
//! - `user` is merged even if the request has none, because the merged attributes cannot identify a person.
//! - A user's `id`, `buyeruid`, `consent`, `eids` and `ext` are never merged: a configuration must not set an id or
//!   grant consent.

use crate::money::{Currency, Micros, Rounding};

/// Stands for the text of a privacy signal that cannot be read. It is no valid text of any signal.
pub const UNREADABLE: &str = "?";

/// Stands for the id of a privacy section that cannot be read. No section has it.
pub const UNKNOWN_SECTION: i64 = i64::MAX;

/// The names or codes in an item of `bcat`, `acat`, `bapp`, `wlang` or `wlangb`. Some exchanges put several into one text,
/// or spaces around them.
pub fn codes_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| u8::try_from(c).is_ok_and(is_between_codes)).filter(|code| !code.is_empty())
}

/// Whether a byte stands between two codes.
pub fn is_between_codes(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b'|' | b' ' | b'\t' | b'\r' | b'\n')
}

/// A string that the response echoes. The literal from the body makes the echo byte-exact without a new escaping.
#[derive(Debug, Clone, Copy, Default, Eq)]
pub struct Text<'a> {
    /// The bytes between the quotes in the body, with their escapes: valid inside a JSON string.
    pub literal: &'a str,
    /// The decoded text.
    pub value: &'a str,
}

/// Texts are equal if their decoded values are equal.
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
    /// At most [`crate::limits::MAX_IMPS`]. Entries without an `id` are left out.
    pub imp: &'a [Imp<'a>],
    /// Whether the list has more impressions than [`crate::limits::MAX_IMPS`].
    pub more_imps: bool,
    /// The specification wants exactly one of `site`, `app` and `dooh`. Some requests have none or several.
    pub site: Option<&'a Channel<'a>>,
    /// See `site`.
    pub app: Option<&'a Channel<'a>>,
    /// See `site`.
    pub dooh: Option<&'a Channel<'a>>,
    /// The device that shows the ad.
    pub device: Device<'a>,
    /// The person; empty if unknown.
    pub user: User<'a>,
    /// Whether the auction is a test and not billable. Default 0.
    pub test: bool,
    /// Auction type: 1 = first price, 2 = second price plus, 500 and above = exchange-specific. Default 2.
    pub at: i64,
    /// Time limit for the response in milliseconds; 0 if absent.
    pub tmax: i64,
    /// Only these buyer seats may bid. Empty: any.
    pub wseat: &'a [&'a str],
    /// These buyer seats may not bid.
    pub bseat: &'a [&'a str],
    /// Allowed currencies of a bid. Empty: US dollars.
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
    /// Allowed languages of a creative (ISO 639-1). Empty: any.
    pub wlang: &'a [&'a str],
    /// Allowed languages of a creative (BCP 47). The specification wants only one of `wlang` and `wlangb`.
    pub wlangb: &'a [&'a str],
    /// Privacy signals.
    pub regs: Regs<'a>,
    /// The sellers of the request: `source.schain`, else `source.ext.schain`.
    pub schain: Option<SupplyChain<'a>>,
    /// Whether the request exceeds [`crate::limits::MAX_VALUES`] or a string exceeds [`crate::limits::MAX_TEXT_BYTES`].
    /// Then some values are missing here.
    pub has_too_much: bool,
}

/// `Imp` (§3.2.4).
// OpenRTB defines these flags.
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
    /// `pmp.private_auction`: whether only bids under `deals` are accepted. Default 0.
    pub private_auction: bool,
    /// `pmp.deals`. Entries without an `id`, or with an `id` over [`crate::limits::MAX_ID_BYTES`], are left out.
    pub deals: &'a [Deal<'a>],
    /// Whether the ad is interstitial or full screen. Default 0.
    pub instl: bool,
    /// The publisher's name for the placement.
    pub tagid: &'a str,
    /// The global placement id: `ext.gpid`, else `ext.data.pbadslot` (Prebid).
    pub gpid: &'a str,
    /// Minimum CPM, in `bidfloorcur`. Default 0. A negative floor is 0.
    pub bidfloor: Micros,
    /// Currency of `bidfloor`. Default US dollars.
    pub bidfloorcur: Currency,
    /// Whether creative assets and markup must use HTTPS. Default 0.
    pub secure: bool,
    /// Whether the person gets a reward for watching: `rwdd`, else `ext.prebid.is_rewarded_inventory` (Prebid). Default
    /// 0.
    pub rwdd: bool,
    /// How the ad is inserted: 0 = unknown, 1 = client side, 2 = assets server side and tracking client side, 3 = all
    /// server side. Default 0.
    pub ssai: i64,
    /// The most seconds between auction and impression; 0 if absent.
    pub exp: i64,
    /// `qty.multiplier`: how many impressions one showing counts for, in millionths. Further digits round up. 0 if
    /// absent.
    pub multiplier: Micros,
    /// When the ad will be shown, in milliseconds since the epoch. A fraction is cut off. 0 if absent.
    pub dt: i64,
    /// Offered to advertising networks of Apple's SKAdNetwork: `ext.skadn`.
    pub skadn: Option<&'a Skadn<'a>>,
    /// Measurements of the placement. Entries without a `type` or `value` are left out.
    pub metric: &'a [Metric<'a>],
}

impl<'a> Imp<'a> {
    /// How many impressions one showing counts for, in millionths: `multiplier` if it is above 0, else one.
    #[must_use]
    pub fn impressions(&self) -> Micros {
        if self.multiplier > Micros::ZERO { self.multiplier } else { Micros(1_000_000) }
    }

    /// The video and audio offers.
    pub fn linear(&self) -> impl Iterator<Item = &'a Linear<'a>> {
        self.video.into_iter().chain(self.audio)
    }
}

/// What an app offers to advertising networks (IAB community extension `skadnetwork`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Skadn<'a> {
    /// The version of SKAdNetwork, in requests without `versions`.
    pub version: &'a str,
    /// The versions of SKAdNetwork.
    pub versions: &'a [&'a str],
    /// The publisher's app in the App Store.
    pub sourceapp: &'a str,
    /// Networks that the app lists.
    pub skadnetids: &'a [&'a str],
    /// `skadnetlist.addl`: more networks that the app lists.
    pub addl: &'a [&'a str],
    /// `skadnetlist.max`: the app lists all networks of the IAB Tech Lab's list up to this number; 0 if absent.
    pub max: i64,
    /// `skadnetlist.excl`: numbers of that list that the app does not list.
    pub excl: &'a [i64],
}

/// `Metric` (§3.2.5).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Metric<'a> {
    /// `type`, for example `viewability`.
    pub kind: &'a str,
    /// The value in millionths. Further digits round up.
    pub value: Micros,
    /// The company that measured, for example `EXCHANGE`.
    pub vendor: &'a str,
}

/// `Banner` (§3.2.6).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Banner<'a> {
    /// Permitted sizes, in density-independent pixels.
    pub format: &'a [Format],
    /// The size if `format` is absent.
    pub size: Size,
    /// Blocked banner types (AdCOM list: 1 = XHTML text, 2 = XHTML banner, 3 = JavaScript, 4 = iframe).
    pub btype: &'a [i64],
    /// Blocked creative attributes.
    pub battr: &'a [i64],
    /// Permitted MIME types. Empty: any.
    pub mimes: &'a [&'a str],
    /// Supported API frameworks; any other is not supported.
    pub api: &'a [i64],
    /// Position on screen.
    pub pos: Option<i64>,
    /// Directions in which the banner may expand (AdCOM list). Empty: unknown.
    pub expdir: &'a [i64],
    /// Whether the banner is in the top frame and not in an iframe. `None` if unknown.
    pub topframe: Option<bool>,
}

/// `Format` (§3.2.10): a size, or a ratio with a minimum width.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Format {
    /// Exact size.
    pub size: Size,
    /// Width part of the ratio; 0 if absent.
    pub wratio: i64,
    /// Height part of the ratio; 0 if absent.
    pub hratio: i64,
    /// Minimum width for the ratio, in density-independent pixels; 0 if absent.
    pub wmin: i64,
}

/// A width and a height in density-independent pixels; 0 if absent.
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
    /// Shortest ad in seconds; 0 if absent.
    pub minduration: i64,
    /// Longest ad in seconds; 0 if absent.
    pub maxduration: i64,
    /// The exact durations that are accepted, in seconds. Empty: use `minduration` and `maxduration`.
    pub rqddurs: &'a [i64],
    /// Accepted VAST or DAAST versions (AdCOM creative subtypes). If a video has no `protocols`, its `protocol` counts,
    /// which OpenRTB 2.6 removed. Empty: any.
    pub protocols: &'a [i64],
    /// Player size (video only).
    pub size: Size,
    /// 1 = linear, 2 = non-linear; 0 if absent, which allows both.
    pub linearity: i64,
    /// Blocked creative attributes.
    pub battr: &'a [i64],
    /// Supported API frameworks; any other is not supported.
    pub api: &'a [i64],
    /// Start in seconds: 0 = pre-roll, above 0 = mid-roll, -1 = generic mid-roll, -2 = generic post-roll. `None` if
    /// unknown.
    pub startdelay: Option<i64>,
    /// AdCOM video placement subtype.
    pub plcmt: Option<i64>,
    /// Position on screen.
    pub pos: Option<i64>,
    /// Whether the player lets the person skip the ad. `None` if unknown.
    pub skip: Option<bool>,
    /// Minimum duration in seconds of an ad that can be skipped; 0 if absent.
    pub skipmin: i64,
    /// Seconds that an ad may have beyond `maxduration`: 0 = none, -1 = no limit.
    pub maxextended: i64,
    /// Minimum bit rate in kbps; 0 if absent.
    pub minbitrate: i64,
    /// Maximum bit rate in kbps; 0 if absent.
    pub maxbitrate: i64,
    /// Accepted delivery: 1 = streaming, 2 = progressive, 3 = download. Empty: any.
    pub delivery: &'a [i64],
    /// How playback starts (AdCOM list). Empty: unknown.
    pub playbackmethod: &'a [i64],
    /// Whether letter-boxing is allowed. `None` means yes.
    pub boxingallowed: Option<bool>,
    /// Slots for companion ads.
    pub companionad: &'a [Banner<'a>],
    /// Allowed companion types: 1 = static, 2 = HTML, 3 = iframe. Empty: any.
    pub companiontype: &'a [i64],
    /// Id of the pod that contains this impression; empty if none.
    pub podid: &'a str,
    /// Position of the pod in the content: -1 = last, 0 = unknown, 1 = first.
    pub podseq: i64,
    /// Guaranteed position of the slot in the pod: -1 = last, 0 = any, 1 = first, 2 = first or last.
    pub slotinpod: i64,
    /// The most ads in a dynamic pod; 0 if absent.
    pub maxseq: i64,
    /// Length of a dynamic pod in seconds; 0 if the slot is not a dynamic pod.
    pub poddur: i64,
    /// Minimum CPM per second, in `imp.bidfloorcur`; 0 if absent.
    pub mincpmpersec: Micros,
    /// Floors by duration, in `imp.bidfloorcur`.
    pub durfloors: &'a [DurFloor],
    /// How the seller finds duplicates within a pod, a bit for each known setting: see [`dedupe`].
    pub poddedupe: u8,
}

/// The settings of `poddedupe` (AdCOM list "Pod Deduplication Settings") as bits: 1 = adomain, 2 = category, 3 = creative
/// id, 4 = media file URL. A list may repeat them.
#[must_use]
pub fn dedupe(settings: &[i64]) -> u8 {
    settings.iter().filter(|setting| (1..=4).contains(*setting)).fold(0, |bits, setting| bits | 1 << setting)
}

/// `DurFloors` (§3.2.35).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DurFloor {
    /// Shortest duration in seconds, inclusive; 0 means no limit.
    pub mindur: i64,
    /// Longest duration in seconds, inclusive; 0 means no limit.
    pub maxdur: i64,
    /// Minimum CPM, in the currency of the object around it.
    pub bidfloor: Micros,
}

/// `Native` (§3.2.9) with the Native Ads request (Native Ads 1.2 §4.1) inside it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Native<'a> {
    /// The version of the response.
    pub ver: NativeVersion,
    /// The assets of the placement. Entries without an `id` are left out.
    pub assets: &'a [Asset<'a>],
    /// The supported trackers: one entry for each pair of event and method.
    pub eventtrackers: &'a [EventTracker],
    /// Whether the ad may show a link to a privacy notice. Default 0.
    pub privacy: bool,
    /// Blocked creative attributes.
    pub battr: &'a [i64],
    /// Supported API frameworks; any other is not supported.
    pub api: &'a [i64],
}

/// A version of Native Ads. Versions with the same response format share a variant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum NativeVersion {
    /// The response is wrapped in `{"native":…}`.
    V1_0,
    /// The response has `imptrackers` and `jstracker`.
    V1_1,
    /// The response has `eventtrackers` as the request asks, and may have a privacy link.
    #[default]
    V1_2,
}

impl NativeVersion {
    /// The version for a request with this `ver`. An empty `ver` means 1.0 if the request is wrapped in `{"native":…}`.
    /// Unknown and later versions become 1.2, the latest that we support.
    pub fn of(ver: &str, wrapped: bool) -> NativeVersion {
        // Compare numbers, because 1, 1e0 and 1.0 are the same version.
        match Micros::parse(ver, Rounding::Down) {
            Some(Micros(1_000_000)) => return NativeVersion::V1_0,
            Some(Micros(1_100_000)) => return NativeVersion::V1_1,
            _ => {}
        }
        match ver {
            "" if wrapped => NativeVersion::V1_0,
            _ if ver.starts_with("1.0") => NativeVersion::V1_0,
            _ if ver.starts_with("1.1") => NativeVersion::V1_1,
            _ => NativeVersion::V1_2,
        }
    }

    /// The value of `ver`.
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
    /// The AdCOM event type of an impression.
    pub const IMPRESSION: i64 = 1;
    /// The AdCOM tracking method of an image pixel.
    pub const IMAGE: i64 = 1;
    /// The AdCOM tracking method of a script.
    pub const SCRIPT: i64 = 2;
}

/// One way to track an event (Native Ads 1.2 §4.7).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EventTracker {
    /// AdCOM event type: 1 = impression, 2 and 3 = viewable, 4 = viewable video.
    pub event: i64,
    /// AdCOM tracking method: 1 = image, 2 = JavaScript.
    pub method: i64,
}

/// One asset of a native request (Native Ads 1.2 §4.2).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Asset<'a> {
    /// Echoed by the asset in the response.
    pub id: i64,
    /// Whether the exchange refuses an ad without this asset. Default 0.
    pub required: bool,
    /// What the ad must provide.
    pub kind: AssetKind<'a>,
}

/// What the ad must provide for an asset: the first of `title`, `img`, `video`, `data` that is present.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum AssetKind<'a> {
    /// None of the known kinds.
    #[default]
    Other,
    /// `title` (Native Ads 1.2 §4.3).
    Title {
        /// The most characters; 0 means no limit.
        len: i64,
    },
    /// `img` (Native Ads 1.2 §4.4).
    Img {
        /// `type`: 1 = icon, 3 = main image, 500 and above = exchange-specific; 0 if absent.
        kind: i64,
        /// Exact size: `w`, `h`.
        size: Size,
        /// Minimum size: `wmin`, `hmin`.
        min: Size,
    },
    /// `video` (Native Ads 1.2 §4.5). The response provides VAST.
    Video {
        /// Playable MIME types.
        mimes: &'a [&'a str],
        /// Shortest video in seconds; 0 if absent.
        minduration: i64,
        /// Longest video in seconds; 0 if absent.
        maxduration: i64,
        /// Accepted VAST versions. Empty: any.
        protocols: &'a [i64],
    },
    /// `data` (Native Ads 1.2 §4.6).
    Data {
        /// `type`, for example 1 = sponsored, 2 = desc, 12 = ctatext; 0 if absent.
        kind: i64,
        /// The most characters; 0 means no limit.
        len: i64,
    },
}

/// `Deal` (§3.2.12).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Deal<'a> {
    /// Echoed as `bid.dealid`.
    pub id: Text<'a>,
    /// Minimum CPM for this deal, in `bidfloorcur`. Default 0.
    pub bidfloor: Micros,
    /// Currency of the floors of this deal. Default US dollars, not the currency of the impression.
    pub bidfloorcur: Currency,
    /// Auction type in place of the request's `at`; if 3, `bidfloor` is the agreed price. 0 if absent.
    pub at: i64,
    /// Only these buyer seats may bid. Empty: any.
    pub wseat: &'a [&'a str],
    /// Only these advertiser domains are allowed. Empty: any.
    pub wadomain: &'a [&'a str],
    /// Whether the deal is guaranteed, so the bidder must bid. Default 0.
    pub guar: bool,
    /// Minimum CPM per second, in `bidfloorcur`; 0 if absent.
    pub mincpmpersec: Micros,
    /// Floors by duration, in `bidfloorcur`.
    pub durfloors: &'a [DurFloor],
}

/// `Site` (§3.2.13), `App` (§3.2.14) or `DOOH` (§3.2.32). AdCOM calls them distribution channels.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Channel<'a> {
    /// The exchange's id of the channel.
    pub id: &'a str,
    /// `domain` as in the request, not normalized.
    pub domain: &'a str,
    /// `page` (sites): URL of the page with the ad.
    pub page: &'a str,
    /// `bundle` (apps): package name or store id.
    pub bundle: &'a str,
    /// `publisher.id`.
    pub publisher_id: &'a str,
    /// `publisher.domain`.
    pub publisher_domain: &'a str,
    /// Categories of the site, app or screen: `cat`.
    pub cat: &'a [&'a str],
    /// Categories of the section: `sectioncat`.
    pub sectioncat: &'a [&'a str],
    /// Categories of the page or view: `pagecat`.
    pub pagecat: &'a [&'a str],
    /// Taxonomy of the categories. Default 1.
    pub cattax: i64,
    /// `keywords`: one string, separated by commas.
    pub keywords: &'a str,
    /// `kwarray`: one keyword per item.
    pub kwarray: &'a [&'a str],
    /// The content around the ad.
    pub content: Content<'a>,
}

/// `Content` (§3.2.16).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Content<'a> {
    /// `genre` as free text.
    pub genre: &'a str,
    /// `genres`, one genre per item. OpenRTB 2.6-202505 had one string.
    pub genres: &'a [&'a str],
    /// Content rating as free text, for example `MPAA`.
    pub contentrating: &'a str,
    /// Whether the content is live. `None` if unknown.
    pub livestream: Option<bool>,
    /// Language (ISO 639-1).
    pub language: &'a str,
    /// Language (BCP 47).
    pub langb: &'a str,
    /// `network.name`.
    pub network: &'a str,
    /// `channel.name`.
    pub channel: &'a str,
    /// Categories.
    pub cat: &'a [&'a str],
    /// Taxonomy of `cat`. Default 1.
    pub cattax: i64,
    /// `keywords`: one string, separated by commas.
    pub keywords: &'a str,
    /// `kwarray`: one keyword per item.
    pub kwarray: &'a [&'a str],
}

/// `Device` (§3.2.18).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Device<'a> {
    /// Location of the device: `device.geo`.
    pub geo: Geo<'a>,
    /// Whether there is a `device.geo`.
    pub has_geo: bool,
    /// AdCOM device type.
    pub devicetype: Option<i64>,
    /// Do Not Track. Default 0.
    pub dnt: bool,
    /// Limit Ad Tracking. Default 0.
    pub lmt: bool,
    /// User-Agent string.
    pub ua: &'a str,
    /// Structured user agent. If present, it replaces `ua`, `os` and `osv`.
    pub sua: Option<UserAgent<'a>>,
    /// Manufacturer.
    pub make: &'a str,
    /// Model.
    pub model: &'a str,
    /// Version of the hardware.
    pub hwv: &'a str,
    /// Operating system.
    pub os: &'a str,
    /// Version of the operating system.
    pub osv: &'a str,
    /// Language (ISO 639-1).
    pub language: &'a str,
    /// Language (BCP 47).
    pub langb: &'a str,
    /// AdCOM connection type.
    pub connectiontype: Option<i64>,
    /// Carrier or provider.
    pub carrier: &'a str,
    /// Advertising id; empty if absent.
    pub ifa: &'a str,
}

/// `UserAgent` (§3.2.29).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct UserAgent<'a> {
    /// Browsers and their versions.
    pub browsers: &'a [Brand<'a>],
    /// Platform, usually the operating system.
    pub platform: Brand<'a>,
    /// Model.
    pub model: &'a str,
}

/// `BrandVersion` (§3.2.30).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Brand<'a> {
    /// Name.
    pub brand: &'a str,
    /// Parts of the version, the most significant part first.
    pub version: &'a [&'a str],
}

/// `Geo` (§3.2.19).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Geo<'a> {
    /// Country code of three letters (ISO 3166-1). Some exchanges send two letters.
    pub country: &'a str,
    /// Region code (ISO 3166-2).
    pub region: &'a str,
    /// Metro code, for example Nielsen DMA.
    pub metro: &'a str,
    /// City name or code.
    pub city: &'a str,
    /// Postal code.
    pub zip: &'a str,
    /// Latitude and longitude. `None` if one of them is absent or unreadable.
    pub point: Option<Point>,
    /// Offset of local time from UTC in minutes. `None` if unknown.
    pub utcoffset: Option<i64>,
}

/// A geographic position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Point {
    /// Latitude in millionths of a degree, positive to the north, within ±90 degrees.
    pub lat: i64,
    /// Longitude in millionths of a degree, positive to the east, within ±180 degrees.
    pub lon: i64,
}

/// `User` (§3.2.20).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct User<'a> {
    /// The exchange's id for the person.
    pub id: &'a str,
    /// Our user id, from cookie sync.
    pub buyeruid: &'a str,
    /// TCF consent string: `user.consent`, else `user.ext.consent`.
    pub consent: &'a str,
    /// `user.ext.consent`. If it is another text, the stricter one counts.
    pub ext_consent: &'a str,
    /// Location of the person: `user.geo`, used if there is no `device.geo`.
    pub geo: Geo<'a>,
    /// `user.eids`, else `user.ext.eids`. Entries without a `source` are left out.
    pub eids: &'a [Eid<'a>],
    /// Year of birth; 0 if absent.
    pub yob: i64,
    /// `keywords`: one string, separated by commas.
    pub keywords: &'a str,
    /// `kwarray`: one keyword per item.
    pub kwarray: &'a [&'a str],
    /// Segments by provider.
    pub data: &'a [Data<'a>],
}

/// `Data` (§3.2.21).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Data<'a> {
    /// The exchange's id of the data provider.
    pub id: &'a str,
    /// Name of the data provider.
    pub name: &'a str,
    /// `segment[].id`. Entries without an `id` are left out.
    pub segment: &'a [&'a str],
}

/// `EID` (§3.2.27).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Eid<'a> {
    /// Domain of the issuer of the ids.
    pub source: &'a str,
    /// The ids. Entries without an `id` are left out.
    pub uids: &'a [Uid<'a>],
    /// How the ids were matched (AdCOM list "ID Match Methods"); 0 if absent.
    pub mm: i64,
}

impl Eid<'_> {
    /// Whether at least one id is not empty.
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
    /// Whether the request is subject to COPPA (children). Default 0.
    pub coppa: bool,
    /// Whether GDPR applies: `regs.gdpr` or `regs.ext.gdpr`. `None` if unknown.
    pub gdpr: Option<bool>,
    /// US Privacy string: `regs.us_privacy`, else `regs.ext.us_privacy`.
    pub us_privacy: &'a str,
    /// `regs.ext.us_privacy`. If it is another text, the stricter one counts; likewise for GPP.
    pub ext_us_privacy: &'a str,
    /// GPP string: `regs.gpp`, else `regs.ext.gpp`.
    pub gpp: &'a str,
    /// `regs.ext.gpp`.
    pub ext_gpp: &'a str,
    /// GPP sections that apply: `regs.gpp_sid`, else `regs.ext.gpp_sid`.
    pub gpp_sid: &'a [i64],
    /// `regs.ext.gpp_sid`.
    pub ext_gpp_sid: &'a [i64],
    /// Whether the browser sent Global Privacy Control: `regs.gpc` or `regs.ext.gpc` is 1 (community extension).
    /// Default 0.
    pub gpc: bool,
    /// Requirements under the Digital Services Act: `regs.dsa`, else `regs.ext.dsa`.
    pub dsa: Dsa,
}

/// What the publisher requires of bids under the EU's Digital Services Act (community extension `dsa_transparency`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dsa {
    /// 0 = not required, 1 = supported, 2 = required, 3 = required by an online platform. Default 0.
    pub dsarequired: i64,
    /// Whether the publisher shows the transparency information: 0 = cannot, 1 = may, 2 = will. `None` if unknown.
    pub pubrender: Option<i64>,
    /// Whether the bid must send the transparency data: 0 = no, 1 = optional, 2 = yes. `None` if unknown.
    pub datatopub: Option<i64>,
}

impl Dsa {
    /// The one that requires more; `self` if both require the same.
    #[must_use]
    pub fn stricter(self, other: Dsa) -> Dsa {
        if other.dsarequired > self.dsarequired { other } else { self }
    }
}

/// `SupplyChain` (§3.2.25).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SupplyChain<'a> {
    /// Whether the chain contains all parties back to the owner of the channel.
    pub complete: bool,
    /// The parties, the first seller first.
    pub nodes: &'a [Node<'a>],
}

/// `SupplyChainNode` (§3.2.26).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Node<'a> {
    /// Domain of the advertising system.
    pub asi: &'a str,
    /// The seller's account id in that system.
    pub sid: &'a str,
}
