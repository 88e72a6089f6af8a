//! In which order a campaign shows its creatives, and how often a person may see them: checked and made ready to serve.

use crate::compile::check::out_of_range;
use crate::compile::choices;
use crate::compile::document::{CampaignEntry, CapEntry};
use crate::decode::{Finding, Rule};
use bidder_wasm::catalog::{CampaignDraft, CreativeDraft, Per};

/// A compiled rotation.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Rotation {
    pub(crate) in_sequence: bool,
    /// One weight for each creative; empty: all the same.
    pub(crate) weights: Vec<u32>,
}

/// Compiles the rotation of a campaign, and adds findings with paths under `path`.
pub(crate) fn rotation(entry: &CampaignEntry, path: &str, findings: &mut Vec<Finding>) -> Rotation {
    let in_sequence = entry.rotation == Some(choices::Rotation::Sequence);
    if entry.creatives.iter().all(|shown| shown.weight.is_none()) {
        return Rotation { in_sequence, weights: Vec::new() };
    }
    let mut weights = Vec::new();
    for (i, shown) in entry.creatives.iter().enumerate() {
        let path = format!("{path}.creatives[{i}]");
        match shown.weight {
            None => {
                let message = "no weight, but other creatives of the campaign have one; expected a weight for each";
                findings.push(Finding::new(path, Rule::Missing, message.to_owned()));
            }
            Some(_) if in_sequence => {
                let message = "no effect with \"rotation\": \"sequence\"; expected no weight".to_owned();
                out_of_range(&format!("{path}.weight"), message, findings);
            }
            Some(weight) => weights.extend(u32::try_from(weight)),
        }
    }
    Rotation { in_sequence, weights }
}

/// The caps of a list, or findings with paths under `path`, e.g. `campaigns[3].caps`. A period comes at most once, so
/// there are at most four.
pub(crate) fn caps(entries: &[CapEntry], path: &str, findings: &mut Vec<Finding>) -> Vec<(Per, u32)> {
    let mut caps: Vec<(Per, u32)> = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let (Some(per), Some(n)) = (entry.per, entry.n.and_then(|n| u32::try_from(n).ok())) else { continue };
        if caps.iter().any(|(known, _)| *known == per) {
            let message = format!("a second cap per {}; expected one for each period", per.as_str());
            out_of_range(&format!("{path}[{i}]"), message, findings);
        }
        caps.push((per, n));
    }
    caps
}

/// Whether a campaign or a creative has a cap.
pub(crate) fn has_caps(campaigns: &[CampaignDraft], creatives: &[CreativeDraft]) -> bool {
    campaigns.iter().flat_map(|campaign| &campaign.bounds).any(|bounds| !bounds.caps.is_empty())
        || creatives.iter().any(|creative| !creative.caps.is_empty())
}

#[cfg(test)]
mod tests {
    use bidder_wasm::catalog::{CapOn, Per};

    use crate::compile::compile;

    /// The caps of the only campaign and of its creative, or the findings.
    fn of(campaign: &str, creative: &str) -> Result<[Vec<(Per, u32)>; 2], Vec<String>> {
        let document = format!(
            r#"{{"format":1,"ssps":[{{"id":"s"}}],"creatives":[{{"crid":"b",{creative}"banner":{{"w":1,"h":1,"adm":"a"}}}}],
            "campaigns":[{{"cid":"c",{campaign}"seat":"s","adomain":["a.example"],"max_cpm":"1","creatives":["b"]}}]}}"#
        );
        let compiled = compile(document.as_bytes(), &[]);
        let compiled = compiled.map_err(|found| found.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        let catalog = compiled.snapshot.catalog();
        let parts = catalog.parts();
        assert_eq!(parts.has_caps(), !(campaign.is_empty() && creative.is_empty()));
        assert_eq!((catalog.needs.device, catalog.needs.eids), (parts.has_caps(), parts.has_caps()));
        let campaign = parts.campaigns().get(0).unwrap();
        assert_eq!(campaign.cap_on(), CapOn::Bill);
        Ok([campaign.caps().iter().collect(), parts.creatives().get(0).unwrap().caps().iter().collect()])
    }

    #[test]
    fn caps_are_read() {
        assert_eq!(of("", ""), Ok([vec![], vec![]]));
        assert_eq!(
            of(r#""caps":[{"n":2,"per":"day"},{"n":1000,"per":"lifetime"}],"#, ""),
            Ok([vec![(Per::Day, 2), (Per::Lifetime, 1000)], vec![]])
        );
        assert_eq!(
            of("", r#""caps":[{"n":1,"per":"hour"},{"n":5,"per":"week"}],"#),
            Ok([vec![], vec![(Per::Hour, 1), (Per::Week, 5)]])
        );
    }
}
