//! Checks in which order a campaign shows its creatives, and makes it ready to serve.

use bidder_wasm::limits::MAX_WEIGHT;

use super::check::{out_of_range, suggestion};
use super::document::CampaignEntry;
use crate::decode::{Finding, Rule};

/// A compiled rotation.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Rotation {
    pub(super) in_sequence: bool,
    /// One weight for each creative; empty: all the same.
    pub(super) weights: Vec<u32>,
}

/// The ways to order creatives.
const ROTATIONS: [&str; 2] = ["random", "sequence"];

/// Compiles the rotation of a campaign, and adds findings with paths under `path`.
pub(super) fn compile(entry: &CampaignEntry, path: &str, findings: &mut Vec<Finding>) -> Rotation {
    let name = entry.rotation.as_deref().unwrap_or("random");
    if !ROTATIONS.contains(&name) {
        let suggestion = suggestion(name, ROTATIONS.into_iter(), "random or sequence", findings);
        let message = format!("{name:?} is unknown; {suggestion}");
        findings.push(Finding::new(format!("{path}.rotation"), Rule::Unknown, message));
    }
    let in_sequence = name == "sequence";
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
            Some(weight) => {
                let valid = u32::try_from(weight).ok().filter(|weight| (1..=MAX_WEIGHT).contains(weight));
                if valid.is_none() {
                    out_of_range(&format!("{path}.weight"), format!("{weight}; expected 1 to {MAX_WEIGHT}"), findings);
                }
                weights.extend(valid);
            }
        }
    }
    Rotation { in_sequence, weights }
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;

    /// What is found in a document whose campaign has these attributes.
    fn found(attributes: &str) -> Vec<String> {
        let document = format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"s"}}],"creatives":[{{"crid":"a",
            "banner":{{"w":1,"h":1,"adm":"-"}}}},{{"crid":"b","banner":{{"w":1,"h":1,"adm":"-"}}}}],"campaigns":[{{"cid":"c",
            "seat":"s","adomain":["a.example"],"max_cpm":"1",{attributes}}}]}}"#
        );
        let compiled = compile(document.as_bytes(), &[]);
        compiled.map_or_else(|found| found, |compiled| compiled.notes).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn weights_are_for_all_creatives_or_for_none() {
        let weighted = |a: &str, b: &str| format!(r#""creatives":[{{"crid":"a"{a}}},{{"crid":"b"{b}}}]"#);
        for (attributes, expected) in [
            (weighted(r#","weight":1"#, r#","weight":1000000"#), None),
            (r#""creatives":["a",{"crid":"b"}],"rotation":"sequence""#.to_owned(), None),
            (
                weighted(r#","weight":1"#, ""),
                Some(
                    "campaigns[0].creatives[1]: no weight, but other creatives of the campaign have one; expected a weight for each",
                ),
            ),
            (
                weighted(r#","weight":0"#, r#","weight":1"#),
                Some("campaigns[0].creatives[0].weight: 0; expected 1 to 1000000"),
            ),
            (weighted(r#","weight":1"#, r#","weight":1"#) + r#","rotation":"random""#, None),
            (
                r#""creatives":["a"],"rotation":"sequense""#.to_owned(),
                Some(r#"campaigns[0].rotation: "sequense" is unknown; did you mean "sequence"?"#),
            ),
            (
                r#""creatives":[{"crid":"a","weight":1}],"rotation":"sequence""#.to_owned(),
                Some(r#"campaigns[0].creatives[0].weight: no effect with "rotation": "sequence"; expected no weight"#),
            ),
        ] {
            assert_eq!(found(&attributes), expected.into_iter().collect::<Vec<_>>(), "{attributes}");
        }
    }
}
