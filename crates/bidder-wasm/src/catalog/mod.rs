//! The catalog: everything pushed, checked and ready to decide with.
//!
//! ```text
//! document (JSON) -- compile --> Snapshot (bytes) -- open --> Catalog (a view of them)
//! ```
//!
//! [`compile`] is where a catalog is judged: a document with any mistake is refused whole, so what is in a snapshot
//! needs no further doubt. Immutable once built.

mod ad;
mod among;
pub mod amount;
mod campaign;
mod companion;
mod contradiction;
mod creative;
mod dimensions;
pub mod document;
mod dsa;
pub mod index;
pub(crate) mod iso;
mod needs;
mod plain_http;
mod reach;
mod ready_vast;
mod rule;
mod settings;
mod shading;
mod snapshot;
mod ssp;
mod sync_url;
mod target;
mod time;
mod told;
mod vast;
mod words;

pub use ad::{
    Banner, Companion, Creative, CreativeDraft, Img, Linear, LinearDraft, Media, MediaDraft, MediaFile, Native, Phrase,
    Shape,
};
pub use among::{Among, AmongDraft};
pub use dsa::{Dsa, DsaDraft};
pub(crate) use plain_http::plain_http;
pub use rule::{Bounds, BoundsDraft, Circle, MetricFloor, Rule, RuleDraft, Schain};
pub use snapshot::{BadSnapshot, Snapshot};
pub use ssp::{PRICE_MACRO, Ssp, SspDraft};
pub use time::{Hours, Zone};

use crate::decode::{self, Finding};
use crate::flat::{Flat, Source, Wide, flat};
use crate::limits::max_work;
use crate::money::{Currency, Micros, Rates};
use crate::privacy;
use crate::read::{Needs, Wants};
use index::{IndexDraft, Opened};
use told::Told;

/// The version of the document format that this crate reads.
pub const FORMAT: i64 = 1;

flat! {
    /// What lies in a snapshot.
    pub struct Parts from PartsDraft {
        /// See [`Catalog::rates`].
        rates: Vec<(Currency, i64)>,
        /// The code that Prebid Server knows us by, or empty.
        pub prebid_code: String,
        /// Whether every bid tells the catalog's version.
        pub version_in_bids: bool,
        /// See [`Catalog::privacy`].
        privacy: privacy::Settings,
        /// See [`Catalog::needs`].
        needs: Needs,
        /// The exchanges, in document order; an SSP's number is its place here.
        pub ssps: Vec<SspDraft>,
        /// What can be shown.
        pub creatives: Wide<CreativeDraft>,
        /// Seconds that any video or audio ad among them takes; 0 where there is none.
        pub shortest: i64,
        /// The campaigns, the one that would pay the most first (in US dollars; equal ones in
        /// document order).
        pub campaigns: Wide<CampaignDraft>,
        /// Who may bid where.
        pub index: IndexDraft,
    }
}

/// Everything that a decision needs to know besides the request: a view of a snapshot.
#[derive(Debug, Clone)]
pub struct Catalog<'s> {
    /// Currency rates.
    pub rates: Rates,
    /// What the law lets us do with whose data.
    pub privacy: privacy::Settings,
    /// What the campaigns can ask of a request.
    pub needs: Needs,
    /// Most work of one decision, in the units of [`crate::limits::max_work`].
    pub max_work: usize,
    /// The index of the campaigns.
    pub index: Opened<'s>,
    source: Source<'s>,
    /// Where the parts start.
    at: usize,
}

flat! {
    /// A biddable unit.
    pub struct Campaign from CampaignDraft {
        /// `nurl`, `burl` and `lurl` of its bids: members of JSON, each with a comma in front, as in the next two.
        pub notices: String,
        /// `adomain` and `bundle`, which campaigns of an advertiser share.
        pub advertised: String,
        /// `cat` and `cattax`, which many more do.
        pub categories: String,
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
        pub ssps: Vec<u32>,
        /// Deals that it may bid under.
        pub deals: Vec<String>,
        /// Whether it bids without a deal too.
        pub open: bool,
        /// Its targeting of the request, a dimension each, in the order of the checks.
        pub request_rules: Vec<RuleDraft>,
        /// Its targeting of the impression.
        pub imp_rules: Vec<RuleDraft>,
        /// Its targeting of the banner, video or audio that a creative would fill.
        pub spot_rules: Vec<RuleDraft>,
        /// The checks of its target that no index can hold.
        pub bounds: BoundsDraft,
        /// Places of what it shows in the catalog's `creatives`; at least one.
        pub creatives: Vec<u32>,
        /// Whether all of its notice URLs are HTTPS.
        pub secure: bool,
        /// What it bids in first-price auctions, in `cur`; `max_cpm` without shading. Never more.
        pub shaded_cpm: Micros,
        /// `bid.exp` in seconds; 0: as long as the exchange asks.
        pub exp: i64,
        /// What its bids tell under the Digital Services Act.
        pub dsa: Option<DsaDraft>,
    }
}

impl<'s> Catalog<'s> {
    fn new(source: Source<'s>, at: usize) -> Catalog<'s> {
        let parts = PartsDraft::view(source, at);
        Catalog {
            rates: parts.rates().iter().collect(),
            privacy: parts.privacy(),
            needs: parts.needs(),
            max_work: max_work(parts.campaigns().len()),
            index: Opened::new(parts.index()),
            source,
            at,
        }
    }

    /// What to read of a request in order to decide on it.
    #[must_use]
    pub fn wants(&self) -> Wants<'s> {
        Wants { prebid_code: self.parts().prebid_code(), needs: self.needs }
    }

    /// What lies in the snapshot.
    #[must_use]
    pub fn parts(&self) -> Parts<'s> {
        PartsDraft::view(self.source, self.at)
    }
}

impl<'s> Parts<'s> {
    /// The exchange of a number. One that is not in the catalog has no ways of its own.
    #[must_use]
    pub fn ssp(&self, number: usize) -> Ssp<'s> {
        self.ssps().get(number).unwrap_or_else(|| SspDraft::view(Source::default(), 0))
    }

    /// What a campaign may show, in its order.
    pub fn creatives_of<'c>(
        &self,
        campaign: &Campaign<'c>,
    ) -> impl Iterator<Item = Creative<'s>> + Clone + use<'s, 'c> {
        let all = self.creatives();
        campaign.creatives().iter().filter_map(move |place| all.get(place as usize))
    }
}

/// The time zones that a catalog document names, each once. Empty for what is no catalog.
#[must_use]
pub fn zones_of(text: &[u8]) -> Vec<String> {
    // Decoding takes as long as compiling, and most catalogs name none.
    let has = |word: &[u8]| text.windows(word.len()).any(|window| window == word);
    if !has(b"\"zone\"") && !has(b"\\u") {
        return Vec::new();
    }
    let document = decode::from_json::<document::Document>(text).ok().and_then(|decoded| decoded.value);
    let targets = document.unwrap_or_default().campaigns.into_iter().filter_map(|campaign| campaign.target);
    let mut names: Vec<String> = targets.filter_map(|target| target.zone).collect();
    names.sort();
    names.dedup();
    names
}

/// Checks a catalog document and makes a [`Snapshot`] of it: the same document and zones give the same bytes. Every finding
/// that is no note refuses it, and all are told at once: the first [`crate::limits::MAX_FINDINGS`], and how many more there are. Notes give way.
///
/// `zones` are the time zones that the host knows, for campaigns that bid by the hour.
pub fn compile(text: &[u8], zones: &[Zone]) -> Result<Snapshot, Vec<Finding>> {
    let decoded = decode::from_json::<Told>(text).map_err(|error| vec![told::not_json(text, error)])?;
    let mut findings = decoded.findings;
    let Told { document, order } = decoded.value.unwrap_or_default();
    let parts = campaign::compile(&document, zones, &mut findings);
    let findings = told::arranged(findings, decoded.findings_left_out, &document, &order);
    // A large one takes more memory than all that follows.
    drop(document);
    let refused = !findings.iter().all(|finding| finding.rule.is_note());
    if refused { Err(findings) } else { Ok(Snapshot::of(parts, findings)) }
}

fn finding(path: String, rule: decode::Rule, message: String) -> Finding {
    Finding::new(path, rule, message)
}

#[cfg(test)]
mod tests;
