//! Bids of one pod that a seller would take for duplicates (`poddedupe`).

use serde_json::Value;

use super::creative::medium;
use super::json::{at, has, int, ints, text, texts};
use super::linear::playable;

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
