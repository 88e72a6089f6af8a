//! Checks `skadn` of a campaign (IAB community extension `skadnetwork`) and makes it ready to serve.

use bidder_wasm::catalog::{CampaignDraft, CreativeDraft, SkadnDraft};

use super::check::out_of_range;
use super::document::{CampaignEntry, SkadnEntry};
use crate::decode::{Finding, Rule};

/// What ends the id of an advertising network.
const SUFFIX: &str = ".skadnetwork";

/// The most characters of a network's id. Known ids have 22.
const MAX_NETWORK_BYTES: usize = 64;

/// The most digits of an id in the App Store. Known ids have ten.
const MAX_APP_DIGITS: usize = 20;

pub(super) fn compile(
    campaign: &CampaignEntry,
    entry: &SkadnEntry,
    path: &str,
    findings: &mut Vec<Finding>,
) -> SkadnDraft {
    let network = entry.network.clone().unwrap_or_default();
    let name = network.strip_suffix(SUFFIX).unwrap_or_default();
    let is_id = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if !is_id || network.len() > MAX_NETWORK_BYTES {
        let message = format!("{network:?} is not a network; expected an id in lower case such as abc123{SUFFIX}");
        out_of_range(&format!("{path}.network"), message, findings);
    }
    let itunesitem = entry.itunesitem.clone().unwrap_or_default();
    if !is_number(&itunesitem) || itunesitem.len() > MAX_APP_DIGITS {
        let message = format!("{itunesitem:?} is not an id of the App Store; expected digits such as 123456789");
        out_of_range(&format!("{path}.itunesitem"), message, findings);
    } else if let Some(bundle) = campaign.bundle.as_ref().filter(|bundle| is_number(bundle) && **bundle != itunesitem) {
        let message = format!("{itunesitem}, but the campaign's bundle is {bundle}; expected the same app");
        out_of_range(&format!("{path}.itunesitem"), message, findings);
    }
    for (name, number, most) in
        [("sourceidentifier", &entry.sourceidentifier, 9999), ("campaign", &entry.campaign, 100)]
    {
        let Some(number) = number else { continue };
        if !is_number(number) || number.starts_with('0') || number.parse::<u32>().is_ok_and(|number| number > most) {
            let message = format!("{number:?}; expected a number from 1 to {most} as a string");
            out_of_range(&format!("{path}.{name}"), message, findings);
        }
    }
    if entry.sourceidentifier.is_none() && entry.campaign.is_none() {
        let message = "has no number of the campaign; expected sourceidentifier (SKAdNetwork 4.0), campaign (2.0 to 3.0), or both";
        findings.push(Finding::new(path.to_owned(), Rule::Missing, message.to_owned()));
    }
    let list_id = entry.list_id.unwrap_or_default();
    if entry.list_id.is_some() && list_id < 1 {
        out_of_range(&format!("{path}.list_id"), format!("{list_id}; expected a positive number"), findings);
    }
    SkadnDraft {
        required: entry.required.unwrap_or(false),
        network,
        list_id,
        itunesitem,
        sourceidentifier: entry.sourceidentifier.clone().unwrap_or_default(),
        campaign: entry.campaign.clone().unwrap_or_default(),
    }
}

/// Refuses creatives that advertise another app than the campaign's `skadn`: Apple would count the wrong app.
pub(super) fn check_creatives(
    campaigns: &[CampaignDraft],
    creatives: &[Option<CreativeDraft>],
    findings: &mut Vec<Finding>,
) {
    for (i, campaign) in campaigns.iter().enumerate() {
        let Some(skadn) = campaign.bounds.first().and_then(|bounds| bounds.skadn.as_ref()) else { continue };
        for (j, place) in campaign.creatives.iter().enumerate() {
            let shown = creatives.get(*place as usize).and_then(Option::as_ref);
            let Some(bundle) = shown.and_then(|shown| Some(&shown.advertiser.first()?.bundle)) else { continue };
            if is_number(bundle) && *bundle != skadn.itunesitem {
                let message = format!(
                    "its bundle is {bundle}, but skadn.itunesitem of the campaign is {}; expected a campaign for each app",
                    skadn.itunesitem
                );
                out_of_range(&format!("campaigns[{i}].creatives[{j}]"), message, findings);
            }
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= MAX_APP_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;

    /// The findings on a campaign with this `skadn` and these other attributes.
    fn wrong(skadn: &str, more: &str) -> Vec<String> {
        let document = format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"a"}}],"creatives":[{{"crid":"b","banner":{{"w":1,"h":1,"adm":"<b>"}}}}],
            "campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["b"],"skadn":{{{skadn}}}{more}}}]}}"#
        );
        let findings = compile(document.as_bytes(), &[]).err().unwrap_or_default();
        findings.iter().map(|finding| finding.to_string().replace("campaigns[0].skadn", "skadn")).collect()
    }

    #[test]
    fn creatives_advertise_the_same_app() {
        let skadn = r#""network":"abc123.skadnetwork","itunesitem":"1","campaign":"45""#;
        let of = |bundle: &str| {
            let document = format!(
                r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"a"}}],"creatives":[{{"crid":"b",{bundle}"banner":{{"w":1,"h":1,"adm":"<b>"}}}}],
                "campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["b"],"skadn":{{{skadn}}}}}]}}"#
            );
            let findings = compile(document.as_bytes(), &[]).err().unwrap_or_default();
            findings.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(of(""), [""; 0]);
        assert_eq!(of(r#""adomain":["y.example"],"#), [""; 0]);
        assert_eq!(of(r#""adomain":["y.example"],"bundle":"1","#), [""; 0]);
        assert_eq!(
            of(r#""adomain":["y.example"],"bundle":"2","#),
            [
                "campaigns[0].creatives[0]: its bundle is 2, but skadn.itunesitem of the campaign is 1; expected a campaign for each app"
            ]
        );
    }

    #[test]
    fn numbers_and_ids_are_checked() {
        let whole = r#""network":"abc123.skadnetwork","itunesitem":"123456789","sourceidentifier":"4321","campaign":"45","list_id":7"#;
        let same_app = r#","bundle":"123456789""#;
        assert_eq!(wrong(whole, ""), [""; 0]);
        assert_eq!(wrong(whole, same_app), [""; 0]);
        assert_eq!(wrong(whole, r#","bundle":"com.acme.app""#), [""; 0]);
        for (old, new, expected) in [
            ("abc123.", "ABC123.", "skadn.network: \"ABC123.skadnetwork\" is not a network"),
            ("abc123.skadnetwork", ".skadnetwork", "skadn.network: "),
            ("abc123.skadnetwork", "abc123", "skadn.network: "),
            ("123456789", "id123456789", "skadn.itunesitem: \"id123456789\" is not an id of the App Store"),
            ("123456789", "987654321", "skadn.itunesitem: 987654321, but the campaign's bundle is 123456789"),
            ("4321", "0", "skadn.sourceidentifier: \"0\"; expected a number from 1 to 9999 as a string"),
            ("4321", "0432", "skadn.sourceidentifier: "),
            ("4321", "10000", "skadn.sourceidentifier: "),
            (r#""45""#, r#""101""#, "skadn.campaign: \"101\"; expected a number from 1 to 100 as a string"),
            (r#""45""#, r#""4x""#, "skadn.campaign: "),
            (r#","sourceidentifier":"4321","campaign":"45""#, "", "skadn: has no number of the campaign"),
            (r#""list_id":7"#, r#""list_id":0"#, "skadn.list_id: 0; expected a positive number"),
        ] {
            let found = wrong(&whole.replace(old, new), same_app);
            assert!(found.len() == 1 && found[0].contains(expected), "{new}: {found:?}");
        }
    }
}
