//! Which bids of one pod can be shown together: not those that a seller would take for duplicates (`poddedupe`), and on a
//! dynamic pod no more than there is room for.

use serde_json::Value;

use super::creative::medium;
use super::json::{at, has, int, ints, text, texts};
use super::linear::playable;
use super::markup::slot;

/// The most ads that are bid on one pod, and in one answer; the latter shared by all impressions, each with and without
/// deals.
const MOST_ON_POD: usize = 8;
const MOST_IN_ANSWER: usize = 256;

/// A bid that was chosen.
#[derive(Clone, Copy)]
pub struct Shown<'p> {
    pub imp: &'p Value,
    pub campaign: &'p Value,
    pub creative: &'p Value,
}

impl<'p> Shown<'p> {
    fn offer(&self) -> &'p Value {
        at(self.imp, medium(self.creative))
    }

    /// Whether a seller who dedupes would take only one of the two.
    pub fn duplicates(&self, other: &Shown<'_>) -> bool {
        let pod = text(self.offer(), "podid");
        !pod.is_empty()
            && pod == text(other.offer(), "podid")
            && ints(self.offer(), "poddedupe").iter().any(|kind| self.shares(*kind, other))
    }

    /// Whether both fit on the impression besides others that do: one ad, unless it is a dynamic pod.
    pub fn has_room(&self, others: &[Shown<'_>], imps: usize) -> bool {
        let Some(first) = others.first() else { return true };
        let offer = first.offer();
        let Some(seconds) = int(offer, "poddur") else { return false };
        let dur = |shown: &Shown<'_>| int(at(shown.creative, medium(shown.creative)), "dur").unwrap();
        let told = int(offer, "maxseq").map_or(usize::MAX, |maxseq| usize::try_from(maxseq).unwrap());
        let most = told.min(MOST_ON_POD).min(MOST_IN_ANSWER / imps / 2);
        let asked = |shown: &Shown<'_>| slot(shown.campaign, shown.offer());
        medium(self.creative) == medium(first.creative)
            && others.len() < most
            && others.iter().map(dur).sum::<i64>() + dur(self) <= seconds
            && others.iter().all(|other| {
                text(self.campaign, "cid") != text(other.campaign, "cid")
                    && (asked(self).is_none() || asked(self) != asked(other))
                    && !ints(offer, "poddedupe").iter().any(|kind| self.shares(*kind, other))
            })
    }

    fn shares(&self, kind: i64, other: &Shown<'_>) -> bool {
        let common = |key: &str| texts(self.campaign, key).iter().any(|one| texts(other.campaign, key).contains(one));
        match kind {
            1 => common("adomain"),
            2 => taxonomy(self.campaign) == taxonomy(other.campaign) && common("cat"),
            3 => text(self.creative, "crid") == text(other.creative, "crid"),
            _ => self.files().iter().any(|url| other.files().contains(url)),
        }
    }

    /// The URLs of the files that play there; the document itself where it came ready.
    fn files(&self) -> Vec<String> {
        let ours = at(self.creative, medium(self.creative));
        if has(ours, "adm") {
            return vec![text(ours, "adm").to_owned()];
        }
        playable(ours, self.offer()).iter().map(|file| text(file, "url").to_owned()).collect()
    }
}

fn taxonomy(campaign: &Value) -> i64 {
    int(campaign, "cattax").unwrap_or(1)
}
