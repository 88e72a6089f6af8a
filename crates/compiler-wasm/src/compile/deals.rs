//! Checks the deals of campaigns against the deals that the SSPs list.

use super::check;
use super::document::Document;
use crate::decode::{Finding, Rule};

/// Reports deals that no SSP of the campaign lists. Checks nothing if no SSP lists deals.
pub(super) fn check(document: &Document, findings: &mut Vec<Finding>) {
    if document.ssps.iter().all(|entry| entry.deals.is_empty()) {
        return;
    }
    for (i, campaign) in document.campaigns.iter().enumerate() {
        let buys = |id: &str| campaign.ssps.is_empty() || campaign.ssps.iter().any(|own| own == id);
        let ssps = || document.ssps.iter().filter(|entry| buys(entry.id.as_deref().unwrap_or_default()));
        for (j, deal) in campaign.deals.iter().enumerate() {
            if !ssps().any(|entry| entry.deals.contains(deal)) {
                let known = ssps().flat_map(|entry| &entry.deals).map(String::as_str);
                let expected = "a deal of an SSP that the campaign buys from";
                let suggestion = check::suggestion(deal, known, expected, findings);
                let message = format!("no SSP of the campaign lists the deal {deal:?}; {suggestion}");
                findings.push(Finding::new(format!("campaigns[{i}].deals[{j}]"), Rule::Unknown, message));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;

    /// The paths of the unknown deals, in a catalog with these SSPs and a campaign with these attributes.
    fn unknown(ssps: &str, campaign: &str) -> Vec<String> {
        let document = format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{ssps}],"creatives":[{{"crid":"a","banner":{{"w":1,"h":1,"adm":"<b>"}}}}],
            "campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["a"]{campaign}}}]}}"#
        );
        let findings = compile(document.as_bytes(), &[]).err().unwrap_or_default();
        findings.iter().map(|finding| format!("{} {}", finding.path, finding.rule.as_str())).collect()
    }

    #[test]
    fn a_deal_must_be_listed_by_an_ssp_of_the_campaign() {
        let (one, other) = (r#"{"id":"one","deals":["d-1","d-2"]}"#, r#"{"id":"other","deals":["d-3"]}"#);
        let silent = r#"{"id":"silent"}"#;
        for (ssps, campaign, expected) in [
            (format!("{one},{other}"), r#","deals":["d-1","d-3"]"#, &[][..]),
            (format!("{one},{other}"), r#","deals":["d-1","d-3","d-4"]"#, &[2]),
            (format!("{one},{other}"), r#","deals":["d-1","d-3"],"ssps":["one"]"#, &[1]),
            (format!("{one},{silent}"), r#","deals":["d-1"],"ssps":["silent"]"#, &[0]),
            (silent.to_owned(), r#","deals":["d-1"]"#, &[]),
        ] {
            let expected: Vec<_> =
                expected.iter().map(|place| format!("campaigns[0].deals[{place}] unknown")).collect();
            assert_eq!(unknown(&ssps, campaign), expected, "{ssps} {campaign}");
        }
    }
}
