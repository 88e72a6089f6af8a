//! On generated catalogs and requests, the second decision is the plain decision of a catalog in which the refused and the
//! unasked campaigns with caps cannot bid. The kept answer is that of a catalog in which no campaign with caps can.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{catalog, decide, snapshot};
use crate::notices;
use base::hash::hash_of;

/// Widths of banners.
const WIDTHS: [i64; 2] = [300, 728];

#[derive(Debug, Clone)]
struct Case {
    /// Width and whether it has caps, of each creative.
    creatives: Vec<(usize, bool)>,
    /// Whether it has caps, and its creatives.
    campaigns: Vec<(bool, Vec<usize>)>,
    /// The width of each impression.
    imps: Vec<usize>,
    /// Which of the subjects the object refuses.
    refused: u8,
}

fn case() -> impl Strategy<Value = Case> {
    let creatives = prop::collection::vec((0..2_usize, any::<bool>()), 1..5);
    creatives.prop_flat_map(|creatives| {
        let own = prop::sample::subsequence((0..creatives.len()).collect::<Vec<_>>(), 1..=creatives.len());
        let campaigns = prop::collection::vec((any::<bool>(), own), 1..9);
        let imps = prop::collection::vec(0..2_usize, 1..4);
        (Just(creatives), campaigns, imps, any::<u8>()).prop_map(|(creatives, campaigns, imps, refused)| Case {
            creatives,
            campaigns,
            imps,
            refused,
        })
    })
}

impl Case {
    /// The catalog. `may_bid`: whether the subject with this text may bid. It keeps its position in any case, so that
    /// the order of equal campaigns stays.
    fn document(&self, with_caps: bool, may_bid: impl Fn(&str) -> bool) -> Value {
        let caps = |has: bool| if has && with_caps { json!([{"n": 1, "per": "week"}]) } else { json!([]) };
        let creatives = self.creatives.iter().enumerate().map(|(n, (width, has_caps))| {
            let may_bid = !has_caps || may_bid(&subject('k', &format!("k{n}")));
            let banner = json!({"w": if may_bid { WIDTHS[*width] } else { 1 }, "h": 250, "adm": "<p>"});
            json!({"crid": format!("k{n}"), "banner": banner, "caps": caps(*has_caps)})
        });
        let campaigns: Vec<Value> = self
            .campaigns
            .iter()
            .enumerate()
            .map(|(n, (has_caps, creatives))| {
                let cid = format!("c{n}");
                // Some campaigns pay the same.
                let mut campaign = super::campaign(&cid, &format!("{}", 1 + n / 2), &caps(*has_caps));
                campaign["paused"] = (*has_caps && !may_bid(&subject('c', &cid))).into();
                campaign["creatives"] = creatives.iter().map(|k| json!(format!("k{k}"))).collect();
                campaign
            })
            .collect();
        let mut document = catalog(&campaigns);
        document["creatives"] = creatives.collect();
        document
    }

    fn request(&self) -> Value {
        let imps = self.imps.iter().enumerate();
        let imps: Value =
            imps.map(|(n, width)| json!({"id": n.to_string(), "banner": {"w": WIDTHS[*width], "h": 250}})).collect();
        json!({"id": "r", "imp": imps, "user": {"buyeruid": "p"}})
    }
}

fn subject(letter: char, id: &str) -> String {
    format!("{letter}{:016x}", hash_of(id))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_second_decision_is_the_plain_one_without_the_refused(case in case()) {
        let (request, notices) = (case.request(), notices());
        let plain = |may_bid: &dyn Fn(&str) -> bool| {
            decide(&snapshot(&case.document(false, may_bid)), &request, Some(&notices), None)
        };
        let catalog = snapshot(&case.document(true, |_| true));
        let first = decide(&catalog, &request, Some(&notices), None);
        let best = plain(&|_| true);
        if first.asked.is_null() {
            prop_assert_eq!(first.bids(), best.bids());
            return Ok(());
        }
        let none = plain(&|_| false);
        prop_assert_eq!(first.bids(), none.bids());
        let asked = first.subjects();
        prop_assert!(!asked.is_empty() && asked.len() <= 8);
        let allowed: Vec<&str> = asked.iter().enumerate().filter(|(n, _)| case.refused >> n & 1 == 0).map(|(_, s)| *s).collect();
        let second = decide(&catalog, &request, Some(&notices), Some(&allowed));
        let without = plain(&|subject| allowed.contains(&subject));
        prop_assert_eq!(second.bids(), without.bids());
        if allowed.len() == asked.len() && case.imps.len() <= 4 {
            prop_assert_eq!(second.bids(), best.bids(), "if all are allowed, the best bids win");
        }
    }
}
