//! Parts of a bid that depend on the impression: the slot, the companions in VAST, the version of a native answer.

use serde_json::Value;

use super::crate_under_test::Bid;
use super::creative::medium;
use super::json::{at, has, int, ints, list, text};
use super::linear::companions;

/// The first fault of the bid.
pub fn fault(bid: &Bid, campaign: &Value, creative: &Value, imp: &Value) -> Option<String> {
    let medium = medium(creative);
    let (ours, offer) = (at(creative, medium), at(imp, medium));
    let slot = slot(campaign, offer);
    if bid.slotinpod != slot {
        return Some(format!("slotinpod {:?}, expected {slot:?}", bid.slotinpod));
    }
    match medium {
        "video" | "audio" => {
            let (shown, expected) = (bid.adm.matches("<Companion ").count(), companions(ours, offer));
            if shown != expected {
                return Some(format!("{shown} companions, expected {expected}: {}", bid.adm));
            }
            if has(ours, "adm") { None } else { super::vast::fault(&bid.adm, ours, offer) }
        }
        "native" => {
            let expected = text(offer, "ver");
            let answer: Value = serde_json::from_str(&bid.adm).unwrap();
            let wrapped = has(&answer, "native");
            let answer = if wrapped { at(&answer, "native") } else { &answer };
            // Every generated request asks for both ways to track an impression and for a privacy link.
            let found = ["imptrackers", "jstracker"].map(|key| has(answer, key));
            let ours = ["imptrackers", "jstracker"].map(|key| has(ours, key));
            let tracked = if expected == "1.2" {
                let methods = [1, 2]
                    .map(|method| list(answer, "eventtrackers").iter().any(|one| int(one, "method") == Some(method)));
                found == [false; 2] && methods == ours
            } else {
                found == ours && !has(answer, "eventtrackers")
            };
            let privacy = has(answer, "privacy") == (expected == "1.2" && has(at(creative, medium), "privacy"));
            let of_version = text(answer, "ver") == expected && wrapped == (expected == "1.0") && tracked && privacy;
            (!of_version).then(|| format!("not a native answer of version {expected}: {}", bid.adm))
        }
        _ => None,
    }
}

/// The slot that a bid asks for: on a dynamic pod, the first one that the campaign wants and the seller guarantees.
pub fn slot(campaign: &Value, offer: &Value) -> Option<i64> {
    let guaranteed: &[i64] = match int(offer, "slotinpod") {
        Some(1) => &[1],
        Some(-1) => &[-1],
        Some(2) => &[1, -1],
        _ => &[],
    };
    let wanted = ints(campaign, "target/slotinpod/include");
    wanted.into_iter().find(|slot| guaranteed.contains(slot)).filter(|_| has(offer, "poddur"))
}
