//! Checks a bid against the other bids on the same pod (OpenRTB 2.6 §3.2.7 `poddedupe`, §7.6).

use bumpalo::Bump;
use bumpalo::collections::Vec;

use crate::bid::Bid;
use base::category;
use base::hash::fnv;
use base::ranked;
use catalog::{Advertiser, Media, Side};
use openrtb::request::{Imp, Linear};
use reasons::no_bid::{Checked, NoBidReason, require};
use rules::playable;
use rules::targeting::{FIRST, LAST, slots};
use rules::work::{self, Meter};

/// AdCOM "Pod Deduplication Settings".
const ADOMAIN: u64 = 1;
const CATEGORY: u64 = 2;
const CREATIVE: u64 = 3;
const MEDIA_FILE: u64 = 4;

/// Whether the bid duplicates none of `others` on its pod, by the pod's `poddedupe`.
pub(crate) fn check(bid: &Bid<'_>, others: &[Bid<'_>], meter: &Meter) -> Checked {
    let Some(pod) = pod(bid.imp) else { return Ok(()) };
    meter.charge(work::of_others(others.len()));
    for other in others {
        // Bids on the same impression are alternatives: at most one is shown.
        if other.imp.id != bid.imp.id && self::pod(other.imp).is_some_and(|offer| offer.podid == pod.podid) {
            require(!meter.is_empty(), NoBidReason::Work)?;
            require(!alike(bid, other, pod.poddedupe, meter), NoBidReason::PodDuplicate)?;
        }
    }
    Ok(())
}

/// The slot that a bid on a dynamic pod requests, the first or the last: among the slots that the campaign targets, the
/// first one that the pod offers. In a structured pod, the impression is the slot (§7.6), so the bid requests none.
pub(crate) fn slot(bid: &Bid<'_>) -> Option<i64> {
    let offer = dynamic(bid)?.offer;
    let rule = bid
        .campaign
        .spot_rules()
        .iter()
        .find(|rule| rule.reason() == NoBidReason::Slotinpod && rule.side() == Side::Include)?;
    let mut wanted = rule.values().filter_map(|(slot, _)| slot.parse().ok());
    wanted.find(|slot| [FIRST, LAST].contains(slot) && slots(offer).any(|own| own == *slot))
}

/// A bid on a dynamic pod.
pub(crate) struct Dynamic<'a> {
    /// The video or audio object with the pod.
    pub(crate) offer: &'a Linear<'a>,
    /// The ad's duration in seconds.
    pub(crate) dur: i64,
}

/// The dynamic pod of a bid; `None` if there is none. Only dynamic pods have `poddur`.
pub(crate) fn dynamic<'a>(bid: &Bid<'a>) -> Option<Dynamic<'a>> {
    let (offer, ad) = linear(bid)?;
    (offer.poddur > 0).then(|| Dynamic { offer, dur: ad.dur() })
}

/// The video or audio ad of a bid, and the object that it fills.
fn linear<'a>(bid: &Bid<'a>) -> Option<(&'a Linear<'a>, catalog::Linear<'a>)> {
    match bid.creative.media() {
        Media::Video(ad) => Some((bid.imp.video?, ad)),
        Media::Audio(ad) => Some((bid.imp.audio?, ad)),
        Media::Banner(_) | Media::Native(_) => None,
    }
}

fn pod<'a>(imp: &'a Imp<'a>) -> Option<&'a Linear<'a>> {
    imp.linear().find(|offer| !offer.podid.is_empty())
}

/// The values of a bid that the settings compare, as sorted numbers: a hash, and the setting in the last three bits.
/// `None` if the meter is empty.
pub(crate) fn marks<'a>(bid: &Bid<'a>, settings: u8, meter: &Meter, arena: &'a Bump) -> Option<&'a [u64]> {
    if settings == 0 || bid.imp.linear().next().is_none() {
        return Some(&[]);
    }
    let advertiser = Advertiser::of(&bid.campaign, &bid.creative);
    let mut marks = Vec::new_in(arena);
    let mut add = |setting: u64, text: &str, of: i64| {
        if settings >> setting & 1 == 1 && !meter.is_empty() {
            meter.charge(work::of_mark(text));
            marks.push(fnv(text.bytes().chain(of.to_le_bytes())) & !7 | setting);
        }
    };
    advertiser.adomain().iter().for_each(|domain| add(ADOMAIN, domain, 0));
    advertiser.cat().iter().for_each(|cat| add(CATEGORY, category::code(cat), advertiser.cattax()));
    add(CREATIVE, bid.creative.crid(), 0);
    files(bid).for_each(|file| add(MEDIA_FILE, file, 0));
    ranked::sort(&mut marks);
    (!meter.is_empty()).then(|| marks.into_bump_slice() as &[u64])
}

/// Whether two bids are duplicates by one of these settings. Both have [`marks`].
pub(crate) fn alike(a: &Bid<'_>, b: &Bid<'_>, by: u8, meter: &Meter) -> bool {
    let (mut left, mut right) = (a.marks, b.marks);
    meter.charge(work::of_marks(left.len() + right.len()));
    while let ([first, others @ ..], [second, rest @ ..]) = (left, right) {
        if first == second && by >> (first & 7) & 1 == 1 {
            return true;
        }
        (left, right) = if first <= second { (others, right) } else { (left, rest) };
    }
    false
}

/// The URLs of the media files in the bid's markup. A VAST document that the catalog gives as a whole counts as one
/// file.
fn files<'a>(bid: &Bid<'a>) -> impl Iterator<Item = &'a str> {
    linear(bid).into_iter().flat_map(|(offer, ad)| {
        let named = ad.vast().files().iter().filter(|file| playable(offer, file));
        named.map(move |file| if file.url().is_empty() { ad.vast().head() } else { file.url() })
    })
}
