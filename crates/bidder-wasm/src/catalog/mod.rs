//! The catalog: everything pushed, checked and ready to decide with.
//!
//! [`Catalog::from_json`] is the only way in; a document with any finding is refused whole, so
//! what is inside needs no further doubt. Immutable once built.

pub mod amount;
mod campaign;
mod companion;
mod creative;
pub mod document;
mod settings;
mod shading;
mod target;
mod time;
mod vast;

pub use target::{Among, Channels, Circle, MetricFloor, Schain, Target};
pub use time::{Hours, Zone};

use crate::decode::{self, Finding, Rule};
use crate::money::{Currency, Micros, Rates};
use crate::privacy;

/// The version of the document format that this crate reads.
pub const FORMAT: i64 = 1;

/// Everything that a decision needs to know besides the request.
#[derive(Debug)]
pub struct Catalog {
    /// Currency rates.
    pub rates: Rates,
    /// The code that Prebid Server knows us by, or empty.
    pub prebid_code: String,
    /// What the law lets us do with whose data.
    pub privacy: privacy::Settings,
    /// The exchanges, in document order; an SSP's number is its place here.
    pub ssps: Vec<Ssp>,
    /// The campaigns, the one that would pay the most first (in US dollars; equal ones in
    /// document order).
    pub campaigns: Vec<Campaign>,
}

/// An exchange.
#[derive(Debug)]
pub struct Ssp {
    /// The last part of its URL.
    pub id: String,
    /// SHA-256 of each accepted bearer token, lower-case hex. Empty: none needed.
    pub credentials: Vec<String>,
    /// Milliseconds that a request and its answer are under way.
    pub latency_ms: i64,
    /// Whether a no-bid with a reason code is answered with `nbr`.
    pub nbr: bool,
}

/// A biddable unit.
#[derive(Debug)]
pub struct Campaign {
    /// `bid.cid`.
    pub cid: String,
    /// `seatbid.seat`.
    pub seat: String,
    /// `bid.adomain`, lower case.
    pub adomain: Vec<String>,
    /// `bid.bundle`; empty when no app is advertised.
    pub bundle: String,
    /// `bid.cat`.
    pub cat: Vec<String>,
    /// Taxonomy of `cat`.
    pub cattax: i64,
    /// The most it pays per thousand impressions, in `cur`.
    pub max_cpm: Micros,
    /// Currency of `max_cpm`; the catalog has its rate.
    pub cur: Currency,
    /// Numbers of the SSPs it buys from. Empty: all.
    pub ssps: Vec<usize>,
    /// Deals that it may bid under.
    pub deals: Vec<String>,
    /// Whether it bids without a deal too.
    pub open: bool,
    /// Where it bids.
    pub target: Target,
    /// What it shows; at least one.
    pub creatives: Vec<Creative>,
    /// What it bids in first-price auctions, in `cur`; `max_cpm` without shading. Never more.
    pub shaded_cpm: Micros,
    /// `bid.exp` in seconds; 0: as long as the exchange asks.
    pub exp: i64,
    /// `bid.nurl`, or empty.
    pub nurl: String,
    /// `bid.burl`, or empty.
    pub burl: String,
    /// `bid.lurl`, or empty.
    pub lurl: String,
}

/// Something that can be shown.
#[derive(Debug, Clone)]
pub struct Creative {
    /// `bid.crid`.
    pub crid: String,
    /// `bid.adid`, or empty.
    pub adid: String,
    /// `bid.attr`.
    pub attr: Vec<i64>,
    /// API frameworks that it needs.
    pub api: Vec<i64>,
    /// `bid.iurl`, or empty.
    pub iurl: String,
    /// ISO 639-1 code, lower case; `xx` without words; empty when not told.
    pub language: String,
    /// Whether code or trackers of it must run on the person's device.
    pub clientside: bool,
    /// Whether all of its markup and URLs are HTTPS.
    pub secure: bool,
    /// The ad itself.
    pub media: Media,
}

/// The ad itself, by media type.
#[derive(Debug, Clone)]
pub enum Media {
    /// `bid.mtype` 1.
    Banner(Banner),
    /// `bid.mtype` 2.
    Video(Linear),
    /// `bid.mtype` 3.
    Audio(Linear),
    /// `bid.mtype` 4.
    Native(Native),
}

/// A banner.
#[derive(Debug, Clone)]
pub struct Banner {
    /// Its size.
    pub shape: Shape,
    /// Directions in which it expands.
    pub expdir: Vec<i64>,
    /// AdCOM banner type; 0 when not told.
    pub btype: i64,
    /// MIME type.
    pub mime: String,
    /// The markup.
    pub adm: String,
}

/// The size of a banner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Width and height in density-independent pixels.
    Fixed {
        /// Width.
        w: i64,
        /// Height.
        h: i64,
    },
    /// A ratio that it keeps at any width from `wmin` on ("flex ad").
    Ratio {
        /// Width of the ratio.
        wratio: i64,
        /// Height of the ratio.
        hratio: i64,
        /// Least width.
        wmin: i64,
    },
}

/// A video or audio ad.
#[derive(Debug, Clone)]
pub struct Linear {
    /// Seconds.
    pub dur: i64,
    /// AdCOM creative subtype of the markup.
    pub protocol: i64,
    /// Width in pixels; 0 when not told.
    pub w: i64,
    /// Height in pixels; 0 when not told.
    pub h: i64,
    /// 1 linear, 2 non-linear.
    pub linearity: i64,
    /// The VAST document.
    pub vast: Vast,
}

/// A VAST document with the files apart, so that each request gets those that it can play.
#[derive(Debug, Clone)]
pub struct Vast {
    /// Everything before the files; the whole document where it came ready.
    pub head: String,
    /// The files, at least one.
    pub files: Vec<MediaFile>,
    /// Everything between the files and the companions.
    pub tail: String,
    /// What may be shown beside it.
    pub companions: Companions,
    /// Everything after the companions.
    pub end: String,
}

/// The companions of a video or audio ad, apart too.
#[derive(Debug, Clone, Default)]
pub struct Companions {
    /// Whether one of them has to be shown.
    pub required: bool,
    /// Everything before them; left out where none is shown.
    pub head: String,
    /// Each for itself.
    pub ads: Vec<Companion>,
    /// Everything after them; left out where none is shown.
    pub tail: String,
}

/// A banner beside a video or audio ad.
#[derive(Debug, Clone)]
pub struct Companion {
    /// Width in pixels.
    pub w: i64,
    /// Height in pixels.
    pub h: i64,
    /// AdCOM companion type: 1 static, 2 HTML, 3 iframe.
    pub kind: i64,
    /// MIME type.
    pub mime: String,
    /// Its `Companion` element.
    pub element: String,
}

/// A file of a video or audio ad.
#[derive(Debug, Clone)]
pub struct MediaFile {
    /// MIME type.
    pub mime: String,
    /// Kilobits per second; 0 when not told.
    pub bitrate: i64,
    /// 1 streaming, 2 progressive, 3 download; 0 when not told.
    pub delivery: i64,
    /// Where it is; empty for a ready document.
    pub url: String,
    /// Its `MediaFile` element; empty for a ready document.
    pub element: String,
}

/// A native ad.
#[derive(Debug, Clone)]
pub struct Native {
    /// Title.
    pub title: String,
    /// Pictures.
    pub img: Vec<Img>,
    /// Texts: data asset type and text.
    pub data: Vec<(i64, String)>,
    /// Where a click leads.
    pub link: String,
    /// Called when it is shown.
    pub imptrackers: Vec<String>,
    /// A script to run when it is shown, or empty.
    pub jstracker: String,
    /// Where its privacy notice is, or empty.
    pub privacy: String,
    /// A video.
    pub video: Option<Linear>,
}

/// A picture of a native ad.
#[derive(Debug, Clone)]
pub struct Img {
    /// 1 icon, 3 main image.
    pub kind: i64,
    /// Where it is.
    pub url: String,
    /// Width in pixels.
    pub w: i64,
    /// Height in pixels.
    pub h: i64,
}

impl Catalog {
    /// The time zones that a catalog document names, each once. Empty for what is no catalog.
    #[must_use]
    pub fn zones_of(text: &[u8]) -> Vec<String> {
        // Decoding takes as long as loading, and most catalogs name none.
        if !text.windows(6).any(|window| window == b"\"zone\"") {
            return Vec::new();
        }
        let document = decode::from_json::<document::Document>(text).ok().and_then(|decoded| decoded.value);
        let targets = document.unwrap_or_default().campaigns.into_iter().filter_map(|campaign| campaign.target);
        let mut names: Vec<String> = targets.filter_map(|target| target.zone).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Reads and checks a catalog document. Every finding refuses it, and all are told at once.
    ///
    /// `zones` are the time zones that the host knows, for campaigns that bid by the hour.
    pub fn from_json(text: &[u8], zones: &[Zone]) -> Result<Catalog, Vec<Finding>> {
        let decoded = decode::from_json::<document::Document>(text).map_err(|error| vec![not_json(text, error.at)])?;
        let mut findings = decoded.findings;
        let document = decoded.value.unwrap_or_default();
        let catalog = campaign::compile(&document, zones, &mut findings);
        if findings.is_empty() { Ok(catalog) } else { Err(findings) }
    }
}

/// Points at the line and column of the byte that is not JSON: people wrote this text.
fn not_json(text: &[u8], at: usize) -> Finding {
    let before = text.get(..at).unwrap_or(text);
    let line = before.split(|byte| *byte == b'\n').count();
    let column = before.rsplit(|byte| *byte == b'\n').next().map_or(0, <[u8]>::len) + 1;
    finding(
        String::new(),
        Rule::NotJson,
        format!("line {line}, column {column}: not JSON; expected a catalog document"),
    )
}

fn finding(path: String, rule: Rule, message: String) -> Finding {
    Finding { path, rule, message }
}
