//! Campaigns with a template, and where findings on them are.

use super::{compiled, found, right};
use crate::{Compiled, zones_of};
use base::limits::MAX_CATALOG_BYTES;
use document::decode::Object;
use document::{CampaignEntry, SspEntry, TargetEntry};
use serde_json::{Value, json};

/// A document with a template and these campaigns, to which `template` adds members.
fn document(template: &Value, campaigns: &Value) -> Value {
    let mut document = right();
    document["templates"] = json!([{"id": "base", "seat": "s", "adomain": ["x.example"], "max_cpm": "1",
        "creatives": ["c"], "deals": ["d"],
        "target": {"country": {"include": ["DEU"]}, "devicetype": {"include": [4]}}}]);
    document["templates"][0].as_object_mut().unwrap().extend(template.as_object().unwrap().clone());
    document["campaigns"] = campaigns.clone();
    document
}

#[test]
fn a_campaign_with_a_template_is_the_campaign_with_its_attributes() {
    let target = json!({"country": {"include": ["DEU"]}, "devicetype": {"include": [4]}});
    for (own, written) in [
        (json!({}), json!({"deals": ["d"], "max_cpm": "1", "target": target})),
        (
            json!({"max_cpm": "2", "deals": ["e"], "target": {"devicetype": {"exclude": [5]}, "instl": true}}),
            json!({"deals": ["e"], "max_cpm": "2",
                "target": {"country": {"include": ["DEU"]}, "devicetype": {"exclude": [5]}, "instl": true}}),
        ),
        (json!({"deals": [], "target": null}), json!({"max_cpm": "1"})),
        (
            json!({"target": {"country": null}}),
            json!({"deals": ["d"], "max_cpm": "1", "target": {"devicetype": {"include": [4]}}}),
        ),
    ] {
        let of = |common: Value, more: &Value| -> Compiled {
            let mut campaign = common;
            campaign.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let mut document = document(&json!({}), &json!([campaign]));
            if campaign.get("template").is_none() {
                document["templates"] = json!([]);
            }
            compiled(&document).unwrap()
        };
        let with = of(json!({"cid": "a", "template": "base"}), &own);
        let common = json!({"cid": "a", "seat": "s", "adomain": ["x.example"], "creatives": ["c"]});
        assert_eq!(with, of(common, &written), "{own}");
    }
}

#[test]
fn a_mistake_in_a_template_is_told_once_and_names_the_campaigns() {
    let wrong = json!({"target": {"country": {"include": ["DE"]}}});
    let campaigns = json!([{"cid": "a", "template": "base"},
        {"cid": "b", "template": "base", "target": {"instl": true}},
        {"cid": "c", "template": "base", "target": {"country": {"include": ["DE"]}}}]);
    let found: Vec<(String, String, bool)> = found(&document(&wrong, &campaigns))
        .into_iter()
        .map(|finding| (finding.path, finding.of, finding.message.ends_with(" (in campaign a and 1 more)")))
        .collect();
    let text = |text: &str| text.to_owned();
    let inherited = (text("templates[0].target.country.include[0]"), text("base"), true);
    assert_eq!(found, [(text("campaigns[2].target.country.include[0]"), text("c"), false), inherited]);
}

#[test]
fn a_short_document_cannot_become_endless() {
    let refused = |count: usize| {
        let long = json!({"name": "x".repeat(MAX_CATALOG_BYTES / 4)});
        let campaigns: Vec<Value> = (0..count).map(|n| json!({"cid": n.to_string(), "template": "base"})).collect();
        let all = found(&document(&long, &json!(campaigns))).into_iter();
        all.filter(|finding| finding.message.contains("from templates"))
            .map(|finding| finding.path)
            .collect::<Vec<String>>()
    };
    assert!(refused(3).is_empty());
    assert_eq!(refused(9), ["campaigns[3].template"]);
}

#[test]
fn the_zone_of_a_template_is_known() {
    let hours = json!({"target": {"zone": "Asia/Kolkata", "hours": [{"from": 1, "to": 2}]}});
    let document = document(&hours, &json!([{"cid": "a", "template": "base"}]));
    assert_eq!(zones_of(document.to_string().as_bytes()), ["Asia/Kolkata"]);
    assert_eq!(found(&document), []);
}

#[test]
fn every_attribute_has_a_bit() {
    let objects = [CampaignEntry::ATTRIBUTES, TargetEntry::ATTRIBUTES, SspEntry::ATTRIBUTES];
    assert!(objects.iter().all(|attributes| attributes.len() <= 128));
}
