//! Checks in which order a campaign shows its creatives, and makes it ready to serve.

use super::check::out_of_range;
use super::choices;
use super::document::CampaignEntry;
use crate::decode::{Finding, Rule};

/// A compiled rotation.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Rotation {
    pub(super) in_sequence: bool,
    /// One weight for each creative; empty: all the same.
    pub(super) weights: Vec<u32>,
}

/// Compiles the rotation of a campaign, and adds findings with paths under `path`.
pub(super) fn compile(entry: &CampaignEntry, path: &str, findings: &mut Vec<Finding>) -> Rotation {
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
