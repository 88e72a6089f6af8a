//! Checks a bid against the other bids on the same pod (OpenRTB 2.6 §3.2.7 `poddedupe`, §7.6).

use super::{Checked, playable, require};
use crate::bid::Bid;
use crate::catalog::{Advertiser, Media, Side};
use crate::no_bid::NoBidReason;
use crate::request::{Imp, Linear};
use crate::targeting::{FIRST, LAST, slots};

/// AdCOM "Pod Deduplication Settings".
const ADOMAIN: i64 = 1;
const CATEGORY: i64 = 2;
const CREATIVE: i64 = 3;
const MEDIA_FILE: i64 = 4;

/// Whether the bid duplicates none of `others` on its pod, by the pod's `poddedupe`.
pub fn check(bid: &Bid<'_>, others: &[Bid<'_>]) -> Checked {
    let Some(pod) = pod(bid.imp) else { return Ok(()) };
    let beside = others.iter().filter(|other| {
        // Bids on the same impression are alternatives: at most one is shown.
        other.imp.id != bid.imp.id && self::pod(other.imp).is_some_and(|offer| offer.podid == pod.podid)
    });
    require(beside.into_iter().all(|other| !alike(bid, other, pod.poddedupe)), NoBidReason::PodDuplicate)
}

/// The slot that a bid on a dynamic pod asks for, the first or the last: of those that the campaign targets, the first
/// one that the pod offers. In a structured pod the impression is the slot (§7.6), so the bid asks for none.
#[must_use]
pub fn slot(bid: &Bid<'_>) -> Option<i64> {
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
    let (offer, ad) = match bid.creative.media() {
        Media::Video(ad) => (bid.imp.video?, ad),
        Media::Audio(ad) => (bid.imp.audio?, ad),
        Media::Banner(_) | Media::Native(_) => return None,
    };
    (offer.poddur > 0).then(|| Dynamic { offer, dur: ad.dur() })
}

fn pod<'a>(imp: &'a Imp<'a>) -> Option<&'a Linear<'a>> {
    imp.linear().find(|offer| !offer.podid.is_empty())
}

/// Whether two bids are duplicates by one of these deduplication settings.
pub(crate) fn alike(a: &Bid<'_>, b: &Bid<'_>, by: &[i64]) -> bool {
    let [of_a, of_b] = [a, b].map(|bid| Advertiser::of(&bid.campaign, &bid.creative));
    by.iter().any(|by| match *by {
        ADOMAIN => of_a.adomain().iter().any(|domain| of_b.adomain().contains(&domain)),
        CATEGORY => of_a.cattax() == of_b.cattax() && of_a.cat().iter().any(|cat| of_b.cat().contains(&cat)),
        CREATIVE => a.creative.crid() == b.creative.crid(),
        MEDIA_FILE => files(a).any(|file| files(b).any(|other| other == file)),
        _ => false,
    })
}

/// The URLs of the media files in the bid's markup. A VAST document that the catalog gives as a whole counts as one
/// file.
fn files<'a>(bid: &Bid<'a>) -> impl Iterator<Item = &'a str> {
    let (offer, ad) = match bid.creative.media() {
        Media::Video(ad) => (bid.imp.video, Some(ad)),
        Media::Audio(ad) => (bid.imp.audio, Some(ad)),
        Media::Banner(_) | Media::Native(_) => (None, None),
    };
    offer.zip(ad).into_iter().flat_map(|(offer, ad)| {
        let named = ad.vast().files().iter().filter(|file| playable(offer, file));
        named.map(move |file| if file.url().is_empty() { ad.vast().head() } else { file.url() })
    })
}
