//! The catalog: everything pushed, checked and ready to decide with.
//!
//! [`Catalog::from_json`] is the only way in; a document with any finding is refused whole, so
//! what is inside needs no further doubt. Immutable once built.

pub mod amount;
mod campaign;
mod creative;
pub mod document;
mod vast;

use crate::decode::{self, Finding, Rule};
use crate::money::{Currency, Micros, Rates};

/// The version of the document format that this crate reads.
pub const FORMAT: i64 = 1;

/// Everything that a decision needs to know besides the request.
#[derive(Debug)]
pub struct Catalog {
    /// Currency rates.
    pub rates: Rates,
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
    /// `bid.nurl`, or empty.
    pub nurl: String,
    /// `bid.burl`, or empty.
    pub burl: String,
    /// `bid.lurl`, or empty.
    pub lurl: String,
}

/// Where a campaign bids.
#[derive(Debug, Default)]
pub struct Target {
    /// `site`, `app`, `dooh`: whether each will do.
    pub channel: Channels,
    /// Alpha-3 codes, upper case.
    pub country: Among<String>,
    /// AdCOM device types.
    pub devicetype: Among<i64>,
    /// Domains, lower case; subdomains included.
    pub domain: Among<String>,
    /// App bundles.
    pub bundle: Among<String>,
    /// Publisher ids.
    pub publisher: Among<String>,
}

/// Which kinds of distribution channel will do.
#[derive(Debug, Clone, Copy)]
pub struct Channels {
    /// Web sites.
    pub site: bool,
    /// Apps.
    pub app: bool,
    /// Digital out-of-home screens.
    pub dooh: bool,
}

impl Default for Channels {
    fn default() -> Self {
        Channels { site: true, app: true, dooh: true }
    }
}

/// A rule over one value of the request.
#[derive(Debug)]
pub struct Among<T> {
    /// Only these. Empty: all.
    pub include: Vec<T>,
    /// None of these.
    pub exclude: Vec<T>,
}

impl<T> Default for Among<T> {
    fn default() -> Self {
        Among { include: Vec::new(), exclude: Vec::new() }
    }
}

impl<T> Among<T> {
    /// Whether a value is allowed, where `is` compares it with an entry. A value that the request
    /// does not tell compares with nothing: it fails an `include` and passes an `exclude`.
    pub fn allows(&self, is: impl Fn(&T) -> bool) -> bool {
        (self.include.is_empty() || self.include.iter().any(&is)) && !self.exclude.iter().any(&is)
    }
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
    /// Width in density-independent pixels.
    pub w: i64,
    /// Height in density-independent pixels.
    pub h: i64,
    /// AdCOM banner type; 0 when not told.
    pub btype: i64,
    /// MIME type.
    pub mime: String,
    /// The markup.
    pub adm: String,
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
    /// MIME type and `MediaFile` element of each file. For a ready document the element is empty.
    pub files: Vec<(String, String)>,
    /// Everything after the files.
    pub tail: String,
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
    /// Reads and checks a catalog document. Every finding refuses it, and all are told at once.
    pub fn from_json(text: &[u8]) -> Result<Catalog, Vec<Finding>> {
        let decoded = decode::from_json::<document::Document>(text).map_err(|error| vec![not_json(text, error.at)])?;
        let mut findings = decoded.findings;
        let document = decoded.value.unwrap_or_default();
        let catalog = campaign::compile(&document, &mut findings);
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
