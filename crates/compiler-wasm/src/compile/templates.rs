//! Templates: attributes that several campaigns share.
//!
//! [`apply`] completes the campaigns before anything is compiled, so no other part knows templates. [`relocate`] then
//! moves the findings on inherited attributes to the template, which has the text.

use std::collections::{HashMap, HashSet};

use super::allowed::NAME;
use super::check::{At, Names};
use super::document::{CampaignEntry, Document};
use crate::decode::{
    Attribute, AttributeName, Context, Finding, Inherits, Json, Object, Rule, Slot, place_of, read_object,
};

/// A template: an id, and any attributes of a campaign except its `cid`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TemplateEntry {
    /// The name by which campaigns refer to the template.
    pub id: String,
    /// The attributes that campaigns take.
    pub attributes: CampaignEntry,
}

impl Attribute for TemplateEntry {
    const EXPECTED: &'static str = CampaignEntry::EXPECTED;
    const EXPECTED_LIST: &'static str = CampaignEntry::EXPECTED_LIST;
    const MOST: usize = CampaignEntry::MOST;

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        let (mut id, mut attributes) = (String::new(), CampaignEntry::default());
        let id_slot = Slot::new(AttributeName { wire: "id", required: true }, &mut id).limited(NAME.unique());
        let (mut id_slot, slots) = (Some(id_slot), attributes.slots().into_iter());
        // `id` stands in the place of `cid`, so that every other attribute keeps its place.
        let slots =
            slots.map(|slot| if slot.name() == "cid" { id_slot.take().unwrap_or(slot) } else { slot.optional() });
        let given = read_object(value, &mut slots.collect::<Vec<_>>(), cx)?;
        attributes.given = place_of::<CampaignEntry>("cid").map_or(given, |place| given.without(place));
        Some(TemplateEntry { id, attributes })
    }
}

/// Completes the campaigns that have a template.
pub(super) fn apply(document: &mut Document, at: &At<'_>) {
    let Document { templates, campaigns, .. } = document;
    for (i, _) in templates.iter().enumerate().filter(|(_, entry)| entry.attributes.template.is_some()) {
        let message = "a template in a template; expected the template only in campaigns";
        at.item("templates", i).attribute("template").error(message);
    }
    let (names, mut used) = (names(templates), HashSet::new());
    for (i, campaign) in campaigns.iter_mut().enumerate() {
        let (at, Some(name)) = (at.item("campaigns", i), campaign.template.as_deref()) else { continue };
        let place = names.place(name, at.attribute("template").path(), &mut at.findings());
        let Some(template) = place.and_then(|place| templates.get(place as usize)) else { continue };
        used.insert(&template.id);
        if let (Some(own), Some(base)) = (&mut campaign.target, &template.attributes.target) {
            own.inherit(base);
        }
        campaign.inherit(&template.attributes);
        for (name, expected) in campaign.missing() {
            let message = format!("missing, also in the template; expected {expected}");
            at.attribute(name).report(Rule::Missing, message);
        }
    }
    // An error may hide a campaign that has the template.
    if !at.findings().iter().all(|finding| finding.rule.is_note()) {
        return;
    }
    for (i, _) in templates.iter().enumerate().filter(|(_, entry)| !used.contains(&entry.id)) {
        let message = "no campaign has this template; expected its id as the template of a campaign";
        at.item("templates", i).report(Rule::NoBids, message);
    }
}

fn names(templates: &[TemplateEntry]) -> Names<'_> {
    Names::of(templates, |entry| &entry.id, "an id in templates")
}

/// Moves findings on what campaigns have inherited to their templates. Findings of several campaigns on the same text
/// become one, which says how many campaigns it is about.
pub(super) fn relocate(document: &Document, findings: &mut Vec<Finding>) {
    if document.templates.is_empty() {
        return;
    }
    let templates = names(&document.templates);
    let mut first: HashMap<(String, String), (usize, usize)> = HashMap::new();
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings.drain(..) {
        let Some((path, cid)) = inherited(document, &templates, &finding.path) else {
            kept.push(finding);
            continue;
        };
        let (_, more) = first.entry((path.clone(), finding.message.clone())).or_insert_with(|| {
            kept.push(Finding { path, of: cid.to_owned(), ..finding });
            (kept.len() - 1, 0)
        });
        *more += 1;
    }
    for (place, campaigns) in first.into_values() {
        let Some(finding) = kept.get_mut(place) else { continue };
        let others = if campaigns > 1 { format!(" and {} more", campaigns - 1) } else { String::new() };
        finding.message = format!("{} (in campaign {}{others})", finding.message, finding.of);
        finding.of.clear();
    }
    *findings = kept;
}

/// The path in the template, and the `cid`, if the attribute at `path` was inherited.
fn inherited<'d>(document: &'d Document, templates: &Names<'_>, path: &str) -> Option<(String, &'d str)> {
    let (place, rest) = path.strip_prefix("campaigns[")?.split_once("].")?;
    let campaign = document.campaigns.get(place.parse::<usize>().ok()?)?;
    let template = templates.get(campaign.template.as_deref()?)?;
    let base = &document.templates.get(template)?.attributes;
    let is_inherited = match (rest.strip_prefix("target."), &campaign.target, &base.target) {
        (Some(rest), Some(own), Some(base)) if campaign.names("target") => {
            !own.names(first_name(rest)) && base.names(first_name(rest))
        }
        _ => !campaign.names(first_name(rest)) && base.names(first_name(rest)),
    };
    is_inherited.then(|| (format!("templates[{template}].{rest}"), campaign.cid.as_str()))
}

/// The attribute that a path starts with.
fn first_name(path: &str) -> &str {
    path.split(['.', '[']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::{Zone, compile, zones_of};
    use super::*;
    use crate::compile::Compiled;
    use crate::compile::document::{SspEntry, TargetEntry};
    use crate::decode::Object;

    fn document(templates: &str, campaigns: &str) -> String {
        format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"s"}}],"creatives":[{{"crid":"c","banner":{{"w":1,"h":1,"adm":"a"}}}}],"templates":[{templates}],"campaigns":[{campaigns}]}}"#
        )
    }

    fn compiled(templates: &str, campaigns: &str) -> Result<Compiled, Vec<Finding>> {
        compile(
            document(templates, campaigns).as_bytes(),
            &[Zone { name: "Asia/Kolkata".to_owned(), changes: vec![(0, 330)] }],
        )
    }

    /// Errors or notes, each with the id of its entry.
    fn found(templates: &str, campaigns: &str) -> Vec<String> {
        let found = compiled(templates, campaigns).map_or_else(|found| found, |compiled| compiled.notes);
        found.iter().map(|finding| format!("{} {finding}", finding.of)).collect()
    }

    const ISO: &str = r#""DE" is not a country code of ISO 3166-1 alpha-3; did you mean "DEU" (Germany)?"#;
    const BASE: &str = r#"{"id":"base","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["c"],"deals":["d"],"target":{"country":{"include":["DEU"]},"devicetype":{"include":[4]}}}"#;

    #[test]
    fn a_campaign_with_a_template_is_the_campaign_with_its_attributes() {
        for (own, written) in [
            (
                "",
                r#""deals":["d"],"max_cpm":"1","target":{"country":{"include":["DEU"]},"devicetype":{"include":[4]}}"#,
            ),
            (
                r#","max_cpm":"2","deals":["e"],"target":{"devicetype":{"exclude":[5]},"instl":true}"#,
                r#""deals":["e"],"max_cpm":"2","target":{"country":{"include":["DEU"]},"devicetype":{"exclude":[5]},"instl":true}"#,
            ),
            (r#","deals":[],"target":null"#, r#""max_cpm":"1""#),
            (r#","target":{"country":null}"#, r#""deals":["d"],"max_cpm":"1","target":{"devicetype":{"include":[4]}}"#),
        ] {
            let with = compiled(BASE, &format!(r#"{{"cid":"a","template":"base"{own}}}"#)).unwrap();
            let whole = format!(r#"{{"cid":"a","seat":"s","adomain":["x.example"],"creatives":["c"],{written}}}"#);
            let without = compiled("", &whole).unwrap();
            assert_eq!(with, without, "{own}");
        }
    }

    #[test]
    fn mistakes_are_found_in_their_place() {
        let campaigns = r#"{"cid":"a","template":"base"},{"cid":"b","template":"base","deals":[]}"#;
        for (templates, campaigns, findings) in [
            (
                BASE,
                r#"{"cid":"a","template":"bas"}"#,
                vec![r#"a campaigns[0].template: "bas" does not exist; did you mean "base"?"#],
            ),
            (
                r#"{"id":"base","seat":"s","max_cpm":"1"}"#,
                r#"{"cid":"a","template":"base","creatives":["c"],"seat":null}"#,
                vec![
                    "a campaigns[0].seat: missing, also in the template; expected a string",
                    "a campaigns[0].adomain: missing, also in the template; expected an array of strings",
                ],
            ),
            (
                &BASE.replace(r#"["c"]"#, r#"["d"]"#),
                campaigns,
                vec![
                    r#"base templates[0].creatives[0]: "d" does not exist; expected a crid in creatives (in campaign a and 1 more)"#,
                ],
            ),
            (
                &BASE.replace("[4]", "[\"4\"]"),
                campaigns,
                vec![r#"base templates[0].target.devicetype.include[0]: the string "4"; expected an integer"#],
            ),
            (
                &BASE.replace(r#""deals":["d"]"#, r#""open":false"#),
                campaigns,
                vec![
                    "a campaigns[0].deals: empty, but open is false, so the campaign can never bid; expected deal ids",
                    "b campaigns[1].deals: empty, but open is false, so the campaign can never bid; expected deal ids",
                ],
            ),
            (
                &BASE.replace(r#""include":["DEU"]"#, r#""include":["DE"]"#),
                r#"{"cid":"a","template":"base"},{"cid":"b","template":"base","target":{"instl":true}},{"cid":"c","template":"base","target":{"country":{"include":["DE"]}}}"#,
                vec![
                    "base templates[0].target.country.include[0]: … (in campaign a and 1 more)",
                    "c campaigns[2].target.country.include[0]: …",
                ],
            ),
            (
                &format!(r#"{BASE},{{"id":"other","cid":"x"}},{{"id":"base","template":"other"}},{{}}"#),
                campaigns,
                vec![
                    "other templates[1].cid: unknown attribute; did you mean `id`?",
                    r#"base templates[2].id: "base" is already used in templates[0]; expected a unique id"#,
                    "base templates[2].template: a template in a template; expected the template only in campaigns",
                    " templates[3].id: missing; expected a string",
                ],
            ),
            (
                &format!(r#"{BASE},{{"id":"other"}}"#),
                campaigns,
                vec![
                    "other templates[1]: no campaign has this template; expected its id as the template of a campaign",
                ],
            ),
        ] {
            let found: Vec<String> = found(templates, campaigns).iter().map(|text| text.replace(ISO, "…")).collect();
            assert_eq!(found, findings, "{templates} {campaigns}");
        }
    }

    #[test]
    fn the_zone_of_a_template_is_known() {
        let base = BASE.replace(r#""devicetype""#, r#""zone":"Asia/Kolkata","hours":[{"from":1,"to":2}],"devicetype""#);
        let campaign = r#"{"cid":"a","template":"base"}"#;
        assert_eq!(zones_of(document(&base, campaign).as_bytes()), ["Asia/Kolkata"]);
        assert_eq!(found(&base, campaign), [""; 0]);
    }

    #[test]
    fn every_attribute_has_a_bit() {
        let objects = [CampaignEntry::ATTRIBUTES, TargetEntry::ATTRIBUTES, SspEntry::ATTRIBUTES];
        assert!(objects.iter().all(|attributes| attributes.len() <= 128));
    }
}
