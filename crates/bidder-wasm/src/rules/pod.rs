//! A bid against the bids already made on the same pod (OpenRTB 2.6 §3.2.7 `poddedupe`, §7.6).

use super::{Verdict, require};
use crate::catalog::{Creative, Media};
use crate::decide::Bid;
use crate::no_bid::NoBidReason;
use crate::request::{Imp, Linear};

/// AdCOM "Pod Deduplication Settings".
const ADOMAIN: i64 = 1;
const CATEGORY: i64 = 2;
const CREATIVE: i64 = 3;
const MEDIA_FILE: i64 = 4;

/// Whether the seller would keep this bid beside the others of its pod.
pub fn check(bid: &Bid<'_>, others: &[Bid<'_>]) -> Verdict {
    let Some(pod) = pod(bid.imp) else { return Ok(()) };
    let beside = others.iter().filter(|other| {
        // Two bids on one slot are alternatives; only one of them is shown.
        other.imp.id != bid.imp.id && self::pod(other.imp).is_some_and(|offer| offer.podid == pod.podid)
    });
    require(beside.into_iter().all(|other| !alike(bid, other, pod.poddedupe)), NoBidReason::PodDuplicate)
}

fn pod<'a>(imp: &'a Imp<'a>) -> Option<&'a Linear<'a>> {
    [&imp.video, &imp.audio].into_iter().flatten().find(|offer| !offer.podid.is_empty())
}

fn alike(a: &Bid<'_>, b: &Bid<'_>, by: &[i64]) -> bool {
    by.iter().any(|by| match *by {
        ADOMAIN => a.campaign.adomain.iter().any(|domain| b.campaign.adomain.contains(domain)),
        CATEGORY => {
            a.campaign.cattax == b.campaign.cattax && a.campaign.cat.iter().any(|cat| b.campaign.cat.contains(cat))
        }
        CREATIVE => a.creative.crid == b.creative.crid,
        MEDIA_FILE => files(a.creative).any(|file| files(b.creative).any(|other| other == file)),
        _ => false,
    })
}

/// The media files of a creative; a ready document counts as one.
fn files(creative: &Creative) -> impl Iterator<Item = &str> {
    let ad = match &creative.media {
        Media::Video(ad) | Media::Audio(ad) => Some(ad),
        Media::Banner(_) | Media::Native(_) => None,
    };
    ad.into_iter().flat_map(|ad| {
        ad.vast.files.iter().map(|file| if file.url.is_empty() { ad.vast.head.as_str() } else { file.url.as_str() })
    })
}
