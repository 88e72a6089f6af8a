//! In which order a campaign shows its creatives, and how often a person may see them: checked and made ready to serve.

use catalog::{CampaignDraft, CreativeDraft, Per};
use document::check::At;
use document::choices::{self, CapPerson};
use document::decode::Rule;
use document::{CampaignEntry, CapEntry, Document};

/// A compiled rotation.
pub(crate) struct Rotation {
    pub(crate) in_sequence: bool,
    /// One weight for each creative; empty: all the same.
    pub(crate) weights: Vec<u32>,
}

/// Compiles the rotation of the campaign at this position.
pub(crate) fn rotation(entry: &CampaignEntry, at: &At<'_>) -> Rotation {
    let in_sequence = entry.rotation == choices::Rotation::Sequence;
    let mut weights = Vec::new();
    let is_weighted = entry.creatives.iter().any(|shown| shown.weight.is_some());
    for (i, shown) in entry.creatives.iter().enumerate().filter(|_| is_weighted) {
        let at = at.item("creatives", i);
        match shown.weight {
            None => {
                let message = "no weight, but other creatives of the campaign have one; expected a weight for each";
                at.report(Rule::Missing, message);
            }
            Some(_) if in_sequence => {
                at.attribute("weight").error("no effect with \"rotation\": \"sequence\"; expected no weight");
            }
            Some(weight) => weights.extend(u32::try_from(weight)),
        }
    }
    Rotation { in_sequence, weights }
}

/// The caps of the campaign or creative at this position. A period comes at most once, so there are at most four.
pub(crate) fn caps(entries: &[CapEntry], at: &At<'_>) -> Vec<(Per, u32)> {
    let mut caps: Vec<(Per, u32)> = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let (Some(per), Ok(n)) = (entry.per, u32::try_from(entry.n)) else { continue };
        if caps.iter().any(|(known, _)| *known == per) {
            let message = format!("a second cap per {}; expected one for each period", per.as_str());
            at.item("caps", i).error(message);
        }
        caps.push((per, n));
    }
    caps
}

/// Notes caps that never count, because a longer period has a lower number.
pub(crate) fn check_caps(document: &Document, at: &At<'_>) {
    let campaigns = document.campaigns.iter().enumerate().map(|(i, one)| (at.item("campaigns", i), &one.caps));
    let creatives = document.creatives.iter().enumerate().map(|(i, one)| (at.item("creatives", i), &one.caps));
    for (at, caps) in campaigns.chain(creatives) {
        for (i, CapEntry { n, per }) in caps.iter().enumerate() {
            let lower =
                caps.iter().filter(|other| length(other.per) > length(*per) && other.n < *n).min_by_key(|cap| cap.n);
            let Some((own, CapEntry { n: lower, per: Some(longer) })) = per.zip(lower) else { continue };
            let (own, longer) = (own.as_str(), longer.as_str());
            let message = format!("{n} per {own} never counts beside {lower} per {longer}; expected at most {lower}");
            at.item("caps", i).report(Rule::Contradiction, message);
        }
    }
    let of_creatives = || document.creatives.iter().any(|one| !one.caps.is_empty());
    let has_caps = document.campaigns.iter().any(|one| !one.caps.is_empty()) || of_creatives();
    if document.cap_person == CapPerson::Household && !has_caps {
        let message = "no campaign or creative has caps, so no household is counted; expected caps";
        at.attribute("cap_person").report(Rule::Ambiguous, message);
    }
}

/// The position of a period among all, the shortest first.
fn length(per: Option<Per>) -> Option<usize> {
    [Per::Hour, Per::Day, Per::Week, Per::Lifetime].iter().position(|known| Some(*known) == per)
}

/// Whether a campaign or a creative has a cap.
pub(crate) fn has_caps(campaigns: &[CampaignDraft], creatives: &[CreativeDraft]) -> bool {
    campaigns.iter().flat_map(|campaign| &campaign.bounds).any(|bounds| !bounds.caps.is_empty())
        || creatives.iter().any(|creative| !creative.caps.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::tests::{compiled, with};
    use catalog::{CapOn, Per};
    use serde_json::json;

    #[test]
    fn caps_are_read() {
        for (of_campaign, of_creative) in [
            (vec![], vec![]),
            (vec![(Per::Day, 2), (Per::Lifetime, 1000)], vec![]),
            (vec![], vec![(Per::Hour, 1), (Per::Week, 5)]),
        ] {
            let caps = |caps: &[(Per, u32)]| {
                let caps: Vec<_> = caps.iter().map(|(per, n)| json!({ "n": n, "per": per.as_str() })).collect();
                json!({ "caps": caps })
            };
            let document = with([("campaigns", caps(&of_campaign)), ("creatives", caps(&of_creative))]);
            let compiled = compiled(&document).unwrap();
            let catalog = compiled.snapshot.catalog();
            let (parts, has_any) = (catalog.parts(), !(of_campaign.is_empty() && of_creative.is_empty()));
            assert_eq!([parts.has_caps(), catalog.needs.device, catalog.needs.eids], [has_any; 3]);
            let campaign = parts.campaigns().get(0).unwrap();
            assert_eq!(campaign.cap_on(), CapOn::Bill);
            assert_eq!(campaign.caps().iter().collect::<Vec<_>>(), of_campaign);
            assert_eq!(parts.creatives().get(0).unwrap().caps().iter().collect::<Vec<_>>(), of_creative);
        }
    }
}
