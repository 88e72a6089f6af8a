//! Limits the work of a decision: the meter, and the estimated cost of each step.
//!
//! On Cloudflare the clock stands still while the module computes, so work is counted, not timed. A unit is about ten
//! WebAssembly instructions; `bench/instructions/hostile.ts` compares the estimates with executed instructions. Each
//! loop that a request can make long charges the meter. A decision with an empty meter takes its best bids so far. The
//! cost of a check is computed here from the lengths of lists, so that the rules need no counters.

use core::cell::Cell;

use crate::offer::{Object, objects};
use crate::own::Own;
use crate::rows;
use crate::targeting::Facts;
use catalog::{
    Ad, Advertiser, Bounds, Campaign, CapOn, Creative, DataRule, Linear as LinearAd, Media, Native as NativeAd, Ssp,
};
use flat::{Flat, List};
use openrtb::request::{AssetKind, Deal, Imp, Native, Request, Skadn};

/// The work that a decision may still do.
#[derive(Debug)]
pub struct Meter {
    limit: usize,
    left: Cell<usize>,
    /// Work that is reserved for the parts after the current one.
    reserved: Cell<usize>,
}

impl Meter {
    /// A meter that never runs out.
    pub fn unlimited() -> Meter {
        Meter::new(usize::MAX)
    }

    /// A meter for this much work.
    pub fn new(limit: usize) -> Meter {
        Meter { limit, left: Cell::new(limit), reserved: Cell::new(0) }
    }

    /// Counts work.
    pub fn charge(&self, work: usize) {
        self.left.set(self.left.get().saturating_sub(work));
    }

    /// How much work was counted.
    pub fn spent(&self) -> usize {
        self.limit - self.left.get()
    }

    /// Whether nothing is left for the current part.
    pub fn is_empty(&self) -> bool {
        self.left.get() <= self.reserved.get()
    }

    /// Begins the first of `parts` remaining parts. The part may use an equal share of the remaining work, but at least
    /// a quarter of it: in a long list, few impressions need much work.
    pub fn begin_share(&self, parts: usize) {
        let left = self.left.get();
        self.reserved.set(left - left / parts.clamp(1, 4));
    }
}

/// The cost of comparing two numbers.
const NUMBER: usize = 3;
/// The cost of comparing two short texts.
const TEXT: usize = 16;
/// The cost of comparing a companion with a slot, without its lists.
const SLOT: usize = 8;

/// The cost of looking up a value of `bytes` bytes in the index.
pub fn of_lookup(bytes: usize) -> usize {
    60 + bytes
}

/// The cost of finding a seat or its name at the SSP.
pub fn of_seat(ssp: Ssp<'_>) -> usize {
    (1 + ssp.seats().len()).ilog2() as usize * 2 * TEXT
}

/// The cost of adding a posting list to a filter that has `others` already.
pub fn of_list(others: usize) -> usize {
    60 + 5 * others
}

/// The cost of looking up the values of an impression and sorting its filters.
pub const OF_IMP: usize = 300;

/// The cost of reaching the next chunk of campaigns.
pub const OF_CHUNK: usize = 60;
/// The cost of reading a block.
pub const OF_BLOCK: usize = 60;

/// The cost of applying a filter with this many posting sets to a block.
pub fn of_sets(sets: usize) -> usize {
    20 + 10 * sets
}

/// The cost of setting the bits of this many campaigns, or zeroing this many blocks.
pub fn of_members(count: usize) -> usize {
    15 + 3 * count
}

/// The cost of merging this many posting sets over this many blocks.
pub fn of_merging(blocks: usize, sets: usize) -> usize {
    blocks * (5 + 10 * sets)
}

/// The cost of comparing the formats of an impression with a ratio of the catalog.
pub fn of_ratio(imp: &Imp<'_>) -> usize {
    50 + imp.banner.as_ref().map_or(0, |offer| offer.format.len()) * 2 * NUMBER
}

/// The cost of looking up what creatives require: each entry once, each blocked attribute in the lists of all media
/// types, and each native asset among the `parts` of native ads.
pub fn of_requirements(request: &Request<'_>, imp: &Imp<'_>, parts: usize) -> usize {
    let all = objects(imp).map(rows::lengths_of).chain([rows::lengths_of_request(request)]);
    let (mut entries, mut blocked) = (0, 0);
    for lengths in all {
        entries += lengths.numbers + lengths.texts + lengths.for_each;
        blocked += lengths.blocked;
    }
    let assets: usize = imp.native.iter().map(|offer| offer.assets.len()).sum();
    entries * of_lookup(8) + blocked * blocked * NUMBER + assets * (NUMBER + parts * NUMBER)
}

/// The cost of comparing a size of the catalog's ads with the players of an impression.
pub const OF_FRAME: usize = 20;

/// The cost of comparing a duration of the catalog with those that an impression takes.
pub fn of_durations(imp: &Imp<'_>) -> usize {
    imp.linear().map(|offer| (4 + offer.rqddurs.len()) * NUMBER).sum()
}

/// The cost of checking a candidate, without its creatives: the checks that the index does not do.
pub fn of_candidate(facts: &Facts<'_>, imp: &Imp<'_>, campaign: &Campaign<'_>) -> usize {
    const PLAIN: usize = 130;
    PLAIN + campaign.bounds().get(0).map_or(0, |bounds| of_bounds(facts, imp, &bounds))
}

/// The cost of checking bounds. It finds the first-party data that the check compares, at most
/// [`base::limits::MAX_DATA_BYTES`] for each path.
pub fn of_bounds(facts: &Facts<'_>, imp: &Imp<'_>, bounds: &Bounds<'_>) -> usize {
    let request = facts.request;
    let of_data = |rule: DataRule<'_>| {
        let (values, bytes) = facts.first_party.values(&rule, facts.request, imp);
        bytes + of_rule(entries(rule.values()), values.count())
    };
    let ids = entries(bounds.eids()) * TEXT + entries(bounds.mm()) * NUMBER;
    let systems = bounds.schain().map_or(0, |wanted| entries(wanted.asi()));
    let nodes = request.schain.map(|chain| chain.nodes).unwrap_or_default();
    let of_systems = if systems == 0 { 0 } else { nodes.iter().map(|node| systems * TEXT + node.asi.len()).sum() };
    let types = bounds.supply().map_or(0, |rule| rule.seller_types().len());
    let circles = entries(bounds.radius());
    let networks = bounds.skadn().and(imp.skadn).map_or(0, of_skadn);
    let apps = bounds.skadn().map_or(0, |_| request.bapp.len() * TEXT);
    let version = request.device.osv.len() + request.device.sua.map_or(0, |sua| sua.platform.version.len() * TEXT);
    request.user.eids.len() * ids
        + of_systems
        + imp.metric.len() * bounds.metric().len() * 2 * TEXT
        + bounds.data().iter().map(of_data).sum::<usize>()
        + circles * 2 * TEXT
        + version * 4
        + networks
        + apps
        + types * NUMBER
        + bounds.flights().len() * NUMBER
        + 70
}

/// The cost of comparing each of the `listed` values of a rule with each of `found` values.
pub fn of_rule(listed: usize, found: usize) -> usize {
    10 + found * (1 + listed) * TEXT
}

fn of_skadn(offer: &Skadn<'_>) -> usize {
    const VERSIONS: usize = 5;
    let texts = VERSIONS * offer.versions.len() + offer.skadnetids.len() + offer.addl.len();
    texts * TEXT + offer.excl.len() * NUMBER
}

fn entries<T: Flat>((include, exclude): (List<'_, T>, List<'_, T>)) -> usize {
    1 + include.len() + exclude.len()
}

/// The cost of finding the campaign's deals among those of the impression.
pub fn of_deals(imp: &Imp<'_>, campaign: &Campaign<'_>) -> usize {
    2 * TEXT + campaign.deals().len() * (TEXT + imp.deals.len() * NUMBER)
}

/// The cost of finding the highest floor of a deal that the impression may offer twice.
pub fn of_offers(imp: &Imp<'_>) -> usize {
    imp.deals.len() * 2 * TEXT
}

/// The cost of checking a bid under a deal that the campaign has: `wseat` and `wadomain`, and finding its price.
pub fn of_deal(deal: &Deal<'_>, campaign: &Campaign<'_>) -> usize {
    let prices = campaign.prices().map_or(0, |prices| prices.deals().len());
    let domains = 1 + campaign.advertiser().adomain().len();
    250 + (deal.wseat.len() + prices) * TEXT + of_texts(deal.wadomain) * domains
}

/// The cost of comparing one domain or category of an advertiser with the block and allow lists of a request.
pub fn of_block_lists(request: &Request<'_>) -> usize {
    TEXT + of_texts(request.badv) + (request.bcat.len() + request.acat.len() + request.bapp.len()) * TEXT
}

/// The cost of checking an advertiser, with that of [`of_block_lists`].
pub fn of_advertiser(advertiser: &Advertiser<'_>, deal: Option<&Deal<'_>>, block_lists: usize) -> usize {
    let wadomain = deal.map_or(0, |deal| of_texts(deal.wadomain));
    (1 + advertiser.adomain().len() + advertiser.cat().len()) * (block_lists + wadomain)
}

/// The cost of finding the hosts in these texts.
fn of_texts(list: &[&str]) -> usize {
    list.iter().map(|entry| TEXT + entry.len()).sum()
}

/// The cost of checking a creative on one impression, for each media type on offer.
#[derive(Debug, Clone, Copy)]
pub struct CreativeCost {
    banner: Option<ObjectCost>,
    video: Option<ObjectCost>,
    audio: Option<ObjectCost>,
    native: Option<ObjectCost>,
    /// The cost of comparing with the lists of the request.
    of_request: usize,
}

/// The cost of comparing with an object of an impression.
#[derive(Debug, Clone, Copy, Default)]
struct ObjectCost {
    /// Once for a banner; for a video or audio ad, once for each file; for a native ad, once for each of its parts.
    own: usize,
    /// For each attribute or API framework of the creative.
    per_value: usize,
    per_companion: usize,
    /// For each attribute or API framework of a companion.
    per_value_of_companion: usize,
}

impl ObjectCost {
    fn of(object: Object<'_>) -> ObjectCost {
        let lengths = rows::lengths_of(object);
        let lists = NUMBER + lengths.numbers * NUMBER + lengths.texts * TEXT;
        let cost = ObjectCost { own: lists, per_value: lengths.for_each * NUMBER, ..ObjectCost::default() };
        match object {
            Ad::Banner(offer) => ObjectCost { own: lists + offer.format.len() * 2 * NUMBER, ..cost },
            Ad::Native(offer) => ObjectCost { own: of_assets(offer), ..cost },
            Ad::Video(offer) | Ad::Audio(offer) => {
                let slots = || offer.companionad.iter().map(|slot| ObjectCost::of(Ad::Banner(slot)));
                ObjectCost {
                    own: lists + (offer.rqddurs.len() + 2 * offer.durfloors.len()) * NUMBER,
                    per_companion: offer.companiontype.len() * NUMBER
                        + slots().map(|slot| SLOT + slot.own).sum::<usize>(),
                    per_value_of_companion: slots().map(|slot| NUMBER + slot.per_value).sum(),
                    ..cost
                }
            }
        }
    }
}

impl CreativeCost {
    /// The cost on this impression, without that of a creative.
    pub fn new(request: &Request<'_>, imp: &Imp<'_>) -> CreativeCost {
        CreativeCost {
            banner: imp.banner.as_ref().map(|offer| ObjectCost::of(Ad::Banner(offer))),
            video: imp.video.map(|offer| ObjectCost::of(Ad::Video(offer))),
            audio: imp.audio.map(|offer| ObjectCost::of(Ad::Audio(offer))),
            native: imp.native.as_ref().map(|offer| ObjectCost::of(Ad::Native(offer))),
            of_request: rows::lengths_of_request(request).texts * TEXT,
        }
    }

    /// The cost of [`CreativeCost::new`].
    pub fn own(imp: &Imp<'_>) -> usize {
        let slots: usize = imp.linear().map(|offer| offer.companionad.len()).sum();
        100 + (slots + imp.native.as_ref().map_or(0, |offer| offer.assets.len())) * 2 * NUMBER
    }

    /// The cost of checking this creative.
    pub fn of(&self, creative: &Creative<'_>) -> usize {
        const OTHER_MEDIA: usize = 60;
        const PLAIN: usize = 120;
        let media = creative.media();
        let Some(cost) = self.with(&media) else { return OTHER_MEDIA };
        let own = match &media {
            Media::Banner(_) => cost.own,
            Media::Video(ad) | Media::Audio(ad) => {
                let beside = if ad.vast().companions().required() { cost.of_companions(ad) } else { 0 };
                cost.own * ad.vast().files().len() + beside
            }
            Media::Native(ad) => cost.own * of_answers(ad),
        };
        // Most impressions have no lists for several values.
        let of_values = match cost.per_value {
            0 => 0,
            each => each * (1 + rows::values(&Own::Creative { creative: *creative, media, has_safe_notices: true })),
        };
        PLAIN + own + of_values + self.of_request
    }

    /// The cost of choosing the companions to show: once to measure the bid, and once to write it.
    pub fn of_showing(&self, creative: &Creative<'_>) -> usize {
        let media = creative.media();
        let (Media::Video(ad) | Media::Audio(ad)) = &media else { return 0 };
        2 * self.with(&media).map_or(0, |cost| cost.of_companions(ad))
    }

    fn with(&self, media: &Media<'_>) -> Option<&ObjectCost> {
        match media {
            Media::Banner(_) => self.banner.as_ref(),
            Media::Video(_) => self.video.as_ref(),
            Media::Audio(_) => self.audio.as_ref(),
            Media::Native(_) => self.native.as_ref(),
        }
    }
}

impl ObjectCost {
    /// The cost of comparing all companions with all slots.
    fn of_companions(&self, ad: &LinearAd<'_>) -> usize {
        let companions = ad.vast().companions().ads();
        let values: usize = companions.iter().map(|one| rows::values(&Own::Companion(one))).sum();
        self.per_companion * companions.len() + self.per_value_of_companion * values
    }
}

fn of_assets(offer: &Native<'_>) -> usize {
    let of_asset = |kind: &AssetKind<'_>| match kind {
        AssetKind::Video { mimes, protocols, .. } => TEXT + mimes.len() * TEXT + protocols.len() * NUMBER,
        _ => TEXT,
    };
    offer.assets.iter().map(|asset| of_asset(&asset.kind)).sum()
}

/// How many parts of the ad are compared with each asset. The squares stand for moving parts from one asset to another,
/// which few ads need.
fn of_answers(ad: &NativeAd<'_>) -> usize {
    let (images, texts) = (ad.img().len(), ad.data().len());
    let files = ad.video().map_or(0, |video| video.vast().files().len());
    2 * (1 + images + texts + files) + (images * images + texts * texts) / 8
}

/// The cost of drawing this many equal campaigns or creatives.
pub fn of_draw(equals: usize) -> usize {
    10 + 10 * equals
}

/// The cost of writing a bid and its record.
pub const OF_BID: usize = 400;

/// The cost of measuring the length of a bid beside `others`.
pub fn of_length(creative: &Creative<'_>, others: usize) -> usize {
    let markup = match creative.media() {
        Media::Banner(ad) => ad.adm().len(),
        Media::Video(ad) | Media::Audio(ad) => ad.vast().head().len() + ad.vast().tail().len(),
        Media::Native(_) => 0,
    };
    // Filling macros searches all of the markup.
    OF_BID + 2 * markup + others * TEXT
}

/// The cost of writing a bid of `bytes`, of which `filled` are values of our macros. These are written twice, because
/// the bid is measured first.
pub fn of_writing(bytes: usize, filled: usize) -> usize {
    bytes / 8 + 5 * filled + if filled > 0 { OF_BID } else { 0 }
}

/// The cost of ranking a bid among the `waiting` ones, and then of adding it to a pod with `in_pod` bids.
pub fn of_ranking(waiting: usize, in_pod: usize) -> usize {
    60 + waiting * 2 + (1 + in_pod) * TEXT
}

/// The cost of counting the `others` that a cap on bids counts: their ids are hashed.
pub fn of_caps(campaign: &Campaign<'_>, others: usize) -> usize {
    if campaign.cap_on() == CapOn::Bid { others * 4 * TEXT } else { 0 }
}

/// The cost of finding the bids in the same pod among `others`.
pub fn of_others(others: usize) -> usize {
    others * TEXT
}

/// The cost of a mark of this text for `poddedupe`, and of sorting it in.
pub fn of_mark(text: &str) -> usize {
    TEXT + text.len() / 2
}

/// The cost of comparing this many marks.
pub fn of_marks(count: usize) -> usize {
    TEXT + count
}
