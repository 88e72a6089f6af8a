//! Hints for unknown attributes: names that other systems use, and what a catalog has instead.

use document::decode::{Finding, Rule};

/// A list of the document, attributes that authors expect in its entries, and the hint for them.
type Hint = (&'static str, &'static str, &'static str);

const HINTS: &[Hint] = &[
    (
        "campaigns",
        "start_date end_date startdate enddate starts ends from to until flight schedule dates",
        "expected the time at which it starts and ends as start and end, such as \"2026-12-01T00:00+01:00\", several such times in flights, or hours of the week in target.hours",
    ),
    (
        "campaigns",
        "daily_budget dailybudget total_budget totalbudget budgets daily total spend",
        "expected what it may spend in budget, such as \"budget\":{\"daily\":\"50\"}",
    ),
    (
        "campaigns",
        "order order_id insertion_order io budget_group shared_budget line_item",
        "expected the id of the order whose budget it spends in budget_of",
    ),
    (
        "campaigns",
        "cap frequency frequency_cap frequencycap fcap",
        "expected how often a person may see it in caps, such as \"caps\":[{\"n\":2,\"per\":\"day\"}]",
    ),
    (
        "campaigns",
        "cpm price bid bid_price maxcpm max_bid bidprice rate",
        "expected the price as max_cpm, such as \"2.50\"",
    ),
    ("campaigns", "currency", "expected cur"),
    ("campaigns", "id campaign_id campaignid", "expected cid"),
    ("campaigns", "advertiser domain domains advertiser_domain", "expected the advertiser's domains as adomain"),
    ("campaigns", "creative crid crids ads", "expected the crid of each creative in creatives"),
    (
        "campaigns",
        "targeting targets country countries geo device devices os language hours segments sites apps",
        "expected where it bids in target, such as \"target\":{\"country\":{\"include\":[\"DEU\"]}}",
    ),
    ("campaigns", "status active enabled pause disabled", "expected \"paused\": true to pause it"),
    ("campaigns", "exchange exchanges ssp supply", "expected the ids of SSPs in ssps"),
    ("campaigns", "deal deal_id dealid dealids pmp", "expected the ids of deals in deals"),
    ("creatives", "id creative_id creativeid", "expected crid"),
    ("creatives", "html markup adm tag vast xml", "expected the markup as adm inside banner, video or audio"),
    (
        "creatives",
        "w h width height size format type",
        "expected one of banner, video, audio, native, with w and h inside it",
    ),
    ("ssps", "name ssp ssp_id", "expected id, the last part of its URL"),
    ("ssps", "token tokens secret password key auth credential", "expected the SHA-256 of each token in credentials"),
    ("ssps", "endpoint url", "edgebid never calls an SSP, the SSP posts to /bid/:id; expected no address"),
    ("ssps", "currency", "expected cur"),
    ("ssps", "timeout", "expected tmax"),
    ("ssps", "latency", "expected latency_ms"),
    ("rates", "currency code", "expected cur"),
    ("rates", "rate value to_usd", "expected the value of one unit in US dollars as usd"),
];

/// Adds the hint to a finding on an unknown attribute, if there is one.
pub(super) fn apply(finding: &mut Finding) {
    if finding.rule != Rule::UnknownAttribute {
        return;
    }
    let Some((list, rest)) = finding.path.split_once('[') else { return };
    // A template has the attributes of a campaign.
    let list = if list == "templates" { "campaigns" } else { list };
    let Some((_, name)) = rest.split_once("].") else { return };
    let hint =
        HINTS.iter().find(|(of, words, _)| *of == list && words.split(' ').any(|word| word.eq_ignore_ascii_case(name)));
    if let Some((_, _, hint)) = hint {
        finding.message = format!("unknown attribute; {hint}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use document::decode::Object;
    use document::{CampaignEntry, CreativeEntry, RateEntry, SspEntry};

    #[test]
    fn no_hint_is_for_a_known_attribute() {
        for (list, words, _) in HINTS {
            let attributes = match *list {
                "campaigns" => CampaignEntry::ATTRIBUTES,
                "creatives" => CreativeEntry::ATTRIBUTES,
                "ssps" => SspEntry::ATTRIBUTES,
                _ => RateEntry::ATTRIBUTES,
            };
            for word in words.split(' ') {
                assert!(attributes.iter().all(|attribute| attribute.wire != word), "{list} {word}");
            }
        }
    }
}
