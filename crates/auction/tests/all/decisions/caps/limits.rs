//! All passes together take at most twice the work of one decision, whatever the request.

use base::limits::max_work;
use serde_json::{Value, json};

use super::{catalog, decide, request, snapshot};
use crate::notices;

/// One check may go over the limit.
const ONE_CHECK: usize = 5_000;

#[test]
fn the_passes_of_a_hostile_request_stay_within_twice_the_limit() {
    let (count, imps) = (3000, 64);
    let campaigns: Vec<Value> = (0..count)
        .map(|n| {
            let mut campaign = super::campaign(&n.to_string(), "1", &json!([{"n": 1, "per": "day"}]));
            campaign["creatives"] = json!(["slow"]);
            campaign
        })
        .collect();
    let mut document = catalog(&campaigns);
    // The index holds one of the two frameworks, so each campaign must be checked.
    document["creatives"][0] = json!({"crid": "slow", "api": [3, 7], "banner": {"w": 300, "h": 250, "adm": "<p>"}});
    let mut body = request(&json!({"buyeruid": "p"}));
    let imp = |n: usize| json!({"id": n.to_string(), "banner": {"w": 300, "h": 250, "api": if n == 0 { json!([3, 7]) } else { json!([3]) }}});
    body["imp"] = (0..imps).map(imp).collect();
    let (snapshot, notices) = (snapshot(&document), notices());
    let first = decide(&snapshot, &body, Some(&notices), None);
    assert!(!first.subjects().is_empty());
    let second = decide(&snapshot, &body, Some(&notices), Some(&first.subjects()));
    let most = max_work(count);
    assert!(first.work > most, "{} of {most}: the first pass alone reaches the limit", first.work);
    assert!(first.work + second.work <= 2 * most + 6 * ONE_CHECK, "{} + {} of {most}", first.work, second.work);
}
