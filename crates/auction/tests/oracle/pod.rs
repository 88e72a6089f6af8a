//! The ads that can be shown together in a pod: `poddedupe` forbids duplicates, and a dynamic pod has limited room.

use serde_json::Value;

use super::creative::medium;
use super::eligible::advertiser;
use super::json::{at, has, int, ints, text, texts};
use super::linear::playable;
use super::markup::slot;

/// The most bids on one dynamic pod under deals, and as many without deals.
const MAX_POD_BIDS: usize = 8;
/// The most bids of one answer. Each impression may have an equal part of these bids, half under deals and half
/// without.
const MAX_BIDS: usize = 256;

/// An ad that a bid shows on an impression.
#[derive(Clone, Copy)]
pub struct Ad<'p> {
    pub imp: &'p Value,
    pub campaign: &'p Value,
    pub creative: &'p Value,
}

impl<'p> Ad<'p> {
    fn offer(&self) -> &'p Value {
        at(self.imp, medium(self.creative))
    }

    /// Whether the seller's `poddedupe` allows only one of the two ads in the pod.
    pub fn duplicates(&self, other: &Ad<'_>) -> bool {
        let pod = text(self.offer(), "podid");
        !pod.is_empty()
            && pod == text(other.offer(), "podid")
            && ints(self.offer(), "poddedupe").iter().any(|kind| self.shares(*kind, other))
    }

    /// Whether the ad fits on the impression beside the other ads. Only a dynamic pod takes several ads.
    pub fn has_room(&self, others: &[Ad<'_>], imps: usize) -> bool {
        let Some(first) = others.first() else { return true };
        let offer = first.offer();
        let Some(seconds) = int(offer, "poddur") else { return false };
        let dur = |ad: &Ad<'_>| int(at(ad.creative, medium(ad.creative)), "dur").unwrap();
        let maxseq = int(offer, "maxseq").map_or(usize::MAX, |maxseq| usize::try_from(maxseq).unwrap());
        let most = maxseq.min(MAX_POD_BIDS).min(MAX_BIDS / imps / 2);
        let asked = |ad: &Ad<'_>| slot(ad.campaign, ad.offer());
        medium(self.creative) == medium(first.creative)
            && others.len() < most
            && others.iter().map(dur).sum::<i64>() + dur(self) <= seconds
            && others.iter().all(|other| {
                text(self.campaign, "cid") != text(other.campaign, "cid")
                    && (asked(self).is_none() || asked(self) != asked(other))
                    && !ints(offer, "poddedupe").iter().any(|kind| self.shares(*kind, other))
            })
    }

    fn shares(&self, kind: i64, other: &Ad<'_>) -> bool {
        let (ours, theirs) = (advertiser(self.campaign, self.creative), advertiser(other.campaign, other.creative));
        let common = |key: &str| texts(ours, key).iter().any(|one| texts(theirs, key).contains(one));
        match kind {
            1 => common("adomain"),
            2 => taxonomy(ours) == taxonomy(theirs) && common("cat"),
            3 => text(self.creative, "crid") == text(other.creative, "crid"),
            _ => self.files().iter().any(|url| other.files().contains(url)),
        }
    }

    /// The URLs of the media files that the player takes; for a ready VAST document, the document itself.
    fn files(&self) -> Vec<String> {
        let ours = at(self.creative, medium(self.creative));
        if has(ours, "adm") {
            return vec![text(ours, "adm").to_owned()];
        }
        playable(ours, self.offer()).iter().map(|file| text(file, "url").to_owned()).collect()
    }
}

fn taxonomy(advertiser: &Value) -> i64 {
    int(advertiser, "cattax").unwrap_or(1)
}
