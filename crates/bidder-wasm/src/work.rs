//! The meter of a decision: how much work it may still do.
//!
//! The deployed clock stands still while the module computes, so work is counted. A unit is about ten WebAssembly
//! instructions; `bench/instructions/hostile.ts` holds the estimates against what is executed.
//! Every loop over something that a request can make long charges the meter before it runs, or as it goes; a decision whose
//! meter is empty answers with what it has found. What a look at one creative may cost is worked out here, from the
//! lengths of the lists of the impression: the rules themselves stay free of counting.

use core::cell::Cell;

use crate::catalog::{Bounds, Campaign, Creative, Linear as LinearAd, Media, Native as NativeAd, Ssp};
use crate::request::{AssetKind, Banner, Deal, Imp, Linear, Native, Request};

/// What is left.
#[derive(Debug)]
pub struct Meter {
    most: usize,
    left: Cell<usize>,
    /// What the current part of the decision must leave to the others.
    kept: Cell<usize>,
}

impl Meter {
    /// A meter that never runs out.
    #[must_use]
    pub fn unlimited() -> Meter {
        Meter::new(usize::MAX)
    }

    /// A full one.
    pub(crate) fn new(most: usize) -> Meter {
        Meter { most, left: Cell::new(most), kept: Cell::new(0) }
    }

    /// Takes this much off.
    #[inline]
    pub(crate) fn charge(&self, work: usize) {
        self.left.set(self.left.get().saturating_sub(work));
    }

    /// How much has been taken off.
    pub(crate) fn spent(&self) -> usize {
        self.most - self.left.get()
    }

    /// Whether nothing is left for the current part.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.left.get() <= self.kept.get()
    }

    /// Begins one of `parts` parts that are still to come. It gets a fair share, though no less than a quarter of what is
    /// left: few impressions of a long list need much, and one that does takes no more than that from the others.
    pub(crate) fn begin_part(&self, parts: usize) {
        let left = self.left.get();
        self.kept.set(left - left / parts.clamp(1, 4));
    }
}

/// A comparison of two numbers, of two short texts.
const NUMBER: usize = 3;
const TEXT: usize = 16;

/// Looking a value of `bytes` bytes up in the catalog's index.
pub(crate) fn of_lookup(bytes: usize) -> usize {
    60 + bytes
}

/// Finding out whom an SSP calls by a name.
pub(crate) fn of_seat(ssp: Ssp<'_>) -> usize {
    60 + ssp.seats().len() * 2 * TEXT
}

/// Adding a set that was found to `others` of its dimension.
pub(crate) fn of_set(others: usize) -> usize {
    60 + 5 * others
}

/// What every impression costs: what it asks for is looked up and put in order.
pub(crate) const OF_IMP: usize = 300;

/// Coming to a stretch of the order of worth, and looking into its block.
pub(crate) const OF_STRETCH: usize = 60;
pub(crate) const OF_BLOCK: usize = 60;

/// Holding a block against a dimension of which the request asks for so many sets.
#[inline]
pub(crate) fn of_sets(sets: usize) -> usize {
    20 + 10 * sets
}

/// Adding so many campaigns to a set, or zeroing so many blocks of one.
pub(crate) fn of_members(count: usize) -> usize {
    15 + 3 * count
}

/// Putting so many sets of so many blocks together.
pub(crate) fn of_merging(blocks: usize, sets: usize) -> usize {
    blocks * (5 + 10 * sets)
}

/// Holding an impression's formats against a ratio of the catalog.
pub(crate) fn of_ratio(imp: &Imp<'_>) -> usize {
    50 + imp.banner.as_ref().map_or(0, |offer| offer.format.len()) * 2 * NUMBER
}

/// Looking up what creatives need: each entry, and each blocked attribute in the lists of the other media types.
pub(crate) fn of_needs(request: &Request<'_>, imp: &Imp<'_>) -> usize {
    let banner =
        imp.banner.iter().map(|offer| (offer.mimes.len() + offer.btype.len() + offer.api.len(), offer.battr.len()));
    let linear = imp.linear().map(|offer| {
        (offer.mimes.len() + offer.delivery.len() + offer.protocols.len() + offer.api.len(), offer.battr.len())
    });
    let native = imp.native.iter().map(|offer| (offer.assets.len() + offer.api.len(), offer.battr.len()));
    let own = (request.wlang.len() + request.wlangb.len(), 0);
    let all = banner.chain(linear).chain(native).chain([own]);
    let (entries, blocked) = all.fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1));
    (entries + blocked) * of_lookup(8) + blocked * blocked * NUMBER
}

/// What a candidate costs before any creative is looked at: the checks that the index does not hold.
pub(crate) fn of_candidate(request: &Request<'_>, imp: &Imp<'_>, campaign: &Campaign<'_>) -> usize {
    const PLAIN: usize = 130;
    if campaign.bounds().is_default() { PLAIN } else { PLAIN + of_bounds(request, imp, &campaign.bounds().get()) }
}

fn of_bounds(request: &Request<'_>, imp: &Imp<'_>, bounds: &Bounds<'_>) -> usize {
    let listed = |include: usize, exclude: usize| 1 + include + exclude;
    let ids = listed(bounds.eids.include.len(), bounds.eids.exclude.len()) * TEXT
        + listed(bounds.mm.include.len(), bounds.mm.exclude.len()) * NUMBER;
    let systems = bounds.schain.map_or(0, |wanted| listed(wanted.asi().include.len(), wanted.asi().exclude.len()));
    let nodes = request.schain.map_or(0, |chain| chain.nodes.len());
    let circles = listed(bounds.radius.include.len(), bounds.radius.exclude.len());
    let version = request.device.osv.len() + request.device.sua.map_or(0, |sua| sua.platform.version.len() * TEXT);
    request.user.eids.len() * ids
        + nodes * systems * TEXT
        + imp.metric.len() * bounds.metric.len() * 2 * TEXT
        + circles * 2 * TEXT
        + version * 4
        + 70
}

/// What looking for the campaign's deals among those on offer costs.
pub(crate) fn of_deals(imp: &Imp<'_>, campaign: &Campaign<'_>) -> usize {
    2 * TEXT + campaign.deals().len() * (TEXT + imp.deals.len() * NUMBER)
}

/// What a deal that the campaign holds costs: who may bid under it.
pub(crate) fn of_deal(deal: &Deal<'_>, campaign: &Campaign<'_>) -> usize {
    250 + (deal.wseat.len() + deal.wadomain.len() * (1 + campaign.adomain().len())) * TEXT
}

/// What one look at a creative costs on an impression, by the media types on offer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    banner: Option<usize>,
    video: Option<Player>,
    audio: Option<Player>,
    native: Option<usize>,
    /// The lists of the media objects that every creative is held against, and the languages.
    shared: usize,
}

/// The parts of a look at a video or audio ad.
#[derive(Debug, Clone, Copy)]
struct Player {
    own: usize,
    per_file: usize,
    per_companion: usize,
}

impl Look {
    pub(crate) fn new(request: &Request<'_>, imp: &Imp<'_>) -> Look {
        let player = |offer: &Linear<'_>| Player {
            own: (offer.protocols.len() + offer.rqddurs.len() + 2 * offer.durfloors.len()) * NUMBER,
            per_file: NUMBER + offer.mimes.len() * TEXT + offer.delivery.len() * NUMBER,
            per_companion: offer.companiontype.len() * NUMBER + offer.companionad.iter().map(of_banner).sum::<usize>(),
        };
        let media = [
            imp.banner.as_ref().map(|offer| offer.api.len() + offer.battr.len()),
            imp.video.map(|offer| offer.api.len() + offer.battr.len()),
            imp.audio.map(|offer| offer.api.len() + offer.battr.len()),
            imp.native.as_ref().map(|offer| offer.api.len() + offer.battr.len()),
        ];
        Look {
            banner: imp.banner.as_ref().map(of_banner),
            video: imp.video.map(player),
            audio: imp.audio.map(player),
            native: imp.native.as_ref().map(of_assets),
            shared: media.into_iter().flatten().max().unwrap_or_default() * NUMBER
                + (request.wlang.len() + request.wlangb.len()) * TEXT,
        }
    }

    /// What working this out costs.
    pub(crate) fn own(imp: &Imp<'_>) -> usize {
        let slots: usize = imp.linear().map(|offer| offer.companionad.len()).sum();
        100 + (slots + imp.native.as_ref().map_or(0, |offer| offer.assets.len())) * 2 * NUMBER
    }

    /// What it costs with this creative.
    pub(crate) fn at(&self, creative: &Creative<'_>) -> usize {
        const OTHER_MEDIA: usize = 60;
        const PLAIN: usize = 120;
        let needs = 1 + creative.api().len() + creative.attr().len();
        let media = match creative.media() {
            Media::Banner(ad) => self.banner.map(|lists| lists * (1 + ad.expdir().len())),
            Media::Video(ad) => self.video.map(|player| player.with(&ad)),
            Media::Audio(ad) => self.audio.map(|player| player.with(&ad)),
            Media::Native(ad) => self.native.map(|assets| assets * of_answers(&ad)),
        };
        media.map_or(OTHER_MEDIA, |media| PLAIN + media + self.shared * needs)
    }
}

impl Player {
    fn with(&self, ad: &LinearAd<'_>) -> usize {
        self.own + self.per_file * ad.vast().files().len() + self.per_companion * ad.vast().companions().ads().len()
    }
}

/// The lists of a banner or of a companion slot.
fn of_banner(offer: &Banner<'_>) -> usize {
    NUMBER
        + offer.format.len() * 2 * NUMBER
        + offer.mimes.len() * TEXT
        + (offer.btype.len() + offer.expdir.len() + offer.battr.len() + offer.api.len()) * NUMBER
}

fn of_assets(offer: &Native<'_>) -> usize {
    let of_asset = |kind: &AssetKind<'_>| match kind {
        AssetKind::Video { mimes, protocols, .. } => TEXT + mimes.len() * TEXT + protocols.len() * NUMBER,
        _ => TEXT,
    };
    offer.assets.iter().map(|asset| of_asset(&asset.kind)).sum()
}

/// How many answers of the ad are held against each asset.
fn of_answers(ad: &NativeAd<'_>) -> usize {
    1 + ad.img().len() + ad.data().len() + ad.video().map_or(0, |video| video.vast().files().len())
}

/// Drawing among so many equals.
pub(crate) fn of_draw(equals: usize) -> usize {
    10 + 10 * equals
}

/// What a bid costs that goes into the answer: it is written, and so is its record.
pub(crate) const OF_BID: usize = 400;

/// What it costs to find out how long a bid gets that stands beside `others`.
pub(crate) fn of_length(creative: &Creative<'_>, others: usize) -> usize {
    let markup = match creative.media() {
        Media::Banner(ad) => ad.adm().len(),
        Media::Video(ad) | Media::Audio(ad) => ad.vast().head().len() + ad.vast().tail().len(),
        Media::Native(_) => 0,
    };
    // Places to fill in are searched for in all of the markup.
    OF_BID + 2 * markup + others * TEXT
}

/// What adding a bid to those that may fill a pod costs, with so many `waiting`, `beside` each other in it already, and
/// `settings` of `poddedupe` by which it is held against each.
pub(crate) fn of_ranking(waiting: usize, beside: usize, settings: usize) -> usize {
    60 + waiting * 2 + (1 + beside) * (1 + settings) * TEXT
}

/// What holding a bid against `others` costs, some of which may be of its pod.
pub(crate) fn of_pod(imp: &Imp<'_>, others: usize) -> usize {
    match imp.linear().find(|offer| !offer.podid.is_empty()) {
        Some(pod) => others * (TEXT + pod.poddedupe.len() * 4 * TEXT),
        None => 0,
    }
}
