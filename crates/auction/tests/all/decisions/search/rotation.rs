//! The creatives of a campaign are shown as often as its rotation says.

use std::collections::BTreeMap;

use auction::context::Context;
use serde_json::{Value, json};

use super::super::{campaign, decide, request, snapshot, with};

const REQUESTS: usize = 20_000;

/// How often each creative is shown. The creatives are banners of these widths, and `shown` is `creatives` of a campaign.
/// A second campaign pays the same and has the same creatives; it is not counted.
fn shown(widths: &[i64], shown: &Value, rotation: &str, offered: i64) -> BTreeMap<String, usize> {
    let creative = |(at, w): (usize, &i64)| json!({"crid": format!("c{at}"), "banner": {"w": w, "h": 50, "adm": "-"}});
    let creatives: Vec<Value> = widths.iter().enumerate().map(creative).collect();
    let own = |cid| campaign(cid, &json!({"creatives": shown, "rotation": rotation}));
    let snapshot = snapshot(&json!({ "creatives": creatives }), ["counted", "other"].map(own));
    let (catalog, mut counts) = (snapshot.catalog(), BTreeMap::new());
    for number in 0..REQUESTS {
        let imp = json!({"id": "1", "banner": {"w": offered, "h": 50}});
        let request = with(request([imp]), &json!({"id": format!("r{number}")}));
        let bids = decide(&catalog, &request, &Context::default()).bids();
        if bids[0]["cid"] == "counted" {
            *counts.entry(bids[0]["crid"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    counts
}

/// Whether the counts have these ratios, within four standard deviations.
#[allow(clippy::cast_precision_loss, reason = "the counts are small")]
fn have_ratios(counts: &BTreeMap<String, usize>, ratios: &[(&str, f64)]) -> bool {
    let all: usize = counts.values().sum();
    let whole: f64 = ratios.iter().map(|(_, ratio)| ratio).sum();
    let is_near = |(crid, ratio): &(&str, f64)| {
        let (share, count) = (ratio / whole, counts.get(*crid).copied().unwrap_or_default());
        (count as f64 - share * all as f64).abs() < 4.0 * (share * (1.0 - share) * all as f64).sqrt().max(0.1)
    };
    // The two campaigns take about half of the requests each.
    (9_500..10_500).contains(&all) && counts.len() == ratios.len() && ratios.iter().all(is_near)
}

#[test]
fn creatives_are_drawn_evenly_whichever_of_two_equal_campaigns_is_drawn() {
    let counts = shown(&[300, 300, 300], &json!(["c0", "c1", "c2"]), "random", 300);
    assert!(have_ratios(&counts, &[("c0", 1.0), ("c1", 1.0), ("c2", 1.0)]), "{counts:?}");
}

#[test]
fn creatives_are_drawn_by_weight() {
    let weighted = |weights: [i64; 3]| -> Value {
        weights.iter().enumerate().map(|(at, weight)| json!({"crid": format!("c{at}"), "weight": weight})).collect()
    };
    let counts = shown(&[300, 300, 300], &weighted([50, 30, 20]), "random", 300);
    assert!(have_ratios(&counts, &[("c0", 50.0), ("c1", 30.0), ("c2", 20.0)]), "{counts:?}");
    let counts = shown(&[728, 300, 300], &weighted([50, 30, 20]), "random", 300);
    assert!(have_ratios(&counts, &[("c1", 30.0), ("c2", 20.0)]), "where the first does not fit: {counts:?}");
    let counts = shown(&[300, 300, 300], &weighted([1_000_000, 1, 1_000_000]), "random", 300);
    assert!(counts.get("c1").is_none_or(|count| *count < 5), "{counts:?}");
}

#[test]
fn a_sequence_shows_the_first_creative_that_fits() {
    let crids = json!(["c0", "c1", "c2"]);
    let first = |widths: [i64; 3]| shown(&widths, &crids, "sequence", 300).into_keys().collect::<Vec<_>>();
    assert_eq!(first([300, 300, 300]), ["c0"]);
    assert_eq!(first([728, 300, 300]), ["c1"]);
}
